"""Vectors in PostgreSQL: one transaction with everything else, and an index that is only ever a shortcut."""

import asyncio
from contextvars import Context
from uuid import uuid4

import numpy as np
import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from frasier.kernel.errors import ConfigurationError, DatabaseUnreachable, InvariantBroken, NotFound
from frasier.memory.cache_invalidation import unchanged_since
from frasier.memory.types import MemoryKind
from frasier.memory.vectors.postgres import PgVectorStore
from frasier.memory.vectors.states import save_states, states_of
from frasier.memory.vectors.types import SpaceRef, VectorEntry
from frasier.store import Database, hold_lease
from slice.test_memory_vectors_conformance import WIDTH, Bench, axis
from support.recall_snapshot import snapshot

MANY = 5_400  # enough for an index


@pytest.fixture
async def bench(db, owner_url):
    return Bench(db, PgVectorStore(owner_url=owner_url))


def around(vector, count, *, spread=0.1, seed=1):
    random = np.random.default_rng(seed)
    return list(vector + spread * random.normal(size=(count, len(vector))).astype(np.float32))


async def run(db, statement, parameters=()):
    async with db.transaction() as tx:
        cursor = await tx.execute(statement, parameters)
        return await cursor.fetchall() if cursor.description else cursor.rowcount


async def indexes(db):
    """The vector indexes with whether they are complete."""
    rows = await run(
        db,
        "select relname, indisvalid from pg_index join pg_class on oid = indexrelid"
        " where starts_with(relname, 'memory_vectors_hnsw_')",
    )
    return {row["relname"]: row["indisvalid"] for row in rows}


async def fill(bench, *, scope="shared", vector=None, count=MANY, space=None):
    space = space or await bench.space()
    memories = await bench.memories(count, scope=scope)
    await bench.put(space, memories, around(axis(0) if vector is None else vector, count), scope=scope)
    return space, [num for num, _ in memories]


async def exactly(bench, space, query, nums, limit=10):
    """The nearest of `nums` as comparing every stored vector gives them."""
    rows = await run(
        bench.db,
        "select memory_num from memory_vectors where space_id = %s and memory_num = any(%s)"
        " group by 1 order by min(embedding <=> %s::text::halfvec) limit %s",
        (space.id, nums, str([float(number) for number in query]), limit),
    )
    return [row["memory_num"] for row in rows]


async def scans_of_index(db, space):
    """How often the index was used, once this connection has reported it."""
    async with db.transaction() as tx:
        await tx.execute("select pg_stat_force_next_flush()")
    async with db.transaction() as tx:
        cursor = await tx.execute(
            "select pg_stat_get_numscans(%s::text::regclass) as scans", (f"memory_vectors_hnsw_{space.id}",)
        )
        return (await cursor.fetchone())["scans"]


async def search_with_scans(bench, space, query, *, times=1, **named):
    """What a search finds, and how often it used the index."""
    async with Database(bench.db.url, connections=1) as db:
        before = await scans_of_index(db, space)
        for _ in range(times):
            hits = await bench.store.search(
                db, space, query, **({"scopes": ["shared"], "kinds": tuple(MemoryKind), "limit": 10} | named)
            )
        return [hit.memory_num for hit in hits], await scans_of_index(db, space) - before


async def test_a_space_that_has_grown_gets_an_index_that_searches_use(bench):
    space, nums = await fill(bench)
    query = around(axis(0), 1, seed=9)[0]
    before = await bench.find(space, query)
    assert await indexes(bench.db) == {}
    await bench.store.prepare(bench.db, space)
    assert await indexes(bench.db) == {f"memory_vectors_hnsw_{space.id}": True}
    fresh = Bench(bench.db, PgVectorStore())
    found, scans = await search_with_scans(fresh, space, query)
    assert scans == 1
    assert found == [hit.memory_num for hit in before] == await exactly(bench, space, query, nums)


async def test_the_index_serves_the_scope_although_the_nearest_are_all_of_another(bench):
    space, nums = await fill(bench, vector=axis(1))
    await fill(bench, scope="mission:nearer", vector=axis(0), count=1_500, space=space)
    await bench.store.prepare(bench.db, space)
    found, scans = await search_with_scans(bench, space, axis(0))
    assert scans == 1  # the first attempt, without looking at all vectors
    assert len(set(found)) == 10
    assert set(found) <= set(nums)


