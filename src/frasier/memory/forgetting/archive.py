"""Taking out of every recall what has faded or expired, and bringing it back. Nothing is deleted."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import psycopg
from psycopg.rows import DictRow

from frasier.kernel.errors import InvalidInput
from frasier.memory.access import Caller
from frasier.memory.changes import note_change
from frasier.memory.forgetting.retrievability import FADING_TIERS, FADING_TYPES, LASTING_KINDS
from frasier.memory.forgetting.standing import Standing
from frasier.memory.forgetting.standings import standings_of
from frasier.memory.forgetting.states import IDLE_DAYS_MAX, MemoryState
from frasier.memory.forgetting.visible import no_memory
from frasier.memory.types import ImportanceTier
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.forgetting")

_WALKED_AT_ONCE = 500
_FOUNDERS_TIERS = frozenset({ImportanceTier.CONSTITUTIONAL, ImportanceTier.CRITICAL})


async def archive_faded(tx: Tx, *, limit: int = 50) -> list[UUID]:
    """Archives the oldest memories that are in the state archived, at most `limit`; returns their ids.

    A job for every hour: where it returns `limit` ids there may be more.
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
            # A necessary condition of the state: the curve needs far longer than that, even at its steepest.
            idle_days=IDLE_DAYS_MAX,
            after=walked,
            limit=_WALKED_AT_ONCE,
        )
        standings = await standings_of(tx, [row["num"] for row in rows])
        faded += [row["id"] for row in rows if _faded(standings.get(row["num"]))]
        if len(rows) < _WALKED_AT_ONCE:
            break
        walked = rows[-1]["num"]
    return await archive(tx, faded[:limit])


async def expire(tx: Tx, *, limit: int = 500) -> list[UUID]:
    """Archives memories whose time is over, at most `limit`; returns their ids.

    No recall finds them from the moment on at which they expire; this makes it lasting.
    """
    rows = await _sql.all(tx, "expire", limit=limit)
    return await _noted(tx, rows)


async def archive(tx: Tx, memory_ids: Sequence[UUID]) -> list[UUID]:
    """Takes memories out of every recall; returns the ids of those that were not out already, oldest first."""
    if not memory_ids:
        return []
    return await _noted(tx, await _sql.all(tx, "archive", memory_ids=list(memory_ids)))


async def restore_archived(tx: Tx, caller: Caller, memory_id: UUID) -> bool:
    """Brings an archived memory back, as fresh as if it had just been saved; False where it was not archived.

    One that had expired no longer does, but for a temporary one, which gets its seven days again. Raises NotFound
    for one of a foreign scope, NotAllowed where it binds everybody and the caller is not the founder, and
    InvalidInput where the same has been saved again meanwhile.
    """
    row = await _sql.maybe(tx, "lock_archived", memory_id=memory_id)
    if row is None or row["scope"] not in caller.scopes:
        raise no_memory(memory_id)
    if row["archived_at"] is None:
        return False
    if row["tier"] in _FOUNDERS_TIERS:
        caller.require_founder(f"bring back a {row['tier']} memory")
    try:
        async with tx.transaction():
            await _sql.run(tx, "restore", memory_id=memory_id)
    except psycopg.errors.UniqueViolation as error:
        raise InvalidInput(
            f"What the memory {memory_id} says has been saved again since it was archived.",
            kept="The newer memory is recalled; the archived one is kept as it is.",
            hint="Use the newer one, or archive that first.",
            number="E084",
        ) from error
    await note_change(tx, [row["scope"]])
    return True


def _faded(standing: Standing | None) -> bool:
    return standing is not None and standing.state is MemoryState.ARCHIVED


async def _noted(tx: Tx, rows: Sequence[DictRow]) -> list[UUID]:
    if rows:
        await note_change(tx, {row["scope"] for row in rows})
    return [row["id"] for row in sorted(rows, key=lambda row: row["num"])]
