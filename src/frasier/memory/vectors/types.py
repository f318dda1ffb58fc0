"""The interface of vector stores, and its values."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable
from uuid import UUID

from frasier.memory.types import ALL_TIME, MemoryKind, Period
from frasier.store import Database, Tx

if TYPE_CHECKING:  # numpy is slow to load; a caller with a vector has loaded it
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceRef:
    """A row of memory_spaces: only vectors of one space can be compared."""

    id: int
    dimension: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorEntry:
    """The vector of one part of a memory; a memory has parts 0, 1, 2 …

    `vector` has the space's dimension and any length but zero. `kind` and `agent_id` are those of the memory, so
    that an external store can filter a search by them. `states` are rows of 128 int8, one per token.
    """

    memory_num: int
    memory_id: UUID
    scope: str
    kind: MemoryKind
    part: int
    vector: NDArray[np.float32]
    agent_id: UUID | None = None
    states: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorHit:
    """A memory by its best part. `similarity` is the cosine, -1 to 1."""

    memory_num: int
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreStats:
    """The number of vectors (parts, not memories) in a space, and their size in bytes; None if unknown."""

    count: int
    bytes: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreHealth:
    """The health of the store; `detail` is its version, or why it does not answer, for people."""

    ok: bool
    detail: str


class VectorStore(Protocol):
    """A store of vectors that can be searched.

    There are two sorts, distinguished by `external`:

    - PostgreSQL (`external` is False): `tx` is the caller's open transaction. Writes are committed or rolled back with
      it, and a search sees neither archived nor expired memories.
    - elsewhere (`external` is True): every call goes over the network, so it is made before or after a
      transaction, never inside one, with `tx=None`; InvariantBroken otherwise. It is not transactional: write
      to it first, then commit in PostgreSQL that the vector exists (a crash in between repeats the write, which
      changes nothing); delete from it after the memory's deletion is committed (a crash in between leaves an orphaned
      row until a sweep finds it: see ExternalStore). Token states stay in PostgreSQL: pass the same entries to
      `save_states` in the transaction that follows.

    Because an external row may be stale, a caller joins search results with memory_recallable and drops what is
    archived, expired, deprecated, deleted, or of a scope that was not searched.

    Errors: InvalidInput E002 for a vector of another dimension than the space's, E001 for one without a direction;
    ProviderError E041 if an external store fails.
    """

    @property
    def external(self) -> bool: ...

    async def upsert(self, tx: Tx | None, space: SpaceRef, entries: Sequence[VectorEntry]) -> None:
        """Replace all parts of the entries' memories in that space. Idempotent."""

    async def delete(self, tx: Tx | None, nums: Collection[int]) -> None:
        """Remove the memories' vectors from every space. PostgreSQL deletes those of a deleted row by itself."""

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
        """Return the `limit` memories nearest to `vector`, or all if there are fewer, best first, each once.

        With a `period`, only those of that time. [] for no scopes, no kinds, or an empty space. Opens its own
        transactions; never call it inside one.
        """

    async def stats(self, tx: Tx | None, space: SpaceRef) -> StoreStats:
        """Count the contents of the space; too slow for a recall."""

    async def prepare(self, database: Database, space: SpaceRef) -> None:
        """Build the index that the space's state and size require; drop those of retired or deleted spaces.

        For a periodic job: it may take minutes, opens connections and transactions of its own, and must not be called
        inside one. Any number of processes may call it at once; one of them does it.
        """

    async def check(self, tx: Tx | None) -> StoreHealth:
        """Check whether the store answers now. Does not raise if it does not."""

    async def close(self) -> None: ...


@runtime_checkable
class ExternalStore(VectorStore, Protocol):
    """A store outside PostgreSQL, which must list its contents, so that orphaned rows can be found."""

    async def spaces(self) -> list[int]:
        """Return the spaces that have contents, retired and deleted ones included."""

    async def held(self, space_id: int, *, after: int, limit: int) -> list[int]:
        """Return the next memories by number after `after` that have vectors in the space; [] at the end.

        None is skipped. `limit` counts vectors, so there may be fewer memories.
        """

    async def drop_space(self, space_id: int) -> None:
        """Remove all contents of a space, if it has any."""
