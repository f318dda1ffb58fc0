"""The units of a source: records of the rows that are kept as lines of named cells, values with names, and code."""

from __future__ import annotations

import pytest

from frasier.kernel.quantities import find_quantities
from frasier.kernel.records import Cell, cells_of, named_cells
from frasier.kernel.sentences import split_sentences
from frasier.kernel.source_lines import named_values
from frasier.kernel.source_units import SourceText, SourceUnit

# As the reader of CSV files keeps them: without the cells that are empty.
ROWS = """sku: 7; name: Lamp, large; price_EUR: 41.80; owner: D. Ray
sku: 8; name: Chair; owner: E. Moss
sku: 9; name: Desk; price_EUR: 120.00
"""


def units(text: str) -> list[SourceUnit]:
    return list(SourceText(number=1, title="Shop", text=text).units)


def test_lines_of_named_cells_are_records_with_their_own_names() -> None:
    lamp, chair, desk = units(ROWS)
    assert [unit.row for unit in (lamp, chair, desk)] == [1, 2, 3]
    assert {unit.table for unit in (lamp, chair, desk)} == {lamp.table}
    assert lamp.cells[2] == Cell(head="price_EUR", text="41.80")
    assert [cell.head for cell in chair.cells] == ["sku", "name", "owner"]
    assert [quantity.unit.name for quantity in desk.quantities if quantity.unit] == ["EUR"]


def test_a_line_of_prose_has_no_named_cells() -> None:
    assert named_cells("Note: the pump failed. It was replaced; the cause: unknown.") == []
    assert named_cells("The pump failed; the cause is unknown") == []
    assert named_cells("Price: 41.80 EUR") == []


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("Aurora 9 40 4.250,00 170.000,00", []),
        ("40 312,5 12.500,0", []),
        ("Montagesatz,312,50", ["Montagesatz", "312", "50"]),
        ("7,12,40", ["7", "12", "40"]),
        ("Aurora 9,40,2026", ["Aurora 9", "40", "2026"]),
    ],
)
def test_decimal_commas_divide_no_cells(line: str, cells: list[str]) -> None:
    assert cells_of(line) == cells


def test_a_semicolon_within_a_value_ends_no_cell() -> None:
    assert named_cells("name: Lamp; large; colour: red") == [
        Cell(head="name", text="Lamp; large"),
        Cell(head="colour", text="red"),
    ]


@pytest.mark.parametrize(
    ("line", "head", "value"),
    [
        ("Price: 41.80 EUR", "Price", "41.80 EUR"),
        ("- **Lead time**: four weeks", "Lead time", "four weeks"),
        ("Lead time            4 weeks", "Lead time", "4 weeks"),
        ("Total ........ 12", "Total", "12"),
        ("Lamp, large      EUR 41.80 each", "Lamp, large", "EUR 41.80 each"),
    ],
)
def test_a_value_is_read_with_its_name(line: str, head: str, value: str) -> None:
    assert named_values(line) == [Cell(head=head, text=value)]


@pytest.mark.parametrize("line", ["", "Note:", "The lamp is red.", "# Price", "12:30 lunch"])
def test_other_lines_have_no_named_value(line: str) -> None:
    assert named_values(line) == []


def test_values_that_stand_side_by_side_are_several() -> None:
    line = "Sum insured: DKK 850,000            Excess: DKK 2,000 per claim"
    assert named_values(line) == [
        Cell(head="Sum insured", text="DKK 850,000"),
        Cell(head="Excess", text="DKK 2,000 per claim"),
    ]
    assert [unit.is_row for unit in units(f"{line}\nCovered: fire, burglary\n")] == [False, False]


def test_aligned_values_are_lines_of_their_own() -> None:
    text = "Lamp             EUR 41.80 each\nInstallation     included\nLead time        4 weeks\n"
    assert [unit.fields[0].head for unit in units(text)] == ["Lamp", "Installation", "Lead time"]


