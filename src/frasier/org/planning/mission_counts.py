"""Counts and titles of missions."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from frasier.org.planning.missions import MissionStatus
from frasier.store import Statements, Tx

_sql = Statements("frasier.org.planning")


async def count_missions(tx: Tx) -> dict[MissionStatus, int]:
    """Count the missions by status; a status without missions is omitted."""
    counts = {row["status"]: int(row["missions"]) for row in await _sql.all(tx, "count_missions")}
    return {status: counts[status] for status in MissionStatus if status in counts}


async def titles_of(tx: Tx, ids: Iterable[UUID]) -> dict[UUID, str]:
    """Return the titles of the missions that exist."""
    return {row["id"]: row["title"] for row in await _sql.all(tx, "titles_of", ids=list(ids))}
