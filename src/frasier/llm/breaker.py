"""A circuit breaker: a model that keeps failing is left alone for a while, then probed by one call."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

FAILURES_TO_OPEN = 5
PROBE_AFTER_S = 30.0


@dataclass(slots=True)
class _Circuit:
    failures: int = 0
    probe_at: float = 0.0


class CircuitBreaker:
    """One circuit for each key. `clock` is monotonic and in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._circuits: dict[Hashable, _Circuit] = {}

    def wait_s(self, key: Hashable) -> float:
        """0 where a call may be made now, else the seconds until the next probe.

        A granted probe postpones the next one, so that a probe that never reports cannot hold the circuit.
        """
        circuit = self._circuits.get(key)
        if circuit is None or circuit.failures < FAILURES_TO_OPEN:
            return 0.0
        now = self._clock()
        if now < circuit.probe_at:
            return circuit.probe_at - now
        circuit.probe_at = now + PROBE_AFTER_S
        return 0.0

    def succeeded(self, key: Hashable) -> None:
        """The other side answered: the circuit closes."""
        self._circuits.pop(key, None)

    def failed(self, key: Hashable) -> None:
        """The other side did not answer. The fifth time in a row opens the circuit."""
        circuit = self._circuits.setdefault(key, _Circuit())
        circuit.failures += 1
        circuit.probe_at = self._clock() + PROBE_AFTER_S
