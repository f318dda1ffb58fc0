"""The outcome of encoding a group of memories."""

from __future__ import annotations

from dataclasses import dataclass, field

from frasier.memory.embedding.types import EncodedPart

RETRY_MIN = (1, 5, 15)
"""Minutes until a failed text is retried; a further failure after the last wait is final."""

REASON_CHARS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodingOutcome:
    """The parts encoded, and the provider's reasons for refusing texts, by the memories' numbers.

    `stopped` is the reason why the provider could not continue; empty if it could.
    """

    encoded: dict[int, list[EncodedPart]] = field(default_factory=dict)
    refused: dict[int, str] = field(default_factory=dict)
    stopped: str = ""
