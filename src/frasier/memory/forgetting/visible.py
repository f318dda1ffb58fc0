"""Which memories a caller may name: one of a foreign scope is as if it were not there."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from frasier.kernel.errors import NotFound
from frasier.memory.access import Caller
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.forgetting")


async def check_visible(tx: Tx, caller: Caller, memory_ids: Iterable[UUID]) -> list[UUID]:
    """The ids, each once; raises NotFound where one of them is in none of the caller's scopes."""
    asked = list(dict.fromkeys(memory_ids))
    rows = await _sql.all(tx, "visible", memory_ids=asked, scopes=list(caller.scopes))
    found = {row["id"] for row in rows}
    for memory_id in asked:
        if memory_id not in found:
            raise no_memory(memory_id)
    return asked


def no_memory(memory_id: UUID) -> NotFound:
    return NotFound(
        f"There is no memory {memory_id}.",
        kept="Nothing was changed.",
        hint="Search for it again: it may have been deleted, or belong to somebody else.",
        number="E080",
    )
