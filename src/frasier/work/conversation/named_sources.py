"""The sources that a question names, by number, title, file name or code. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import PurePosixPath

from frasier.work.research.mission_sources import Source
from frasier.work.verification.citations import cited_numbers

_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_CODE = re.compile(r"(?=[\w/.-]*[^\W\d])(?=[\w/.-]*\d)\w+(?:[-/.]\w+)+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_TOKENS_MIN = 2


def named_sources(question: str, sources: Sequence[Source]) -> tuple[int, ...]:
    """Return the numbers of the sources that a question names, ascending.

    It names one by its number in brackets; by its whole title or file name, if that has two words; by a word with the
    number behind it, or a code, that stands so in one of them: "invoice 7" is "Invoice No. 07"; else by a code with
    which its text begins.
    """
    cited = set(cited_numbers(question)) & {source.number for source in sources}
    names = [(source.number, name) for source in sources for name in (source.title, _stem(source))]
    asked, codes = _tokens(question), _codes(question)
    whole = {number for number, name in names if _holds(asked, _tokens(name))}
    coded = {number for number, name in names if _codes(name) & codes}
    opened = {source.number for source in sources if _codes(source.opening) & codes}
    return tuple(sorted(cited | (whole or coded or opened)))


def _stem(source: Source) -> str:
    return PurePosixPath(source.uri).stem


def _tokens(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text, without the zeros that lead a number and the sign of a number."""
    tokens = (token.casefold() for token in _TOKEN.findall(text))
    return tuple(token.lstrip("0") or "0" for token in tokens if token not in {"no", "nr", "núm", "n"})


def _holds(tokens: Sequence[str], name: Sequence[str]) -> bool:
    size = len(name)
    return size >= _TOKENS_MIN and any(tokens[at : at + size] == name for at in range(len(tokens) - size + 1))


def _codes(text: str) -> set[tuple[str, ...]]:
    """Return the codes of a text, such as "RE-2026-07", and each of its words with the number that follows it.

    A year behind a word is a time.
    """
    tokens = _tokens(text)
    numbered = {
        (word, number)
        for word, number in pairwise(tokens)
        if number.isdigit() and word.isalpha() and not _YEAR.fullmatch(number)
    }
    return numbered | {_tokens(code) for code in _CODE.findall(text)}