async def test_a_large_scope_among_many_small_ones_is_not_planned_for_as_one_of_them(bench):
    space, _ = await fill(bench)
    _, others = await fill(bench, scope="mission:others", vector=axis(1), count=1_000, space=space)
    await run(
        bench.db, "update memory_vectors set scope_key = memory_num where memory_num = any(%s)", (others,)
    )
    await bench.store.prepare(bench.db, space)
    # PostgreSQL makes a plan for any parameters after the tenth time.
    _, scans = await search_with_scans(bench, space, axis(0), times=15)
    assert scans == 15


async def test_what_is_nearest_but_archived_does_not_crowd_out_the_rest(bench):
    space, nums = await fill(bench)
    await bench.store.prepare(bench.db, space)
    nearest = await exactly(bench, space, axis(0), nums, limit=600)
    await run(bench.db, "update memory_items set archived_at = now() where num = any(%s)", (nearest,))
    found, scans = await search_with_scans(bench, space, axis(0))
    assert scans == 2
    assert found == await exactly(bench, space, axis(0), sorted(set(nums) - set(nearest)))


async def test_one_memory_of_many_near_parts_does_not_crowd_out_the_rest(bench):
    space, nums = await fill(bench, vector=axis(1))
    [long] = await bench.memories()
    await bench.put(space, [long], [around(axis(0), 200)])
    for prepared in (False, True):
        if prepared:
            await bench.store.prepare(bench.db, space)
        found = await Bench(bench.db, PgVectorStore()).found(space, axis(0))
        assert found[0] == long[0]
        assert found[1:] == await exactly(bench, space, axis(0), nums, limit=9)


@pytest.mark.parametrize(
    "gone",
    [
        "archived_at = now()",
        "tier = 'deprecated'",
        "expires_at = now() - interval '1 second'",
        "scope = 'mission:elsewhere'",
    ],
)
async def test_what_may_not_be_found_is_not_found(bench, gone):
    space = await bench.space()
    away, stays = await bench.memories(2)
    await bench.put(space, [away, stays], [axis(0), axis(1)])
    await run(bench.db, f"update memory_items set {gone} where num = %s", (away[0],))
    assert await bench.found(space, axis(0)) == [stays[0]]
    assert await bench.found(space, axis(0), scopes=["mission:elsewhere"]) == []


async def test_fault_24_deleting_the_memory_leaves_no_vector_and_no_state(bench):
    space = await bench.space()
    [memory] = await bench.memories()
    await store_with_states(bench, space, memory, [b"\1" * 128])
    await run(bench.db, "delete from memory_items where num = %s", (memory[0],))
    assert await bench.count(space) == 0
    assert await run(bench.db, "select * from memory_token_states") == []


async def test_a_memory_that_was_deleted_meanwhile_is_passed_over(bench):
    space = await bench.space()
    gone, stays = await bench.memories(2)
    await run(bench.db, "delete from memory_items where num = %s", (gone[0],))
    await bench.put(space, [gone, stays], [axis(0), axis(1)])
    assert await bench.found(space, axis(0)) == [stays[0]]


async def test_what_a_failed_transaction_stored_is_gone(bench):
    space = await bench.space()
    [memory] = await bench.memories()
    await bench.put(space, [memory], [axis(0)])
    with pytest.raises(ZeroDivisionError):
        async with bench.db.transaction() as tx:
            await bench.store.upsert(tx, space, [entry(memory, 0, axis(1))])
            raise ZeroDivisionError
    [hit] = await bench.find(space, axis(0))
    assert hit.similarity == pytest.approx(1, abs=1e-3)


async def test_two_who_store_the_same_memory_at_once_leave_the_parts_of_one(bench):
    space = await bench.space()
    memories = await bench.memories(20)
    await asyncio.gather(
        *(bench.put(space, memories[:: step or 1], [[axis(0)] * 3] * 20) for step in (1, -1, 1, -1))
    )
    assert await bench.count(space) == 60


