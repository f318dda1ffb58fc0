"""Data as CSV and JSON, with the JSON Schema that they meet: each cell has the type of its column, or is empty."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frasier.interfaces.deliverable_rendering.table_files import as_csv
from frasier.kernel.cell_values import Value, cell_value
from frasier.llm.reply_schemas import TableColumn
from frasier.org.planning import ResultTable

_TYPES: Mapping[str, dict[str, Any]] = {
    "text": {"type": ["string", "null"]},
    "number": {"type": ["number", "null"]},
    "date": {"type": ["string", "null"], "pattern": r"^\d{4}(-\d{2}(-\d{2})?)?$"},
    "yes_no": {"type": ["boolean", "null"]},
}
_PROBLEMS_SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """The records of a deliverable. `problems` names the cells that are empty because they are not of their type."""

    schema: Mapping[str, Any]
    rows: Sequence[Mapping[str, Value | None]]
    problems: tuple[str, ...]

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
    def remark(self) -> str:
        """The empty cells in a sentence; empty if there are none."""
        if not self.problems:
            return ""
        more = " …" if len(self.problems) > _PROBLEMS_SHOWN else ""
        shown = "; ".join(self.problems[:_PROBLEMS_SHOWN])
        return f"Empty in the data, because not of their column's type ({len(self.problems)}): {shown}{more}"


def read_records(
    title: str, columns: Sequence[TableColumn], table: ResultTable, titles: Mapping[int, str]
) -> Records:
    """Return the rows of a table as records; `titles` are those of the sources by number."""
    kinds = {column.name: column.kind for column in columns}
    source, source_title = _free("source", kinds), _free("source_title", kinds)
    rows, problems = [], []
    for at, row in enumerate(table.rows, start=1):
        record: dict[str, Value | None] = {}
        for name, cell in zip(table.columns, row.cells, strict=True):
            record[name] = cell_value(kinds.get(name, "text"), cell.value)
            if cell.value and record[name] is None:
                problems.append(f"{name} of record {at} (“{cell.value[:60]}”)")
        rows.append({**record, source: row.source, source_title: titles.get(row.source, "")})
    properties = {
        **{column.name: {"description": column.asks, **_TYPES[column.kind]} for column in columns},
        source: {"description": "The number of the source in provenance.json", "type": "integer"},
        source_title: {"type": "string"},
    }
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
    return Records(schema=schema, rows=rows, problems=tuple(problems))


def _free(name: str, taken: Mapping[str, str]) -> str:
    """Return the name for a column of ours, lengthened while the data have one of that name."""
    while name in taken:
        name = f"_{name}"
    return name


def _csv_cell(value: Value | None) -> Value | None:
    return ("true" if value else "false") if isinstance(value, bool) else value


def _as_json(value: object) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
