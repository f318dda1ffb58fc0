"""Sanitising of text from outside: removes secrets and characters that PostgreSQL or terminals cannot handle."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from frasier.kernel.redaction import redact
from frasier.kernel.text import strip_control

# The characters that strip_control removes, and lone surrogates, which have no UTF-8.
_UNSTORABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def secrets_notice(fields: Iterable[str]) -> str:
    """Return a sentence that names the fields from which secrets were removed; empty if there are none."""
    named = sorted(set(fields))
    if not named:
        return ""
    return f"Possible secrets were removed from: {', '.join(named)}. With keep_secrets, text is stored unchanged."


def fields_with_secrets(fields: Mapping[str, Any]) -> list[str]:
    """Return the names of the fields that hold possible secrets, in a text or in lists and objects of texts."""
    return [name for name, value in fields.items() if _holds_secret(value)]


def _holds_secret(value: Any) -> bool:
    match value:
        case str():
            return redact(value)[1] > 0
        case Mapping():
            named = [f"{name}={inner}" for name, inner in value.items() if isinstance(inner, str)]
            return _holds_secret([*map(str, value), *value.values(), *named])
        case list() | tuple():
            return any(map(_holds_secret, value))
        case _:
            return False


def cleaned(text: str, *, keep_secrets: bool = False) -> tuple[str, int]:
    """Return `text` in a form that can be stored, and the number of secrets removed from it."""
    if _UNSTORABLE.search(text):
        text = strip_control(_SURROGATES.sub("", text))
    return (text, 0) if keep_secrets else redact(text)
