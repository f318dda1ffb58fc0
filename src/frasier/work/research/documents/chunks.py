"""The division of documents into passages of about 120 to 220 words, at the boundaries of the text.

A passage is an exact substring of its document, so that a quote from it can be verified. Headings stay
with what they head, and sentences, list items and rows stay whole.
"""

from __future__ import annotations

from dataclasses import dataclass

from frasier.work.research.documents.text_blocks import Unit, divide

_WORDS_ENOUGH = 120
_WORDS_MAX = 220
_WORDS_FEW = (
    60  # fewer do not stand alone: a short section shares its passage, a short lead-in may make it longer
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A passage. `heading` is the path of headings above its first line, with the columns of a table that it
    continues; `text` stands exactly so in the document, from character `start`. Ordinals count from 0.
    """

    ordinal: int
    start: int
    heading: str
    text: str


def passages(text: str) -> tuple[Chunk, ...]:
    """Divide a text into passages, in order. Together they hold every character that is not blank."""
    groups: list[list[Unit]] = []
    words = 0
    for unit in divide(text):
        if not groups or _ends_before(unit, words):
            groups.append([])
            words = 0
        groups[-1].append(unit)
        words += unit.words
    return tuple(
        Chunk(
            ordinal=ordinal,
            start=group[0].start,
            heading=group[0].heading,
            text=text[group[0].start : group[-1].end],
        )
        for ordinal, group in enumerate(groups)
    )


def _ends_before(unit: Unit, words: int) -> bool:
    """Whether a passage of `words` words ends where `unit` would follow."""
    if words < _WORDS_FEW:
        return False
    return (
        unit.begins_section
        or (unit.begins_block and words >= _WORDS_ENOUGH)
        or words + unit.words > _WORDS_MAX
    )
