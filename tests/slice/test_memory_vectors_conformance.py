"""What every store of vectors does, whichever it is: one suite for PostgreSQL and for Qdrant."""

from contextlib import asynccontextmanager
from datetime import UTC, datetime
from uuid import uuid4

import numpy as np
import pytest

from frasier.kernel.errors import InvalidInput
from frasier.memory import MemoryKind, Period
from frasier.memory.vectors.postgres import PgVectorStore
from frasier.memory.vectors.qdrant_factory import open_qdrant
from frasier.memory.vectors.types import SpaceRef, VectorEntry

WIDTH = 8
EVERY_KIND = tuple(MemoryKind)


def axis(at, width=WIDTH):
    """A vector along one axis: at right angles to those along the others."""
    vector = np.zeros(width, np.float32)
    vector[at] = 1
    return vector


class Bench:
    """A store with what it needs around it: memories to be of, spaces, and transactions where it wants them."""

    def __init__(self, db, store):
        self.db = db
        self.store = store

    async def space(self, model="m", dimension=WIDTH, state="building"):
        async with self.db.transaction() as tx:
            cursor = await tx.execute(
                "insert into memory_spaces (provider, model, dimension, state) values ('p', %s, %s, %s) returning id",
                (model, dimension, state),
            )
            return SpaceRef(id=(await cursor.fetchone())["id"], dimension=dimension)

    async def memories(self, count=1, *, scope="shared", kind=MemoryKind.TASK, agent_id=None):
        """The nums and ids of `count` new memories."""
        ids = [uuid4() for _ in range(count)]
        async with self.db.transaction() as tx:
            cursor = await tx.execute(
                "insert into memory_items (id, kind, scope, content, content_hash, agent_id)"
                " select id, %s, %s, 'said', uuid_send(id) || uuid_send(id), %s from unnest(%s::uuid[]) as id"
                " returning num, id",
                (str(kind), scope, agent_id, ids),
            )
            return [(row["num"], row["id"]) for row in await cursor.fetchall()]

    @asynccontextmanager
    async def tx(self):
        """What the store is called with."""
        if self.store.external:
            yield None
        else:
            async with self.db.transaction() as tx:
                yield tx

    async def put(self, space, memories, vectors, *, scope="shared", kind=MemoryKind.TASK, agent_id=None):
        """Stores memory by memory, each with one vector or a list of them."""
        entries = [
            VectorEntry(
                memory_num=num,
                memory_id=memory_id,
                scope=scope,
                kind=kind,
                agent_id=agent_id,
                part=part,
                vector=np.asarray(vector, np.float32),
            )
            for (num, memory_id), given in zip(memories, vectors, strict=True)
            for part, vector in enumerate(given if isinstance(given, list) else [given])
        ]
        async with self.tx() as tx:
            await self.store.upsert(tx, space, entries)

    async def find(self, space, vector, *, scopes=("shared",), kinds=EVERY_KIND, limit=10, **more):
        return await self.store.search(
            self.db,
            space,
            np.asarray(vector, np.float32),
            scopes=scopes,
            kinds=kinds,
            limit=limit,
            **more,
        )

    async def found(self, *args, **named):
        return [hit.memory_num for hit in await self.find(*args, **named)]

    async def count(self, space):
        async with self.tx() as tx:
            return (await self.store.stats(tx, space)).count


@pytest.fixture(params=["postgres", "qdrant"])
async def bench(request, db):
    store = PgVectorStore() if request.param == "postgres" else open_qdrant(":memory:")
    yield Bench(db, store)
    await store.close()


async def test_order_and_similarity_are_those_of_the_cosine(bench):
    random = np.random.default_rng(1)
    space = await bench.space(dimension=48)
    memories = await bench.memories(300)
    vectors = random.normal(size=(300, 48)).astype(np.float32) * random.uniform(0.01, 500, size=(300, 1))
    query = random.normal(size=48).astype(np.float32) * 7
    await bench.put(space, memories, list(vectors))
    cosines = vectors @ query / np.linalg.norm(vectors, axis=1) / np.linalg.norm(query)
    best = np.argsort(-cosines)[:20]
    hits = await bench.find(space, query, limit=20)
    assert [hit.similarity for hit in hits] == pytest.approx(cosines[best], abs=2e-3)
    assert [hit.similarity for hit in hits] == sorted((hit.similarity for hit in hits), reverse=True)
    # Two that are nearer to each other than half precision tells apart may change places.
    assert {memories[at][0] for at in best[:18]} <= {hit.memory_num for hit in hits}


