"""Archiving of faded and expired memories, which hides them from recall, and its reversal. Nothing is deleted."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import psycopg
from psycopg.rows import DictRow

from frasier.kernel.errors import InvalidInput
from frasier.memory.access import Caller
from frasier.memory.cache_invalidation import note_change
from frasier.memory.forgetting.retrievability import FADING_TIERS, FADING_TYPES, LASTING_KINDS
from frasier.memory.forgetting.states import IDLE_DAYS_MAX, MemoryState
from frasier.memory.forgetting.usage_stats import UsageStats, load_usage_stats
from frasier.memory.forgetting.visibility import no_memory
from frasier.memory.validation import FOUNDERS_TIERS
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.forgetting")

_WALKED_AT_ONCE = 500


async def archive_faded(tx: Tx, *, limit: int = 50) -> list[UUID]:
    """Archive the oldest faded memories, at most `limit`; return their ids.

    For an hourly job: if it returns `limit` ids, there may be more.
    """
    faded: list[UUID] = []
    walked = 0
    while len(faded) < limit:
        rows = await _sql.all(
            tx,
            "fading",
            types=sorted(FADING_TYPES),
            tiers=sorted(FADING_TIERS),
            lasting_kinds=sorted(LASTING_KINDS),
            # A necessary condition of the state: the curve takes far longer, even at its steepest.
            idle_days=IDLE_DAYS_MAX,
            after=walked,
            limit=_WALKED_AT_ONCE,
        )
        usage_stats = await load_usage_stats(tx, [row["num"] for row in rows])
        faded += [row["id"] for row in rows if _faded(usage_stats.get(row["num"]))]
        if len(rows) < _WALKED_AT_ONCE:
            break
        walked = rows[-1]["num"]
    return await archive(tx, faded[:limit])


async def expire(tx: Tx, *, limit: int = 500) -> list[UUID]:
    """Archive expired memories, at most `limit`; return their ids.

    No recall finds them once they expire; this makes it permanent.
    """
    rows = await _sql.all(tx, "expire", limit=limit)
    return await _noted(tx, rows)


async def archive(tx: Tx, memory_ids: Sequence[UUID]) -> list[UUID]:
    """Archive memories; return the ids of those that were not archived already, oldest first."""
    if not memory_ids:
        return []
    return await _noted(tx, await _sql.all(tx, "archive", memory_ids=list(memory_ids)))


async def restore_archived(tx: Tx, caller: Caller, memory_id: UUID) -> bool:
    """Restore an archived memory, as fresh as if just saved; return False if it was not archived.

    An expired memory no longer expires, except a temporary one, which gets seven days again. Raises NotFound for a
    foreign scope, NotAllowed if it is binding and the caller is not the founder, and InvalidInput if the same content
    was saved again meanwhile.
    """
    row = await _sql.maybe(tx, "lock_archived", memory_id=memory_id)
    if row is None or row["scope"] not in caller.scopes:
        raise no_memory(memory_id)
    if row["archived_at"] is None:
        return False
    if row["tier"] in FOUNDERS_TIERS:
        caller.require_founder(f"restore a {row['tier']} memory")
    try:
        async with tx.transaction():
            await _sql.run(tx, "restore", memory_id=memory_id)
    except psycopg.errors.UniqueViolation as error:
        raise InvalidInput(
            f"The content of memory {memory_id} was saved again after it was archived.",
            kept="The newer memory is recalled; the archived one is unchanged.",
            hint="Use the newer one, or archive it first.",
            number="E084",
        ) from error
    await note_change(tx, [row["scope"]])
    return True


def _faded(usage_stats: UsageStats | None) -> bool:
    return usage_stats is not None and usage_stats.state is MemoryState.ARCHIVED


async def _noted(tx: Tx, rows: Sequence[DictRow]) -> list[UUID]:
    if rows:
        await note_change(tx, {row["scope"] for row in rows})
    return [row["id"] for row in sorted(rows, key=lambda row: row["num"])]
