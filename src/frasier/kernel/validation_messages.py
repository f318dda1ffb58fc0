"""Messages about invalid values: the field and what it accepts, never the value itself, which may be a secret.

Pure: they are made from Pydantic's problems.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frasier.kernel.humanize import plural

_MUST_BE = {
    "string": "a text",
    "int": "a whole number",
    "float": "a number",
    "finite": "a finite number",
    "bool": "true or false",
    "list": "a list",
    "tuple": "a list",
    "set": "a list",
    "frozen": "a list",
    "dict": "an object",
    "mapping": "an object",
    "model": "an object",
    "datetime": "a moment, such as 2026-01-31T12:00:00Z",
    "date": "a day, such as 2026-01-31",
    "uuid": "an id",
    "url": "an address, such as https://example.org",
    "path": "a path",
    "json": "JSON",
    "none": "null",
}
"""Accepted values by the first part of Pydantic's error types: `int_type`, `int_parsing`, `int_from_float`."""

_BOUNDS = {
    "greater_than": ("gt", "more than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "at most"),
    "multiple_of": ("multiple_of", "a multiple of"),
}
_LENGTHS = {
    "string_too_short": ("min_length", "at least", "character"),
    "string_too_long": ("max_length", "at most", "character"),
    "too_short": ("min_length", "at least", "item"),
    "too_long": ("max_length", "at most", "item"),
}
_OURS = "Value error, "


def wrong_value(field: str, problem: Mapping[str, Any]) -> str:
    """Format one of Pydantic's problems as a sentence without its full stop: `limit must be at least 1`."""
    words = what_is_wrong(problem)
    # The message of one of our own validators may begin with its own subject.
    joined = words.startswith(("must ", "is ", "has "))
    return f"{field} {words}" if joined else f"{field}: {words}"


def what_is_wrong(problem: Mapping[str, Any]) -> str:
    """Return the predicate of that sentence: `must be at least 1`."""
    kind, limits, message = str(problem["type"]), problem.get("ctx", {}), str(problem["msg"])
    if kind in _BOUNDS:
        limit, words = _BOUNDS[kind]
        return f"must be {words} {_number(limits[limit])}"
    if kind in _LENGTHS:
        limit, words, counted = _LENGTHS[kind]
        count = int(limits[limit])
        empty = count == 1 and limit == "min_length"
        return "must not be empty" if empty else f"must have {words} {plural(count, counted)}"
    match kind:
        case "missing":
            return "is missing"
        case "extra_forbidden":
            return "is not known"
        case "literal_error" | "enum":
            return f"must be {limits['expected']}"
        case "string_pattern_mismatch":
            return f"must fit the pattern {limits['pattern']}"
        case "value_error":
            return message.removeprefix(_OURS)
    accepted = _MUST_BE.get(kind.partition("_")[0])
    return f"must be {accepted}" if accepted else message.replace("Input should", "must")


def _number(bound: float) -> str:
    return f"{bound:g}" if isinstance(bound, float) else f"{bound:,}"