async def test_the_opposite_direction_is_as_unlike_as_can_be(bench):
    space = await bench.space()
    await bench.put(space, await bench.memories(3), [axis(0), axis(1), -axis(0)])
    similarities = [hit.similarity for hit in await bench.find(space, axis(0) * 1e-3)]
    assert similarities == pytest.approx([1, 0, -1], abs=1e-3)
    assert all(-1 <= similarity <= 1 for similarity in similarities)


async def test_fault_10_a_memory_of_many_parts_is_found_once_by_its_best(bench):
    space = await bench.space()
    long, short = await bench.memories(2)
    near = [axis(0) + 0.01 * axis(1 + at % 7) for at in range(60)]
    await bench.put(space, [long, short], [[*near, axis(0)], axis(0) + axis(1)])
    hits = await bench.find(space, axis(0), limit=2)
    assert [hit.memory_num for hit in hits] == [long[0], short[0]]
    assert [hit.similarity for hit in hits] == pytest.approx([1, 0.5**0.5], abs=1e-3)


async def test_fault_7_storing_again_replaces_every_part(bench):
    space = await bench.space()
    [memory] = await bench.memories()
    await bench.put(space, [memory], [[axis(0), axis(1), axis(2)]])
    await bench.put(space, [memory], [[axis(3)]])
    assert await bench.count(space) == 1
    [hit] = await bench.find(space, axis(1))
    assert hit.similarity == pytest.approx(0, abs=1e-3)


async def test_storing_the_same_again_changes_nothing(bench):
    space = await bench.space()
    memories = await bench.memories(5)
    for _ in range(2):
        await bench.put(space, memories, [[axis(at), axis(at + 1)] for at in range(5)])
    assert await bench.count(space) == 10
    assert (await bench.find(space, axis(0)))[0].memory_num == memories[0][0]


async def test_storing_one_memory_leaves_the_others(bench):
    space = await bench.space()
    first, second = await bench.memories(2)
    await bench.put(space, [first], [axis(0)])
    await bench.put(space, [second], [axis(1)])
    assert set(await bench.found(space, axis(0))) == {first[0], second[0]}


async def test_only_the_scopes_that_were_asked_for_are_found(bench):
    space = await bench.space()
    nums = {}
    for scope in ("shared", "mission:a", "mission:b"):
        [memory] = await bench.memories(scope=scope)
        await bench.put(space, [memory], [axis(0)], scope=scope)
        nums[scope] = memory[0]
    assert await bench.found(space, axis(0), scopes=["mission:b"]) == [nums["mission:b"]]
    asked = ["shared", "mission:a", "mission:a", "mission:unheard-of"]
    assert set(await bench.found(space, axis(0), scopes=asked)) == {nums["shared"], nums["mission:a"]}
    assert await bench.found(space, axis(0), scopes=["mission:unheard-of"]) == []
    assert await bench.found(space, axis(0), scopes=[]) == []


async def test_a_kind_that_is_drowned_by_another_is_found_in_full(bench):
    space = await bench.space()
    await bench.put(
        space,
        await bench.memories(400, kind=MemoryKind.CONVERSATION),
        [axis(0)] * 400,
        kind=MemoryKind.CONVERSATION,
    )
    lessons = await bench.memories(12, kind=MemoryKind.LESSON)
    await bench.put(space, lessons, [axis(1)] * 12, kind=MemoryKind.LESSON)
    found = await bench.found(space, axis(0), kinds=[MemoryKind.LESSON, MemoryKind.DECISION])
    assert len(found) == 10
    assert set(found) <= {num for num, _ in lessons}
    assert await bench.found(space, axis(0), kinds=[]) == []


async def test_what_one_agent_saved_is_found_among_the_rest(bench):
    space, agent = await bench.space(), uuid4()
    await bench.put(space, await bench.memories(50), [axis(0)] * 50)
    mine = await bench.memories(2, agent_id=agent)
    await bench.put(space, mine, [axis(1), axis(2)], agent_id=agent)
    assert await bench.found(space, axis(1), agent_id=agent) == [num for num, _ in mine]
    assert await bench.found(space, axis(1), agent_id=uuid4()) == []


async def test_what_happened_in_a_period_is_found_among_the_rest(bench):
    space = await bench.space()
    await bench.put(space, await bench.memories(50), [axis(0)] * 50)
    early, late = memories = await bench.memories(2)
    await bench.put(space, memories, [axis(1), axis(2)])
    async with bench.db.transaction() as tx:
        for (num, _), day in zip(memories, ("2020-05-01", "2020-05-02"), strict=True):
            await tx.execute(
                "update memory_items set occurred_at = %s where num = %s", (f"{day} 12:00Z", num)
            )
    first, second, third = (datetime(2020, 5, day, tzinfo=UTC) for day in (1, 2, 3))

    async def found(since, before):
        return await bench.found(space, axis(0), period=Period(since=since, before=before))

    assert await found(first, third) == [early[0], late[0]]
    assert await found(second, third) == [late[0]]
    assert await found(None, second) == [early[0]]
    assert await found(third, datetime(2020, 6, 1, tzinfo=UTC)) == []
    assert len(await found(third, None)) == 10


