"""Outages of what boards and their memory need from outside: each is one, however often it is met, and the founder is
told once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.ids import new_id
from frasier.store import Statements, Tx

_sql = Statements("frasier.board")

BRAIN = "brain"
"""The outside brain, without which no task is claimed or moved."""

VECTORS = "vectors"
"""The encoder of the memory, without which it is searched by words alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outage:
    """What is down since when, and why."""

    id: UUID
    what: str
    why: str
    began_at: datetime


async def begin_outage(tx: Tx, what: str, why: str) -> UUID | None:
    """Notes that it is down; gives the id of a new outage, None where it was down already."""
    row = await _sql.maybe(tx, "begin_outage", id=new_id(), what=what, why=why)
    return None if row is None else UUID(str(row["id"]))


async def end_outage(tx: Tx, what: str) -> None:
    """Notes that it works, if it was down."""
    await _sql.run(tx, "end_outage", what=what)


async def open_outages(tx: Tx) -> list[Outage]:
    """What is down, the longest first."""
    return [Outage(**row) for row in await _sql.all(tx, "open_outages")]
