"""What of each memory is handed over: cut to the asked detail, counted with a real counter. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from frasier.memory.files.delivery import deliver_sections
from frasier.memory.recalling.types import Delivered, Detail
from frasier.memory.types import Memory

BUDGETS = {Detail.MINIMAL: 100, Detail.COMPACT: 200, Detail.STANDARD: 400}
"""Tokens that a result takes at most, its title included."""

_MINIMAL_CHARS = 50
_SECTIONS: dict[Detail, tuple[str, ...]] = {
    Detail.COMPACT: ("summary",),
    Detail.STANDARD: ("summary", "decisions", "state"),
}


class Counter(Protocol):
    """Counts and cuts in the tokens of a real tokenizer."""

    def count(self, text: str) -> int: ...

    def cut(self, text: str, tokens: int) -> str: ...


def deliver(memory: Memory, detail: Detail, anchors: Sequence[str], counter: Counter) -> Delivered:
    """The text of a memory at that detail.

    Asked for `anchors`, it is those sections; without, the sections that the detail names where the memory has
    them, else as much from its beginning as the detail has room for. Never over the detail's budget, with the
    title counted.
    """
    content = memory.content
    wanted = tuple(anchors) or _SECTIONS.get(detail, ())
    found: tuple[str, ...] = ()
    missing = tuple(anchors)
    text = content
    if wanted and "ANCHOR" in content.upper():
        sections = deliver_sections(content, wanted, counter.count)
        if not sections.is_snippet:
            text, found = sections.text, sections.anchors_found
        missing = sections.anchors_missing if anchors else ()
    if detail is Detail.MINIMAL and not found:
        text = text if len(text) <= _MINIMAL_CHARS else text[: _MINIMAL_CHARS - 3] + "..."
    original = counter.count(content)
    tokens = original if text == content else counter.count(text)
    text, tokens = _within_budget(text, tokens, memory.title, detail, counter)
    return Delivered(
        text=text,
        tokens=tokens,
        original_tokens=original,
        anchors_found=found,
        anchors_missing=missing,
    )


def _within_budget(text: str, tokens: int, title: str, detail: Detail, counter: Counter) -> tuple[str, int]:
    """As much of the text as the detail has room for, with its tokens. Counting is slow: nothing is counted twice."""
    budget = BUDGETS.get(detail)
    if budget is None:
        return text, tokens
    room = max(budget - (counter.count(title) if title else 0), 1)
    if tokens <= room:
        return text, tokens
    cut = counter.cut(text, max(room - 3, 1)).rstrip() + "..."
    return cut, counter.count(cut)
