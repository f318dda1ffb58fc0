"""Outages of services that boards and their memory need. An outage is recorded once however often it is met, and the
founder is notified once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.ids import new_id
from frasier.store import Statements, Tx

_sql = Statements("frasier.board")

EXTERNAL_MEMORY = "external_memory"
"""The external memory, without which no task is claimed or moved."""

VECTORS = "vectors"
"""The encoder of the memory, without which it is searched by words alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outage:
    """An outage: the service that is down, the reason, and the time it began."""

    id: UUID
    what: str
    why: str
    began_at: datetime


async def begin_outage(tx: Tx, what: str, why: str) -> UUID | None:
    """Record that a service is down. Return the id of a new outage, None if it was down already."""
    row = await _sql.maybe(tx, "begin_outage", id=new_id(), what=what, why=why)
    return None if row is None else UUID(str(row["id"]))


async def end_outage(tx: Tx, what: str) -> None:
    """Record that a service works again, if it was down."""
    await _sql.run(tx, "end_outage", what=what)


async def open_outages(tx: Tx) -> list[Outage]:
    """List the open outages, longest first."""
    return [Outage(**row) for row in await _sql.all(tx, "open_outages")]
