"""Notify the founder once per outage when the memory's vectors cannot be made. An outage refuses no move."""

from __future__ import annotations

from frasier.board.founder_notifications import NotifyFounder, about_vectors
from frasier.board.maintenance import BoardUpkeep
from frasier.board.outages import VECTORS, begin_outage, end_outage
from frasier.memory import MemoryEngine

_EVERY_S = 5.0


def vectors_watch(memory: MemoryEngine, notify_founder: NotifyFounder) -> BoardUpkeep:
    """Return the job for the process in which `memory` makes the pending vectors, and so knows how that goes."""

    async def look() -> None:
        why = memory.vectors_outage()
        if why is None:
            return
        async with memory.database.transaction() as tx:
            if not why:
                await end_outage(tx, VECTORS)
            elif outage := await begin_outage(tx, VECTORS, why):
                await notify_founder(tx, about_vectors(outage, why))

    return ("vectors-watch", _EVERY_S, look)
