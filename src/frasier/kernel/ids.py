"""Identifiers: UUID version 7, which sort by creation time, and the parts of one that people type."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar
from uuid import UUID

from frasier.kernel.errors import InvalidInput

ID_PART_MIN = 4
CANDIDATES = 6
"""The number of matches for a part of an id that are looked up, to be listed in the error."""

_Match = TypeVar("_Match")


class _Identified(Protocol):
    @property
    def id(self) -> UUID: ...


_Value = TypeVar("_Value", bound=_Identified)

_DIGITS = 32
_HEX = frozenset("0123456789abcdef")


def new_id() -> UUID:
    """Return a new UUIDv7: 48 bits of Unix milliseconds, then 74 random bits (RFC 9562)."""
    milliseconds = time.time_ns() // 1_000_000
    random = int.from_bytes(os.urandom(10), "big")
    value = (milliseconds & (2**48 - 1)) << 80 | random
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return UUID(int=value)


def parse_id(text: str) -> UUID | None:
    """Parse a whole id; None if `text` is not one."""
    try:
        return UUID(text.strip())
    except ValueError:
        return None


def id_part(text: str) -> str | None:
    """Return the hex digits of a whole or partial id; None if `text` is not one or is too short."""
    digits = text.strip().lower().replace("-", "")
    return digits if ID_PART_MIN <= len(digits) <= _DIGITS and set(digits) <= _HEX else None


def is_part_of(part: str, identity: UUID) -> bool:
    """Whether these digits are the id, its beginning or its end."""
    return identity.hex.startswith(part) or identity.hex.endswith(part)


def matching_id(text: str, values: Iterable[_Value]) -> list[_Value]:
    """Return the values whose id is `text`, or begins or ends with it; none where it is no part of an id."""
    part = id_part(text)
    return [value for value in values if part is not None and is_part_of(part, value.id)]


def only_match(
    text: str, what: str, matches: Sequence[_Match], label: Callable[[_Match], str], *, number: str = ""
) -> _Match | None:
    """Return the only match of a partial id, or None without one; raise InvalidInput for several, which lists their
    labels.
    """
    if len(matches) > 1:
        labels = ", ".join(map(label, matches[:CANDIDATES]))
        more = ", …" if len(matches) >= CANDIDATES else ""
        raise InvalidInput(
            f"{text[:60]!r} fits several {what}.",
            number=number,
            kept="Nothing was changed.",
            hint=f"Give more characters of one of these: {labels}{more}.",
        )
    return matches[0] if matches else None
