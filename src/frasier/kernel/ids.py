"""Identifiers: UUID version 7, which sort by creation time, and the parts of one that people type."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from uuid import UUID

from frasier.kernel.errors import InvalidInput

ID_PART_MIN = 4
CANDIDATES = 6
"""The number of matches for a part of an id that are looked up, to be listed in the error."""

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


def ambiguous(text: str, what: str, candidates: Sequence[str], *, number: str = "") -> InvalidInput:
    """Build the error for a partial id that matches several, which lists `candidates` in distinguishable form."""
    more = ", …" if len(candidates) >= CANDIDATES else ""
    return InvalidInput(
        f"{text[:60]!r} fits several {what}.",
        number=number,
        kept="Nothing was changed.",
        hint=f"Give more characters of one of these: {', '.join(candidates)}{more}.",
    )
