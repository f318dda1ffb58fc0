"""The text of a memory that is indexed and encoded: its content with title, speaker and day."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping
from datetime import date
from typing import Any

from frasier.kernel.dates import find_dates

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


def spellings_of_days(text: str) -> tuple[list[str], list[str]]:
    """Return the days that a text names as a memory may have them: in words (1 June 2026), and in figures."""
    days = []
    for mention in find_dates(text):
        read = {(one.year, one.month, one.day) for one in mention.readings}
        year, month, day = read.pop()
        if not read and year and month and day and day <= monthrange(year, month)[1]:
            days.append(date(year, month, day))
    return [spoken_day(day) for day in days], [day.isoformat() for day in days]


def spoken_day(moment: date) -> str:
    """Format a day as people write it in English, whatever the machine's locale: 8 May 2023."""
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"
