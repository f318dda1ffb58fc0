"""The conditions of a question that are computed, and the kinds of values that it asks for."""

from __future__ import annotations

import pytest

from frasier.kernel.source_units import SourceText
from frasier.llm import Passage
from frasier.llm.providers.rehearsal.conditions import conditions_in
from frasier.llm.providers.rehearsal.corpus import corpus_of
from frasier.llm.providers.rehearsal.evidence import evidence_of_line
from frasier.llm.providers.rehearsal.needs import need_of

VERDICTS = [
    ("delivered before June 2026", "Delivery: 20 May 2026", True),
    ("delivered before June 2026", "Delivery: 1 June 2026", False),
    ("delivered before June", "Delivery: 20 June 2026", False),
    ("vor dem 1. Juni 2026 geliefert", "Lieferung am 20. Mai 2026", True),
    ("livré avant le 1 juin 2026", "Livraison le 3 juin 2026", False),
    ("entregado antes del 1 de junio de 2026", "Entrega: 20 de mayo de 2026", True),
    ("failed after 15 June 2026", "2026-06-24 pressure test: FAILED", True),
    ("paid no later than 12 June 2026", "paid on 2026-06-12", True),
    ("between 3 May and 5 June 2026", "on 4 June 2026", True),
    ("between 3 May and 5 June 2026", "on 6 June 2026", False),
    ("installed since 2025", "installed on 3 January 2026", True),
    ("best before September 2026", "kept in a dry place", None),
    ("offers below 500 EUR", "Price: 499.99 EUR", True),
    ("offers below 500 EUR", "Price: 500.00 EUR", False),
    ("offers of at most 500 EUR", "Price: 500.00 EUR", True),
    ("offers below 500 EUR", "Weight: 300 kg", None),
    ("at least 6 bar", "610 kPa measured", True),
    ("at least 6 bar", "590 kPa measured", False),
    ("offers of no more than 500 EUR", "Price: 500.00 EUR", True),
    ("offers of no more than 500 EUR", "Price: 501.00 EUR", False),
    ("offers cheaper than EUR 500", "Price: 501.00 EUR", False),
    ("bags of 5 kg or more", "Weight: 4 kg", False),
    ("moins de 5 kg", "Poids : 4 kg", True),
    ("au plus 5 kg", "Poids : 6 kg", False),
    ("menos de 5 kg", "Peso: 6 kg", False),
    ("superiores a 5 kg", "Peso: 6 kg", True),
    ("nicht mehr als 5 kg", "Gewicht: 6 kg", False),
    ("within 14 days", "Delivery takes nine weeks.", False),
    ("firmware older than 3.10.0", "firmware 3.9.4", True),
    ("firmware older than 3.10.0", "firmware 3.10.1", False),
    ("version 2.4 or later", "version 2.10", True),
    ("firmware älter als 3.10.0", "Firmware 3.9.4", True),
    ("firmware ouder dan 3.10.0", "Firmware 3.9.4", True),
    ("firmware anteriore a 3.10.0", "Firmware 3.9.4", True),
    ("firmware prima di 3.10.0", "Firmware 3.11.0", False),
    ("firmware antérieure à 3.10.0", "Firmware 3.9.4", True),
    ("versão 2.4 ou superior", "Versão 2.10.0", True),
    ("versione 2.4 o successiva", "Versione 2.3.0", False),
    ("minstens versie 2.4", "Versie 2.3.0", False),
    ("under version 3 of the licence", "License: GPL-3.0-only", True),
    ("under version 3 of the licence", "License: GPL-2.0-only", False),
]


@pytest.mark.parametrize(("question", "statement", "verdict"), VERDICTS)
def test_a_condition_is_computed_on_the_values_of_a_statement(
    question: str, statement: str, verdict: bool | None
) -> None:
    [condition] = conditions_in(question)
    [unit] = SourceText(number=1, title="T", text=statement).units
    assert condition.met_by(unit, ()) is verdict


