"""Conversion between rows and dataclasses whose fields are named like the columns or parameters of a statement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import Enum
from functools import cache
from pathlib import PurePath
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Value = TypeVar("Value", bound="DataclassInstance")


def from_row(kind: type[Value], row: Mapping[str, Any]) -> Value:
    """Build a value from the columns named like its fields; a field without a column has its default.

    A text becomes a member of its field's enumeration or a path, an array a tuple.
    """
    values: dict[str, Any] = {field.name: row[field.name] for field in fields(kind) if field.name in row}
    for name, convert in _conversions(kind).items():
        if values.get(name) is not None:
            values[name] = convert(values[name])
    return kind(**values)


def parameters_of(value: DataclassInstance) -> dict[str, Any]:
    """Return the fields of a value by name, as the parameters of a statement."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


@cache
def _conversions(kind: type[DataclassInstance]) -> Mapping[str, Callable[[Any], Any]]:
    """Return the conversions of the fields whose types no column has."""
    types = {name: _type_of(hint) for name, hint in get_type_hints(kind).items()}
    return {
        name: one
        for name, one in types.items()
        if one is tuple or (isinstance(one, type) and issubclass(one, Enum | PurePath))
    }


def _type_of(hint: Any) -> Any:
    """Return the type of a hint without its arguments; of one that permits None, the type beside it."""
    if isinstance(hint, UnionType):
        others = [one for one in get_args(hint) if one is not NoneType]
        return _type_of(others[0]) if len(others) == 1 else hint
    return get_origin(hint) or hint
