"""Proofs for other slices that somebody asked the memory, or contributed: ids are looked up, not believed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.store import Statements, Tx

_sql = Statements("frasier.memory")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """Who it was, by the name that their credential proved, and when."""

    by: str
    at: datetime


async def asked_in(tx: Tx, session_id: str) -> Proof | None:
    """Who asked the memory last within a session; None where nobody did, or there is no such session."""
    row = await _sql.maybe(tx, "asked_in", id=session_id)
    return Proof(**row) if row else None


async def contributed(tx: Tx, memory_id: UUID) -> Proof | None:
    """Who saved a memory; None where there is none of that id, or nobody is on record."""
    row = await _sql.maybe(tx, "contributed", id=memory_id)
    return Proof(**row) if row else None
