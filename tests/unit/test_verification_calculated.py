"""Numbers that follow from what a statement or one line of a source states, dates of titles, denied calculations."""

from __future__ import annotations

import time

import pytest

from frasier.kernel.dates import find_dates
from frasier.kernel.quantities import find_quantities
from frasier.kernel.source_units import Sources, SourceText
from frasier.work.verification.calculations import find_calculations
from frasier.work.verification.check import check_text
from frasier.work.verification.findings import StatementVerdict
from support.machine_speed import scaled

PRIZES = """\
Entry fee of the Open ............ £28 (juniors £14)
Entries of the Open .............. 44, of whom 6 juniors
Guitar lessons are taken by 55 pupils and trumpet lessons by 11 pupils.
Ada Brook is rated 2251 and Ida Brooks 2079.
The monitor in the hall was out of order from 1 to 19 March.
The lamp has not been changed since 3 July 2024. The lamp was replaced on 29 August.
"""
LOG = """\
Control room, call 17
02:14 Caller reports a fire in the joinery at 7 Gerber Lane
02:16 Alarm for Oberrieden and for the turntable ladder of Allwang
02:31 Riedl asks for two more engines, water from hydrant 118 does not suffice
"""
SOURCES = Sources(
    by_number={
        1: SourceText(number=1, title="Congress as of 15 September 2026", text=PRIZES),
        2: SourceText(number=2, title="Log", text=LOG),
    }
)


def verdict(statement: str) -> StatementVerdict:
    [check] = check_text(statement, SOURCES)
    return check.verdict


@pytest.mark.parametrize(
    "statement",
    [
        "The Open brought 38 × £28 + 6 × £14 = £1,148 [1].",
        "He has 66 pupils: 55 for guitar and 11 for trumpet [1].",
        "Ida Brooks is rated 172 points below Ada Brook: 2079 against 2251 [1].",
        "On 15 September 2026 the Open had 44 entries [1].",
        "From 1 to 19 March the monitor in the hall did not work [1].",
        "The lamp, which dated from 3 July 2024, was replaced on 29 August [1].",
    ],
)
def test_what_follows_from_the_source_is_not_flagged(statement: str) -> None:
    assert verdict(statement) is not StatementVerdict.DOUBTFUL


@pytest.mark.parametrize(
    "statement",
    [
        "The Open brought 39 × £28 + 6 × £14 = £1,176 [1].",
        "He has 68 pupils: 55 for guitar and 11 for trumpet [1].",
        "Ida Brooks is rated 127 points below Ada Brook: 2079 against 2251 [1].",
        "On 16 September 2026 the Open had 44 entries [1].",
        "The Open did not bring 38 × £28 + 6 × £14 = £1,148 [1].",
    ],
)
def test_what_does_not_follow_is_found(statement: str) -> None:
    assert verdict(statement) is StatementVerdict.DOUBTFUL


def test_each_line_of_a_log_is_a_unit() -> None:
    assert [unit.text[:5] for unit in SOURCES.by_number[2].units] == ["Contr", "02:14", "02:16", "02:31"]


def test_a_line_of_a_chat_is_a_unit() -> None:
    chat = (
        "Tess Aldana 09:12 our peak last year was 35 jobs a second (Black Friday).\n"
        "Noor Haidari (Legal) 09:20 exceptions only in writing.\n"
    )
    assert len(SourceText(number=1, title="", text=chat).units) == 2


@pytest.mark.parametrize("text", ["Huit des 22 copropriétaires", "in augustus 9 ratten", "les mars 12"])
def test_a_day_stands_behind_the_month_in_english_only(text: str) -> None:
    assert all(reading.day is None for date in find_dates(text) for reading in date.readings)


def test_a_day_behind_an_english_month_is_read() -> None:
    [date] = find_dates("It opens on August 9, 2026.")
    assert (date.readings[0].month, date.readings[0].day) == (8, 9)


