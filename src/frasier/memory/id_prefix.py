"""References to a memory, a correction or an edge: its id, or the beginning or end of it."""

from __future__ import annotations

from frasier.kernel.errors import InvalidInput
from frasier.kernel.ids import id_part

_PART_MIN = 8


def part_of_id(text: str, what: str) -> str:
    """Return the digits of the id in `text`, or of its first or last 8 or more; raise InvalidInput (E030)."""
    part = id_part(text)
    if part is None or len(part) < _PART_MIN:
        raise InvalidInput(
            f"{text[:60]!r} is not the id of {what}.",
            number="E030",
            kept="Nothing was changed.",
            hint=f"An id looks like 01a2b3c4-…; its first or last {_PART_MIN} characters are enough.",
        )
    return part
