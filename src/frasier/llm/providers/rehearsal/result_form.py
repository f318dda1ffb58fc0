"""The reader, length, layout and language of a final result, as far as a directive's own words tell them."""

from __future__ import annotations

import re
from typing import TypedDict

from frasier.kernel.language import language_of
from frasier.kernel.limits import DELIVERABLE_WORDS_MAX

_WORDS_A_PAGE = 400
_READER = "The founder, who gave the directive and knows its subject, but not the sources."
_FORMAT = "Quotations with their sources, under a heading for each question."
# Such as "in 20,000 words", "a 2000-word paper" and "auf 12 Seiten", but not "the 300 pages of the report".
_LENGTH = re.compile(
    r"\b(?:in|on|of|about|around|some|roughly|to|with|an?|auf|etwa|rund|von|mit|bis|ca|en|de|sur|environ)\.?\s+"
    r"(?P<number>\d{1,3}(?:[., ’']\d{3})+|\d{1,6})[\s-]*"
    r"(?:(?P<words>words?|wörter|worten?|mots|palabras|parole|woorden|palavras|słów)"
    r"|(?P<pages>pages?|seiten?|páginas?|pagine|pagina's|stron))\b",
    re.IGNORECASE,
)


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
        words=_stated_words(directive),
        format=_FORMAT,
        language=language.capitalize() if language else "",
    )


def _stated_words(directive: str) -> int:
    """Return the greatest length that is stated in words or pages, within the limit of a deliverable."""
    lengths = [
        int(re.sub(r"\D", "", match["number"])) * (_WORDS_A_PAGE if match["pages"] else 1)
        for match in _LENGTH.finditer(directive)
    ]
    return min(max(lengths, default=0), DELIVERABLE_WORDS_MAX)
