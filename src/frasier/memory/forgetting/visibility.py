"""Visibility of memories to a caller: one of a foreign scope is treated as missing."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from frasier.kernel.errors import NotFound
from frasier.memory.access import Caller
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.forgetting")


async def check_visible(tx: Tx, caller: Caller, memory_ids: Iterable[UUID]) -> list[UUID]:
    """Return the ids, each once; raise NotFound if one is in none of the caller's scopes."""
    requested = list(dict.fromkeys(memory_ids))
    rows = await _sql.all(tx, "visible", memory_ids=requested, scopes=list(caller.scopes))
    visible = {row["id"] for row in rows}
    for memory_id in requested:
        if memory_id not in visible:
            raise no_memory(memory_id)
    return requested


def no_memory(memory_id: UUID) -> NotFound:
    return NotFound(
        f"There is no memory {memory_id}.",
        kept="Nothing was changed.",
        hint="Search for it: it may have been deleted, or belong to another caller.",
        number="E080",
    )
