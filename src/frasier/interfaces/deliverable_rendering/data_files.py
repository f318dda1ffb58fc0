"""Data as CSV and JSON, with the JSON Schema that they meet: each cell has the type of its column, or is empty.

Units of numbers stand in a column of their own beside them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frasier.interfaces.deliverable_rendering.table_files import as_csv
from frasier.kernel.cell_values import Value, cell_unit, column_values, is_unstated
from frasier.llm.reply_schemas import TableColumn
from frasier.org.missions import ResultTable

_TYPES: Mapping[str, dict[str, Any]] = {
    "text": {"type": ["string", "null"]},
    "number": {"type": ["number", "null"]},
    "date": {"type": ["string", "null"], "pattern": r"^\d{4}(-\d{2}(-\d{2})?)?$"},
    "yes_no": {"type": ["boolean", "null"]},
}
_PROBLEMS_SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """The records of a deliverable.

    `problems` names the cells that are empty because they are not of their type, `units` those of each column of
    numbers that has several.
    """

    schema: Mapping[str, Any]
    rows: Sequence[Mapping[str, Value | None]]
    problems: tuple[str, ...]
    units: Mapping[str, Sequence[str]]

    @property
    def files(self) -> dict[str, bytes]:
        """The files by name: a record is a line, or an object."""
        names = list(self.schema["items"]["properties"])
        lines = [[_csv_cell(row[name]) for name in names] for row in self.rows]
        return {
            "deliverable.csv": as_csv([names, *lines]),
            "deliverable.json": _as_json(self.rows),
            "deliverable.schema.json": _as_json(self.schema),
        }

    @property
    def remarks(self) -> tuple[str, ...]:
        """The empty cells, and the columns of several units, in a sentence each."""
        remarks = [
            f"{name} has values in several units ({', '.join(units)}), which are not converted into each other"
            for name, units in self.units.items()
        ]
        if self.problems:
            more = " …" if len(self.problems) > _PROBLEMS_SHOWN else ""
            shown = "; ".join(self.problems[:_PROBLEMS_SHOWN])
            what = f"Empty in the data, because not of their column's type ({len(self.problems)})"
            remarks.append(f"{what}: {shown}{more}")
        return tuple(remarks)


def read_records(
    title: str, columns: Sequence[TableColumn], table: ResultTable, titles: Mapping[int, str]
) -> Records:
    """Return the rows of a table as records; `titles` are those of the sources by number."""
    kinds = {column.name: column.kind for column in columns}
    source, source_title = _free("source", kinds), _free("source_title", kinds)
    revoked_by = _free("revoked_by", kinds)
    has_revoked = any(row.revoked_by is not None for row in table.rows)
    units = _units(columns, table)
    unit_names: dict[str, str] = {}
    for name in units:
        unit_names[name] = _free(f"{name}_unit", {*kinds, *unit_names.values()})
    values = {
        name: column_values(kinds.get(name, "text"), [row.cells[at].value for row in table.rows])
        for at, name in enumerate(table.columns)
    }
    rows, problems = [], []
    for at, row in enumerate(table.rows, start=1):
        record: dict[str, Value | None] = {}
        for name, cell in zip(table.columns, row.cells, strict=True):
            value = record[name] = values[name][at - 1]
            if name in unit_names:
                record[unit_names[name]] = None if value is None else cell_unit(cell.value)
            if value is None and not is_unstated(cell.value):
                problems.append(f"{name} of record {at} (“{cell.value[:60]}”)")
        rows.append({**record, source: row.source, source_title: titles.get(row.source, "")})
        if has_revoked:
            rows[-1][revoked_by] = row.revoked_by
    properties: dict[str, dict[str, Any]] = {}
    for column in columns:
        properties[column.name] = {"description": column.asks, **_TYPES[column.kind]}
        if column.name in unit_names:
            about = {"description": f"The unit of {column.name}", "enum": [*units[column.name], None]}
            properties[unit_names[column.name]] = about
    properties[source] = {"description": "The number of the source in provenance.json", "type": "integer"}
    properties[source_title] = {"type": "string"}
    if has_revoked:
        meaning = "The number of the source that revokes the record"
        properties[revoked_by] = {"description": meaning, "type": ["integer", "null"]}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "type": "array",
        "items": {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        },
    }
    several = {name: names for name, names in units.items() if len(names) > 1}
    return Records(schema=schema, rows=rows, problems=tuple(problems), units=several)


def _units(columns: Sequence[TableColumn], table: ResultTable) -> dict[str, list[str]]:
    """Return the units of each column of numbers that has any."""
    units: dict[str, list[str]] = {}
    for column in columns:
        at = table.columns.index(column.name) if column.name in table.columns else None
        if column.kind != "number" or at is None:
            continue
        cells = [row.cells[at].value for row in table.rows]
        values = column_values("number", cells)
        names = {cell_unit(cell) for cell, value in zip(cells, values, strict=True) if value is not None}
        names -= {None}
        if names:
            units[column.name] = sorted(filter(None, names))
    return units


def _free(name: str, taken: Collection[str]) -> str:
    """Return the name for a column of ours, lengthened while the data have one of that name."""
    while name in taken:
        name = f"_{name}"
    return name


def _csv_cell(value: Value | None) -> Value | None:
    return ("true" if value else "false") if isinstance(value, bool) else value


def _as_json(value: object) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
