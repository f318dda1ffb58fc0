"""The backlog of the embedding queue, for operators."""

from __future__ import annotations

from dataclasses import dataclass

from frasier.memory.embedding.spaces import Space, SpaceState, used_spaces
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.embedding")

OVERDUE_S = 24 * 3_600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingStatus:
    """The backlog of the space being filled or, without one, of the searched space.

    `pending` jobs were not tried yet or wait for the provider, `retry` failed and are retried, `failed` are not.
    `claimed` of the pending ones are being made by a process, which loses them after `claimed_s` seconds if it has not
    ended them by then; `waiting` of those to be retried are not due yet, the first is in `waiting_s` seconds.
    `oldest_s` is the age in seconds of the oldest job that is not final; `reason` is the last error.
    """

    active: Space | None
    building: Space | None
    pending: int = 0
    retry: int = 0
    failed: int = 0
    claimed: int = 0
    claimed_s: float = 0.0
    waiting: int = 0
    waiting_s: float = 0.0
    oldest_s: float = 0.0
    reason: str = ""

    @property
    def overdue(self) -> bool:
        """Whether a memory has waited for its vectors for more than a day, which is worth an alert."""
        return self.oldest_s > OVERDUE_S


async def embedding_status(tx: Tx) -> EmbeddingStatus:
    """Count the jobs now; without any space there are none."""
    by_state = {space.state: space for space in await used_spaces(tx)}
    active, building = by_state.get(SpaceState.ACTIVE), by_state.get(SpaceState.BUILDING)
    filling = building or active
    if filling is None:
        return EmbeddingStatus(active=None, building=None)
    row = await _sql.one(tx, "status", space=filling.id)
    return EmbeddingStatus(
        active=active,
        building=building,
        pending=row["pending"],
        retry=row["retry"],
        failed=row["failed"],
        claimed=row["claimed"],
        claimed_s=max(row["claimed_s"] or 0.0, 0.0),
        waiting=row["waiting"],
        waiting_s=max(row["waiting_s"] or 0.0, 0.0),
        oldest_s=row["oldest_s"] or 0.0,
        reason=row["reason"] or "",
    )


async def retry_failed(tx: Tx, scope: str | None = None) -> int:
    """Make failed jobs and those that wait after a failure due now, in one scope or in all; return how many."""
    return await _sql.run(tx, "retry_failed", scope=scope)