def test_lines_of_code_stay_apart() -> None:
    text = "Run it:\n\n```sh\nfrasier run x\n  --sources y\n```\n\nand then\nwait.\n"
    assert [unit.text for unit in units(text)][1:] == [
        "```sh",
        "frasier run x",
        "--sources y",
        "```",
        "and then wait.",
    ]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "Not included: the dismantling of shelves\n(45.00 EUR per hour). The deposit is 60.00 EUR\n(for boxes).",
            [
                "Not included: the dismantling of shelves (45.00 EUR per hour).",
                "The deposit is 60.00 EUR (for boxes).",
            ],
        ),
        (
            "The door is locked at 19:30 (in summer at\n20:00). It opens at 7:00.",
            ["The door is locked at 19:30 (in summer at 20:00).", "It opens at 7:00."],
        ),
        (
            "A batch over several families is one step. Three compaction\nstyles are offered: levels save space.",
            [
                "A batch over several families is one step.",
                "Three compaction styles are offered: levels save space.",
            ],
        ),
    ],
)
def test_a_wrapped_sentence_is_one_whatever_its_next_line_begins_with(
    text: str, sentences: list[str]
) -> None:
    assert [unit.text for unit in SourceText(number=1, title="", text=text).units] == sentences


def test_a_value_with_its_name_in_lower_case_stays_a_line_of_its_own() -> None:
    text = "description: the long text of a field that is no sentence and has no full stop\nversion: 12\n"
    assert [unit.text for unit in SourceText(number=1, title="", text=text).units] == text.splitlines()


@pytest.mark.parametrize(
    "lines",
    [
        '{"room": "A", "seats": 12}\n{"room": "B", "seats": 30}',
        "rooms:\n  - {room: A, seats: 12}\n  - {room: B, seats: 30}",
        "A: {seats: 12}\nB: {seats: 30}",
    ],
)
def test_an_object_in_a_line_is_a_record(lines: str) -> None:
    records = [unit for unit in SourceText(number=1, title="", text=lines).units if unit.cells]
    assert [unit.cells[-1].text for unit in records] == ["12", "30"]
    assert [unit.cells[0].text for unit in records] == ["A", "B"]


@pytest.mark.parametrize("line", ["{a: [1, 2}", "{see section 4: the rest}, and so on", "- {: }"])
def test_a_line_that_is_no_object_stays_a_sentence(line: str) -> None:
    [unit] = SourceText(number=1, title="", text=line).units
    assert unit.text.endswith(line.removeprefix("- "))
    assert unit.cells == ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "Der Auftrag umfasst die Lieferung von 40\nWärmepumpen bis zum\n15. Juli 2026 frei Werk\nNord.",
            "Der Auftrag umfasst die Lieferung von 40 Wärmepumpen bis zum 15. Juli 2026 frei Werk Nord.",
        ),
        (
            "Geliefert wird an das Lager der\nGemeinde Altdorf.",
            "Geliefert wird an das Lager der Gemeinde Altdorf.",
        ),
        (
            "The plant is in the north of\nFrance and was built in 1990.",
            "The plant is in the north of France and was built in 1990.",
        ),
    ],
)
def test_a_line_of_a_narrow_column_that_ends_open_goes_on_with_a_capital(text: str, sentence: str) -> None:
    assert [unit.text for unit in SourceText(number=1, title="", text=text).units] == [sentence]


@pytest.mark.parametrize(
    "text", ["Deliver to\nAcme Limited", "Rechnung an\nMuster AG", "Terms of payment\nNet 30 days"]
)
def test_a_label_above_its_value_is_a_line_of_its_own(text: str) -> None:
    assert [unit.text for unit in SourceText(number=1, title="", text=text).units] == text.splitlines()


def test_a_long_line_is_read_in_a_time_in_proportion_to_its_length() -> None:
    assert len(split_sentences(f"It is closed. {'A. ' * 10_000}")) == 2
    assert len(find_quantities("1 " * 40_000)) == 40_000
