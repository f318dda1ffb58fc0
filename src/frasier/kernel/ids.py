"""Identifiers: UUID version 7, so that ids sort by the time they were made; and what people type of one."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from uuid import UUID

from frasier.kernel.errors import InvalidInput

ID_PART_MIN = 4
CANDIDATES = 6
"""So many of those that a part of an id fits are looked up, to be named."""

_DIGITS = 32
_HEX = frozenset("0123456789abcdef")


def new_id() -> UUID:
    """A fresh UUIDv7: 48 bits of Unix milliseconds, then 74 random bits (RFC 9562)."""
    milliseconds = time.time_ns() // 1_000_000
    random = int.from_bytes(os.urandom(10), "big")
    value = (milliseconds & (2**48 - 1)) << 80 | random
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return UUID(int=value)


def parse_id(text: str) -> UUID | None:
    """The id that `text` spells, or None."""
    try:
        return UUID(text.strip())
    except ValueError:
        return None


def id_part(text: str) -> str | None:
    """The digits of what may be an id, its beginning or its end; None where it is none, or too little of one."""
    digits = text.strip().lower().replace("-", "")
    return digits if ID_PART_MIN <= len(digits) <= _DIGITS and set(digits) <= _HEX else None


def is_part_of(part: str, identity: UUID) -> bool:
    """Whether these digits are an id, or begin or end it."""
    return identity.hex.startswith(part) or identity.hex.endswith(part)


def ambiguous(text: str, what: str, candidates: Sequence[str], *, number: str = "") -> InvalidInput:
    """The error for a part of an id that fits several: it names them, each as it can be told from the others."""
    more = ", …" if len(candidates) >= CANDIDATES else ""
    return InvalidInput(
        f"{text[:60]!r} fits several {what}.",
        number=number,
        kept="Nothing was changed.",
        hint=f"Give more of one of these: {', '.join(candidates)}{more}.",
    )
