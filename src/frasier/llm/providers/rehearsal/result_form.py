"""The reader, length, layout and language of a final result, as far as a directive's own words tell them."""

from __future__ import annotations

import re
from typing import TypedDict

from frasier.kernel.language import language_of
from frasier.kernel.limits import DELIVERABLE_WORDS_MAX

_WORDS_A_PAGE = 400
_READER = "The founder, who gave the directive and knows its subject, but not the sources."
_FORMAT = "Quotations with their sources, under a heading for each question."
# Such as "in 20,000 words", "a 2000-word paper" and "auf 12 Seiten", but not "the book of 300 pages".
_LENGTH = re.compile(
    r"\b(?:(?P<article>an?)|in|on|about|around|some|roughly|to|auf|etwa|rund|bis|ca|en|sur|environ)\.?\s+"
    r"(?P<number>\d{1,3}(?:[., ’']\d{3}){1,2}|\d{1,6})[\s-]*"
    r"(?:(?P<words>words?|wörter|worten?|mots|palabras|parole|woorden|palavras|słów)"
    r"|(?P<pages>pages?|seiten?|páginas?|pagine|pagina's|stron))\b"
    # "An 80-page contract" is what there is to read.
    r"(?(article)(?=\s+(?:paper|report|essay|study|article|summary|text|overview|plan)\b))",
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
    """Return the length that is stated in words, else in pages, within the limit of a deliverable."""
    matches = list(_LENGTH.finditer(directive))
    stated = [match for match in matches if match["words"]] or matches
    lengths = [
        int(re.sub(r"\D", "", match["number"])) * (_WORDS_A_PAGE if match["pages"] else 1) for match in stated
    ]
    return min(max(lengths, default=0), DELIVERABLE_WORDS_MAX)
