"""Proof for other slices that somebody queried the memory, or contributed: ids are looked up, not trusted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.store import Statements, Tx

_sql = Statements("frasier.memory")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The user, by the name of their verified credential, and the time."""

    by: str
    at: datetime


async def asked_in(tx: Tx, session_id: str) -> Proof | None:
    """Return the last query of the memory within a session; None if there was none, or no such session."""
    row = await _sql.maybe(tx, "asked_in", id=session_id)
    return Proof(**row) if row else None


async def contributed(tx: Tx, memory_id: UUID) -> Proof | None:
    """Return the saving of a memory; None if there is none of that id, or its author is not recorded."""
    row = await _sql.maybe(tx, "contributed", id=memory_id)
    return Proof(**row) if row else None
