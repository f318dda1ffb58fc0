"""Vector spaces: one for each model. One is searched; another may be filled meanwhile, to take its place."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from psycopg.rows import DictRow

from frasier.kernel.faults import fault_point
from frasier.memory.changes import note_change
from frasier.memory.embedding.types import EmbeddingProvider, ModelIdentity
from frasier.store import Database, Statements, Tx

_sql = Statements("frasier.memory.embedding")

_OWED_AT_ONCE = 10_000


class SpaceState(StrEnum):
    """Whether a space is searched, is being filled, or is to be removed."""

    ACTIVE = "active"
    BUILDING = "building"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """A row of memory_spaces. `projection` is float32 in rows of STATE_WIDTH, where the model has token states."""

    id: int
    identity: ModelIdentity
    state: SpaceState
    projection: bytes | None


async def settle_space(database: Database, provider: EmbeddingProvider) -> Space:
    """Opens the provider's space, and gives the provider the projection with which that space was begun.

    To be called before a provider is used, outside a transaction: it opens its own. Raises ProviderError where
    the provider must be asked for its dimension and does not answer.
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
    """The space of that model, made where it is new, with the vectors of all memories owed to it.

    The first space of all is searched at once. A later one is filled while the other is searched (see
    switch_space), and any third that was being filled is given up. The first `projection` given stays.
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
        await _sql.run(tx, "forgive_retired")
    if fresh:
        await _owe_all(tx, space)
    return space


async def find_space(tx: Tx, identity: ModelIdentity) -> Space | None:
    """The space of that model, whatever its state."""
    row = await _sql.maybe(tx, "find_space", **_fields(identity))
    return _space(row) if row else None


async def active_space(tx: Tx) -> Space | None:
    """The space that is searched. Only a query that the same model encoded may be compared with it."""
    return next((space for space in await used_spaces(tx) if space.state is SpaceState.ACTIVE), None)


async def used_spaces(tx: Tx) -> list[Space]:
    """The space that is searched and, behind it, the one that is being filled, as far as there are any."""
    return [_space(row) for row in await _sql.all(tx, "used_spaces")]


async def switch_space(tx: Tx) -> Space | None:
    """Makes the space that is being filled the searched one, once nothing is owed to it but what failed for good.

    Returns it, or None where there is nothing to switch yet. The space before it is retired; drop_retired
    removes its vectors.
    """
    await _sql.run(tx, "lock_spaces")
    building = next((space for space in await used_spaces(tx) if space.state is SpaceState.BUILDING), None)
    if building is None or (await _sql.one(tx, "owes_anything", space=building.id))["owed"]:
        return None
    await _sql.run(tx, "retire_active")
    await _sql.run(tx, "activate_space", space=building.id)
    await _sql.run(tx, "forgive_retired")
    await note_change(tx, (row["scope"] for row in await _sql.all(tx, "scopes")))
    fault_point("spaces.before_switch")
    return await find_space(tx, building.identity)


async def drop_retired(tx: Tx) -> int:
    """Removes the spaces that are no longer used, with all their vectors; returns how many there were. For a job."""
    await _sql.run(tx, "lock_spaces")
    return await _sql.run(tx, "drop_retired")


async def owe_vectors(tx: Tx, nums: Collection[int]) -> None:
    """Owes the vectors of memories whose old ones are gone, as far as these memories are there and want any.

    Markers, archived and deprecated memories get no vectors.
    """
    await _sql.run(tx, "owe_vectors", nums=sorted(nums))


async def owe_missing(tx: Tx) -> int:
    """Owes what has no vector and is not owed; returns how many. For a job, and for vectors in PostgreSQL only.

    A memory can get there whose saving began before a space was opened and ended after it.
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
