"""A store outside PostgreSQL is kept in step: what is deleted leaves it, at once or later, and what it lacks returns."""

from __future__ import annotations

from uuid import UUID

import pytest

from frasier.interfaces.cli.memory.bench import _throw_away
from frasier.kernel.errors import ProviderUnavailable
from frasier.memory import MemoryEngine, MemorySettings, VectorStoreSettings, delete_memory, upkeep
from frasier.memory.embedding.resilient_provider import Breaker
from frasier.memory.embedding.token_counts import TokenCounter
from frasier.memory.vectors.postgres import PgVectorStore
from frasier.memory.vectors.qdrant import QdrantStore
from frasier.memory.vectors.types import ExternalStore, SpaceRef
from support.memory_client import DIMENSION, WordVectors, open_memory_client

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
    store = Faltering(url=":memory:", api_key=None, prefix="frasier")
    yield store
    await store.close()


@pytest.fixture
async def memory_client(db, store):
    """A client whose engine keeps its vectors in `store`."""
    engine = MemoryEngine(db, SETTINGS, provider=Breaker(WordVectors()), store=store, counter=TokenCounter())
    async with open_memory_client(db) as memory_client:
        yield type(memory_client)(engine, memory_client.caller)


async def run(memory_client, name):
    """What the clock does."""
    [job] = [job for known, _, job in upkeep(memory_client.engine) if known == name]
    await job()


async def saved(memory_client, *contents):
    """Saves and encodes; the ids with their numbers."""
    ids = [await memory_client.save(content) for content in contents]
    await run(memory_client, "vectors")
    rows = await memory_client.rows("select id, num from memory_items")
    nums = {str(row["id"]): row["num"] for row in rows}
    return [(memory_id, nums[memory_id]) for memory_id in ids]


def test_only_a_store_outside_postgresql_says_what_it_holds(store):
    assert isinstance(store, ExternalStore)
    assert not isinstance(PgVectorStore(), ExternalStore)


@pytest.mark.parametrize(
    ("tool", "also"),
    [("memory_delete", {}), ("memory_bulk_delete", {"confirm": True, "skip_checkpoint": True})],
)
async def test_fault_24_the_vectors_of_a_deleted_memory_leave_the_store_with_it(
    memory_client, store, tool, also
):
    (crane, gone), (_, stays) = await saved(
        memory_client, "The green crane.\n\nIt moves.", "A windmill in the dunes."
    )
    assert await store.holds() == [gone, stays]
    await memory_client(tool, **({"id": crane} if tool == "memory_delete" else {"ids": [crane]}), **also)
    assert await store.holds() == [stays]


async def test_fault_24_a_deletion_that_the_store_missed_is_made_up_for(memory_client, store):
    (crane, gone), (_, stays) = await saved(memory_client, "The green crane.", "A windmill in the dunes.")
    store.out_of_reach = True
    assert (await memory_client("memory_delete", id=crane))["deleted"] == 1
    with pytest.raises(ProviderUnavailable):
        await run(memory_client, "vector-spaces")
    store.out_of_reach = False
    assert await store.holds() == [gone, stays]
    await run(memory_client, "vector-spaces")
    assert await store.holds() == [stays]
    assert (await memory_client("memory_health"))["pending"] == 0


async def test_fault_24_a_deletion_that_nobody_told_the_store_of_is_made_up_for(memory_client, store):
    (crane, _), (_, stays) = await saved(memory_client, "The green crane.", "A windmill in the dunes.")
    async with memory_client.engine.database.transaction() as tx:
        await delete_memory(tx, memory_client.caller, UUID(crane))
    await run(memory_client, "vector-spaces")
    assert await store.holds() == [stays]


