"""The length of a text that a request states in words or pages. Pure."""

from __future__ import annotations

import re
from functools import cache

from frasier.kernel.language_words import load_words
from frasier.kernel.limits import DELIVERABLE_WORDS_MAX
from frasier.kernel.number_words import ONES_AND_ARTICLES, find_number_words

_WORDS_A_PAGE = 400


def stated_words(request: str) -> int:
    """Return the length that is stated in words, else in pages, within the limit of a deliverable; 0 without any."""
    matches = list(_length().finditer(_in_digits(request)))
    stated = [match for match in matches if match["words"]] or matches
    lengths = [
        int(re.sub(r"\D", "", match["number"])) * (_WORDS_A_PAGE if match["pages"] else 1) for match in stated
    ]
    return min(max(lengths, default=0), DELIVERABLE_WORDS_MAX)


def _in_digits(request: str) -> str:
    """Return a request with its number words as digits: "two pages"."""
    for number in reversed(find_number_words(request)):
        is_article = request[number.start : number.end].casefold() in ONES_AND_ARTICLES
        if not is_article and not number.is_ordinal and number.value == int(number.value):
            request = f"{request[: number.start]}{int(number.value)}{request[number.end :]}"
    return request


@cache
def _length() -> re.Pattern[str]:
    """Such as "in 20,000 words", "a 2000-word paper" and "auf 12 Seiten", but not "the book of 300 pages"."""
    words = load_words(__package__)
    return re.compile(
        rf"(?:\b(?:(?P<article>an?)|{words['before_length'].alternatives})\.?\s+|^\W*|(?P<comma>[:;,(–]\s*))"
        r"(?P<number>\d{1,3}(?:[., ’']\d{3}){1,2}|\d{1,6})[\s-]*"
        rf"(?:(?P<words>{words['words_of_text'].alternatives})|(?P<pages>{words['pages_of_text'].alternatives}))\b"
        # "An 80-page contract" is what there is to read.
        r"(?(article)(?=\s+(?:paper|report|essay|study|article|summary|text|overview|plan)\b))"
        r"(?(comma)(?=[\s).!]*$))",
        re.IGNORECASE,
    )
