"""Vectors in PostgreSQL, beside their memories."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final
from uuid import UUID

import psycopg

from frasier.kernel.errors import InvariantBroken, NotFound
from frasier.kernel.transaction_guard import forbid_open_transaction
from frasier.memory.cache_invalidation import note_change
from frasier.memory.types import ALL_TIME, MemoryKind, Period
from frasier.memory.vectors.halfvec import Halfvec, unit_vector
from frasier.memory.vectors.index import index_name, prepare_index
from frasier.memory.vectors.keys import scope_key
from frasier.memory.vectors.nearest import Extents, NearestQuery, nearest
from frasier.memory.vectors.states import replace_states
from frasier.memory.vectors.types import SpaceRef, StoreHealth, StoreStats, VectorEntry, VectorHit
from frasier.store import Database, Statements, Tx

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_sql = Statements("frasier.memory.vectors")

_COLUMNS = ("int2", "int8", "int2", "int8", "bytea")
_PGVECTOR = (0, 8)  # the first whose index continues until enough rows pass a filter


class PgVectorStore:
    """The VectorStore in PostgreSQL with pgvector.

    `owner_url` is the direct connection of the role that owns the schema, as used by migrations; None if the
    database's own URL is that too. Only `prepare` needs it.
    """

    external: Final = False

    def __init__(self, *, owner_url: str | None = None) -> None:
        self._owner_url = owner_url
        self._extents = Extents()

    async def upsert(self, tx: Tx | None, space: SpaceRef, entries: Sequence[VectorEntry]) -> None:
        """Replace vectors and token states. Deleted memories are skipped.

        Raises InvalidInput (E001, E002), NotFound for an unknown space.
        """
        tx = _inside(tx)
        vectors = [Halfvec.of(unit_vector(space, entry.vector)) for entry in entries]
        nums = sorted({entry.memory_num for entry in entries})
        if not nums:
            return
        rows = await _sql.all(tx, "lock_memories", nums=nums)
        await note_change(tx, (row["scope"] for row in rows))
        keys = {row["num"]: scope_key(row["scope"], MemoryKind(row["kind"])) for row in rows}
        await _sql.run(tx, "clear_vectors", nums=nums, space=space.id)
        try:
            async with tx.cursor() as cursor, cursor.copy(_sql.by_name["copy_vectors"]) as copy:
                copy.set_types(_COLUMNS)
                for entry, vector in zip(entries, vectors, strict=True):
                    if (key := keys.get(entry.memory_num)) is not None:
                        await copy.write_row((space.id, entry.memory_num, entry.part, key, bytes(vector)))
        except psycopg.errors.ForeignKeyViolation as error:
            raise NotFound(
                f"There is no vector space {space.id}.", kept="Nothing was stored.", number="E041"
            ) from error
        await replace_states(tx, space, entries)

    async def delete(self, tx: Tx | None, nums: Collection[int]) -> None:
        tx = _inside(tx)
        if nums:
            locked = await _sql.all(tx, "lock_memories", nums=sorted(nums))
            await note_change(tx, (row["scope"] for row in locked))
            await _sql.run(tx, "delete_everywhere", nums=sorted(nums))

    async def search(
        self,
        database: Database,
        space: SpaceRef,
        vector: NDArray[np.float32],
        *,
        scopes: Collection[str],
        kinds: Collection[MemoryKind],
        limit: int,
        agent_id: UUID | None = None,
        period: Period = ALL_TIME,
    ) -> list[VectorHit]:
        """Search among recallable memories only."""
        forbid_open_transaction("searching for vectors")
        query = NearestQuery(
            space=space,
            vector=Halfvec.of(unit_vector(space, vector)),
            scopes=scopes,
            kinds=kinds,
            agent_id=agent_id,
            period=period,
            limit=limit,
        )
        if not scopes or not kinds:
            return []
        return await nearest(database, self._extents, query)

    async def stats(self, tx: Tx | None, space: SpaceRef) -> StoreStats:
        row = await _sql.one(_inside(tx), "stats", space=space.id, index=index_name(space.id))
        return StoreStats(count=row["count"], bytes=row["bytes"])

    async def prepare(self, database: Database, space: SpaceRef) -> None:
        await prepare_index(database, self._owner_url or database.url, space)

    async def check(self, tx: Tx | None) -> StoreHealth:
        row = await _sql.one(_inside(tx), "server")
        version = tuple(int(number) for number in row["pgvector"].split(".")[:2])
        detail = f"pgvector {row['pgvector']} in PostgreSQL {row['postgresql']}"
        if version < _PGVECTOR:
            return StoreHealth(ok=False, detail=f"{detail}: 0.8 or newer is needed")
        return StoreHealth(ok=True, detail=detail)

    async def close(self) -> None:
        """Do nothing: the connections belong to the database."""


def _inside(tx: Tx | None) -> Tx:
    if tx is None:
        raise InvariantBroken("vectors in PostgreSQL were used outside a transaction")
    return tx
