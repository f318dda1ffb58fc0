"""What a store of vectors takes, gives and promises."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable
from uuid import UUID

from frasier.memory.types import MemoryKind
from frasier.store import Database, Tx

if TYPE_CHECKING:  # numpy is slow to load; whoever has a vector has loaded it
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
    that a store outside PostgreSQL can narrow a search by them. `states` are rows of 128 int8, one a token.
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
    """How many vectors (parts, not memories) a space holds, and on how many bytes; None where nobody can tell."""

    count: int
    bytes: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreHealth:
    """Whether the store answers; `detail` says what it is, or why not, in words for a person."""

    ok: bool
    detail: str


class VectorStore(Protocol):
    """Where vectors are kept and searched.

    Two sorts, told apart by `external`, with one promise each:

    - PostgreSQL (`external` is False): `tx` is the caller's open transaction. What it writes is committed or
      rolled back with everything else there, and a search sees neither archived nor expired memories.
    - elsewhere (`external` is True): every call goes over the network, so it is made before or after a
      transaction, never inside one, with `tx=None`; InvariantBroken otherwise. It is not transactional: write
      to it first, then commit in PostgreSQL what says that the vector is there (a crash in between repeats the
      write, which changes nothing); delete from it after the memory's deletion is committed (a crash in between
      leaves a row of nothing, until a sweep finds it: see ExternalStore). Token states stay in PostgreSQL: pass the
      same entries to `save_states` in the transaction that follows.

    Because an external row may be stale, whoever shows what a search found joins it with memory_recallable and
    drops what is archived, expired, deprecated, deleted, or of a scope that was not asked for.

    Errors: InvalidInput E002 for a vector of another dimension than the space's, or one that has no direction;
    ProviderError E041 where an external store fails.
    """

    @property
    def external(self) -> bool: ...

    async def upsert(self, tx: Tx | None, space: SpaceRef, entries: Sequence[VectorEntry]) -> None:
        """Replaces all parts of each given memory in that space by those given. Repeating it changes nothing."""

    async def delete(self, tx: Tx | None, nums: Collection[int]) -> None:
        """Removes the memories' vectors from every space. Those of a deleted row leave PostgreSQL by themselves."""

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
    ) -> list[VectorHit]:
        """The memories nearest to `vector`, best first, each once; `limit` of them wherever there are as many.

        [] for no scopes, no kinds, or a space that holds nothing. Opens what it needs; never inside a transaction.
        """

    async def stats(self, tx: Tx | None, space: SpaceRef) -> StoreStats:
        """What the space holds: counted, so not for the path of a recall."""

    async def prepare(self, database: Database, space: SpaceRef) -> None:
        """Makes the index what the space's state and size ask for; drops what a retired or deleted space left.

        For a job: it may take minutes, opens connections and transactions of its own, and must not be called
        inside one. Any number of processes may call it at once; one of them does it.
        """

    async def check(self, tx: Tx | None) -> StoreHealth:
        """Whether the store answers now. Never raises because it does not."""

    async def close(self) -> None: ...


@runtime_checkable
class ExternalStore(VectorStore, Protocol):
    """A store outside PostgreSQL, which must say what it holds: nothing else tells that a row of it is of nothing."""

    async def spaces(self) -> list[int]:
        """The spaces of which it holds something, retired and deleted ones too."""

    async def held(self, space_id: int, *, after: int, limit: int) -> list[int]:
        """The first memories by number, after `after`, of which the space holds vectors; [] where there are no more.

        None is passed over. `limit` is of vectors, so there may be fewer memories.
        """

    async def drop_space(self, space_id: int) -> None:
        """Removes all that it holds of a space; nothing where it holds nothing."""
