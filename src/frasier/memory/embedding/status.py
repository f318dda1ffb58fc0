"""How far the vectors are behind, for whoever looks after the memory."""

from __future__ import annotations

from dataclasses import dataclass

from frasier.memory.embedding.spaces import Space, SpaceState, used_spaces
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.embedding")

OVERDUE_S = 24 * 3_600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingStatus:
    """What is owed to the space that is being filled or, without one, to the searched one.

    `pending` was not tried yet or waits for the provider, `retry` failed and is tried again, `failed` is not.
    `oldest_s` is the age in seconds of the oldest that is still tried for; `reason` is what was said last.
    """

    active: Space | None
    building: Space | None
    pending: int = 0
    retry: int = 0
    failed: int = 0
    oldest_s: float = 0.0
    reason: str = ""

    @property
    def overdue(self) -> bool:
        """Whether a memory waits for its vectors for more than a day: worth an alert."""
        return self.oldest_s > OVERDUE_S


async def embedding_status(tx: Tx) -> EmbeddingStatus:
    """Counted now; without any space nothing is owed."""
    by_state = {space.state: space for space in await used_spaces(tx)}
    active, building = by_state.get(SpaceState.ACTIVE), by_state.get(SpaceState.BUILDING)
    wanted = building or active
    if wanted is None:
        return EmbeddingStatus(active=None, building=None)
    row = await _sql.one(tx, "status", space=wanted.id)
    return EmbeddingStatus(
        active=active,
        building=building,
        pending=row["pending"],
        retry=row["retry"],
        failed=row["failed"],
        oldest_s=row["oldest_s"] or 0.0,
        reason=row["reason"] or "",
    )


async def retry_failed(tx: Tx, scope: str | None = None) -> int:
    """Makes everything due now that failed or waits after a failure, in one scope or in all; returns how many."""
    return await _sql.run(tx, "retry_failed", scope=scope)
