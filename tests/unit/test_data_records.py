"""Data: cells have the type of their column, tables are read as they were asked for, and records meet their schema."""

from __future__ import annotations

import csv
import io
import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.interfaces.deliverable_rendering.data_files import read_records
from frasier.interfaces.deliverable_rendering.table_files import as_csv
from frasier.kernel.cell_values import cell_value
from frasier.llm import ColumnToFill, Verification
from frasier.llm.reply_schemas import TableColumn
from frasier.org.missions import ResultTable, TableCell, TableRow
from frasier.work.deep_work.written_table import find_table_faults, read_table
from support.published import statement

COLUMNS = (
    ColumnToFill(name="Product", asks="The name", kind="text"),
    ColumnToFill(name="Price", asks="The price in EUR", kind="number"),
    ColumnToFill(name="Until", asks="The last day", kind="date"),
    ColumnToFill(name="Certified", asks="Whether it is certified", kind="yes_no"),
)
PLANNED = [TableColumn(name=one.name, asks=one.asks, kind=one.kind) for one in COLUMNS]
HEAD = "| product | Price | Until | certified | Source |\n|:-|-:|---|:-:|---|\n"


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("number", "48.50", 48.5),
        ("number", "-3", -3),
        ("number", "48.50 EUR", 48.5),
        ("number", "41,80 €", 41.8),
        ("number", "twelve", 12),
        ("number", "1.250 EUR", 1250),
        ("number", "1.459 EUR/l", None),
        ("number", "1.250 kg", None),
        ("number", "5 to 7 days", None),
        ("number", "soon", None),
        ("date", "2026-05", "2026-05"),
        ("date", "30 September 2026", "2026-09-30"),
        ("date", "3 March", None),
        ("date", "03/04/2026", None),
        ("date", "2026-13-45", None),
        ("yes_no", "Yes, it is.", True),
        ("yes_no", "nein", False),
        ("yes_no", "✅", True),
        ("yes_no", "✗", False),
        ("yes_no", "perhaps", None),
        ("text", "=1+1", "=1+1"),
        *((kind, "", None) for kind in ("text", "number", "date", "yes_no")),
    ],
)
def test_a_cell_has_one_value_of_its_kind_or_none(kind: str, text: str, value: object) -> None:
    assert cell_value(kind, text) == value


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ("| ZD-40 | 48.50 | 2026-09-30 | yes | [1] |\n", None),
        ("| a \\| b | 1 |  |  | [1, 2] |\n", None),
        ("", None),
        ("| ZD-40 | 48.50 | 2026-09-30 | [1] |\n", "Row 1 has 4 cells in place of 5."),
        ("| ZD-40 | 48.50 | 2026-09-30 | yes | offer |\n", "Row 1 does not name its source"),
        (
            "| ZD-40 | about 5 or 6 | 2026-09-30 | yes | [1] |\n",
            "“about 5 or 6” in the column Price is not one number",
        ),
        ("| ZD-40 | 5 | soon | yes | [1] |\n", "“soon” in the column Until is not one date"),
        ("| ZD-40 | 5 | 2026 | perhaps | [1] |\n", "“perhaps” in the column Certified is not yes or no"),
    ],
)
def test_a_written_table_has_the_columns_and_types_that_were_asked_for(rows: str, fault: str | None) -> None:
    faults = find_table_faults(f"# Valves\n\nEach is a valve.\n\n{HEAD}{rows}", COLUMNS)
    assert faults == [] if fault is None else fault in faults[0]


@pytest.mark.parametrize(
    "text",
    ["No table.", HEAD.replace("Price", "Cost"), "| Price | product | Until | certified | Source |\n|---|\n"],
)
def test_a_text_without_that_table_is_told_its_columns(text: str) -> None:
    (fault,) = find_table_faults(text, COLUMNS)
    assert "columns Product, Price, Until, Certified, source, in this order" in fault


def test_the_values_of_a_written_table_are_without_mark_up_and_numbers_are_read_as_their_column() -> None:
    head = HEAD.replace("Price", "**Price**")
    rows = (
        "| **ZD-40**<br>short | 1,250.50 | – | ✓ | [1] |\n"
        "| `ZD_50` | ~1,250 kg | n/a | **no** | [2] |\n| [ZD](https://a.b) \\| 60 \\* | 7 [1] | 2026 | — | [3] |\n"
    )
    assert find_table_faults(head + rows, COLUMNS) == []
    table = read_table(head + rows, COLUMNS, Verification())
    records = read_records("Valves", PLANNED, table, {})
    assert records.problems == ()
    assert [tuple(record[column.name] for column in COLUMNS) for record in records.rows] == [
        ("ZD-40 short", 1250.5, None, True),
        ("ZD_50", 1250, None, False),
        ("ZD | 60 *", 7, "2026", None),
    ]


