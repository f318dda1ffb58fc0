"""Sentences of a text. Pure."""

from __future__ import annotations

import re

_END = re.compile(r"[.!?;](?=\s)|\n")
_ENDING = ".!?;"


def split_sentences(text: str) -> list[str]:
    """Return the sentences and lines of `text` without their ends, with straight apostrophes."""
    parts = (part.strip() for part in _END.split(text.replace("\u2019", "'")))
    return [part.rstrip(_ENDING) for part in parts if part]
