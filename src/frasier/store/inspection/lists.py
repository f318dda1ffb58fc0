"""Lists of effects and leases."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from frasier.store.deferred import Tx
from frasier.store.effects import EffectState
from frasier.store.sql_statements import Statements

_sql = Statements("frasier.store.inspection")


async def latest_effects(
    tx: Tx,
    *,
    limit: int,
    kind: str | None = None,
    after: UUID | None = None,
    sent: bool = True,
    passing: Collection[str] = (),
    standing: Collection[str] = (),
) -> list[EffectState]:
    """Return the newest effects, oldest first: of a kind or of all, with an id above `after`, with or without `sent`.

    Keys that begin with one of `passing` are omitted, except those that begin with one of `standing`.
    """
    rows = await _sql.all(
        tx,
        "latest_effects",
        kind=kind,
        after=after,
        sent=sent,
        limit=limit,
        passing=list(passing),
        standing=list(standing),
    )
    return [EffectState(**row) for row in rows]


async def lease_holders(tx: Tx) -> dict[str, str]:
    """Return the holder of each unexpired lease, by the name of the lease."""
    return {row["name"]: row["holder"] for row in await _sql.all(tx, "held_leases")}
