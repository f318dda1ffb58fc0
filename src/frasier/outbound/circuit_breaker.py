"""A circuit breaker: a service that keeps failing is left alone for a while, then probed by one call."""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import StrEnum


class CircuitState(StrEnum):
    """Closed: calls are made. Open: they are refused at once. Half-open: the next one is a probe."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half-open"


class CircuitBreaker:
    """The circuit of one service, which opens at the `failures_to_open`th failure in a row.

    Open, it is left alone for `probe_after_s` seconds. `clock` is monotonic and in seconds.
    """

    def __init__(
        self,
        *,
        failures_to_open: int = 5,
        probe_after_s: float = 30.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._failures_to_open = failures_to_open
        self._probe_after_s = probe_after_s
        self._clock = clock
        self._failures = 0
        self._probe_at = 0.0

    @property
    def failures(self) -> int:
        """The number of failed calls since the last success."""
        return self._failures

    @property
    def state(self) -> CircuitState:
        """Whether the next call may be made. Reading it grants no probe."""
        if self._failures < self._failures_to_open:
            return CircuitState.CLOSED
        return CircuitState.OPEN if self._clock() < self._probe_at else CircuitState.HALF_OPEN

    def wait_s(self) -> float:
        """0 where a call may be made now, else the seconds until the next probe.

        A granted probe postpones the next one, so that a probe that never reports cannot hold the circuit.
        """
        state = self.state
        if state is CircuitState.OPEN:
            return self._probe_at - self._clock()
        if state is CircuitState.HALF_OPEN:
            self._probe_at = self._clock() + self._probe_after_s
        return 0.0

    def succeeded(self) -> None:
        """Close the circuit: the service answered."""
        self._failures = 0

    def failed(self) -> None:
        """Count a call without an answer; open the circuit at the limit."""
        self._failures += 1
        self._probe_at = self._clock() + self._probe_after_s
