"""The numbers of the graph: every edge once, every memory once, the caller's scopes only."""

import pytest

from frasier.memory import MemoryKind, NewMemory, save_memory
from frasier.memory.access import Caller
from frasier.memory.graph.coverage import COVERAGE_TARGET_PERCENT, GraphHealth, graph_stats
from frasier.memory.graph.link import link_memories
from frasier.memory.graph.types import EdgeOrigin, Relation

ALICE = Caller(name="alice", scopes=("agent:alice", "shared"))
EVERYBODY = Caller(name="founder", scopes=("agent:alice", "shared", "agent:bob"), founder=True)
AUTO = {"origin": EdgeOrigin.AUTO, "extractor": "rules-1"}


async def remember(tx, content, scope="agent:alice", kind=MemoryKind.DECISION):
    return await save_memory(tx, NewMemory(kind=kind, scope=scope, content=content))


async def test_an_empty_graph_has_numbers_too(db):
    async with db.transaction() as tx:
        stats = await graph_stats(tx, ALICE)
    assert (stats.edges, stats.average_strength, stats.orphans) == (0, None, 0)
    assert stats.by_relation == dict.fromkeys(Relation, 0)
    assert stats.by_origin == dict.fromkeys(EdgeOrigin, 0)
    assert (stats.coverage.percent, stats.target_reached) == (0.0, False)
    assert [part.scope for part in stats.per_scope] == ["agent:alice", "shared"]


async def test_edges_and_memories_are_counted_once_with_and_without_automatic_edges(db):
    async with db.transaction() as tx:
        a, b, c, d, _ = [await remember(tx, f"memory {n}") for n in range(5)]
        shared = await remember(tx, "ours", "shared")
        await link_memories(tx, ALICE, a, b, "caused", strength=1.0)
        await link_memories(tx, ALICE, b, a, "caused", strength=0.5)
        await link_memories(tx, ALICE, a, shared, "supports", strength=0.5)
        await link_memories(tx, ALICE, c, d, "derived_from", strength=0.5, **AUTO)
        await link_memories(tx, ALICE, a, c, "supports", strength=0.25, **AUTO)
        stats = await graph_stats(tx, ALICE)
    assert stats.edges == 5
    assert stats.by_relation[Relation.CAUSED] == stats.by_relation[Relation.SUPPORTS] == 2
    assert (stats.by_origin[EdgeOrigin.MANUAL], stats.by_origin[EdgeOrigin.AUTO]) == (3, 2)
    assert stats.average_strength == pytest.approx(0.55)
    assert (stats.sources, stats.targets) == (3, 5)
    whole = stats.coverage
    assert (whole.memories, whole.linked, whole.linked_deliberately) == (6, 5, 3)
    assert whole.percent == pytest.approx(100 * 5 / 6)
    assert whole.percent_without_automatic == pytest.approx(50)
    [mine, ours] = stats.per_scope
    assert (mine.memories, mine.linked, mine.linked_deliberately) == (5, 4, 2)
    assert (ours.memories, ours.linked, ours.linked_deliberately) == (1, 1, 1)
    assert stats.target_percent == COVERAGE_TARGET_PERCENT == 60
    assert stats.target_reached
    assert stats.health is GraphHealth.HEALTHY


async def test_records_of_a_moment_and_what_no_recall_finds_do_not_count(db):
    async with db.transaction() as tx:
        for kind in (MemoryKind.MARKER, MemoryKind.CONVERSATION, MemoryKind.PASSAGE):
            await remember(tx, f"a {kind}", kind=kind)
        gone = await remember(tx, "gone")
        await tx.execute("update memory_items set archived_at = now() where id = %s", [gone])
        await remember(tx, "there")
        assert (await graph_stats(tx, ALICE)).coverage.memories == 1


async def test_edges_to_what_the_caller_does_not_see_are_not_counted(db):
    async with db.transaction() as tx:
        mine = await remember(tx, "mine")
        foreign = await remember(tx, "foreign", "agent:bob")
        await link_memories(tx, EVERYBODY, mine, foreign, "caused")
        assert (await graph_stats(tx, ALICE)).edges == 0
        assert (await graph_stats(tx, ALICE)).coverage.linked == 0
        assert (await graph_stats(tx, EVERYBODY)).coverage.linked == 2


async def test_fault_30_an_orphan_is_counted_once_even_without_both_of_its_memories(
    server, database_name, db
):
    """Only with the foreign keys switched off can there be one at all."""
    import psycopg

    async with db.transaction() as tx:
        a, b, c = [await remember(tx, f"memory {n}") for n in range(3)]
        await link_memories(tx, ALICE, a, b, "caused")
        await link_memories(tx, ALICE, b, c, "caused")
    with psycopg.connect(server.url("frasier_owner", database_name)) as owner:
        # Dropping the keys is what an owner can do; it stands for a database that was restored without them.
        for end in ("source_id", "target_id"):
            owner.execute(f"alter table memory_edges drop constraint memory_edges_{end}_fkey")
        owner.execute("delete from memory_items where id = any(%s)", [[a, b]])
    async with db.transaction() as tx:
        stats = await graph_stats(tx, ALICE)
    assert (stats.orphans, stats.health) == (2, GraphHealth.HAS_ORPHANS)
    assert stats.edges == 0
