"""Build a value from the attributes of others that have the names of its fields. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_Value = TypeVar("_Value", bound="DataclassInstance")


def copy_fields(kind: type[_Value], /, *sources: object, **others: Any) -> _Value:
    """Build a dataclass from `others` and, for the fields that they leave, from attributes of the same names.

    The first of `sources` that has such an attribute gives it; a field without any has its default.
    """
    names = kind.__dataclass_fields__.keys() - others.keys()
    return kind(**attributes_of(names, sources), **others)


def attributes_of(names: Iterable[str], sources: Sequence[object]) -> dict[str, Any]:
    """Return attributes by name, each from the first of `sources` that has it."""
    values: dict[str, Any] = {}
    for name in names:
        for source in sources:
            if hasattr(source, name):
                values[name] = getattr(source, name)
                break
    return values