async def test_a_space_that_is_not_there_takes_nothing(bench):
    with pytest.raises(NotFound):
        await bench.put(SpaceRef(id=999, dimension=WIDTH), await bench.memories(), [axis(0)])


async def test_storing_and_deleting_are_noted_as_changes_of_the_scope(bench):
    space = await bench.space()
    [memory] = await bench.memories(scope="mission:a")

    async def seen():
        async with bench.db.transaction() as tx:
            return await snapshot(tx)

    async def unchanged(since):
        async with bench.db.transaction() as tx:
            return await unchanged_since(tx, ["mission:a"], since)

    before = await seen()
    assert await unchanged(before)
    await bench.put(space, [memory], [axis(0)], scope="mission:a")
    assert not await unchanged(before)
    before = await seen()
    async with bench.db.transaction() as tx:
        await bench.store.delete(tx, [memory[0]])
    assert not await unchanged(before)
    before = await seen()
    async with bench.db.transaction() as tx:
        await save_states(tx, space, [entry(memory, 0, axis(0), states=b"\1" * 128)])
    assert not await unchanged(before)


def entry(memory, part, vector, states=None):
    return VectorEntry(
        memory_num=memory[0],
        memory_id=memory[1],
        scope="shared",
        kind=MemoryKind.TASK,
        part=part,
        vector=vector,
        states=states,
    )


async def store_with_states(bench, space, memory, states):
    async with bench.db.transaction() as tx:
        await bench.store.upsert(
            tx, space, [entry(memory, part, axis(0), given) for part, given in enumerate(states)]
        )


async def states(db, space, nums):
    async with db.transaction() as tx:
        return await states_of(tx, space.id, nums)


async def test_token_states_come_back_byte_for_byte_in_the_order_of_the_parts(bench):
    space, other = await bench.space(), await bench.space("other")
    first, second, without = await bench.memories(3)
    rows = [np.random.default_rng(at).integers(-127, 128, (9, 128), np.int8).tobytes() for at in range(12)]
    await store_with_states(bench, space, first, rows)
    await store_with_states(bench, space, second, [rows[0], None, rows[2]])
    await store_with_states(bench, space, without, [None])
    await store_with_states(bench, other, first, [rows[5]])
    nums = [first[0], second[0], without[0], 999_999]
    assert await states(bench.db, space, nums) == {first[0]: rows, second[0]: [rows[0], rows[2]]}
    assert await states(bench.db, other, nums) == {first[0]: [rows[5]]}
    assert await states(bench.db, space, []) == {}


async def test_fault_7_storing_again_replaces_the_token_states(bench):
    space = await bench.space()
    [memory] = await bench.memories()
    await store_with_states(bench, space, memory, [b"\1" * 128, b"\2" * 128])
    await store_with_states(bench, space, memory, [b"\3" * 256])
    assert await states(bench.db, space, [memory[0]]) == {memory[0]: [b"\3" * 256]}
    await store_with_states(bench, space, memory, [None])
    assert await states(bench.db, space, [memory[0]]) == {}


async def test_token_states_alone_are_saved_for_a_store_elsewhere(bench):
    space = await bench.space()
    [memory] = await bench.memories()
    deleted = (999_999, uuid4())
    async with bench.db.transaction() as tx:
        await save_states(tx, space, [])
        await save_states(tx, space, [entry(of, 0, axis(0), states=b"\1" * 128) for of in (memory, deleted)])
    assert await states(bench.db, space, [memory[0], 999_999]) == {memory[0]: [b"\1" * 128]}
    assert await bench.count(space) == 0


async def test_a_small_space_gets_no_index(bench):
    space, _ = await fill(bench, count=100)
    await bench.store.prepare(bench.db, space)
    assert await indexes(bench.db) == {}


async def test_an_index_that_a_crash_left_half_built_is_built_again(bench, owner_url):
    space, nums = await fill(bench)
    name = f"memory_vectors_hnsw_{space.id}"
    async with await psycopg.AsyncConnection.connect(owner_url, autocommit=True) as owner:
        broken = SQL("create unique index concurrently {} on memory_vectors (space_id)")
        with pytest.raises(psycopg.errors.UniqueViolation):
            await owner.execute(broken.format(Identifier(name)))
    assert await indexes(bench.db) == {name: False}
    assert await bench.found(space, axis(0)) == await exactly(bench, space, axis(0), nums)
    await bench.store.prepare(bench.db, space)
    assert await indexes(bench.db) == {name: True}


