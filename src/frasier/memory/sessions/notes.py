"""Clean the texts and the state that an agent records in its session: bounded and without secrets. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from frasier.kernel.errors import InvalidInput
from frasier.memory.sanitize import cleaned

TEXT_CHARS_MAX = 10_000
STATE_CHARS_MAX = 64_000


def clean_text(name: str, text: str | None) -> str | None:
    """`text` as it may be stored; None stays None. Raises InvalidInput (E032) if it is too long."""
    if text is None:
        return None
    if len(text) > TEXT_CHARS_MAX:
        raise InvalidInput(
            f"{name} is too long: {len(text)} characters; at most {TEXT_CHARS_MAX} are allowed.",
            kept="The session is unchanged.",
            hint="Save the long text as a memory and name it here.",
            number="E032",
        )
    return without_secrets(text)


def without_secrets(text: str) -> str:
    """`text` without secrets, control characters and lone surrogates, which UTF-8 cannot encode."""
    return cleaned(text)[0]


def clean_state(state: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """`state` as it may be stored; None stays None. Raises InvalidInput: E030 not JSON, E032 too large."""
    if state is None:
        return None
    try:
        cleaned = _clean(state)
        if not isinstance(cleaned, dict):
            raise TypeError("it must be a JSON object")
        encoded = json.dumps(cleaned, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(
            f"The state of the session is not JSON: {error}",
            kept="The session is unchanged.",
            hint="Use only texts, numbers, lists and objects.",
            number="E030",
        ) from error
    if len(encoded) > STATE_CHARS_MAX:
        raise InvalidInput(
            f"The state of the session is too large: {len(encoded)} characters; at most {STATE_CHARS_MAX} are allowed.",
            kept="The session is unchanged.",
            hint="Store files and results elsewhere, and refer to them in the state.",
            number="E032",
        )
    return cleaned


def _clean(value: Any) -> Any:
    match value:
        case str():
            return without_secrets(value)
        case Mapping():
            return {without_secrets(str(name)): _named(str(name), inner) for name, inner in value.items()}
        case list() | tuple():
            return [_clean(inner) for inner in value]
        case _:
            return value


def _named(name: str, value: Any) -> Any:
    """Clean a value together with its name, because only the name identifies a password."""
    if not isinstance(value, str):
        return _clean(value)
    pair = without_secrets(f"{name}={value}")
    prefix = without_secrets(f"{name}=")
    return pair.removeprefix(prefix) if pair.startswith(prefix) else without_secrets(value)
