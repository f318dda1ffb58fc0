"""Timing of a recall by stage."""

from __future__ import annotations

import time
from enum import StrEnum


class Stage(StrEnum):
    """The stages of a recall, in order."""

    ENCODING = "encoding"
    RETRIEVAL = "retrieval"
    """All arms, and their fusion."""
    READING = "reading"
    """Loading of the candidates, token states included."""
    RERANKING = "reranking"
    SCORING = "scoring"


class Stopwatch:
    """A stopwatch that runs from its creation; each lap is the time since the previous one."""

    def __init__(self) -> None:
        self.took_ms: dict[Stage, float] = {}
        self._since = time.perf_counter()

    def lap(self, stage: Stage) -> None:
        """Add the time since the last lap to that stage."""
        now = time.perf_counter()
        self.took_ms[stage] = self.took_ms.get(stage, 0.0) + (now - self._since) * 1000
        self._since = now
