"""Keeping a store outside PostgreSQL in step: what was deleted leaves it, and what it lacks is made again.

Nothing is noted down for it: that a memory is gone stands in memory_items, where no crash and no outage of the store
can lose it. So a deletion that the store missed is done by the next sweep.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import structlog

from frasier.memory.embedding.spaces import owe_vectors
from frasier.store import Database, Statements

if TYPE_CHECKING:
    from frasier.memory.vectors import ExternalStore, VectorStore

log = structlog.get_logger()

_sql = Statements("frasier.memory.embedding")

_COMPARED_AT_ONCE = 10_000


async def forget_vectors(database: Database, store: VectorStore, nums: Collection[int]) -> None:
    """Removes the vectors of memories whose deletion is committed from a store outside PostgreSQL.

    Opens a transaction of its own. Raises ProviderError where the store fails; the next sweep removes them then.
    """
    await store.delete(None, nums)
    async with database.transaction() as tx:
        await owe_vectors(tx, nums)  # a restored checkpoint may have brought some back in between


async def sweep(database: Database, store: ExternalStore) -> None:
    """Compares all that the store holds with the memories that there are, and brings it into step.

    Vectors of deleted memories and of deleted spaces are removed. Memories that want a vector, have none there and
    are owed none are owed it: they were saved while a space was opened, or the store lost them. For a job: it opens
    transactions of its own. Raises ProviderError where the store fails; what it did until then is done.
    """
    held = await store.spaces()  # first: a space that is opened meanwhile is not taken for a deleted one
    async with database.transaction() as tx:
        there = {int(row["id"]) for row in await _sql.all(tx, "all_spaces")}
    for space_id in held:
        if space_id not in there:
            await store.drop_space(space_id)
    for space_id in sorted(there):
        await _sweep_space(database, store, space_id)


async def _sweep_space(database: Database, store: ExternalStore, space_id: int) -> None:
    after = 0
    while True:
        held = await store.held(space_id, after=after, limit=_COMPARED_AT_ONCE)
        until = held[-1] if held else None
        async with database.transaction() as tx:
            deleted = [row["num"] for row in await _sql.all(tx, "deleted_memories", nums=held)]
            owed = await _sql.run(tx, "owe_unheld", space=space_id, after=after, until=until, held=held)
        if deleted:
            await forget_vectors(database, store, deleted)
        if deleted or owed:
            log.info("embedding.swept", space=space_id, removed=len(deleted), owed=owed)
        if until is None:
            return
        after = until