def test_a_cell_is_quoted_with_the_passage_that_its_row_was_compared_with() -> None:
    row = "| ZD-40 | 48.50 | | yes | [1] |"
    table = read_table(f"{HEAD}{row} [doubtful]\n", COLUMNS, Verification(statements=(statement(row),)))
    (read,) = table.rows
    assert read.source == 1
    assert [cell.value for cell in read.cells] == ["ZD-40", "48.50", "", "yes"]
    assert [bool(cell.quotation) for cell in read.cells] == [True, True, False, True]


_CELLS = st.tuples(
    *[st.sampled_from(["", "yes", "=x", "48.50 EUR", "2026-09-30", "soon", "a | b", "-5", "ä\n"])] * 4
)


@given(st.lists(st.tuples(st.integers(1, 9), _CELLS), max_size=6))
def test_records_meet_their_schema_whatever_the_cells_are(rows: list[tuple[int, tuple[str, ...]]]) -> None:
    table = ResultTable(
        columns=tuple(column.name for column in COLUMNS),
        rows=tuple(
            TableRow(source=source, cells=tuple(TableCell(value=cell) for cell in cells))
            for source, cells in rows
        ),
        documents=9,
    )
    records = read_records("Valves", PLANNED, table, {1: "Offer"})
    files = records.files
    schema = json.loads(files["deliverable.schema.json"])
    jsonschema.Draft202012Validator.check_schema(schema)
    objects = json.loads(files["deliverable.json"])
    jsonschema.validate(objects, schema)
    lines = list(csv.reader(io.StringIO(files["deliverable.csv"].decode("utf-8-sig"), newline="")))
    unit = ["Price_unit"] if any(cells[1] == "48.50 EUR" for _, cells in rows) else []
    assert lines[0] == ["Product", "Price", *unit, "Until", "Certified", "source", "source_title"]
    assert len(lines) == len(objects) + 1 == len(rows) + 1
    assert not any(cell.startswith("=") for line in lines for cell in line)
    lost = sum(bool(cell) for _, cells in rows for cell in cells) - sum(
        one[column.name] is not None for one in objects for column in COLUMNS
    )
    assert len(records.problems) == lost
    assert bool(records.remarks) == bool(lost)


@pytest.mark.parametrize(
    "cell", ["=1+1", "+1", "-1+1", "@SUM(A1)", "＝1+1", "＠SUM(A1)", " =1+1", "\n=1+1", "\tx", '"=1+1']
)
def test_no_spreadsheet_computes_a_cell(cell: str) -> None:
    [line] = csv.reader(io.StringIO(as_csv([[cell, 7]]).decode("utf-8-sig"), newline=""))
    assert line == [f"'{cell}", "7"]


@pytest.mark.parametrize("separator", [";", "\t", "|", ","])
def test_no_separator_within_a_cell_begins_another_one(separator: str) -> None:
    text = as_csv([[f"a{separator}=1+1", -1.5, None, "b"]]).decode("utf-8-sig")
    assert text == f'"a{separator}=1+1",-1.5,,b\r\n'


def test_a_column_named_source_keeps_its_name() -> None:
    columns = [TableColumn(name="source", asks="Where it comes from", kind="text")]
    table = ResultTable(
        columns=("source",), rows=(TableRow(source=2, cells=(TableCell(value="Kiel"),)),), documents=1
    )
    (record,) = read_records("Ports", columns, table, {}).rows
    assert record == {"source": "Kiel", "_source": 2, "source_title": ""}


def test_numbers_keep_their_units_in_a_column_of_their_own() -> None:
    columns = [
        TableColumn(name="price", asks="The price", kind="number"),
        TableColumn(name="mass", asks="The mass", kind="number"),
        TableColumn(name="price_unit", asks="What is priced", kind="text"),
    ]
    cells = [
        ("50 EUR", "5", "hour"),
        ("$45", "6", "day"),
        ("CHF 1 234.50", "", ""),
        ("9", "7", ""),
        ("?", "", ""),
    ]
    rows = [TableRow(source=1, cells=tuple(TableCell(value=cell) for cell in row)) for row in cells]
    table = ResultTable(columns=("price", "mass", "price_unit"), rows=tuple(rows), documents=1)
    records = read_records("Prices", columns, table, {})
    jsonschema.validate(records.rows, records.schema)
    assert [(one["price"], one["_price_unit"]) for one in records.rows] == [
        (50, "EUR"),
        (45, "USD"),
        (1234.5, "CHF"),
        (9, None),
        (None, None),
    ]
    assert list(records.rows[0])[:4] == ["price", "_price_unit", "mass", "price_unit"]
    assert records.remarks[0] == (
        "price has values in several units (CHF, EUR, USD), which are not converted into each other"
    )
