"""Sentences that can be quoted: spans of a block, never rewritten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from frasier.llm.prompt_inputs import Passage
from frasier.llm.providers.rehearsal.blocks import Block, Kind, blocks
from frasier.llm.providers.rehearsal.quotable import CHARS_MAX, is_anaphoric, is_quotable, quality
from frasier.llm.providers.rehearsal.stems import content_stems

_JOINED_CHARS_MAX = 320
_ITEM_CHARS_MAX = 300
_SHORT_CHARS = 50

_STOP_MARK = re.compile(r"[.!?…]+[\"”’»)\]*_]*(?:\[\^?\w{1,12}\])*\s+|(?<=[。！？])")
_OPENING = "\"“„«‘'([*_`"
_ABBREVIATION = re.compile(
    r"(?:\b(?i:e\.g|i\.e|etc|vs|cf|ca|approx|fig|figs|mr|mrs|ms|dr|prof|jr|sr|inc|ltd|corp|dept|est|vol|pp|resp|"
    r"incl|z\.\s?b|d\.\s?h|u\.\s?a|bzw|usw|ggf|nr|abb)|\bNo|\bSt|\b[A-Za-z]|(?<![\d.])\d{1,2})\.$"
)
_TRAILING_MARKS = re.compile(r"(?:\s*\[\^?\w{1,12}\])+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotableSpan:
    """A quotable span. `quality` (0 to about 1.2) says how well it stands alone; `order` is its place among all."""

    number: int
    title: str
    text: str
    heading: str
    kind: Kind
    order: int
    lead: bool
    stems: frozenset[str]
    quality: float

    @property
    def asks(self) -> bool:
        """Whether it is a question itself."""
        return self.text.rstrip('"”’»)]*_ ').endswith(("?", "？"))


def sentences(passages: tuple[Passage, ...]) -> tuple[QuotableSpan, ...]:
    """Every quotable span of the passages, once, in the order of passages and text."""
    spans: dict[tuple[int, str], QuotableSpan] = {}
    for passage in passages:
        for block in blocks(passage.text):
            for text in _spans(block):
                spans.setdefault(
                    (passage.number, text),
                    QuotableSpan(
                        number=passage.number,
                        title=passage.title,
                        text=text,
                        heading=block.heading,
                        kind=block.kind,
                        order=len(spans),
                        lead=block.lead and block.text.startswith(text),
                        stems=frozenset(content_stems(text)),
                        quality=quality(text, block.kind),
                    ),
                )
    return tuple(spans.values())


def split(text: str) -> Iterator[str]:
    """The sentences of one line of prose."""
    start = 0
    for mark in _STOP_MARK.finditer(text):
        rest = text[mark.end() :].lstrip(_OPENING)
        begins = rest[:1].isupper() or rest[:1].isdigit() or rest[:1] >= "\u2e80"
        if begins and not _ABBREVIATION.search(text[start : mark.end()].rstrip().rstrip('"”’»)]*_')):
            yield text[start : mark.end()].strip()
            start = mark.end()
    if text[start:].strip():
        yield text[start:].strip()


def _spans(block: Block) -> Iterator[str]:
    # A list item is one thought, even where it takes two sentences.
    if block.kind in {Kind.TABLE, Kind.CODE} or (
        block.kind is Kind.ITEM and len(block.text) <= _ITEM_CHARS_MAX
    ):
        parts = [block.text]
    else:
        parts = [piece for part in split(block.text) for piece in _at_most(part)]
    for at, part in enumerate(parts):
        for text in (*_with_neighbours(parts, at), part):
            quote = _TRAILING_MARKS.sub("", text).strip()
            if text in block.text and is_quotable(quote, block.kind):
                yield quote


def _with_neighbours(parts: list[str], at: int) -> Iterator[str]:
    """A sentence that begins with "It" says more with the one before it, a very short one with the next."""
    if at and is_anaphoric(parts[at]):
        joined = f"{parts[at - 1]} {parts[at]}"
        if len(joined) <= _JOINED_CHARS_MAX:
            yield joined
    if len(parts[at]) < _SHORT_CHARS and at + 1 < len(parts):
        joined = f"{parts[at]} {parts[at + 1]}"
        if len(joined) <= _JOINED_CHARS_MAX:
            yield joined


def _at_most(sentence: str) -> Iterator[str]:
    """A sentence as it is, or where it is too long its clauses."""
    if len(sentence) <= CHARS_MAX:
        yield sentence
    else:
        yield from (clause for clause in re.split(r"(?<=;)\s+", sentence) if len(clause) <= CHARS_MAX)