def test_a_question_without_a_comparison_has_no_condition() -> None:
    assert conditions_in("Until when is the offer 4471 of 3 May valid, and what do 12 lamps cost?") == ()


def test_a_condition_is_compared_with_the_field_that_the_question_names() -> None:
    need = need_of("Which invoices are due before June 2026?")
    late = evidence_of_line("invoice: A7; issued: 2026-04-02; due: 2026-06-09")
    early = evidence_of_line("invoice: A8; issued: 2026-04-02; due: 2026-05-09")
    assert (need.share(late), need.share(early) > 0) == (0, True)


def test_a_yes_or_no_under_a_name_that_is_asked_for_decides() -> None:
    organic, other = evidence_of_line("oil: olive; organic: yes"), evidence_of_line("oil: palm; organic: no")
    for question, matching in (
        ("Which organic oils are there?", organic),
        ("Which oils are not organic?", other),
    ):
        assert [one for one in (organic, other) if need_of(question).share(one)] == [matching]


@pytest.mark.parametrize(
    ("question", "statement", "answers"),
    [
        ("What is the price of the lamp?", "The lamp costs 41.80 EUR.", True),
        ("What is the price of the lamp?", "The price of the lamp is not yet known.", False),
        ("When is the lamp delivered?", "The lamp is delivered on 12 June 2026.", True),
        ("When is the lamp delivered?", "The lamp is delivered with a cable.", False),
        ("Wie hoch ist der Preis der Lampe?", "Die Lampe kostet 41,80 EUR.", True),
        ("Which licence does the lamp driver have?", "licence: MIT; name: lamp driver", True),
        ("Which licence does the lamp driver have?", "The lamp driver needs a licence.", False),
        ("What is the weight of the lamp?", "The lamp weighs 3 kg.", True),
        ("What is the weight of the lamp?", "The lamp costs 3 EUR.", False),
        ("Is the lamp pretty?", "The lamp is pretty and cheap.", False),
    ],
)
def test_only_a_value_of_the_asked_kind_answers(question: str, statement: str, answers: bool) -> None:
    assert need_of(question).answered_by(evidence_of_line(statement)) is answers


def test_a_source_without_the_number_that_is_asked_for_is_about_something_else() -> None:
    passages = tuple(
        Passage(number=number, title=f"mail {number}", text=f"Order: {order}\nDue: 2026-04-29\n")
        for number, order in ((1, 70013), (2, 70031))
    )
    ranked = corpus_of(passages).ranked(need_of("When is order 70013 due?"))
    assert {scored.evidence.number for scored in ranked} == {1}


def test_what_is_not_named_so_but_of_the_asked_kind_is_near() -> None:
    passages = (
        Passage(number=1, title="offer 1", text="Delivery: 12 June 2026\n"),
        Passage(number=2, title="offer 2", text="Lead time: 4 weeks\n\nWe deliver with care.\n"),
    )
    need = need_of("When is delivery?")
    corpus = corpus_of(passages)
    ranked = corpus.ranked(need)
    assert [scored.evidence.number for scored in ranked] == [1]
    nearest = corpus.nearest(need, met=ranked)
    assert "Lead time: 4 weeks" in [scored.evidence.text for scored in nearest]


@pytest.mark.parametrize(
    ("question", "statement", "holds"),
    [
        ("Which paintings are from before 1890?", "title: Nets; year: 1884", True),
        ("Which paintings are from before 1890?", "title: Nets; year: 1911", False),
        ("Which sets in use are blue?", "set: Q1; colour: blue; in_use: no", False),
        ("Which sets in use are blue?", "set: Q1; colour: blue; in_use: yes", True),
    ],
)
def test_a_year_or_a_yes_under_its_name_decides(question: str, statement: str, *, holds: bool) -> None:
    assert need_of(question).holds(evidence_of_line(statement)) is holds
