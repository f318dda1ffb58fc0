"""Finding the nearest vectors in PostgreSQL: compare all of them, or ask the index, whichever is less work."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from time import monotonic
from typing import Any
from uuid import UUID

from psycopg.rows import DictRow
from psycopg.sql import SQL, Literal

from frasier.memory.types import MemoryKind
from frasier.memory.vectors.halfvec import Halfvec
from frasier.memory.vectors.index import index_name
from frasier.memory.vectors.keys import scope_keys
from frasier.memory.vectors.types import SpaceRef, VectorHit
from frasier.memory.vectors.unprepared import UNPREPARED
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.vectors")

# A memory that the index visits costs about as much as this many that a scan compares (measured, 384 dimensions).
_SCANNED_PER_VISITED = 36
# A scope is counted no further than this; beyond, the index is always the lesser work.
_COUNTED = 20_001
_COUNTS_HOLD_S = 10.0
_COUNTS_KEPT = 1_000

# How many vectors are fetched for each memory wanted: a memory has parts, and some have expired or are archived.
_FETCHED = 1.25
_FETCHED_AGAIN = 8

# As many as are fetched for a pool of 100: with less, a second search would begin; more finds nothing better.
_EF_SEARCH = 125
_EF_SEARCH_LARGE = 400
_LARGE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is searched for: the `limit` nearest memories to `vector` of these scopes and kinds."""

    space: SpaceRef
    vector: Halfvec
    scopes: Collection[str]
    kinds: Collection[MemoryKind]
    agent_id: UUID | None
    limit: int

    def parameters(self) -> dict[str, Any]:
        return {
            "space": self.space.id,
            "vector": self.vector,
            "keys": scope_keys(self.scopes, self.kinds),
            "scopes": sorted(set(self.scopes)),
            "kinds": sorted(set(self.kinds)),
            "agent_id": self.agent_id,
            "limit": self.limit,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """`held` vectors are under the keys, at most _COUNTED; the index has `indexed`, None where there is no index."""

    held: int
    indexed: int | None


class Extents:
    """What was counted in the last seconds. It decides how a search is done, never what it finds."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, tuple[int, ...]], tuple[float, Extent]] = {}

    async def read(self, tx: Tx, space: SpaceRef, keys: list[int]) -> Extent:
        at = (space.id, tuple(keys))
        known = self._known.get(at)
        if known is not None and known[0] > monotonic():
            return known[1]
        row = await _sql.one(
            tx, "extent", space=space.id, keys=keys, most=_COUNTED, index=index_name(space.id)
        )
        extent = Extent(held=row["held"], indexed=row["indexed"])
        if len(self._known) >= _COUNTS_KEPT:
            self._known.clear()
        self._known[at] = (monotonic() + _COUNTS_HOLD_S, extent)
        return extent


async def nearest(tx: Tx, extents: Extents, wanted: Wanted) -> list[VectorHit]:
    """The nearest memories, best first.

    Each attempt is right when it finds as many as are wanted. Where none does, because what is near may not be
    found or is all of a few memories, every vector under the keys is compared.
    """
    parameters = wanted.parameters()
    extent = await extents.read(tx, wanted.space, parameters["keys"])
    ef_search = _EF_SEARCH_LARGE if (extent.indexed or 0) >= _LARGE else _EF_SEARCH
    await _sql.one(tx, "search_settings", ef_search=ef_search)
    for statement, fetch in _attempts(wanted, extent):
        rows = await _planned_for(tx, statement, parameters | {"fetch": fetch})
        if len(rows) >= wanted.limit:
            return _hits(rows)
    return _hits(await _planned_for(tx, _sql.by_name["nearest_of_all"].encode(), parameters))


async def _planned_for(tx: Tx, statement: bytes, parameters: dict[str, Any]) -> list[DictRow]:
    # Never prepared: the plan that PostgreSQL then keeps is for a scope of average size, and a scope that holds
    # a third of everything would be sorted instead of looked up in the index.
    cursor = await tx.execute(statement, parameters, prepare=False)
    return await cursor.fetchall()


def _attempts(wanted: Wanted, extent: Extent) -> Iterator[tuple[bytes, int]]:
    fetch = ceil(_FETCHED * wanted.limit)
    if extent.held <= fetch:
        return
    if index_is_less_work(extent, fetch):
        by_index = _by_index(wanted.space)
        yield by_index, fetch
        yield by_index, _FETCHED_AGAIN * wanted.limit
    else:
        yield _sql.by_name["nearest_by_scan"].encode(), fetch


def index_is_less_work(extent: Extent, fetch: int) -> bool:
    """Whether the index finds `fetch` vectors under the keys with less work than comparing all that are there.

    The index walks the whole space outwards from the query and passes over what is not under the keys: the
    smaller their share, the more it visits in vain.
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
    statement = SQL(UNPREPARED["nearest_by_index"])
    return statement.format(dimension=Literal(space.dimension), space=Literal(space.id)).as_bytes(None)


def _hits(rows: list[DictRow]) -> list[VectorHit]:
    return [
        VectorHit(memory_num=row["num"], similarity=min(1.0, max(-1.0, 1.0 - row["distance"])))
        for row in rows
    ]
