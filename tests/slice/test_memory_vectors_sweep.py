"""A store outside PostgreSQL is kept in step: what is deleted leaves it, at once or later, and what it lacks returns."""

from __future__ import annotations

from uuid import UUID

import pytest

from frasier.interfaces.cli.memory.bench import _throw_away
from frasier.kernel.errors import ProviderUnavailable
from frasier.memory import MemoryEngine, MemorySettings, VectorStoreSettings, delete_memory, upkeep
from frasier.memory.embedding import Breaker, TokenCounter
from frasier.memory.vectors import ExternalStore, PgVectorStore, SpaceRef
from frasier.memory.vectors.qdrant import QdrantStore
from support.memory_desk import DIMENSION, WordVectors, open_desk

OUT_OF_REACH = "Qdrant cannot be reached."
SETTINGS = MemorySettings(vector_store=VectorStoreSettings(kind="qdrant", url=":memory:"))


class Faltering(QdrantStore):
    """A Qdrant in this process that can be out of reach."""

    out_of_reach = False

    def _calling(self):
        if self.out_of_reach:
            raise ProviderUnavailable(OUT_OF_REACH, provider="qdrant")
        return super()._calling()

    async def holds(self, space_id=None):
        """The numbers of the memories that have vectors there, of one space or of all."""
        spaces = await self.spaces() if space_id is None else [space_id]
        return sorted({num for space in spaces for num in await self.held(space, after=0, limit=1_000)})


@pytest.fixture
async def store():
    store = Faltering(url=":memory:", api_key=None, prefix="frasier", timeout_s=5)
    yield store
    await store.close()


@pytest.fixture
async def desk(db, store):
    """A desk whose engine keeps its vectors in `store`."""
    engine = MemoryEngine(db, SETTINGS, provider=Breaker(WordVectors()), store=store, counter=TokenCounter())
    async with open_desk(db) as desk:
        yield type(desk)(engine, desk.caller)


async def run(desk, name):
    """What the clock does."""
    [job] = [job for known, _, job in upkeep(desk.engine) if known == name]
    await job()


async def saved(desk, *contents):
    """Saves and encodes; the ids with their numbers."""
    ids = [await desk.save(content) for content in contents]
    await run(desk, "vectors")
    rows = await desk.rows("select id, num from memory_items")
    nums = {str(row["id"]): row["num"] for row in rows}
    return [(memory_id, nums[memory_id]) for memory_id in ids]


def test_only_a_store_outside_postgresql_says_what_it_holds(store):
    assert isinstance(store, ExternalStore)
    assert not isinstance(PgVectorStore(), ExternalStore)


@pytest.mark.parametrize(
    ("tool", "also"),
    [("memory_delete", {}), ("memory_bulk_delete", {"confirm": True, "skip_checkpoint": True})],
)
async def test_fault_24_the_vectors_of_a_deleted_memory_leave_the_store_with_it(desk, store, tool, also):
    (crane, gone), (_, stays) = await saved(desk, "The green crane.\n\nIt moves.", "A windmill in the dunes.")
    assert await store.holds() == [gone, stays]
    await desk(tool, **({"id": crane} if tool == "memory_delete" else {"ids": [crane]}), **also)
    assert await store.holds() == [stays]


async def test_fault_24_a_deletion_that_the_store_missed_is_made_up_for(desk, store):
    (crane, gone), (_, stays) = await saved(desk, "The green crane.", "A windmill in the dunes.")
    store.out_of_reach = True
    assert (await desk("memory_delete", id=crane))["deleted"] == 1
    with pytest.raises(ProviderUnavailable):
        await run(desk, "vector-spaces")
    store.out_of_reach = False
    assert await store.holds() == [gone, stays]
    await run(desk, "vector-spaces")
    assert await store.holds() == [stays]
    assert (await desk("memory_health"))["pending"] == 0


async def test_fault_24_a_deletion_that_nobody_told_the_store_of_is_made_up_for(desk, store):
    (crane, _), (_, stays) = await saved(desk, "The green crane.", "A windmill in the dunes.")
    async with desk.engine.database.transaction() as tx:
        await delete_memory(tx, desk.caller, UUID(crane))
    await run(desk, "vector-spaces")
    assert await store.holds() == [stays]


