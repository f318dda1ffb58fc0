"""Vector spaces: one is searched, another filled meanwhile, and vectors of two models never meet."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from frasier.memory import MemoryKind, NewMemory, save_memories
from frasier.memory.cache_invalidation import unchanged_since
from frasier.memory.embedding.factory import make_provider
from frasier.memory.embedding.maintenance import tend_spaces
from frasier.memory.embedding.queue import embed_due
from frasier.memory.embedding.spaces import (
    SpaceState,
    active_space,
    drop_retired,
    open_space,
    settle_space,
    switch_space,
    used_spaces,
)
from frasier.memory.embedding.status import embedding_status
from frasier.memory.embedding.types import ModelIdentity
from frasier.memory.settings import EmbeddingSettings
from frasier.memory.vectors.postgres import PgVectorStore
from frasier.memory.vectors.types import SpaceRef
from support.embedding_server import EmbeddingServer, failing_on, refusing, well
from support.recall_snapshot import snapshot

STORE = PgVectorStore()
SCOPE = "shared"
A, B, C = (ModelIdentity(provider="p", model=name, dimension=8) for name in "abc")


async def save(db, *contents):
    async with db.transaction() as tx:
        news = [NewMemory(kind=MemoryKind.OBSERVATION, scope=SCOPE, content=content) for content in contents]
        return await save_memories(tx, news)


async def opened(db, identity, projection=None):
    async with db.transaction() as tx:
        return await open_space(tx, identity, projection)


async def states(db):
    async with db.transaction() as tx:
        rows = await (await tx.execute("select model, state from memory_spaces order by id")).fetchall()
    return {row["model"]: row["state"] for row in rows}


async def vectors(db):
    """How many vectors each space holds."""
    async with db.transaction() as tx:
        rows = await (
            await tx.execute("select space_id, count(*) as held from memory_vectors group by 1 order by 1")
        ).fetchall()
    return {row["space_id"]: row["held"] for row in rows}


async def status(db):
    async with db.transaction() as tx:
        return await embedding_status(tx)


async def search(db, space, vector):
    ref = SpaceRef(id=space.id, dimension=space.identity.dimension)
    return await STORE.search(db, ref, vector, scopes=[SCOPE], kinds=list(MemoryKind), limit=10)


@pytest.fixture
def encoders():
    """Two models behind one address; they agree on nothing."""
    with EmbeddingServer(well(dimension=8, salt="old")) as old, EmbeddingServer(well(16, "new")) as new:
        yield old, new


@pytest.fixture
async def providers(encoders):
    old, new = (
        make_provider(
            EmbeddingSettings(provider="openai", model=name, base_url=server.base_url, dimension=dimension)
        )
        for name, server, dimension in zip(("old", "new"), encoders, (8, 16), strict=True)
    )
    yield old, new
    await old.close()
    await new.close()


async def test_the_first_space_is_searched_at_once_and_owed_everything(db):
    await save(db, "first", "second")
    assert (await status(db)).active is None
    space = await opened(db, A)
    assert space.state is SpaceState.ACTIVE
    current = await status(db)
    assert (current.active, current.building, current.pending) == (space, None, 2)


async def test_opening_a_space_again_changes_nothing(db):
    await save(db, "first")
    first = await opened(db, A)
    async with db.transaction() as tx:
        await tx.execute("update memory_embedding_jobs set failed = true, attempts = 4, reason = 'x'")
    assert await opened(db, A) == first
    assert (await status(db)).failed == 1


async def test_many_processes_that_open_at_once_agree(db):
    await save(db, "first")
    identities = [A, B] * 4
    spaces = await asyncio.gather(*(opened(db, identity) for identity in identities))
    assert len({space.id for space in spaces}) == 2
    assert sorted((await states(db)).values()) in (["active", "building"], ["active", "retired"])


async def test_another_model_or_dimension_is_another_space_that_is_filled_first(db):
    await opened(db, A)
    await save(db, "first")
    for other in (B, replace(A, dimension=9)):
        space = await opened(db, other)
        assert space.state is SpaceState.BUILDING
    assert (await status(db)).active.identity == A
    assert (await status(db)).pending == 1


async def test_what_is_saved_while_a_space_is_filled_is_owed_to_both(db):
    await opened(db, A)
    await opened(db, B)
    await save(db, "first")
    async with db.transaction() as tx:
        rows = await (await tx.execute("select space_id from memory_embedding_jobs")).fetchall()
    assert len(rows) == 2


async def test_a_third_model_gives_up_the_second_and_going_back_gives_up_both(db):
    await opened(db, A)
    await save(db, "first")
    await opened(db, B)
    await opened(db, C)
    assert await states(db) == {"a": "active", "b": "retired", "c": "building"}
    assert (await opened(db, A)).state is SpaceState.ACTIVE
    assert await states(db) == {"a": "active", "b": "retired", "c": "retired"}
    async with db.transaction() as tx:
        assert [space.identity for space in await used_spaces(tx)] == [A]
        rows = await (await tx.execute("select space_id from memory_embedding_jobs")).fetchall()
    assert len(rows) == 1, "nothing is owed to the retired"


async def test_a_retired_space_that_is_wanted_again_is_filled_anew(db):
    await opened(db, A)
    await save(db, "first")
    first = await opened(db, B)
    await opened(db, A)
    again = await opened(db, B)
    assert (again.id, again.state) == (first.id, SpaceState.BUILDING)
    assert (await status(db)).pending == 1


async def test_nothing_is_switched_while_something_is_owed(db):
    await opened(db, A)
    await save(db, "first")
    await opened(db, B)
    async with db.transaction() as tx:
        assert await switch_space(tx) is None
        await tx.execute("update memory_embedding_jobs set failed = true")
        switched = await switch_space(tx)
        assert switched.identity == B
        assert await active_space(tx) == switched
        assert await switch_space(tx) is None
    assert await states(db) == {"a": "retired", "b": "active"}


async def test_cached_answers_end_with_the_switch(db):
    await opened(db, A)
    await save(db, "first")
    await opened(db, B)
    async with db.transaction() as tx:
        await tx.execute("delete from memory_embedding_jobs")
        seen = await snapshot(tx)
    async with db.transaction() as tx:
        assert await unchanged_since(tx, [SCOPE], seen)
    async with db.transaction() as tx:
        await switch_space(tx)
    async with db.transaction() as tx:
        assert not await unchanged_since(tx, [SCOPE], seen)


async def test_vectors_of_two_models_never_meet_while_one_replaces_the_other(db, providers):
    old, new = providers
    await settle_space(db, old)
    await save(db, *(f"memory number {nth}" for nth in range(20)))
    await embed_due(db, old, STORE)
    before = (await status(db)).active

    target = await settle_space(db, new)
    assert target.state is SpaceState.BUILDING
    await embed_due(db, new, STORE, limit=7)
    assert await vectors(db) == {before.id: 20, target.id: 7}
    assert (await status(db)).active == before, "the old one serves until the new one is complete"
    query = await old.encode_query("memory number 3")
    assert len(await search(db, before, query.vector)) == 10

    await save(db, "said meanwhile")
    await embed_due(db, old, STORE)
    assert len(await search(db, before, (await old.encode_query("said meanwhile")).vector)) == 10
    await embed_due(db, new, STORE)
    current = await status(db)
    assert (current.active.identity, current.building) == (target.identity, None)
    assert await vectors(db) == {before.id: 21, target.id: 21}
    hits = await search(db, current.active, (await new.encode_query("said meanwhile")).vector)
    assert hits[0].similarity == pytest.approx(1.0, abs=1e-2)

    assert "not open" in (await embed_due(db, old, STORE)).stopped
    await tend_spaces(db, STORE)
    assert await vectors(db) == {target.id: 21}
    assert await states(db) == {"new": "active"}


async def test_what_failed_with_one_model_is_tried_with_the_next(db, providers, encoders):
    old, new = providers
    encoders[0].answer = failing_on("poison", well(), refusing(400))
    await settle_space(db, old)
    await save(db, "the poison", "harmless")
    await embed_due(db, old, STORE)
    async with db.transaction() as tx:
        await tx.execute("update memory_embedding_jobs set failed = true, attempts = 4")
    await settle_space(db, new)
    current = await status(db)
    assert (current.pending, current.failed) == (2, 0)
    assert (await embed_due(db, new, STORE)).embedded == 2
    assert (await status(db)).failed == 0


async def test_a_memory_that_crossed_the_opening_is_not_left_out_of_the_switch(db, providers):
    old, new = providers
    await settle_space(db, old)
    await save(db, "first", "second")
    await embed_due(db, old, STORE)
    await settle_space(db, new)
    async with db.transaction() as tx:
        await tx.execute(
            "delete from memory_embedding_jobs where memory_num = (select min(num) from memory_items)"
        )
    await embed_due(db, new, STORE)
    assert (await status(db)).building is not None
    await embed_due(db, new, STORE)
    current = await status(db)
    assert (current.active.identity.model, current.building) == ("new", None)
    assert (await vectors(db))[current.active.id] == 2


async def test_the_first_projection_is_that_of_all_processes(db):
    class Local:
        def __init__(self, projection):
            self.made = projection
            self.used = None

        async def identity(self):
            return A

        async def projection_bytes(self):
            return self.made

        def use_projection(self, projection):
            self.used = projection

    first, second = Local(b"one"), Local(b"two")
    assert (await settle_space(db, first)).projection == b"one"
    assert (await settle_space(db, second)).projection == b"one"
    assert (first.used, second.used) == (b"one", b"one")


async def test_dropping_the_retired_takes_their_vectors_and_nothing_else(db, providers):
    old, new = providers
    await settle_space(db, old)
    await save(db, "first")
    await embed_due(db, old, STORE)
    async with db.transaction() as tx:
        assert await drop_retired(tx) == 0
    await settle_space(db, new)
    await embed_due(db, new, STORE)
    await embed_due(db, new, STORE)
    async with db.transaction() as tx:
        assert await drop_retired(tx) == 1
    assert list((await vectors(db)).values()) == [1]
