"""Values as JSON, for answers. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID

_DIGITS = 4  # of a score: more says nothing


def as_json(value: Any) -> Any:
    """`value` as JSON: dataclasses as objects, enums and ids as texts, times as ISO 8601."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    match value:
        case Enum():
            return value.value
        case UUID():
            return str(value)
        case datetime():
            return value.isoformat()
        case float():
            return round(value, _DIGITS)
        case Mapping():
            return {str(as_json(name)): as_json(inner) for name, inner in value.items()}
        case list() | tuple():
            return [as_json(inner) for inner in value]
        case set() | frozenset():
            return sorted(as_json(inner) for inner in value)
        case _:
            return value


def told(**facts: Any) -> dict[str, Any]:
    """The facts that say something, as JSON: what is None or empty is left out, 0 and False are not."""
    shown = {name: as_json(value) for name, value in facts.items()}
    return {name: value for name, value in shown.items() if value not in (None, "", [], {})}
