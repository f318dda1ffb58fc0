"""How a text that is too long for the encoder is cut, and how much of what came before fits in front of it."""

from __future__ import annotations

from collections.abc import Sequence

WHOLE_MAX = 254
"""Wordpieces that are encoded in one piece; with the two marks around them the length the model was trained on."""

PART = 240
OVERLAP = 40
PARTS_MAX = 64
WITH_CONTEXT_MAX = 400

_REACH_BACK = OVERLAP + 100  # longer than any word; were it more than a part, the parts would not get on


def windows(words: Sequence[int | None]) -> list[slice]:
    """The parts of a text, at least one, given for each wordpiece the number of its word.

    Neighbours share at least OVERLAP wordpieces, and none begins inside a word. What lies behind the last of PARTS_MAX
    parts has no vector.
    """
    if len(words) <= WHOLE_MAX:
        return [slice(0, len(words))]
    parts = [slice(0, PART)]
    while parts[-1].stop < len(words) and len(parts) < PARTS_MAX:
        end = parts[-1].stop
        start = end - OVERLAP
        while start > end - _REACH_BACK and words[start] is not None and words[start] == words[start - 1]:
            start -= 1
        parts.append(slice(start, min(start + PART, len(words))))
    return parts


def in_front(context: Sequence[Sequence[int]], room: int) -> list[int]:
    """The wordpieces of `context`, oldest first, of which the last `room` are kept."""
    joined = [piece for turn in context for piece in turn]
    return joined[max(len(joined) - room, 0) :]