async def test_fault_24_a_vector_that_was_written_after_its_memory_was_deleted_goes_too(
    memory_client, store, monkeypatch
):
    [(_, stays)] = await saved(memory_client, "A windmill in the dunes.")
    crane = await memory_client.save("The green crane.")
    write = store.upsert

    async def deleted_meanwhile(*given):
        await memory_client("memory_delete", id=crane)
        await write(*given)

    monkeypatch.setattr(store, "upsert", deleted_meanwhile)
    await run(memory_client, "vectors")
    assert len(await store.holds()) == 2
    await run(memory_client, "vector-spaces")
    assert await store.holds() == [stays]


async def test_what_a_restored_checkpoint_does_not_hold_leaves_the_store(memory_client, store):
    [(_, stays)] = await saved(memory_client, "A windmill in the dunes.")
    await memory_client("checkpoint_create", name="before")
    [(_, gone)] = await saved(memory_client, "The green crane.")
    assert await store.holds() == [stays, gone]
    await memory_client("checkpoint_restore", name="before", mode="clear")
    assert await store.holds() == [stays]


async def test_a_memory_that_came_back_before_its_vectors_were_removed_gets_new_ones(memory_client, store):
    [(crane, num)] = await saved(memory_client, "The green crane.")
    await memory_client("checkpoint_create", name="before")
    store.out_of_reach = True
    await memory_client("memory_delete", id=crane)
    store.out_of_reach = False
    remove = store.delete

    async def back_meanwhile(*given):
        monkey.undo()
        await memory_client("checkpoint_restore", name="before")
        await run(memory_client, "vectors")
        await remove(*given)

    with pytest.MonkeyPatch.context() as monkey:
        monkey.setattr(store, "delete", back_meanwhile)
        await run(memory_client, "vector-spaces")
    assert await store.holds() == []
    await run(memory_client, "vectors")
    assert await store.holds() == [num]


async def test_what_the_store_lost_is_made_again(memory_client, store):
    (_, first), (_, second), (archived, _) = await saved(
        memory_client, "The crane.", "The windmill.", "The ferry."
    )
    await memory_client.rows("update memory_items set archived_at = now() where id = %s", archived)
    await store.delete(None, await store.holds())
    await run(memory_client, "vector-spaces")
    await run(memory_client, "vectors")
    assert await store.holds() == [first, second]
    assert (await memory_client("memory_health"))["pending"] == 0


async def test_many_pages_are_compared_and_nothing_that_is_in_step_is_touched(
    memory_client, store, monkeypatch
):
    monkeypatch.setattr("frasier.memory.embedding.reconcile._COMPARED_AT_ONCE", 3)
    made = await saved(memory_client, *(f"Crane {n}.\n\nIt moves.\n\nIt stands." for n in range(12)))
    await memory_client.rows("delete from memory_items where num = any(%s)", [num for _, num in made[::3]])
    stay = [num for at, (_, num) in enumerate(made) if at % 3]
    await run(memory_client, "vector-spaces")
    assert await store.holds() == stay
    assert (await memory_client("memory_health"))["pending"] == 0
    monkeypatch.setattr(store, "delete", None)  # it would fail
    await run(memory_client, "vector-spaces")
    assert await store.holds() == stay


async def test_what_is_left_of_a_deleted_space_is_removed(memory_client, store):
    [(_, num)] = await saved(memory_client, "The green crane.")
    [space] = await store.spaces()
    left = SpaceRef(id=space + 1, dimension=DIMENSION)
    await store._ensure(store._collection(left.id), left)
    assert await store.spaces() == [space, left.id]
    await run(memory_client, "vector-spaces")
    assert await store.spaces() == [space]
    assert await store.holds() == [num]


async def test_the_health_of_the_memory_tells_of_its_store(memory_client, store):
    health = await memory_client("memory_health")
    assert (health["status"], health["store"].split()[0]) == ("healthy", "Qdrant")
    store.out_of_reach = True
    health = await memory_client("memory_health")
    assert (health["status"], health["trouble"]) == ("degraded", [OUT_OF_REACH])


async def test_what_is_measured_on_a_throw_away_database_does_not_touch_the_store_that_is_set(server):
    async with _throw_away(server, SETTINGS) as engine:
        assert engine.settings.vector_store.kind == "postgres"
