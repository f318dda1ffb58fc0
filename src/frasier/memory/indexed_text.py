"""The text of a memory that is indexed and encoded: its content with title, speaker and day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)


def indexed_text(attributes: Mapping[str, Any]) -> str:
    """Return the content of a memory as it is indexed: "[8 May 2023] Mira: content", below the title if there is one.

    Questions most often name the day and the speaker, so they are words of the text like any other. A speaker whose
    name the content already begins with is not named twice. `attributes` are those of the memory, by name.
    """
    title, content = attributes["title"], attributes["content"]
    speaker, occurred_at = attributes["speaker"], attributes["occurred_at"]
    text = content
    if speaker and not content.casefold().startswith(f"{speaker.casefold()}:"):
        text = f"{speaker}: {text}"
    if occurred_at is not None:
        text = f"[{spoken_day(occurred_at)}] {text}"
    return f"{title}\n{text}" if title else text


def spoken_day(moment: datetime) -> str:
    """Format a day as people write it in English, whatever the machine's locale: 8 May 2023."""
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"
