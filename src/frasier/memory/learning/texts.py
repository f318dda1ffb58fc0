"""What is said about a memory or a task, as it is stored: bounded, free of secrets and control characters."""

from __future__ import annotations

from collections.abc import Sequence

from frasier.kernel.errors import InvalidInput
from frasier.memory.cleaning import cleaned

REASON_CHARS_MAX = 2000
PATTERN_CHARS_MAX = 500
TASK_KEY_CHARS_MAX = 200
SESSION_ID_CHARS_MAX = 128
GAPS_MAX = 50
GAP_CHARS_MAX = 500


def clean(what: str, text: str, most: int) -> str:
    """`text` as it is stored; raises InvalidInput (E032) where it is longer than `most` characters."""
    if len(text) > most:
        raise InvalidInput(
            f"{what} has {len(text)} characters; at most {most} are kept.",
            kept="Nothing was changed.",
            hint="Say it shorter.",
            number="E032",
        )
    # A mark may be longer than the secret in whose place it stands.
    return cleaned(text)[0].strip()[:most]


def require(what: str, text: str, most: int) -> str:
    """The same, and raises InvalidInput (E031) where nothing is said."""
    stored = clean(what, text, most)
    if not stored:
        raise InvalidInput(
            f"{what} is missing.", kept="Nothing was changed.", hint="Say it in a few words.", number="E031"
        )
    return stored


def clean_gaps(what: str, gaps: Sequence[str]) -> tuple[str, ...]:
    """What was not known, each once and none empty; raises InvalidInput (E032) where it is too much."""
    if len(gaps) > GAPS_MAX:
        raise InvalidInput(
            f"{what}: {len(gaps)} are more than {GAPS_MAX}.",
            kept="Nothing was recorded.",
            hint="Name those that matter most.",
            number="E032",
        )
    stored = (clean(what, gap, GAP_CHARS_MAX) for gap in gaps)
    return tuple(dict.fromkeys(gap for gap in stored if gap))
