"""Rows of a table that somebody wrote by hand, read as what they declare; what is wrong is told by name. Pure."""

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
_WANTED = {
    "str": "a text",
    "bool": "true or false",
    "frozenset[str]": _TEXTS,
    "tuple[str, ...]": _TEXTS,
    "dict[str, Any]": "a table",
    "list[dict[str, Any]]": _TABLES,
}
"""By how a dataclass declares a value, what a table holds for it."""

_NAMES: Mapping[str, type[StrEnum]] = {
    "FieldKind": FieldKind,
    "GroupKind": GroupKind,
    "Outcome | None": Outcome,
}


def row_of(kind: type[Row], row: Mapping[str, Any], where: str) -> Row:
    """What `row` declares. Raises ValueError that names what `where` lacks, has too much of, or spells wrongly."""
    known = {one.name.rstrip("_"): one for one in fields(kind)}
    if unknown := sorted(row.keys() - known.keys()):
        raise ValueError(f"{where} has {unknown[0]!r}, which is none of {', '.join(known)}")
    lacking = [name for name, one in known.items() if _is_required(one) and name not in row]
    if lacking:
        raise ValueError(f"{where} lacks {', '.join(lacking)}")
    values = {
        known[name].name: _value(str(known[name].type), value, f"{name} of {where}")
        for name, value in row.items()
    }
    return kind(**values)


def _is_required(one: Field[Any]) -> bool:
    return one.default is MISSING and one.default_factory is MISSING


def _value(declared: str, value: Any, what: str) -> Any:
    if names := _NAMES.get(declared):
        if value not in list(names):
            raise ValueError(f"{what} must be one of {', '.join(names)}")
        return names(value)
    wanted = _WANTED[declared]
    if not _is(wanted, value):
        raise ValueError(f"{what} must be {wanted}")
    return {"frozenset[str]": frozenset, "tuple[str, ...]": tuple}.get(declared, _as_it_is)(value)


def _is(wanted: str, value: Any) -> bool:
    match wanted:
        case "a text":
            return isinstance(value, str)
        case "true or false":
            return isinstance(value, bool)
        case "a table":
            return isinstance(value, dict)
        case _:
            each = str if wanted == _TEXTS else dict
            return isinstance(value, list) and all(isinstance(one, each) for one in value)


def _as_it_is(value: Any) -> Any:
    return value
