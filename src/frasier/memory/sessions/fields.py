"""What an agent may note of its session: cleaned, bounded, without secrets. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from frasier.kernel.errors import InvalidInput
from frasier.memory.cleaning import cleaned

TEXT_CHARS_MAX = 10_000
STATE_CHARS_MAX = 64_000


def clean_text(name: str, text: str | None) -> str | None:
    """`text` as it may be kept; None stays None. Raises InvalidInput (E032) where it is too long."""
    if text is None:
        return None
    if len(text) > TEXT_CHARS_MAX:
        raise InvalidInput(
            f"{name} has {len(text)} characters; at most {TEXT_CHARS_MAX} are kept of a session.",
            kept="The session is as it was.",
            hint="Save the long text as a memory and name it here.",
            number="E032",
        )
    return without_secrets(text)


def without_secrets(text: str) -> str:
    """`text` without secrets, control characters, and halves of surrogate pairs, which have no UTF-8."""
    return cleaned(text)[0]


def clean_state(state: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """`state` as it may be kept; None stays None. Raises InvalidInput (E030, E032) for what is not small JSON."""
    if state is None:
        return None
    try:
        cleaned = _clean(state)
        if not isinstance(cleaned, dict):
            raise TypeError("it is no object")
        spelled = json.dumps(cleaned, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(
            f"The state of the session is not JSON: {error}",
            kept="The session is as it was.",
            hint="Use texts, numbers, lists and objects only.",
            number="E030",
        ) from error
    if len(spelled) > STATE_CHARS_MAX:
        raise InvalidInput(
            f"The state of the session has {len(spelled)} characters; at most {STATE_CHARS_MAX} are kept.",
            kept="The session is as it was.",
            hint="Keep files and results elsewhere and name them in the state.",
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
    """A value of an object: a password is known as one by its name only."""
    if not isinstance(value, str):
        return _clean(value)
    told = without_secrets(f"{name}={value}")
    prefix = without_secrets(f"{name}=")
    return told.removeprefix(prefix) if told.startswith(prefix) else without_secrets(value)
