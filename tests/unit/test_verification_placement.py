"""Numbers and names that stand in a source, but not where it speaks of what the statement says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.kernel.source_units import Sources, SourceText
from frasier.work.verification.check import check_text
from frasier.work.verification.findings import FindingKind, StatementVerdict

MINUTES = """\
Minutes of the harbour board, 4 May 2026

Present: Ines Calder (chair), Otto Brandis (pilots), Mara Linde (finance).

- Otto wants to keep nine pilots, Mara argued for six. They settled on seven until the end of the year.
- The tug will be in dock for three weeks, from 8 to 28 June 2026, and the crane for five days in July.
- Ines takes the chair on 2 June in place of the mayor.
- Of 120 berths 30 are let to visitors, who pay EUR 18 a night; residents pay EUR 940 a year.
"""
PRICES = """\
berth,length,metres,fee_eur
A-11,short,8,410
B-24,medium,12,615
C-37,long,16,980
"""
OFFER = """\
From: Lena Oster, Seilwerk
Subject: Ropes

The ropes are delivered within 60 days of the order and cost EUR 14.50 a metre. The guarantee runs for two years.
"""
SOURCES = Sources(
    by_number={
        number: SourceText(number=number, title=title, text=text)
        for number, title, text in (
            (1, "Minutes", MINUTES),
            (2, "Fees", PRICES),
            (3, "Offer of Seilwerk", OFFER),
        )
    }
)


def verdict_and_kinds(statement: str) -> tuple[StatementVerdict, set[FindingKind]]:
    [check] = check_text(statement, SOURCES)
    return check.verdict, {finding.kind for finding in check.findings}


@pytest.mark.parametrize(
    "statement",
    [
        "Brandis wants to keep nine pilots, whereas Linde argued for six [1].",
        "The tug is in dock for three weeks, from 8 to 28 June 2026 [1].",
        "On 2 June Calder takes the chair in place of the mayor [1].",
        "A quarter of the berths, 30 of 120, are let to visitors [1].",
        "Visitors have 30 of 120 berths, that is 25 % [1].",
        "Berth B-24 has 12 metres and costs €615 [2].",
        "| C-37 | 16 m | €980 | [2] |",
        "The ropes come within two months of the order [3].",
        "On 4 May 2026 the board agreed that Ines takes the chair [1].",
        "Oster offers ropes at €14.50 a metre, with a guarantee of 24 months [3].",
        "Three berths (A-11, B-24 and C-37) have a fee of their own [2].",
    ],
)
def test_what_stands_where_the_source_speaks_of_it_is_not_flagged(statement: str) -> None:
    verdict, kinds = verdict_and_kinds(statement)
    assert verdict is not StatementVerdict.DOUBTFUL, kinds


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("Brandis wants to keep six pilots, and they settled on seven [1].", FindingKind.ELSEWHERE),
        ("On 2 June Brandis takes the chair in place of the mayor [1].", FindingKind.ELSEWHERE),
        ("Holmquist takes the chair on 2 June in place of the mayor [1].", FindingKind.NAME),
        ("Residents pay EUR 18 a year [1].", FindingKind.ELSEWHERE),
        ("The fee of berth B-24 is €980 [2].", FindingKind.ELSEWHERE),
        ("Berth A-11 has 12 metres and costs €615 [2].", FindingKind.ELSEWHERE),
        ("| A-11 | 16 m | €980 | [2] |", FindingKind.ELSEWHERE),
        ("The ropes come within three months of the order [3].", FindingKind.NUMBER),
        ("Ines takes the chair on 8 June in place of the mayor [1].", FindingKind.ELSEWHERE),
        ("Four berths (A-11, B-24 and C-37) have a fee of their own [2].", FindingKind.NUMBER),
    ],
)
def test_what_stands_elsewhere_is_found(statement: str, kind: FindingKind | None) -> None:
    verdict, kinds = verdict_and_kinds(statement)
    assert verdict is StatementVerdict.DOUBTFUL
    assert kind is None or kind in kinds, kinds


NAMES = ("Alder", "Birken", "Corvin", "Dorset", "Elster")


@settings(max_examples=40, deadline=None)
@given(
    amounts=st.lists(st.integers(min_value=101, max_value=99_999), min_size=5, max_size=5, unique=True),
    row=st.integers(min_value=0, max_value=4),
    shift=st.integers(min_value=1, max_value=4),
)
def test_the_value_of_a_row_is_carried_and_that_of_another_is_found(
    amounts: list[int], row: int, shift: int
) -> None:
    table = "supplier,price_eur,country\n" + "\n".join(
        f"{name},{amount},Norway" for name, amount in zip(NAMES, amounts, strict=True)
    )
    sources = Sources(by_number={1: SourceText(number=1, title="Prices", text=table)})
    [true] = check_text(f"The price of {NAMES[row]} is {amounts[row]} EUR [1].", sources)
    [false] = check_text(f"The price of {NAMES[row]} is {amounts[(row + shift) % 5]} EUR [1].", sources)
    assert true.verdict is not StatementVerdict.DOUBTFUL
    assert false.verdict is StatementVerdict.DOUBTFUL


def test_a_dated_item_of_a_short_list_is_no_date_of_the_whole_list() -> None:
    text = (
        "- Pump delivered: 3 May 2026\n- Fence delivered on 9 June 2026\n- Gate delivered on 21 July 2026\n"
    )
    sources = Sources(by_number={1: SourceText(number=1, title="Deliveries", text=text)})
    [right] = check_text("The fence was delivered on 9 June 2026 [1].", sources)
    [wrong] = check_text("The fence was delivered on 21 July 2026 [1].", sources)
    assert right.findings == ()
    assert [finding.kind for finding in wrong.findings] == [FindingKind.ELSEWHERE]
