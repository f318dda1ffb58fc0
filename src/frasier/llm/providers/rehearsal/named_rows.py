"""The values of a table's cells that a question names, which tell the rows that it is about from the others."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from frasier.kernel.cell_values import yes_or_no
from frasier.kernel.language import without_accents
from frasier.kernel.source_units import SourceUnit
from frasier.llm.providers.rehearsal.stems import content_stems, words

_AKIN_MIN = 4
_AKIN_ENDING_MAX = 3
_WORD_MIN = 3
_ENDINGS = frozenset({"s", "es", "e", "n", "en", "er"})


def akin(first: str, second: str) -> bool:
    """Return whether two words differ in their ending at most, in any language: "bookings" and "booking"."""
    one, other = _folded(first), _folded(second)
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if len(short) >= _WORD_MIN and long.startswith(short) and long[len(short) :] in _ENDINGS:
        return True
    shorter = len(short)
    shared = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    return shared >= max(_AKIN_MIN, shorter - 1) and max(len(one), len(other)) - shared <= _AKIN_ENDING_MAX


def names(word: str, head: str) -> bool:
    """Return whether a word stands in the name of a column, in some form."""
    return any(akin(word, one) for one in words(head.replace("_", " ")))


def named_cells(
    rows: Sequence[SourceUnit], question: str, *, without: Collection[int] = ()
) -> tuple[dict[int, set[str]], str]:
    """Return the values that a question names, by column and in lower case, and the question without them.

    Longer values go first: "Twin plus" is not "Twin". A number, or a value of one letter, counts beside the name of its
    column: "the X band". Columns `without` are not looked at.
    """
    texts = {
        (cell.text, at, cell.head)
        for row in rows
        for at, cell in enumerate(row.cells)
        if at not in without and _can_be_named(cell.text)
    }
    found: dict[int, set[str]] = {}
    for text, at, head in sorted(texts, key=lambda one: (-len(one[0]), one)):
        pattern = re.compile(rf"(?<![\w.,]){re.escape(text)}(?![\w]|[.,]\d)", re.IGNORECASE)
        matches = list(pattern.finditer(question))
        if matches and (_stands_alone(text) or any(_is_beside_head(question, m, head) for m in matches)):
            found.setdefault(at, set()).add(text.casefold())
            question = pattern.sub(" ", question)
    return found, question


def other_rows(rows: Sequence[SourceUnit], question: str) -> frozenset[int]:
    """Return the rows, by the order of their units, that a question is not about.

    It names another one's value, or asks for a yes or no that they leave open.
    """
    named, _ = named_cells(rows, question)
    others = {
        row.order for row in rows for at, texts in named.items() if _text(row, at).casefold() not in texts
    }
    heads = [cell.head for cell in max(rows, key=lambda row: len(row.cells)).cells]
    asked = list(words(question))
    for at, head in enumerate(heads):
        texts = {text for row in rows if (text := _text(row, at))}
        if all(yes_or_no(text) is not None for text in texts) and any(names(word, head) for word in asked):
            others |= {row.order for row in rows if not _text(row, at)}
    return frozenset(others)


def _text(row: SourceUnit, at: int) -> str:
    return row.cells[at].text if at < len(row.cells) else ""


def _can_be_named(text: str) -> bool:
    """Return whether a text is more than a yes or no, or words such as "the", which any question has."""
    is_answer = len(text.split()) == 1 and yes_or_no(text) is not None
    return not is_answer and (len(text) == 1 or bool(content_stems(text)))


def _stands_alone(text: str) -> bool:
    return sum(map(str.isalpha, text)) > 1


def _is_beside_head(question: str, match: re.Match[str], head: str) -> bool:
    before = re.findall(r"\w+", question[: match.start()])[-1:]
    after = re.findall(r"\w+", question[match.end() :])[:1]
    return any(names(word, head) for word in (*before, *after))


def _folded(word: str) -> str:
    return without_accents(word.casefold())
