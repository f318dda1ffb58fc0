"""Reconciliation of an external vector store: removes vectors of deleted memories, and remakes missing ones.

It needs no log: memory_items says which memories exist, and no crash or outage of the store can lose that. So the next
sweep makes up for a deletion that the store missed.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from frasier.kernel.logging_setup import get_logger
from frasier.memory.embedding.spaces import owe_vectors
from frasier.store import Database, Statements

if TYPE_CHECKING:
    from frasier.memory.vectors.types import ExternalStore, VectorStore

log = get_logger()

_sql = Statements("frasier.memory.embedding")

_COMPARED_AT_ONCE = 10_000


async def forget_vectors(database: Database, store: VectorStore, nums: Collection[int]) -> None:
    """Remove the vectors of memories whose deletion is committed from an external store.

    Opens a transaction of its own. Raises ProviderError if the store fails; the next sweep removes them then.
    """
    await store.delete(None, nums)
    async with database.transaction() as tx:
        await owe_vectors(tx, nums)  # a restored checkpoint may have brought some back meanwhile


async def sweep(database: Database, store: ExternalStore) -> None:
    """Compare the contents of the store with the existing memories, and reconcile it.

    Vectors of deleted memories and spaces are removed. Memories that need a vector and have neither one nor a job are
    enqueued: they were saved while a space was opened, or the store lost them. For a periodic job: it opens
    transactions of its own. Raises ProviderError if the store fails; the changes made until then stay.
    """
    held = await store.spaces()  # first, so that a space opened meanwhile is not mistaken for a deleted one
    async with database.transaction() as tx:
        existing = {int(row["id"]) for row in await _sql.all(tx, "all_spaces")}
    for space_id in held:
        if space_id not in existing:
            await store.drop_space(space_id)
    for space_id in sorted(existing):
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
