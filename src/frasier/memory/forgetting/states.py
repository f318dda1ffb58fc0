"""The five states of a memory, from fresh to archived. Pure."""

from __future__ import annotations

from enum import StrEnum

HOT_MIN = 0.80
WARM_MIN = 0.25
COLD_MIN = 0.05
DORMANT_MIN = 0.02
IDLE_DAYS_MAX = 90.0


class MemoryState(StrEnum):
    """The state of a memory, from hot (fresh) to archived (no longer recalled)."""

    HOT = "hot"
    WARM = "warm"
    COLD = "cold"
    DORMANT = "dormant"
    ARCHIVED = "archived"


_LEAST = {
    MemoryState.HOT: HOT_MIN,
    MemoryState.WARM: WARM_MIN,
    MemoryState.COLD: COLD_MIN,
    MemoryState.DORMANT: DORMANT_MIN,
}


def state_of(retrievability: float, *, idle_days: float, fades: bool) -> MemoryState:
    """Return the state at a retrievability of 0 to 1; a fading memory that was not used for 90 days is archived.

    The curve alone would take years to get that far, which is why idle days count as well. A memory that does not fade
    is hot, however long it was idle.
    """
    if not fades:
        return MemoryState.HOT
    if idle_days >= IDLE_DAYS_MAX:
        return MemoryState.ARCHIVED
    return next((state for state, least in _LEAST.items() if retrievability >= least), MemoryState.ARCHIVED)


def retained_min(state: MemoryState) -> float | None:
    """Return the retrievability from which on a memory is in that state or a fresher one; None for any."""
    return _LEAST.get(state)
