"""Polling with growing intervals, and a periodic log line about the wait."""

from __future__ import annotations

import time

from frasier.kernel.logging_setup import get_logger

log = get_logger()

_FIRST_PAUSE_S = 0.01
_LONGEST_PAUSE_S = 0.1
_NOTE_EVERY_S = 5.0


class Polling:
    """A wait. `event` and `facts` are logged, at info, every five seconds."""

    def __init__(self, event: str, **facts: str) -> None:
        self._event = event
        self._facts = facts
        self._began = time.monotonic()
        self._pause_s = _FIRST_PAUSE_S
        self._next_note_s = _NOTE_EVERY_S

    @property
    def waited_s(self) -> float:
        return time.monotonic() - self._began

    def pause(self) -> None:
        """Sleep for one interval. Blocks its thread: all callers are synchronous."""
        time.sleep(self._pause_s)
        self._pause_s = min(self._pause_s * 1.2, _LONGEST_PAUSE_S)
        if self.waited_s >= self._next_note_s:
            self._next_note_s += _NOTE_EVERY_S
            log.info(self._event, waited_s=round(self.waited_s), **self._facts)
