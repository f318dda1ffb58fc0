"""Windows of the encoder: splits long texts into overlapping parts, and fits context in front of a text."""

from __future__ import annotations

from collections.abc import Sequence

WHOLE_MAX = 254
"""Wordpieces encoded in one piece; with the two special tokens, the length that the model was trained on."""

PART = 240
OVERLAP = 40
PARTS_MAX = 64
WITH_CONTEXT_MAX = 400

_REACH_BACK = OVERLAP + 100  # longer than any word; more than a part would prevent progress


def windows(words: Sequence[int | None]) -> list[slice]:
    """Split a text, given the word number of each wordpiece, into at least one part.

    Neighbouring parts share at least OVERLAP wordpieces, and none begins inside a word. Text beyond PARTS_MAX parts has
    no vector.
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
    """Return the last `room` wordpieces of `context`, oldest first."""
    joined = [piece for turn in context for piece in turn]
    return joined[max(len(joined) - room, 0) :]
