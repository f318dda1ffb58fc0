"""Citations: a recently cited memory is ranked slightly higher, and is archived later."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from frasier.memory.access import Caller
from frasier.memory.forgetting.visibility import check_visible
from frasier.memory.strength import note_citation
from frasier.store import Tx


async def mark_cited(tx: Tx, caller: Caller, memory_ids: Iterable[UUID]) -> int:
    """Record that the caller cited each memory now; return how many. Raises NotFound for a foreign one."""
    return await note_citation(tx, await check_visible(tx, caller, memory_ids))
