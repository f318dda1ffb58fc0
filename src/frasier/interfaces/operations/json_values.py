"""Values as JSON, for answers. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from functools import cache
from typing import Any
from uuid import UUID

from frasier.interfaces.operations.output import Output
from frasier.kernel.advice import Advice

_DIGITS = 4  # of a score: more says nothing
_VIEW_DIGITS = 6  # of a number in a view, which may be dollars: they are counted in millionths
_PLAIN = frozenset({str, int, bool, type(None)})  # most values of an answer, and JSON already


def as_json(value: Any, digits: int = _DIGITS) -> Any:
    """Return `value` as JSON: outputs and dataclasses as objects, enums and ids as texts, times as ISO 8601.

    A number has at most so many `digits` behind its point, and those of a dataclass have six; one that is not finite,
    which JSON cannot express, is null. A field of a dataclass that is None by default is left out then.
    """
    match value:
        case _ if type(value) in _PLAIN:
            return value
        case Output():
            return _output_as_json(value)
        case Enum():
            return value.value
        case Advice():
            return value.as_dict()
        case UUID():
            return str(value)
        case date():
            return value.isoformat()
        case float():
            return round(value, digits) if math.isfinite(value) else None
        case dict():
            return {str(as_json(name)): as_json(inner, digits) for name, inner in value.items()}
        case list() | tuple():
            return [as_json(inner, digits) for inner in value]
        case set() | frozenset():
            return sorted(as_json(inner, digits) for inner in value)
        case _ if is_dataclass(value):
            return {
                field.name: as_json(inner, _VIEW_DIGITS)
                for field in fields(value)
                if (inner := getattr(value, field.name)) is not None or field.default is not None
            }
        case Mapping():
            return {str(as_json(name)): as_json(inner, digits) for name, inner in value.items()}
        case _:
            return value


def _output_as_json(output: Output) -> dict[str, Any]:
    return {
        key: as_json(value)
        for name, key, default in _fields_of(type(output))
        if (value := getattr(output, name)) != default
    }


_NO_DEFAULT = object()


@cache
def _fields_of(output: type[Output]) -> Sequence[tuple[str, str, Any]]:
    """The name, the JSON key and the default of each field; pydantic would copy the default each time it is asked."""
    return [
        (
            name,
            field.alias or name,
            _NO_DEFAULT if field.is_required() else field.get_default(call_default_factory=True),
        )
        for name, field in output.model_fields.items()
    ]
