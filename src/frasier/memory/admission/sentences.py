"""Sentences of a text. Pure."""

from __future__ import annotations

import re

_END = re.compile(r"[.!?;](?=\s)|\n")
_ENDING = ".!?;"


def split_sentences(text: str) -> list[str]:
    """Return the sentences and lines of `text` without their ends, with straight apostrophes."""
    parts = (part.strip() for part in _END.split(text.replace("\u2019", "'")))
    return [part.rstrip(_ENDING) for part in parts if part]


def questions_of(text: str) -> frozenset[str]:
    """Return those sentences of `text` that end with a question mark, as split_sentences returns them."""
    questions: set[str] = set()
    start = 0
    plain = text.replace("\u2019", "'") + "\n"
    for end in _END.finditer(plain):
        if (part := plain[start : end.end()].strip()).endswith("?"):
            questions.add(part.rstrip(_ENDING))
        start = end.end()
    return frozenset(questions)
