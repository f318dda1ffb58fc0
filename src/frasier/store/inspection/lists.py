"""Lists of effects and leases."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from frasier.store.deferred import Tx
from frasier.store.effects import EffectState
from frasier.store.process_identity import process_has_ended
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


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectCount:
    """The effects whose keys begin with `prefix`: how many of the last days, and the payloads of the `newest`."""

    prefix: str
    effects: int
    last_at: datetime
    newest: list[dict[str, Any]]


async def count_effects(
    tx: Tx, *, kind: str, prefixes: Collection[str], days: int, newest: int
) -> list[EffectCount]:
    """Count the effects of a kind by the beginnings of their keys; what happened last comes first."""
    rows = await _sql.all(tx, "count_effects", kind=kind, prefixes=list(prefixes), days=days, newest=newest)
    return [EffectCount(**row) for row in rows]


async def lease_holders(tx: Tx) -> dict[str, str]:
    """Return the holder of each unexpired lease by the lease's name, but none whose process is known to have ended."""
    held = await _sql.all(tx, "held_leases")
    return {row["name"]: row["holder"] for row in held if not process_has_ended(row["holder"])}
