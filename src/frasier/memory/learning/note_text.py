"""Clean the texts of corrections and task records: bounded, without secrets or control characters."""

from __future__ import annotations

from collections.abc import Sequence

from frasier.kernel.errors import InvalidInput
from frasier.memory.sanitize import cleaned

REASON_CHARS_MAX = 2000
PATTERN_CHARS_MAX = 500
TASK_KEY_CHARS_MAX = 200
SESSION_ID_CHARS_MAX = 128
GAPS_MAX = 50
GAP_CHARS_MAX = 500


def clean(label: str, text: str, chars_max: int) -> str:
    """`text` as it is stored; raises InvalidInput (E032), naming it by `label`, if it exceeds `chars_max`."""
    if len(text) > chars_max:
        raise InvalidInput(
            f"{label} is too long: {len(text)} characters; at most {chars_max} are allowed.",
            kept="Nothing was changed.",
            hint="Shorten it.",
            number="E032",
        )
    # A redaction mark may be longer than the secret it replaces.
    return cleaned(text)[0].strip()[:chars_max]


def require(label: str, text: str, chars_max: int) -> str:
    """`text` as it is stored, like clean; raises InvalidInput (E031) if it is empty."""
    stored = clean(label, text, chars_max)
    if not stored:
        raise InvalidInput(
            f"{label} is missing.", kept="Nothing was changed.", hint="Give it in a few words.", number="E031"
        )
    return stored


def clean_gaps(label: str, gaps: Sequence[str]) -> tuple[str, ...]:
    """The knowledge gaps, unique and non-empty; raises InvalidInput (E032) for too many or too long ones."""
    if len(gaps) > GAPS_MAX:
        raise InvalidInput(
            f"{label}: {len(gaps)} are too many; at most {GAPS_MAX} are allowed.",
            kept="Nothing was recorded.",
            hint="Name only those that matter most.",
            number="E032",
        )
    stored = (clean(label, gap, GAP_CHARS_MAX) for gap in gaps)
    return tuple(dict.fromkeys(gap for gap in stored if gap))
