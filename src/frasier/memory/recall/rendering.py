"""Rendering of a memory for an answer: cut to the requested detail, with an exact token count. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from frasier.memory.files.sections import deliver_sections
from frasier.memory.recall.excerpts import excerpt
from frasier.memory.recall.types import Delivered, Detail
from frasier.memory.types import Memory

BUDGETS = {Detail.MINIMAL: 100, Detail.COMPACT: 200, Detail.STANDARD: 400}
"""The maximum tokens of a result, its title included."""

_MINIMAL_CHARS = 50
_SECTIONS: dict[Detail, tuple[str, ...]] = {
    Detail.COMPACT: ("summary",),
    Detail.STANDARD: ("summary", "decisions", "state"),
}


class Counter(Protocol):
    """A tokenizer that counts and cuts."""

    def count(self, text: str) -> int: ...

    def cut(self, text: str, tokens: int) -> str: ...


def deliver(
    memory: Memory, detail: Detail, anchors: Sequence[str], counter: Counter, words: Collection[str] = ()
) -> Delivered:
    """Return the text of a memory at that detail.

    With `anchors`, it is those sections; without, the sections that the detail names if the memory has them, else as
    much of its beginning, and of where the `words` of the query stand, as fits. Never over the detail's budget, title
    included.
    """
    content = memory.content
    requested = tuple(anchors) or _SECTIONS.get(detail, ())
    sections_found: tuple[str, ...] = ()
    missing = tuple(anchors)
    text = content
    if requested and "ANCHOR" in content.upper():
        sections = deliver_sections(content, requested, counter.count)
        if not sections.is_snippet:
            text, sections_found = sections.text, sections.anchors_found
        missing = sections.anchors_missing if anchors else ()
    if detail is Detail.MINIMAL and not sections_found:
        text = text if len(text) <= _MINIMAL_CHARS else text[: _MINIMAL_CHARS - 3] + "..."
    original = counter.count(content)
    tokens = original if text == content else counter.count(text)
    text, tokens = _within_budget(
        text, tokens, memory.title, detail, counter, () if sections_found else words
    )
    return Delivered(
        text=text,
        tokens=tokens,
        original_tokens=original,
        anchors_found=sections_found,
        anchors_missing=missing,
    )


def _within_budget(
    text: str, tokens: int, title: str, detail: Detail, counter: Counter, words: Collection[str]
) -> tuple[str, int]:
    """Cut the text to the detail's budget; return it with its token count. Counting is slow, so it is done once."""
    budget = BUDGETS.get(detail)
    if budget is None:
        return text, tokens
    room = max(budget - (counter.count(title) if title else 0), 1)
    if tokens <= room:
        return text, tokens
    if words:
        text = excerpt(text, words, len(text) * room // tokens)
    cut = counter.cut(text, max(room - 3, 1)).rstrip() + "..."
    return cut, counter.count(cut)
