"""How what somebody said, and who somebody is, stands in a sentence for people."""

from __future__ import annotations

from datetime import UTC, datetime

_ENDS = (".", "!", "?", "…")
_FOUNDER = "founder"


def person(exact: str) -> str:
    """Who somebody is, without what only the record has to tell apart: `ada` for `member:token:ada`.

    A member whose token is called as the founder is keeps that it is a token.
    """
    if exact.startswith(f"{_FOUNDER}:"):
        return _FOUNDER
    token = exact.removeprefix("member:")
    name = token.removeprefix("token:")
    return name if name != _FOUNDER else token


def ended(said: str) -> str:
    """What somebody said as the end of a sentence: with a full stop, unless it has an end of its own."""
    text = said.strip()
    return text if text.endswith(_ENDS) else f"{text}."


def moment(at: datetime) -> str:
    """When something was, the same for whoever reads it."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def plural(number: int, noun: str, many: str = "") -> str:
    """So many of what a noun names; `many` is its plural where that is irregular."""
    return f"{number:,} {noun if number == 1 else many or f'{noun}s'}"
