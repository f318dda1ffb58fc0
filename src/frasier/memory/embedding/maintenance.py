"""Maintenance of the vector spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frasier.memory.embedding.reconcile import sweep
from frasier.memory.embedding.spaces import drop_retired, owe_missing, switch_space, used_spaces
from frasier.store import Database

if TYPE_CHECKING:
    from frasier.memory.vectors.types import VectorStore


async def tend_spaces(database: Database, store: VectorStore) -> None:
    """Enqueue missed memories, switch to a complete space, remove retired ones, and prepare the indexes.

    An external store is reconciled too. For a job every hour or so: it opens transactions of its own and may take
    minutes after a change of models.
    """
    from frasier.memory.vectors.types import ExternalStore, SpaceRef

    async with database.transaction() as tx:
        if not store.external:
            await owe_missing(tx)
        await switch_space(tx)
        spaces = await used_spaces(tx)
    async with database.transaction() as tx:
        await drop_retired(tx)
    for space in spaces:
        await store.prepare(database, SpaceRef(id=space.id, dimension=space.identity.dimension))
    if isinstance(store, ExternalStore):
        await sweep(database, store)