async def test_the_index_of_a_space_that_is_retired_or_gone_is_dropped(bench):
    space, _ = await fill(bench)
    await bench.store.prepare(bench.db, space)
    await run(bench.db, "update memory_spaces set state = 'retired'")
    await bench.store.prepare(bench.db, space)
    assert await indexes(bench.db) == {}
    await run(bench.db, "update memory_spaces set state = 'active'")
    await bench.store.prepare(bench.db, space)
    assert len(await indexes(bench.db)) == 1
    await run(bench.db, "delete from memory_spaces")
    await bench.store.prepare(bench.db, await bench.space("next"))
    assert await indexes(bench.db) == {}


async def test_two_who_prepare_at_once_build_one_index(bench):
    space, _ = await fill(bench)
    await asyncio.gather(*(bench.store.prepare(bench.db, space) for _ in range(3)))
    assert await indexes(bench.db) == {f"memory_vectors_hnsw_{space.id}": True}


async def test_an_index_that_a_builder_who_died_left_to_the_server_is_waited_for(bench, owner_url):
    """Its lease has run out, and PostgreSQL still builds: that is neither dropped nor begun again."""
    space, _ = await fill(bench)
    name = f"memory_vectors_hnsw_{space.id}"
    create = "create index concurrently {} on memory_vectors using hnsw ((embedding::halfvec(8)) halfvec_cosine_ops)"
    async with await psycopg.AsyncConnection.connect(owner_url, autocommit=True) as dead:
        async with bench.db.transaction() as tx:
            await tx.execute("lock memory_vectors in row exclusive mode")
            building = asyncio.create_task(dead.execute(SQL(create).format(Identifier(name))))
            async with asyncio.timeout(20):
                while await indexes(bench.db) != {name: False}:
                    await asyncio.sleep(0.01)
            await asyncio.create_task(bench.store.prepare(bench.db, space), context=Context())
            assert await indexes(bench.db) == {name: False}
        await building
    assert await indexes(bench.db) == {name: True}


async def test_a_builder_leaves_it_to_whoever_holds_the_lease(bench):
    space, _ = await fill(bench)
    async with hold_lease(bench.db, "vector-indexes", lease_s=60):
        await bench.store.prepare(bench.db, space)
        assert await indexes(bench.db) == {}
    await bench.store.prepare(bench.db, space)
    assert len(await indexes(bench.db)) == 1


async def test_saving_goes_on_while_the_index_is_built(bench):
    space, _ = await fill(bench)
    [memory] = await bench.memories()
    building = asyncio.create_task(bench.store.prepare(bench.db, space))
    await bench.put(space, [memory], [axis(7)])
    await building
    assert (await bench.found(space, axis(7)))[0] == memory[0]


async def test_a_role_that_may_not_build_an_index_is_told_who_may(bench, db):
    space, _ = await fill(bench)
    with pytest.raises(ConfigurationError) as refused:
        await PgVectorStore().prepare(db, space)
    assert "OWNER_URL" in refused.value.hint
    assert await indexes(db) == {}


async def test_an_owner_that_does_not_answer_is_reported_without_its_password(bench, db):
    space = await bench.space()
    unreachable = PgVectorStore(owner_url="postgresql://owner:hunter2@127.0.0.1:1/frasier")
    with pytest.raises(DatabaseUnreachable) as failed:
        await unreachable.prepare(db, space)
    assert "hunter2" not in str(failed.value.as_dict())


async def test_preparing_inside_a_transaction_is_our_own_defect(bench):
    space = await bench.space()
    async with bench.db.transaction():
        with pytest.raises(InvariantBroken):
            await bench.store.prepare(bench.db, space)


async def test_searching_inside_a_transaction_is_our_own_defect(bench):
    async with bench.db.transaction():
        with pytest.raises(InvariantBroken):
            await bench.find(SpaceRef(id=1, dimension=WIDTH), axis(0))