async def test_fault_24_a_vector_that_was_written_after_its_memory_was_deleted_goes_too(
    desk, store, monkeypatch
):
    [(_, stays)] = await saved(desk, "A windmill in the dunes.")
    crane = await desk.save("The green crane.")
    write = store.upsert

    async def deleted_meanwhile(*given):
        await desk("memory_delete", id=crane)
        await write(*given)

    monkeypatch.setattr(store, "upsert", deleted_meanwhile)
    await run(desk, "vectors")
    assert len(await store.holds()) == 2
    await run(desk, "vector-spaces")
    assert await store.holds() == [stays]


async def test_what_a_restored_checkpoint_does_not_hold_leaves_the_store(desk, store):
    [(_, stays)] = await saved(desk, "A windmill in the dunes.")
    await desk("checkpoint_create", name="before")
    [(_, gone)] = await saved(desk, "The green crane.")
    assert await store.holds() == [stays, gone]
    await desk("checkpoint_restore", name="before", mode="clear")
    assert await store.holds() == [stays]


async def test_a_memory_that_came_back_before_its_vectors_were_removed_gets_new_ones(desk, store):
    [(crane, num)] = await saved(desk, "The green crane.")
    await desk("checkpoint_create", name="before")
    store.out_of_reach = True
    await desk("memory_delete", id=crane)
    store.out_of_reach = False
    remove = store.delete

    async def back_meanwhile(*given):
        monkey.undo()
        await desk("checkpoint_restore", name="before")
        await run(desk, "vectors")
        await remove(*given)

    with pytest.MonkeyPatch.context() as monkey:
        monkey.setattr(store, "delete", back_meanwhile)
        await run(desk, "vector-spaces")
    assert await store.holds() == []
    await run(desk, "vectors")
    assert await store.holds() == [num]


async def test_what_the_store_lost_is_made_again(desk, store):
    (_, first), (_, second), (archived, _) = await saved(desk, "The crane.", "The windmill.", "The ferry.")
    await desk.rows("update memory_items set archived_at = now() where id = %s", archived)
    await store.delete(None, await store.holds())
    await run(desk, "vector-spaces")
    await run(desk, "vectors")
    assert await store.holds() == [first, second]
    assert (await desk("memory_health"))["pending"] == 0


async def test_many_pages_are_compared_and_nothing_that_is_in_step_is_touched(desk, store, monkeypatch):
    monkeypatch.setattr("frasier.memory.embedding.reconcile._COMPARED_AT_ONCE", 3)
    made = await saved(desk, *(f"Crane {n}.\n\nIt moves.\n\nIt stands." for n in range(12)))
    await desk.rows("delete from memory_items where num = any(%s)", [num for _, num in made[::3]])
    stay = [num for at, (_, num) in enumerate(made) if at % 3]
    await run(desk, "vector-spaces")
    assert await store.holds() == stay
    assert (await desk("memory_health"))["pending"] == 0
    monkeypatch.setattr(store, "delete", None)  # it would fail
    await run(desk, "vector-spaces")
    assert await store.holds() == stay


async def test_what_is_left_of_a_deleted_space_is_removed(desk, store):
    [(_, num)] = await saved(desk, "The green crane.")
    [space] = await store.spaces()
    left = SpaceRef(id=space + 1, dimension=DIMENSION)
    await store._ensure(store._collection(left.id), left)
    assert await store.spaces() == [space, left.id]
    await run(desk, "vector-spaces")
    assert await store.spaces() == [space]
    assert await store.holds() == [num]


async def test_the_health_of_the_memory_tells_of_its_store(desk, store):
    health = await desk("memory_health")
    assert (health["status"], health["store"].split()[0]) == ("healthy", "Qdrant")
    store.out_of_reach = True
    health = await desk("memory_health")
    assert (health["status"], health["trouble"]) == ("degraded", [OUT_OF_REACH])


async def test_what_is_measured_on_a_throw_away_database_does_not_touch_the_store_that_is_set(server):
    async with _throw_away(server, SETTINGS) as engine:
        assert engine.settings.vector_store.kind == "postgres"
