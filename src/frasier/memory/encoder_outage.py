"""Outage detection for the encoder, from the embedding rounds of this process. Pure."""

from __future__ import annotations

from dataclasses import dataclass

_ROUNDS_OUT = 2
"""The number of failed rounds in a row that is an outage; a single one may be a hiccup."""


@dataclass(slots=True)
class EmbeddingRounds:
    """The recent embedding rounds. `stopped` counts the last ones in a row that the provider could not complete.

    `why` is the reason of the first of those; `made` is whether the last round that did anything made vectors.
    """

    stopped: int = 0
    why: str = ""
    made: bool = False

    def note_made(self, vectors: int) -> None:
        """Record a completed round. A round with nothing to do says nothing about the provider."""
        if vectors:
            self.stopped, self.why, self.made = 0, "", True

    def note_stopped(self, why: str) -> None:
        """Record a round that stopped early; its vectors are still owed."""
        self.why = self.why or why
        self.stopped, self.made = self.stopped + 1, False

    @property
    def outage(self) -> str | None:
        """The reason why no vectors can be made; empty while they are made, None while that is unknown."""
        if self.stopped >= _ROUNDS_OUT:
            return self.why
        return "" if self.made else None
