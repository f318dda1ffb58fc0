"""Conversion between rows and values whose fields are named like the columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from frasier.memory.types import ImportanceTier, Memory, MemoryAttributes, MemoryKind, MemoryType, TypeSource

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_Value = TypeVar("_Value", bound="DataclassInstance")

_CONVERSIONS: Mapping[str, Callable[[Any], Any]] = {
    "kind": MemoryKind,
    "tier": ImportanceTier,
    "memory_type": MemoryType,
    "type_source": TypeSource,
    "tags": tuple,
    "triggers": tuple,
}


def memory_of(row: Mapping[str, Any]) -> Memory:
    return from_row(Memory, row)


def from_row(kind: type[_Value], row: Mapping[str, Any]) -> _Value:
    """Build a value from the columns named like its fields; a field without a column has its default."""
    values: dict[str, Any] = {field.name: row[field.name] for field in fields(kind) if field.name in row}
    for name, convert in _CONVERSIONS.items():
        if name in values:
            values[name] = convert(values[name])
    return kind(**values)


def attributes_of(memory: MemoryAttributes) -> dict[str, Any]:
    """Return the attributes that the author of a memory gave, by name."""
    return {field.name: getattr(memory, field.name) for field in fields(MemoryAttributes)}
