"""Which memories were shown, used, cited and reviewed: counted exactly, and without making any of them stronger."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from frasier.memory.strength.half_lives import initial_stability
from frasier.memory.strength.levels import Quantity, within_bounds
from frasier.memory.types import MemoryType
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.strength")

# What a row of strengths begins with; as long as nothing adjusted it, the type's own stability counts instead.
_BEGINNINGS = {
    "types": [str(memory_type) for memory_type in MemoryType],
    "stabilities": [
        within_bounds(Quantity.STABILITY, initial_stability(memory_type)) for memory_type in MemoryType
    ],
}


async def mark_shown(tx: Tx, memory_ids: Iterable[UUID]) -> int:
    """Records that a recall showed each memory, now; returns of how many that was news.

    It keeps a memory from the archive and moves no ranking. One statement, meant for a short transaction of its own:
    losing the last of these in a power cut is harmless, so its caller may commit with synchronous_commit off.
    Memories that are gone are left out. Cached answers stay valid.
    """
    return await _sql.run(tx, "note_shown", memory_ids=sorted(set(memory_ids)), **_BEGINNINGS)


async def mark_used(tx: Tx, memory_ids: Iterable[UUID]) -> int:
    """Counts one use of each memory, now; returns of how many. An id that is named twice counts once.

    A use is what somebody did with a memory (validated it, fetched it whole), not that a recall showed it. To be
    committed and lost as mark_shown.
    """
    return await _sql.run(tx, "count_use", memory_ids=sorted(set(memory_ids)), cited=False, **_BEGINNINGS)


async def note_citation(tx: Tx, memory_ids: Iterable[UUID]) -> int:
    """Records a citation of each memory, which is a use; returns of how many."""
    return await _sql.run(tx, "count_use", memory_ids=sorted(set(memory_ids)), cited=True, **_BEGINNINGS)


async def note_review(tx: Tx, memory_id: UUID) -> None:
    """Records that a memory was reviewed, now; its strength must be locked."""
    await _sql.run(tx, "note_review", memory_id=memory_id)
