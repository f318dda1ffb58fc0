"""Outages of what moves need from outside: each is one, however many moves it refuses, and the founder is told once."""

from __future__ import annotations

from uuid import UUID

from frasier.kernel.ids import new_id
from frasier.store import Statements, Tx

_sql = Statements("frasier.workflow")

BRAIN = "brain"
"""The outside brain, without which no task is claimed or moved."""


async def begin_outage(tx: Tx, what: str, why: str) -> UUID | None:
    """Notes that it is down; gives the id of a new outage, None where it was down already."""
    row = await _sql.maybe(tx, "begin_outage", id=new_id(), what=what, why=why)
    return None if row is None else UUID(str(row["id"]))


async def end_outage(tx: Tx, what: str) -> None:
    """Notes that it works, if it was down."""
    await _sql.run(tx, "end_outage", what=what)
