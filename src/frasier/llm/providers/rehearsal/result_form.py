"""The reader, length, layout and language of a final result, as far as a directive's own words tell them."""

from __future__ import annotations

from typing import TypedDict

from frasier.kernel.language import language_of
from frasier.kernel.stated_length import stated_words

_READER = "The founder, who gave the directive and knows its subject, but not the sources."
_FORMAT = "Quotations with their sources, under a heading for each question."


class StatedForm(TypedDict):
    """The fields of a plan that describe the form of its final result."""

    reader: str
    words: int
    format: str
    language: str


def stated_form(directive: str) -> StatedForm:
    """Return the form that the directive states, and else the rehearsal's own; 0 words are no particular length."""
    language = language_of(directive)
    return StatedForm(
        reader=_READER,
        words=stated_words(directive),
        format=_FORMAT,
        language=language.capitalize() if language else "",
    )
