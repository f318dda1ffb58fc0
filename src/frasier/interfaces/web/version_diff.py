"""The differences between two versions of a text, by words. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

_CONTEXT_LINES = 2
# Comparing takes time with the product of the lengths: longer passages are shown as replaced.
_WORDS_MAX = 2_000
_WORD = re.compile(r"\s+|\w+|[^\w\s]")


class PieceKind(StrEnum):
    """The part of a piece in a comparison."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class DiffPiece:
    """A piece of the text. One that is skipped is long and the same; its text says how long."""

    kind: PieceKind
    text: str


def diff_versions(before: str, after: str) -> tuple[DiffPiece, ...]:
    """Compare two versions: whole lines first, then the words of those that differ."""
    return tuple(_joined(_pieces(before.splitlines(keepends=True), after.splitlines(keepends=True))))


def _pieces(before: Sequence[str], after: Sequence[str]) -> Iterator[DiffPiece]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            yield from _unchanged(before[start:end], first=start == 0, last=end == len(before))
        else:
            yield from _changed("".join(before[start:end]), "".join(after[new_start:new_end]))


def _unchanged(lines: Sequence[str], *, first: bool, last: bool) -> Iterator[DiffPiece]:
    """Yield unchanged lines; of many only those beside a change."""
    head, tail = (0 if first else _CONTEXT_LINES), (0 if last else _CONTEXT_LINES)
    skipped = len(lines) - head - tail
    if skipped <= 1:
        yield DiffPiece(PieceKind.SAME, "".join(lines))
        return
    yield DiffPiece(PieceKind.SAME, "".join(lines[:head]))
    yield DiffPiece(PieceKind.SKIPPED, f"{skipped} lines are the same")
    yield DiffPiece(PieceKind.SAME, "".join(lines[len(lines) - tail :]))


def _changed(before: str, after: str) -> Iterator[DiffPiece]:
    old, new = _WORD.findall(before), _WORD.findall(after)
    if max(len(old), len(new)) > _WORDS_MAX:
        yield DiffPiece(PieceKind.REMOVED, before)
        yield DiffPiece(PieceKind.ADDED, after)
        return
    for tag, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield DiffPiece(PieceKind.SAME, "".join(old[start:end]))
            continue
        yield DiffPiece(PieceKind.REMOVED, "".join(old[start:end]))
        yield DiffPiece(PieceKind.ADDED, "".join(new[new_start:new_end]))


def _joined(pieces: Iterator[DiffPiece]) -> Iterator[DiffPiece]:
    """Yield the pieces that are not empty, neighbours of one kind as one."""
    last: DiffPiece | None = None
    for piece in pieces:
        if not piece.text:
            continue
        if last and last.kind is piece.kind is not PieceKind.SKIPPED:
            last = DiffPiece(piece.kind, last.text + piece.text)
            continue
        if last:
            yield last
        last = piece
    if last:
        yield last
