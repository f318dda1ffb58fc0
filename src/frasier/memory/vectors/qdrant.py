"""Vectors in the founder's Qdrant: one collection per space, one point per part of a memory."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final
from uuid import UUID

from qdrant_client import AsyncQdrantClient
from qdrant_client.http.exceptions import UnexpectedResponse
from qdrant_client.models import (
    Batch,
    Condition,
    Distance,
    FieldCondition,
    Filter,
    FilterSelector,
    HasIdCondition,
    MatchAny,
    MatchValue,
    PayloadSchemaType,
    VectorParams,
)

from frasier.kernel.errors import InvariantBroken, ProviderError, ProviderRejected
from frasier.kernel.transaction_guard import forbid_open_transaction
from frasier.memory.types import ALL_TIME, MemoryKind, Period
from frasier.memory.vectors.halfvec import unit_vector
from frasier.memory.vectors.qdrant_errors import qdrant_errors
from frasier.memory.vectors.types import SpaceRef, StoreHealth, StoreStats, VectorEntry, VectorHit
from frasier.store import Database, Statements, Tx

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_sql = Statements("frasier.memory.vectors")

_LOCAL = ":memory:"
_POINTS_A_REQUEST = 500
_NUMS_A_REQUEST = 5_000
_TIMEOUT_S = 10
_PART_BITS = 16
_FILTERED = {
    "scope": PayloadSchemaType.KEYWORD,
    "kind": PayloadSchemaType.KEYWORD,
    "agent_id": PayloadSchemaType.KEYWORD,
    "memory_num": PayloadSchemaType.INTEGER,
}


class QdrantStore:
    """The ExternalStore in Qdrant. A `url` of `:memory:` means one that ends with the process.

    `prefix` begins the names of the collections and must differ between databases that share a Qdrant: collections and
    points with it that the database does not know are removed.
    """

    external: Final = True

    def __init__(self, *, url: str, api_key: str | None, prefix: str) -> None:
        self._local = url == _LOCAL
        self._client = (
            AsyncQdrantClient(location=_LOCAL)
            if self._local
            else AsyncQdrantClient(url=url, api_key=api_key, timeout=_TIMEOUT_S, check_compatibility=False)
        )
        self._prefix = f"{prefix}_"
        self._known: set[str] = set()

    async def upsert(self, tx: Tx | None, space: SpaceRef, entries: Sequence[VectorEntry]) -> None:
        """Write the new parts, then remove surplus old ones, so that the memories are never without vectors."""
        _outside(tx)
        vectors = [unit_vector(space, entry.vector).tolist() for entry in entries]
        if not entries:
            return
        name = self._collection(space.id)
        ids = [point_id(entry.memory_num, entry.part) for entry in entries]
        with self._calling():
            await self._ensure(name, space)
            for at in range(0, len(ids), _POINTS_A_REQUEST):
                until = at + _POINTS_A_REQUEST
                await self._client.upsert(
                    name,
                    points=Batch(
                        ids=list(ids[at:until]),
                        vectors=vectors[at:until],
                        payloads=[_payload(entry) for entry in entries[at:until]],
                    ),
                )
            surplus = Filter(
                must=[_any("memory_num", sorted({entry.memory_num for entry in entries}))],
                must_not=[HasIdCondition(has_id=list(ids))],
            )
            await self._client.delete(name, points_selector=FilterSelector(filter=surplus))

    async def delete(self, tx: Tx | None, nums: Collection[int]) -> None:
        _outside(tx)
        if not nums:
            return
        ordered = sorted(nums)
        with self._calling():
            for name in await self._collections():
                for at in range(0, len(ordered), _NUMS_A_REQUEST):
                    theirs = Filter(must=[_any("memory_num", ordered[at : at + _NUMS_A_REQUEST])])
                    await self._client.delete(name, points_selector=FilterSelector(filter=theirs))

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
        """Search among all stored vectors, also of archived and expired memories: see the protocol."""
        forbid_open_transaction("searching for vectors")
        query = unit_vector(space, vector).tolist()
        name = self._collection(space.id)
        among = await _of_period(database, scopes, kinds, period)
        with self._calling():
            if not scopes or not kinds or among == [] or not await self._there(name):
                return []
            conditions: list[Condition] = [
                _any("scope", sorted(set(scopes))),
                _any("kind", [str(kind) for kind in sorted(set(kinds))]),
            ]
            if agent_id is not None:
                conditions.append(FieldCondition(key="agent_id", match=MatchValue(value=str(agent_id))))
            if among is not None:
                conditions.append(_any("memory_num", among))
            groups = await self._client.query_points_groups(
                name,
                group_by="memory_num",
                query=query,
                query_filter=Filter(must=conditions),
                group_size=1,
                limit=limit,
                with_payload=False,
            )
        hits = [
            VectorHit(memory_num=int(group.id), similarity=min(1.0, max(-1.0, group.hits[0].score)))
            for group in groups.groups
        ]
        return sorted(hits, key=lambda hit: (-hit.similarity, hit.memory_num))

    async def stats(self, tx: Tx | None, space: SpaceRef) -> StoreStats:
        _outside(tx)
        name = self._collection(space.id)
        with self._calling():
            count = (await self._client.count(name)).count if await self._there(name) else 0
        return StoreStats(count=count, bytes=None)

    async def prepare(self, database: Database, space: SpaceRef) -> None:
        """Create the collection, or remove that of an unused space; Qdrant builds its index by itself."""
        async with database.transaction() as tx:
            used = (await _sql.one(tx, "space_is_used", space=space.id))["used"]
        _outside(None)
        with self._calling():
            if used:
                await self._ensure(self._collection(space.id), space)
                return
        await self.drop_space(space.id)

    async def spaces(self) -> list[int]:
        _outside(None)
        with self._calling():
            return sorted((await self._collections()).values())

    async def held(self, space_id: int, *, after: int, limit: int) -> list[int]:
        _outside(None)
        name = self._collection(space_id)
        with self._calling():
            if not await self._there(name):
                return []
            points, _ = await self._client.scroll(
                name, limit=limit, offset=point_id(after + 1, 0), with_payload=False, with_vectors=False
            )
        return sorted({int(point.id) >> _PART_BITS for point in points})

    async def drop_space(self, space_id: int) -> None:
        _outside(None)
        name = self._collection(space_id)
        with self._calling():
            if await self._there(name):
                self._known.discard(name)
                await self._client.delete_collection(name)

    async def check(self, tx: Tx | None) -> StoreHealth:
        _outside(tx)
        try:
            with self._calling():
                version = (await self._client.info()).version
        except ProviderError as error:
            return StoreHealth(ok=False, detail=error.message)
        return StoreHealth(ok=True, detail=f"Qdrant {version}")

    async def close(self) -> None:
        await self._client.close()

    @contextmanager
    def _calling(self) -> Iterator[None]:
        try:
            with qdrant_errors():
                yield
        except ProviderRejected:
            self._known.clear()  # a collection may have been removed by others: check again next time
            raise

    def _collection(self, space_id: int) -> str:
        return f"{self._prefix}{space_id}"

    async def _collections(self) -> dict[str, int]:
        """Return the names of this database's collections, with their spaces; skip other names with the prefix."""
        names = [collection.name for collection in (await self._client.get_collections()).collections]
        return {
            name: int(space)
            for name in names
            if name.startswith(self._prefix) and (space := name.removeprefix(self._prefix)).isdecimal()
        }

    async def _there(self, name: str) -> bool:
        if name not in self._known and await self._client.collection_exists(name):
            self._known.add(name)
        return name in self._known

    async def _ensure(self, name: str, space: SpaceRef) -> None:
        if await self._there(name):
            return
        try:
            await self._client.create_collection(
                name, vectors_config=VectorParams(size=space.dimension, distance=Distance.COSINE)
            )
        except UnexpectedResponse:
            if not await self._client.collection_exists(name):  # else another process was faster
                raise
        if not self._local:
            for field, schema in _FILTERED.items():
                await self._client.create_payload_index(name, field_name=field, field_schema=schema)
        self._known.add(name)


