"""Cells of a spreadsheet: numbers and days are such, and read as they were written."""

from __future__ import annotations

from datetime import date

import pytest

from frasier.interfaces.deliverable_rendering.spreadsheet_cells import spreadsheet_cells


@pytest.mark.parametrize(
    ("kind", "text", "value", "form"),
    [
        ("number", "4,850.00 EUR", 4850, '#,##0.00" EUR"'),
        ("number", "€ 41,80", 41.8, '"€ "0.00'),
        ("number", "from 40 EUR", 40, '"from "0" EUR"'),
        ("number", "−1,250 EUR", -1250, '#,##0" EUR"'),
        ("number", "2001", 2001, "0"),
        ("number", '3" pipes', 3, '0"” pipes"'),
        ("number", "5 million EUR", "5 million EUR", ""),
        ("number", "5 to 7 days", "5 to 7 days", ""),
        ("number", "1.250 kg", "1.250 kg", ""),
        ("date", "12 March 2026", date(2026, 3, 12), "yyyy-mm-dd"),
        ("date", "March 2026", "March 2026", ""),
        ("date", "valid until 12 March 2026", "valid until 12 March 2026", ""),
        ("yes_no", "yes", "yes", ""),
        ("text", "40", "40", ""),
        ("number", "", "", ""),
    ],
)
def test_a_cell_is_a_number_or_a_day_where_nothing_is_lost_by_it(
    kind: str, text: str, value: object, form: str
) -> None:
    (cell,) = spreadsheet_cells(kind, [text])
    assert (cell.value, cell.format) == (value, form)


def test_a_number_with_two_readings_is_read_as_its_neighbours_are() -> None:
    cells = spreadsheet_cells("number", ["1.250 kg", "0,5 kg"])
    assert [cell.value for cell in cells] == [1250, 0.5]
    cells = spreadsheet_cells("number", ["1.250 kg", "0.5 kg"])
    assert [(cell.value, cell.format) for cell in cells] == [(1.25, '0.000" kg"'), (0.5, '0.0" kg"')]
