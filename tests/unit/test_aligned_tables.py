"""Tables aligned by blanks: which lines are rows, and what stands under which name."""

from __future__ import annotations

import pytest

from frasier.kernel.aligned_tables import with_bars
from frasier.kernel.dates import month_called
from frasier.kernel.source_parts import parts_of

STATEMENT = """\
Date        Description              Out          In     Balance
01 JUN      BROUGHT FORWARD                            412,906.18
02 JUN      HALYARD RENT        9,450.00               403,456.18
05 JUN      BRACKEN FARMS                  27,600.00   431,056.18
"""
PRICES = """\
Prices of cells
Type        Capacity   Cont. discharge   1,000+    5,000+
VH-21E      5.0 Ah     15 A              4.10      3.85
VH-21P      4.2 Ah     45 A              4.65      4.38
"""


def rows(text: str) -> list[list[str]]:
    return [[cell.text for cell in part.cells] for part in parts_of(text) if part.cells]


def test_what_is_aligned_to_the_right_stands_under_its_name() -> None:
    assert rows(STATEMENT) == [
        ["01 JUN", "BROUGHT FORWARD", "", "", "412,906.18"],
        ["02 JUN", "HALYARD RENT", "9,450.00", "", "403,456.18"],
        ["05 JUN", "BRACKEN FARMS", "", "27,600.00", "431,056.18"],
    ]


def test_a_row_keeps_its_line_as_it_was_written_and_its_number() -> None:
    part = next(part for part in parts_of(STATEMENT) if part.row == 2)
    assert part.text == STATEMENT.splitlines()[2]
    assert part.lines == (3, 3)


def test_a_row_stands_under_the_caption_and_the_names_with_amounts() -> None:
    assert rows(PRICES) == [
        ["VH-21E", "5.0 Ah", "15 A", "4.10", "3.85"],
        ["VH-21P", "4.2 Ah", "45 A", "4.65", "4.38"],
    ]
    part = next(part for part in parts_of(PRICES) if part.cells)
    assert part.context == "Prices of cells Type Capacity Cont. discharge 1,000+ 5,000+"
    assert [cell.head for cell in part.cells] == ["Type", "Capacity", "Cont. discharge", "1,000+", "5,000+"]


@pytest.mark.parametrize(
    "text",
    [
        "Total        14,160.00\nNot due       5,805.00\n",
        "Client: Alder     Date: 1 June     Analyst: Moss\nProduct: oats     Lot: 7     Size: 1 l\nColour: white     pH: 7     Taste: 8\n",
        "One sentence.   Another one.   A third.\nThe next line goes on.\nAnd so does this one.\n",
        "4.10      3.85      3.52\n4.65      4.38      4.05\n3.20      2.98      2.74\n",
    ],
)
def test_other_lines_with_wide_blanks_are_no_table(text: str) -> None:
    assert with_bars(text) == text


@pytest.mark.parametrize(
    ("label", "months"), [("Jul", [7]), ("Sept.", [9]), ("Out", []), ("Total", []), ("rent", [])]
)
def test_a_month_may_be_the_name_of_a_column(label: str, months: list[int]) -> None:
    assert [one.month for mention in month_called(label) for one in mention.readings] == months