def point_id(memory_num: int, part: int) -> int:
    """Return the id of a memory part's point: the same part is the same point, so writing it again replaces it."""
    return memory_num << _PART_BITS | part


async def _of_period(
    database: Database, scopes: Collection[str], kinds: Collection[MemoryKind], period: Period
) -> list[int] | None:
    """Return the memories of a period, which only PostgreSQL knows; None for all of time."""
    if period == ALL_TIME:
        return None
    async with database.transaction() as tx:
        rows = await _sql.tuples(
            tx, "of_period", scopes=sorted(scopes), kinds=sorted(kinds), period=period.tstzrange()
        )
    return [num for (num,) in rows]


def _payload(entry: VectorEntry) -> dict[str, str | int]:
    payload: dict[str, str | int] = {
        "memory_num": entry.memory_num,
        "memory_id": str(entry.memory_id),
        "scope": entry.scope,
        "kind": str(entry.kind),
    }
    return payload | ({"agent_id": str(entry.agent_id)} if entry.agent_id else {})


def _any(field: str, values: list[str] | list[int]) -> FieldCondition:
    return FieldCondition(key=field, match=MatchAny(any=values))


def _outside(tx: Tx | None) -> None:
    forbid_open_transaction("a call to Qdrant")
    if tx is not None:
        raise InvariantBroken("an external store was given a transaction, which it cannot join")
