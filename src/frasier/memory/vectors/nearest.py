"""Nearest-neighbour search in PostgreSQL: compare all vectors, or use the index, whichever is less work."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from time import monotonic
from typing import Any
from uuid import UUID

from psycopg.rows import tuple_row
from psycopg.sql import SQL, Literal

from frasier.memory.types import MemoryKind, Period
from frasier.memory.vectors.halfvec import Halfvec, accept_halfvec
from frasier.memory.vectors.index import index_name
from frasier.memory.vectors.keys import scope_keys
from frasier.memory.vectors.types import SpaceRef, VectorHit
from frasier.store import Database, Statements

_sql = Statements("frasier.memory.vectors")

# A memory visited by the index costs about as much as this many compared by a scan (measured, 384 dimensions).
_SCANNED_PER_VISITED = 36
# A scope is counted no further than this; beyond, the index is always less work.
_COUNTED = 20_001
_COUNTS_HOLD_S = 10.0
_COUNTS_KEPT = 1_000

# Vectors fetched per requested memory: a memory has parts, and some memories have expired or are archived.
_FETCHED = 1.25
_FETCHED_AGAIN = 8

# At least as many as are fetched: with less, a second search would begin. The maximum of the index is 1,000.
_EF_SEARCH = 80
_EF_SEARCH_LARGE = 400
_EF_SEARCH_MOST = 1_000

_LARGE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class NearestQuery:
    """A search for the `limit` nearest memories to `vector` of these scopes and kinds."""

    space: SpaceRef
    vector: Halfvec
    scopes: Collection[str]
    kinds: Collection[MemoryKind]
    agent_id: UUID | None
    period: Period
    limit: int

    def parameters(self) -> dict[str, Any]:
        return {
            "space": self.space.id,
            "vector": self.vector,
            "keys": scope_keys(self.scopes, self.kinds),
            "scopes": sorted(set(self.scopes)),
            "kinds": sorted(set(self.kinds)),
            "agent_id": self.agent_id,
            "period": self.period.tstzrange(),
            "limit": self.limit,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """The size of a search: `held` vectors under the keys, at most _COUNTED; `indexed` in the index, None without."""

    held: int
    indexed: int | None


class Extents:
    """A cache of extents for some seconds. They decide the method of a search, never its result."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, tuple[int, ...]], tuple[float, Extent]] = {}

    async def read(self, database: Database, space: SpaceRef, keys: list[int]) -> Extent:
        at = (space.id, tuple(keys))
        known = self._known.get(at)
        if known is not None and known[0] > monotonic():
            return known[1]
        async with database.transaction() as tx:
            row = await _sql.one(
                tx, "extent", space=space.id, keys=keys, limit=_COUNTED, index=index_name(space.id)
            )
        extent = Extent(held=row["held"], indexed=row["indexed"])
        if len(self._known) >= _COUNTS_KEPT:
            self._known.clear()
        self._known[at] = (monotonic() + _COUNTS_HOLD_S, extent)
        return extent


async def nearest(database: Database, extents: Extents, query: NearestQuery) -> list[VectorHit]:
    """Return the nearest memories, best first.

    An attempt succeeds if it finds as many as requested. If none does, because the nearest vectors are filtered out or
    belong to few memories, every vector under the keys is compared.
    """
    parameters = query.parameters()
    extent = await extents.read(database, query.space, parameters["keys"])
    fetch = ceil(_FETCHED * query.limit)
    by_index = extent.held > fetch and index_is_less_work(extent, fetch)
    async with database.transaction(_settings(extent, fetch, by_index=by_index)) as tx:
        accept_halfvec(tx)
        cursor = tx.cursor(row_factory=tuple_row)
        for statement, count in _attempts(query, extent, fetch, by_index=by_index):
            # A scan is never prepared: PostgreSQL would keep a plan for a scope of average size.
            await cursor.execute(statement, parameters | {"fetch": count}, prepare=by_index)
            rows = await cursor.fetchall()
            if len(rows) >= query.limit:
                return _hits(rows)
        await cursor.execute(_sql.by_name["nearest_of_all"], parameters, prepare=False)
        return _hits(await cursor.fetchall())


def _settings(extent: Extent, fetch: int, *, by_index: bool) -> dict[str, str]:
    """Return PostgreSQL's settings for the search: an index scan continues until enough rows pass the filter.

    One generic plan is kept for searches by index, because planning takes a third as long as searching. Sorting is
    discouraged then, or that plan would sort large scopes instead.
    """
    return {
        "hnsw.iterative_scan": "relaxed_order",
        "hnsw.ef_search": str(_ef_search(extent, fetch)),
        "plan_cache_mode": "force_generic_plan" if by_index else "force_custom_plan",
        "enable_sort": "off" if by_index else "on",
    }


def _ef_search(extent: Extent, fetch: int) -> int:
    least = _EF_SEARCH_LARGE if (extent.indexed or 0) >= _LARGE else _EF_SEARCH
    return min(max(least, fetch), _EF_SEARCH_MOST)


def _attempts(
    query: NearestQuery, extent: Extent, fetch: int, *, by_index: bool
) -> Iterator[tuple[bytes, int]]:
    if extent.held <= fetch:
        return
    if by_index:
        yield _by_index(query.space), fetch
        yield _by_index(query.space), _FETCHED_AGAIN * query.limit
    else:
        yield _sql.by_name["nearest_by_scan"].encode(), fetch


def index_is_less_work(extent: Extent, fetch: int) -> bool:
    """Return whether the index finds `fetch` vectors under the keys with less work than comparing all of them.

    The index walks the whole space outwards from the query and skips what is not under the keys: the smaller their
    share, the more it visits in vain.
    """
    if extent.indexed is None:
        return False
    if extent.held >= _COUNTED:
        return True
    visited = max(_EF_SEARCH, fetch * extent.indexed / max(extent.held, 1))
    return _SCANNED_PER_VISITED * visited < extent.held


@lru_cache(maxsize=64)
def _by_index(space: SpaceRef) -> bytes:
    # Numbers, not parameters: the planner must see that expression and predicate are those of the index.
    statement = SQL(_sql.by_name["nearest_by_index"])
    return statement.format(dimension=Literal(space.dimension), space=Literal(space.id)).as_bytes(None)


def _hits(rows: list[tuple[int, float]]) -> list[VectorHit]:
    return [
        VectorHit(memory_num=num, similarity=min(1.0, max(-1.0, 1.0 - distance))) for num, distance in rows
    ]
