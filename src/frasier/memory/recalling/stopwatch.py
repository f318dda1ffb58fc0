"""Where the time of a recall goes, stage by stage."""

from __future__ import annotations

import time
from enum import StrEnum


class Stage(StrEnum):
    """What a recall does, one after the other."""

    ENCODING = "encoding"
    RETRIEVAL = "retrieval"
    """All arms, and their fusion."""
    READING = "reading"
    """What is known of the candidates, token states included."""
    RERANKING = "reranking"
    SCORING = "scoring"


class Stopwatch:
    """Runs from when it is made; each lap is the time since the one before."""

    def __init__(self) -> None:
        self.took_ms: dict[Stage, float] = {}
        self._since = time.perf_counter()

    def lap(self, stage: Stage) -> None:
        """The time since the last lap was spent on that stage."""
        now = time.perf_counter()
        self.took_ms[stage] = self.took_ms.get(stage, 0.0) + (now - self._since) * 1000
        self._since = now
