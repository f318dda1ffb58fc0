"""What became of the texts of one round."""

from __future__ import annotations

from dataclasses import dataclass, field

from frasier.memory.embedding.types import EncodedPart

RETRY_MIN = (1, 5, 15)
"""Minutes until a text that failed is tried again; failing once more after the last wait is final."""

REASON_CHARS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """By the memories' numbers: what was encoded, and why the provider refused a text.

    `stopped` says why it could not go on at all.
    """

    encoded: dict[int, list[EncodedPart]] = field(default_factory=dict)
    refused: dict[int, str] = field(default_factory=dict)
    stopped: str = ""
