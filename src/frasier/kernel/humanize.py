"""Names, moments, counts and quoted text in sentences for people."""

from __future__ import annotations

from datetime import UTC, datetime

_ENDS = (".", "!", "?", "…")
_FOUNDER = "founder"
_VOWELS = frozenset("aeiou")


def person(exact: str) -> str:
    """Return the display name of an actor: `ada` for `member:token:ada`.

    A member whose token is named like the founder keeps the prefix `token:`.
    """
    if exact.startswith(f"{_FOUNDER}:"):
        return _FOUNDER
    token = exact.removeprefix("member:")
    name = token.removeprefix("token:")
    return name if name != _FOUNDER else token


def ended(text: str) -> str:
    """Return `text` as the end of a sentence: with a full stop, unless it has an end of its own."""
    text = text.strip()
    return text if text.endswith(_ENDS) else f"{text}."


def moment(at: datetime) -> str:
    """Format a moment in UTC, the same for every reader."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def plural(number: int, noun: str, many: str = "") -> str:
    """Format a count with its noun; `many` is an irregular plural."""
    return f"{number:,} {noun if number == 1 else many or f'{noun}s'}"


def with_article(noun: str) -> str:
    """Return a noun with its indefinite article, which its first letter decides: `an observation`."""
    return f"{'an' if noun[:1].lower() in _VOWELS else 'a'} {noun}"


def dollars(usd: float) -> str:
    """Format an amount of dollars: in cents, one below a tenth of a dollar in hundredths of a cent; none reads as
    nothing that is not.
    """
    if usd >= 0.1 or not usd:
        return f"${usd:,.2f}"
    return f"${usd:.4f}" if usd >= 0.0001 else f"${usd:.6f}"


def duration(seconds: float) -> str:
    """Format a duration in its largest unit that keeps two digits: 45 s, 3 min, 2.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3_600:.1f} h"
