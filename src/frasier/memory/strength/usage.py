"""Exact counts of appearances, uses, citations and reviews, which do not strengthen a memory by themselves."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from frasier.memory.strength.half_lives import initial_stability
from frasier.memory.strength.replay import Quantity, within_bounds
from frasier.memory.types import MemoryType
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.strength")

# The initial stability of a row; as long as nothing adjusted it, the default of the type counts instead.
_BEGINNINGS = {
    "types": [str(memory_type) for memory_type in MemoryType],
    "stabilities": [
        within_bounds(Quantity.STABILITY, initial_stability(memory_type)) for memory_type in MemoryType
    ],
}


async def mark_shown(tx: Tx, memory_ids: Iterable[UUID]) -> int:
    """Record that a recall showed each memory now; return how many rows changed.

    It delays archiving and does not affect ranking. One statement, meant for a short transaction of its own: losing the
    last of these in a power cut is harmless, so the caller may commit with synchronous_commit off. Deleted memories are
    skipped. Cached answers stay valid.
    """
    return await _sql.run(tx, "note_shown", memory_ids=sorted(set(memory_ids)), **_BEGINNINGS)


async def mark_used(tx: Tx, memory_ids: Iterable[UUID]) -> int:
    """Count one use of each memory now; return how many. A repeated id counts once.

    A use is an action on a memory (validated, fetched whole), not its appearance in a recall. It may be lost like
    mark_shown.
    """
    return await _sql.run(tx, "count_use", memory_ids=sorted(set(memory_ids)), cited=False, **_BEGINNINGS)


async def note_citation(tx: Tx, memory_ids: Iterable[UUID]) -> int:
    """Record a citation of each memory, which is also a use; return how many."""
    return await _sql.run(tx, "count_use", memory_ids=sorted(set(memory_ids)), cited=True, **_BEGINNINGS)


async def note_review(tx: Tx, memory_id: UUID) -> None:
    """Record that a memory was reviewed now; its strength must be locked."""
    await _sql.run(tx, "note_review", memory_id=memory_id)