async def test_vectors_of_another_space_are_never_found(bench):
    here, there = await bench.space("one"), await bench.space("two")
    first, second = await bench.memories(2)
    await bench.put(here, [first], [axis(0)])
    await bench.put(there, [first, second], [axis(1), axis(0)])
    assert await bench.found(here, axis(0)) == [first[0]]
    assert await bench.found(there, axis(0)) == [second[0], first[0]]
    await bench.put(there, [first], [axis(2)])
    assert [hit.similarity for hit in await bench.find(here, axis(0))] == pytest.approx([1], abs=1e-3)


async def test_a_space_that_holds_nothing_or_is_not_there_finds_nothing(bench):
    empty, unknown = await bench.space(), SpaceRef(id=999, dimension=WIDTH)
    for space in (empty, unknown):
        assert await bench.find(space, axis(0)) == []
        assert await bench.count(space) == 0


async def test_nothing_to_store_stores_nothing(bench):
    space = await bench.space()
    await bench.put(space, [], [])
    assert await bench.count(space) == 0


@pytest.mark.parametrize("limit", [1, 3, 100])
async def test_no_more_are_found_than_asked_for(bench, limit):
    space = await bench.space()
    await bench.put(space, await bench.memories(7), [axis(at) for at in range(7)])
    assert len(await bench.find(space, axis(0), limit=limit)) == min(limit, 7)


@pytest.mark.parametrize("wrong", [np.ones(7), np.ones(9), np.ones((1, WIDTH))])
async def test_another_dimension_is_refused_and_nothing_is_stored(bench, wrong):
    space = await bench.space()
    first, second = await bench.memories(2)
    with pytest.raises(InvalidInput) as refused:
        await bench.put(space, [first, second], [axis(0), wrong])
    assert refused.value.number == "E002"
    assert await bench.count(space) == 0
    with pytest.raises(InvalidInput) as refused:
        await bench.find(space, wrong)
    assert refused.value.number == "E002"


@pytest.mark.parametrize(
    "without_direction", [np.zeros(WIDTH), np.full(WIDTH, np.nan), np.full(WIDTH, np.inf)]
)
async def test_a_vector_without_a_direction_is_refused(bench, without_direction):
    space = await bench.space()
    with pytest.raises(InvalidInput) as refused:
        await bench.put(space, await bench.memories(), [without_direction])
    assert refused.value.number == "E001"
    assert await bench.count(space) == 0
    with pytest.raises(InvalidInput):
        await bench.find(space, without_direction)


async def test_fault_24_a_deleted_memory_is_found_in_no_space(bench):
    spaces = [await bench.space("one"), await bench.space("two")]
    gone, stays = await bench.memories(2)
    for space in spaces:
        await bench.put(space, [gone, stays], [[axis(0), axis(1)], axis(2)])
    async with bench.tx() as tx:
        await bench.store.delete(tx, [gone[0]])
        await bench.store.delete(tx, [gone[0], 999_999])
        await bench.store.delete(tx, [])
    for space in spaces:
        assert await bench.found(space, axis(0)) == [stays[0]]
        assert await bench.count(space) == 1


async def test_a_small_scope_among_thousands_is_found_in_full(bench):
    random = np.random.default_rng(2)
    space = await bench.space()
    many = await bench.memories(3_000)
    near = axis(0) + 0.1 * random.normal(size=(3_000, WIDTH)).astype(np.float32)
    await bench.put(space, many, list(near))
    few = await bench.memories(12, scope="mission:small")
    far = -axis(0) + 0.1 * random.normal(size=(12, WIDTH)).astype(np.float32)
    await bench.put(space, few, list(far), scope="mission:small")
    await bench.store.prepare(bench.db, space)
    found = await bench.found(space, axis(0), scopes=["mission:small"])
    assert len(set(found)) == 10
    assert set(found) <= {num for num, _ in few}


async def test_preparing_twice_changes_nothing_that_is_found(bench):
    space = await bench.space()
    memories = await bench.memories(3)
    await bench.put(space, memories, [axis(at) for at in range(3)])
    before = await bench.find(space, axis(0))
    for _ in range(2):
        await bench.store.prepare(bench.db, space)
    assert await bench.find(space, axis(0)) == before


async def test_a_store_that_answers_says_what_it_is(bench):
    async with bench.tx() as tx:
        health = await bench.store.check(tx)
    assert health.ok
    assert "0.8" in health.detail or "Qdrant 1." in health.detail
