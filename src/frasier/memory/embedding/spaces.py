"""Vector spaces, one per model. One is searched; another may be filled meanwhile to replace it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from psycopg.rows import DictRow

from frasier.kernel.fault_points import fault_point
from frasier.memory.cache_invalidation import note_change
from frasier.memory.embedding.types import EmbeddingProvider, ModelIdentity
from frasier.store import Database, Statements, Tx

_sql = Statements("frasier.memory.embedding")

_OWED_AT_ONCE = 10_000


class SpaceState(StrEnum):
    """The state of a space: searched, being filled, or to be removed."""

    ACTIVE = "active"
    BUILDING = "building"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """A row of memory_spaces. `projection` is float32 in rows of STATE_WIDTH, None without token states."""

    id: int
    identity: ModelIdentity
    state: SpaceState
    projection: bytes | None


async def settle_space(database: Database, provider: EmbeddingProvider) -> Space:
    """Open the provider's space, and set the provider's projection to the one that the space began with.

    Call it before using a provider, outside a transaction: it opens its own. Raises ProviderError if the provider must
    be asked for its dimension and does not answer.
    """
    identity = await provider.identity()
    async with database.transaction() as tx:
        space = await open_space(tx, identity)
    if space.projection is None and (made := await provider.projection_bytes()) is not None:
        async with database.transaction() as tx:
            space = await open_space(tx, identity, projection=made)
    if space.projection is not None:
        provider.use_projection(space.projection)
    return space


async def open_space(tx: Tx, identity: ModelIdentity, projection: bytes | None = None) -> Space:
    """Return the space of that model; create it with embedding jobs for all memories if it is new.

    The very first space is searched at once. A later one is filled while the other is searched (see switch_space), and
    any third that was being filled is retired. The first `projection` stays.
    """
    await _sql.run(tx, "lock_spaces")
    space = await find_space(tx, identity)
    fresh = space is None or space.state is SpaceState.RETIRED
    if space is None:
        await _sql.run(tx, "create_space", **_fields(identity), projection=projection)
    elif fresh:
        await _sql.run(tx, "reopen_space", space=space.id)
    space = _space(await _sql.one(tx, "find_space", **_fields(identity)))
    if projection is not None and space.projection is None:
        await _sql.run(tx, "keep_projection", space=space.id, projection=projection)
        space = _space(await _sql.one(tx, "find_space", **_fields(identity)))
    if await _sql.run(tx, "retire_building", space=space.id):
        await _sql.run(tx, "drop_retired_jobs")
    if fresh:
        await _owe_all(tx, space)
    return space


async def find_space(tx: Tx, identity: ModelIdentity) -> Space | None:
    """Return the space of that model, whatever its state."""
    row = await _sql.maybe(tx, "find_space", **_fields(identity))
    return _space(row) if row else None


async def active_space(tx: Tx) -> Space | None:
    """Return the searched space. Only a query encoded by the same model may be compared with it."""
    return next((space for space in await used_spaces(tx) if space.state is SpaceState.ACTIVE), None)


async def used_spaces(tx: Tx) -> list[Space]:
    """Return the searched space, then the one being filled, if they exist."""
    return [_space(row) for row in await _sql.all(tx, "used_spaces")]


async def switch_space(tx: Tx) -> Space | None:
    """Make the space being filled the searched one, once all its jobs are done or failed for good.

    Returns it, or None if there is nothing to switch yet. The previous space is retired; drop_retired removes its
    vectors.
    """
    await _sql.run(tx, "lock_spaces")
    building = next((space for space in await used_spaces(tx) if space.state is SpaceState.BUILDING), None)
    if building is None or (await _sql.one(tx, "owes_anything", space=building.id))["owed"]:
        return None
    await _sql.run(tx, "retire_active")
    await _sql.run(tx, "activate_space", space=building.id)
    await _sql.run(tx, "drop_retired_jobs")
    await note_change(tx, (row["scope"] for row in await _sql.all(tx, "scopes")))
    fault_point("spaces.before_switch")
    return await find_space(tx, building.identity)


async def drop_retired(tx: Tx) -> int:
    """Remove retired spaces with all their vectors; return how many there were. For a periodic job."""
    await _sql.run(tx, "lock_spaces")
    return await _sql.run(tx, "drop_retired")


async def owe_vectors(tx: Tx, nums: Collection[int]) -> None:
    """Enqueue existing memories whose vectors were removed.

    Markers, archived and deprecated memories get no vectors.
    """
    await _sql.run(tx, "owe_vectors", nums=sorted(nums))


async def owe_missing(tx: Tx) -> int:
    """Enqueue memories without a vector or a job; return how many. For a periodic job, and for PostgreSQL only.

    Such a memory exists if its saving began before a space was opened and ended after.
    """
    return await _sql.run(tx, "owe_missing")


async def _owe_all(tx: Tx, space: Space) -> None:
    last: int | None = 0
    while last is not None:
        row = await _sql.one(tx, "owe_range", space=space.id, after=last, limit=_OWED_AT_ONCE)
        last = row["last"]


def _fields(identity: ModelIdentity) -> dict[str, object]:
    return {"provider": identity.provider, "model": identity.model, "dimension": identity.dimension}


def _space(row: DictRow) -> Space:
    return Space(
        id=row["id"],
        identity=ModelIdentity(provider=row["provider"], model=row["model"], dimension=row["dimension"]),
        state=SpaceState(row["state"]),
        projection=row["projection"],
    )
