"""Parsing of the rows of a hand-written table into dataclasses; errors name the row and the key. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from enum import StrEnum
from typing import Any, ClassVar, Protocol, TypeVar

from frasier.workflow.processes.process import FieldKind, GroupKind, Outcome


class _Declared(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


Row = TypeVar("Row", bound=_Declared)

_TEXTS = "a list of texts"
_TABLES = "a list of tables"
_EXPECTED = {
    "str": "a text",
    "bool": "true or false",
    "frozenset[str]": _TEXTS,
    "tuple[str, ...]": _TEXTS,
    "dict[str, Any]": "a table",
    "list[dict[str, Any]]": _TABLES,
}
"""Types of values in a table, by the declared type of the field."""

_NAMES: Mapping[str, type[StrEnum]] = {
    "FieldKind": FieldKind,
    "GroupKind": GroupKind,
    "Outcome | None": Outcome,
}


def row_of(kind: type[Row], row: Mapping[str, Any], where: str) -> Row:
    """Parse a row of a table. Raises ValueError that names what `where` lacks, what is unknown in it, or what has a
    wrong type.
    """
    known = {column.name.rstrip("_"): column for column in fields(kind)}
    if unknown := sorted(row.keys() - known.keys()):
        raise ValueError(f"{where} has {unknown[0]!r}, which is none of {', '.join(known)}")
    lacking = [name for name, column in known.items() if _is_required(column) and name not in row]
    if lacking:
        raise ValueError(f"{where} lacks {', '.join(lacking)}")
    values = {
        known[name].name: _value(str(known[name].type), value, f"{name} of {where}")
        for name, value in row.items()
    }
    return kind(**values)


def _is_required(column: Field[Any]) -> bool:
    return column.default is MISSING and column.default_factory is MISSING


def _value(declared: str, value: Any, what: str) -> Any:
    if names := _NAMES.get(declared):
        if value not in list(names):
            raise ValueError(f"{what} must be one of {', '.join(names)}")
        return names(value)
    expected = _EXPECTED[declared]
    if not _is_a(expected, value):
        raise ValueError(f"{what} must be {expected}")
    return {"frozenset[str]": frozenset, "tuple[str, ...]": tuple}.get(declared, _as_it_is)(value)


def _is_a(expected: str, value: Any) -> bool:
    match expected:
        case "a text":
            return isinstance(value, str)
        case "true or false":
            return isinstance(value, bool)
        case "a table":
            return isinstance(value, dict)
        case _:
            each = str if expected == _TEXTS else dict
            return isinstance(value, list) and all(isinstance(item, each) for item in value)


def _as_it_is(value: Any) -> Any:
    return value
