"""Numbers, dates and names as texts of several languages write them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from frasier.kernel.dates import PartialDate, find_dates
from frasier.kernel.names import names_used_in, nouns_in_german, openings_in
from frasier.kernel.number_mentions import Bound
from frasier.kernel.quantities import find_quantities
from frasier.kernel.source_units import Sources, SourceText
from frasier.kernel.word_places import place_of, token_starts


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("ventisette bottiglie", "27", None),
        ("eenentwintig dagen", "21", "day"),
        ("trinta e cinco dias", "35", "day"),
        ("three quarters of an hour", "45", "min"),
        ("trois quarts d'heure", "45", "min"),
        ("half a million euros", "500000", "EUR"),
        ("a month and a half at sea", "1.5", "month"),
        ("14p per kWh", "14", "cent"),
        ("52 centesimi al litro", "52", "cent"),
        ("178 kWp", "178", "kWp"),
        ("TOP 4 Heizung", "4", None),
        ("7 T€ netto", "7000", "EUR"),
        ("nach 2 Std. 14 Min.", "134", "min"),
        ("396 uren", "396", "h"),
    ],
)
def test_a_number_is_read_with_its_unit(text: str, value: str, unit: str | None) -> None:
    [quantity] = find_quantities(text)
    assert quantity.values == (Decimal(value),)
    assert (quantity.unit.name if quantity.unit else None) == unit


def test_a_fraction_in_words_is_told_from_a_number() -> None:
    [quantity] = find_quantities("about two thirds of the berths")
    assert quantity.is_fraction
    assert round(quantity.values[0], 2) == Decimal("0.67")


def test_an_article_with_an_apostrophe_is_no_unit() -> None:
    [year] = find_quantities("Nel 2026 l'azienda ha chiuso")
    assert year.unit is None


def test_what_is_compared_has_the_unit_of_the_other() -> None:
    units = [quantity.unit.name for quantity in find_quantities("19 minutes instead of 52") if quantity.unit]
    assert units == ["min", "min"]


def test_both_days_of_a_range_are_dates() -> None:
    readings = [date.readings for date in find_dates("from Wednesday 16 to Sunday 20 September 2026")]
    assert readings == [(PartialDate(year=2026, month=9, day=day),) for day in (16, 20)]


@pytest.mark.parametrize(
    ("stated", "known", "agrees"),
    [
        ("before April", "31 March", True),
        ("before April", "28 February", False),
        ("in January 2028", "01/2028", True),
        ("in January 2028", "01/2027", False),
    ],
)
def test_a_date_agrees_with_the_same_in_another_form(stated: str, known: str, *, agrees: bool) -> None:
    [first], [second] = find_dates(stated), find_dates(known)
    assert first.agrees_with(second) is agrees


def test_a_name_is_never_written_with_a_small_letter_and_in_german_has_two_words_or_a_title() -> None:
    english = names_used_in([("We met Ines Calder. The Harbour board and the harbour.", False)])
    assert {"ines", "calder"} <= english
    assert "harbour" not in english
    german = names_used_in(
        [("Das Angebot von Elektro Seifert liegt vor, sagt Frau Kopp. Gute Arbeit ist die Arbeit.", True)]
    )
    assert {"elektro", "seifert", "kopp"} <= german
    assert german.isdisjoint({"angebot", "arbeit", "das", "frau"})


def test_a_german_noun_stands_behind_an_article_or_the_like() -> None:
    text = "Der Automat am Hof und keine Bäckerei in Linz; Egon zahlt."
    assert nouns_in_german(text) == {"automat", "hof", "bäckerei"}


def test_a_word_that_opens_a_sentence_may_be_a_name() -> None:
    assert list(openings_in("Calder pays. The rest waits. According to her, Printing costs more.")) == [
        "Calder"
    ]


def test_what_stands_for_a_name_is_found_in_full_names_and_in_records() -> None:
    text = "Present: Otto Brandis (pilots).\n\nlot,origin,port\nL-1,Peru,Lodz\nL-2,Kenya,Lodz\n"
    aliases = Sources(by_number={1: SourceText(number=1, title="", text=text)}).aliases
    assert "otto" in aliases["brandis"]
    assert aliases.get("l-1", frozenset()) <= {"peru"}


def test_a_comma_is_as_long_as_several_words() -> None:
    text = "Two agents work, sixteen voted"
    starts = token_starts(text)
    places = [place_of(starts, text.index(word)) for word in ("work", "sixteen")]
    assert places[1] - places[0] > 2


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("less than 5 kg", Bound.AT_MOST),
        ("moins de 18 ans", Bound.AT_MOST),
        ("menos de 5 kg", Bound.AT_MOST),
        ("minder dan 5 kg", Bound.AT_MOST),
        ("no more than 4 hours", Bound.AT_MOST),
        ("nicht mehr als 5 kg", Bound.AT_MOST),
        ("no más de 5 kg", Bound.AT_MOST),
        ("pas plus de 5 kg", Bound.AT_MOST),
        ("more than 5 kg", Bound.AT_LEAST),
        ("no less than 4 hours", Bound.AT_LEAST),
        ("au moins 5 kg", Bound.AT_LEAST),
        ("al menos 5 kg", Bound.AT_LEAST),
        ("plus de 5 kg", Bound.AT_LEAST),
    ],
)
def test_a_comparative_bounds_a_number_and_a_negation_turns_it(text: str, bound: Bound) -> None:
    assert [one.bound for one in find_quantities(text)] == [bound]


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("In september 9 leden", ["september"]),
        ("In augustus 9 leden", ["augustus"]),
        ("on September 9", ["September 9"]),
        ("op 9 september", ["9 september"]),
    ],
)
def test_a_number_behind_a_month_is_its_day_in_english_only(text: str, dates: list[str]) -> None:
    assert [one.text for one in find_dates(text)] == dates


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("msgs_per_s=48120 p50_ms=3.1", [None, None]),
        ("lost=31 p95=9ms", [None, "ms"]),
        ("the fee of 31 p", ["cent"]),
        ("die Karte steigt von 24 auf 27 Euro", ["EUR", "EUR"]),
        ("de kosten gaan van 38 naar 46 euro", ["EUR", "EUR"]),
    ],
)
def test_a_letter_before_digits_is_no_unit_and_what_rises_has_one(text: str, units: list[str | None]) -> None:
    found = [one for one in find_quantities(text) if not one.is_word]
    assert [one.unit and one.unit.name for one in found] == units


@pytest.mark.parametrize(
    "text", ["from 418 to 439 euros", "ab 400 kg", "bis 400 kg", "after 3 days", "within reach: to 30 %"]
)
def test_where_something_begins_or_ends_is_no_rounded_number(text: str) -> None:
    assert {one.bound for one in find_quantities(text)} == {Bound.EXACT}