def test_german_genitives_of_numbers_are_read() -> None:
    assert [one.values[0] for one in find_quantities("Nachforderung zweier Löschfahrzeuge")] == [2]


PACKAGE = "The battery package of Zonneslag costs 118,000 euros, its installation 16,500 euros. The province pays 40 % of both."
RESERVE = "At most 80,000 euros of the reserve may be used for the battery package."


@pytest.mark.parametrize(
    ("first", "then", "is_doubted"),
    [
        ("", "That is €700 more than the €80,000 of the reserve (80,700 − 80,000) [2].", False),
        (
            "so €80,700 remain",
            "That is €700 more than the €80,000 of the reserve (80,700 − 80,000) [2].",
            False,
        ),
        (
            "so €80,700 remain",
            "That is €900 more than the €80,000 of the reserve (80,900 − 80,000) [2].",
            True,
        ),
        (
            "so €82,700 remain",
            "That is €2,700 more than the €80,000 of the reserve (82,700 − 80,000) [2].",
            True,
        ),
    ],
    ids=["the difference of two before", "computed before", "another number", "computed falsely"],
)
def test_what_a_statement_computes_may_stand_in_those_behind_it(
    first: str, then: str, is_doubted: bool
) -> None:
    sources = Sources(
        by_number={
            at: SourceText(number=at, title="", text=text) for at, text in ((1, PACKAGE), (2, RESERVE))
        }
    )
    costs = "Zonneslag's package costs €134,500 (118,000 + 16,500); the province pays 40 % of it, €53,800"
    *_, last = check_text(f"{costs}{', ' * bool(first)}{first} [1]. {then}", sources)
    assert (last.verdict is StatementVerdict.DOUBTFUL) is is_doubted


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("(1" * 4000, []),
        ("(1 + " * 4000 + "2", ["4002"]),
        ("1 / 0 + " * 4000 + "1", []),
        ("1 : " * 4000 + "1", []),
        ("((" * 4000 + "1 + 1", ["2"]),
        ("from 2) + (3 × 4", ["14"]),
        ("Total : 4 + 5", ["9"]),
        ("12 (+ 3)", []),
    ],
)
def test_calculations_are_read_in_linear_time_however_deep_their_brackets_are(
    text: str, values: list[str]
) -> None:
    quantities = find_quantities(text)
    started = time.process_time()
    found = find_calculations(text, quantities)
    assert time.process_time() - started < scaled(0.5)
    assert [str(one.values[0]) for one in found] == values


RENTS = """\
model;maker;rent
Andorinha L1;Alvor;480.00 €
Andorinha L2;Alvor;512.00 €
Lobo V;Sauer;600.00 €
"""
BALANCES = """\
Date      Booking                      Amount       Balance
02.03.26  Rent, Maltings             1,200.00     19,804.16
27.03.26  Bar supplies, Tollis       2,271.35     15,424.21
"""


@pytest.mark.parametrize(
    ("statement", "elsewhere"),
    [
        ("The Andorinha L1 costs 480 €, 6 % less than the 512 of its sister [1].", set()),
        ("The Andorinha L1 costs 480 €, a fifth less than the 600 of the dearest [1].", set()),
        ("The balance was 15,424.21 on 27 March, down from 19,804.16 at the start [2].", set()),
        ("The Andorinha L1 costs 480 €, 6 % more than the 512 of its sister [1].", {"512"}),
        ("The Andorinha L1 costs 480 €, a third less than the 600 of the dearest [1].", {"600"}),
        ("The balance was 15,424.21 on 27 March, down from 1,200.00 at the start [2].", {"1,200.00"}),
    ],
)
def test_what_a_number_is_compared_with_need_not_stand_beside_it(statement: str, elsewhere: set[str]) -> None:
    sources = Sources(
        by_number={at: SourceText(number=at, title="", text=text) for at, text in ((1, RENTS), (2, BALANCES))}
    )
    [check] = check_text(statement, sources)
    assert {one.text for one in check.findings} == elsewhere
