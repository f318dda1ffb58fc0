"""How making vectors goes in this process: whether the encoder is out, or vectors are made. Pure."""

from __future__ import annotations

from dataclasses import dataclass

_ROUNDS_OUT = 2
"""So many rounds in a row that came to nothing are an outage; one may be a hiccup."""


@dataclass(slots=True)
class EmbeddingRounds:
    """`stopped` rounds in a row ended because the provider could not work, `why` as the first of them said.

    `made` tells whether the last one that did anything made vectors.
    """

    stopped: int = 0
    why: str = ""
    made: bool = False

    def note_made(self, vectors: int) -> None:
        """A round went through. One that had nothing to do says nothing of the provider."""
        if vectors:
            self.stopped, self.why, self.made = 0, "", True

    def note_stopped(self, why: str) -> None:
        """A round could not go on, and what it should have made is owed still."""
        self.why = self.why or why
        self.stopped, self.made = self.stopped + 1, False

    @property
    def outage(self) -> str | None:
        """Why no vectors can be made; empty while they are made, None where that has not been seen yet."""
        if self.stopped >= _ROUNDS_OUT:
            return self.why
        return "" if self.made else None
