"""How a memory reads where it is searched and encoded: with its title, who said it and on which day."""

from __future__ import annotations

from datetime import datetime

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)


def indexed_text(*, title: str, content: str, speaker: str | None, occurred_at: datetime | None) -> str:
    """`content` as it is searched: "[8 May 2023] Mira: content", below the title where there is one.

    The day and the speaker are what questions most often name, so they are words of the text like any other.
    A speaker whose name the content already begins with is not named twice.
    """
    said = content
    if speaker and not content.casefold().startswith(f"{speaker.casefold()}:"):
        said = f"{speaker}: {said}"
    if occurred_at is not None:
        said = f"[{spoken_day(occurred_at)}] {said}"
    return f"{title}\n{said}" if title else said


def spoken_day(moment: datetime) -> str:
    """A day as people write it in English, whatever the machine's language: 8 May 2023."""
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"
