"""The time of the database, which all processes share, whatever the clock of their machine says."""

from __future__ import annotations

from datetime import datetime

from frasier.store import Statements, Tx

_sql = Statements("frasier.overview")


async def present_moment(tx: Tx) -> datetime:
    """Return the present moment by the clock that stamps rows."""
    moment: datetime = (await _sql.one(tx, "present_moment"))["moment"]
    return moment
