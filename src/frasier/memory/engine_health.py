"""The health of the memory engine, for its operator."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineHealth:
    """The health of the engine's parts. `encoder` is empty if no vectors are made; `trouble` lists faults in words.

    `circuit` is closed while the provider answers. Ages are in seconds. `claimed` and `waiting` are as in
    EmbeddingStatus.
    """

    encoder: str
    circuit: str
    pending: int
    retry: int
    failed: int
    claimed: int
    claimed_s: float
    waiting: int
    waiting_s: float
    oldest_pending_s: float
    overdue: bool
    building: str
    store: str
    rerank_off: bool
    trouble: tuple[str, ...]
