"""Edges: drawn and updated, refused and removed, and gone with the memories that they joined."""

import asyncio
from uuid import uuid4

import pytest

from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound, StoreError
from frasier.memory import ImportanceTier, MemoryKind, NewMemory, save_directive, save_memory
from frasier.memory.access import Caller
from frasier.memory.cache_invalidation import unchanged_since
from frasier.memory.graph.coverage import graph_stats
from frasier.memory.graph.link import EVIDENCE_CHARS_MAX, drop_extracted, link_memories, unlink_memories
from frasier.memory.graph.types import EdgeOrigin, Relation
from frasier.memory.graph.why import why
from support.recall_snapshot import snapshot

ALICE = Caller(name="alice", scopes=("agent:alice", "shared"))
BOB = Caller(name="bob", scopes=("agent:bob", "shared"))
FOUNDER = Caller(name="founder", scopes=("founder", "shared", "agent:alice"), founder=True)


async def remember(tx, content, scope="agent:alice"):
    return await save_memory(
        tx, NewMemory(kind=MemoryKind.DECISION, scope=scope, content=content, title=content)
    )


async def three(tx, scope="agent:alice"):
    return [await remember(tx, f"memory {letter}", scope) for letter in "ABC"]


async def edges(tx):
    return await (await tx.execute("select * from memory_edges order by created_at, id")).fetchall()


async def test_a_link_is_stored_as_it_was_given(db):
    async with db.transaction() as tx:
        a, b, _ = await three(tx)
        linked = await link_memories(tx, ALICE, a, b, "caused", strength=0.75, evidence="seen in the log")
    async with db.transaction() as tx:
        [row] = await edges(tx)
    assert linked.created
    assert (row["source_id"], row["target_id"], row["relation"]) == (a, b, "caused")
    assert (row["strength"], row["evidence"], row["origin"]) == (0.75, "seen in the log", "manual")
    assert (row["created_by"], row["id"]) == ("alice", linked.edge.id)
    assert linked.edge.relation is Relation.CAUSED


async def test_fault_32_the_same_link_again_updates_it_and_says_so(db):
    async with db.transaction() as tx:
        a, b, _ = await three(tx)
        first = await link_memories(tx, ALICE, a, b, "supports", strength=0.5, evidence="one report")
        again = await link_memories(tx, ALICE, a, b, "supports", strength=0.9)
        told = await link_memories(tx, ALICE, a, b, "supports", strength=0.9, evidence="two reports")
        back = await link_memories(tx, ALICE, b, a, "supports")
        assert len(await edges(tx)) == 2
    assert (first.created, again.created, told.created, back.created) == (True, False, False, True)
    assert again.edge.id == told.edge.id == first.edge.id
    assert again.edge.strength == pytest.approx(0.9)
    assert (again.edge.evidence, told.edge.evidence) == ("one report", "two reports")


async def test_two_at_once_draw_one_edge(db):
    async with db.transaction() as tx:
        a, b, _ = await three(tx)

    async def draw():
        async with db.transaction() as tx:
            return await link_memories(tx, ALICE, a, b, "caused")

    drawn = await asyncio.gather(*(draw() for _ in range(4)))
    assert sorted(linked.created for linked in drawn) == [False, False, False, True]
    assert len({linked.edge.id for linked in drawn}) == 1


async def test_fault_32_a_memory_is_not_linked_to_itself(db):
    async with db.transaction() as tx:
        a, *_ = await three(tx)
        with pytest.raises(InvalidInput) as refusal:
            await link_memories(tx, ALICE, a, a, "caused")
        assert await edges(tx) == []
    assert refusal.value.number == "E103"


@pytest.mark.parametrize("strength", [0, -0.1, 1.0001, float("nan"), float("inf"), 1e-60])
async def test_a_strength_out_of_range_is_refused(db, strength):
    async with db.transaction() as tx:
        a, b, _ = await three(tx)
        with pytest.raises(InvalidInput) as refusal:
            await link_memories(tx, ALICE, a, b, "caused", strength=strength)
    assert refusal.value.number == "E032"


@pytest.mark.parametrize("relation", ["because", "", "CAUSED", "caused; drop table memory_edges"])
async def test_an_unknown_relation_is_refused(db, relation):
    async with db.transaction() as tx:
        a, b, _ = await three(tx)
        with pytest.raises(InvalidInput) as refusal:
            await link_memories(tx, ALICE, a, b, relation)
    assert refusal.value.number == "E102"
    assert "derived_from" in refusal.value.hint


async def test_the_schema_knows_every_relation_and_origin(db):
    async with db.transaction() as tx:
        a, b, _ = await three(tx)
        for relation in Relation:
            await link_memories(tx, ALICE, a, b, relation)
        for origin in EdgeOrigin:
            await tx.execute("delete from memory_edges")
            extractor = "rules-1" if origin is EdgeOrigin.AUTO else ""
            drawn = await link_memories(tx, ALICE, a, b, "caused", origin=origin, extractor=extractor)
            assert drawn.edge.origin is origin


async def test_evidence_keeps_no_secret_and_has_a_limit(db):
    async with db.transaction() as tx:
        a, b, _ = await three(tx)
        secret = "sk-abcdefghijklmnop1234567890"
        drawn = await link_memories(tx, ALICE, a, b, "caused", evidence=f"used {secret}\0 \ud800here")
        assert drawn.edge.evidence == "used [redacted] here"
        with pytest.raises(InvalidInput):
            await link_memories(tx, ALICE, a, b, "caused", evidence="x" * (EVIDENCE_CHARS_MAX + 1))


async def test_memories_of_a_foreign_scope_are_not_there(db):
    async with db.transaction() as tx:
        mine = await remember(tx, "mine")
        foreign = await remember(tx, "foreign", "agent:bob")
        messages = []
        for source, target in ((mine, foreign), (foreign, mine), (mine, uuid4()), (uuid4(), mine)):
            with pytest.raises(NotFound) as refusal:
                await link_memories(tx, ALICE, source, target, "caused")
            assert refusal.value.number == "E080"
            messages.append(refusal.value.message.replace(str(source), "?").replace(str(target), "?"))
        assert await edges(tx) == []
    assert len(set(messages)) == 1, "a foreign memory is told apart from none"


@pytest.mark.parametrize(
    ("first", "second", "closing"),
    [
        ("supersedes", "supersedes", "supersedes"),
        ("derived_from", "derived_from", "derived_from"),
        ("supersedes", "derived_from", "supersedes"),
    ],
)
async def test_no_memory_becomes_its_own_ancestor(db, first, second, closing):
    async with db.transaction() as tx:
        a, b, c = await three(tx)
        await link_memories(tx, ALICE, a, b, first)
        await link_memories(tx, ALICE, b, c, second)
        with pytest.raises(InvalidInput) as refusal:
            await link_memories(tx, ALICE, c, a, closing)
        assert refusal.value.number == "E101"
        assert len(await edges(tx)) == 2
        await link_memories(tx, ALICE, a, c, closing)  # the same way round is no cycle
        await link_memories(tx, ALICE, a, b, first)  # and an update is none either


async def test_causes_may_be_circular(db):
    async with db.transaction() as tx:
        a, b, c = await three(tx)
        for source, target in ((a, b), (b, c), (c, a)):
            await link_memories(tx, ALICE, source, target, "caused")
        await link_memories(tx, ALICE, a, b, "supersedes")
        assert len(await edges(tx)) == 4


async def test_two_at_once_cannot_close_a_cycle_between_them(db):
    """A and D descend from each other only by both new edges together, which share no memory."""
    async with db.transaction() as tx:
        a, b, c, d = [await remember(tx, f"memory {letter}") for letter in "ABCD"]
        await link_memories(tx, ALICE, b, c, "supersedes")
        await link_memories(tx, ALICE, d, a, "supersedes")
    first_has_linked = asyncio.Event()

    async def first():
        async with db.transaction() as tx:
            await link_memories(tx, ALICE, a, b, "supersedes")
            first_has_linked.set()
            # Until the second waits for a lock: then the first commits.
            while True:
                cursor = await tx.execute("select exists (select from pg_locks where not granted) as waits")
                if (await cursor.fetchone())["waits"]:
                    return

    async def second():
        await first_has_linked.wait()
        async with db.transaction() as tx:
            await link_memories(tx, ALICE, c, d, "supersedes")

    results = await asyncio.gather(first(), second(), return_exceptions=True)
    assert results[0] is None
    assert isinstance(results[1], InvalidInput), results[1]
    assert results[1].number == "E101"


async def test_only_the_founder_supersedes_what_binds_everybody(db):
    async with db.transaction() as tx:
        mine = await remember(tx, "my own rule", "shared")
        directive = await save_directive(tx, "Never deploy on Friday.", provenance={})
        tier = ImportanceTier.CRITICAL
        rule = NewMemory(kind=MemoryKind.LESSON, scope="shared", content="Backups first.", tier=tier)
        critical = await save_memory(tx, rule, founder=True)
        agent = Caller(name="alice", scopes=("shared", "founder"))
        for bound in (directive, critical):
            with pytest.raises(NotAllowed):
                await link_memories(tx, agent, mine, bound, "supersedes")
            await link_memories(tx, agent, mine, bound, "derived_from")
            drawn = await link_memories(tx, FOUNDER, mine, bound, "supersedes")
            with pytest.raises(NotAllowed):
                await unlink_memories(tx, agent, drawn.edge.id)
            await unlink_memories(tx, FOUNDER, drawn.edge.id)


async def test_a_machine_does_not_overwrite_what_was_drawn_deliberately(db):
    async with db.transaction() as tx:
        a, b, _ = await three(tx)
        by_hand = (await link_memories(tx, ALICE, a, b, "caused", strength=0.9, evidence="I saw it")).edge
        for origin, extractor in ((EdgeOrigin.AUTO, "rules-1"), (EdgeOrigin.GATE, "")):
            kept = await link_memories(
                tx, ALICE, a, b, "caused", strength=0.2, origin=origin, extractor=extractor
            )
            assert (kept.created, kept.edge) == (False, by_hand)


async def test_what_a_machine_drew_becomes_a_persons_by_drawing_it_again(db):
    async with db.transaction() as tx:
        a, b, _ = await three(tx)
        await link_memories(
            tx, ALICE, a, b, "caused", strength=0.3, origin=EdgeOrigin.AUTO, extractor="rules-1"
        )
        by_hand = await link_memories(tx, ALICE, a, b, "caused", strength=1.0)
        assert (by_hand.edge.origin, by_hand.edge.extractor) == (EdgeOrigin.MANUAL, "")
        by_file = await link_memories(tx, ALICE, a, b, "caused", strength=0.6, origin=EdgeOrigin.FILE)
        assert (by_file.edge.origin, by_file.edge.strength) == (EdgeOrigin.MANUAL, pytest.approx(0.6))
        assert await drop_extracted(tx, ALICE) == 0


async def test_fault_30_edges_go_with_the_memories_that_they_join(db):
    async with db.transaction() as tx:
        a, b, c = await three(tx)
        for source, target in ((a, b), (b, c), (a, c)):
            await link_memories(tx, ALICE, source, target, "caused")
        await tx.execute("delete from memory_items where id = %s", [b])
        [left] = await edges(tx)
        assert (left["source_id"], left["target_id"]) == (a, c)
        assert (await graph_stats(tx, ALICE)).orphans == 0
        assert [step.memory.id for step in (await why(tx, ALICE, c)).steps] == [a]


async def test_a_memory_cannot_be_deleted_while_it_is_being_linked(db):
    async with db.transaction() as tx:
        a, b, _ = await three(tx)
    async with db.transaction() as tx:
        await link_memories(tx, ALICE, a, b, "caused")
        with pytest.raises(StoreError, match="lock timeout"):
            async with db.transaction() as other:
                await other.execute("set local lock_timeout = '100ms'")
                await other.execute("delete from memory_items where id = %s", [a])
    async with db.transaction() as tx:
        assert len(await edges(tx)) == 1


async def test_an_edge_is_removed_once_by_whoever_sees_both_ends(db):
    async with db.transaction() as tx:
        a = await remember(tx, "mine")
        b = await remember(tx, "ours", "shared")
        edge = (await link_memories(tx, ALICE, a, b, "caused")).edge
        for caller, edge_id in ((BOB, edge.id), (ALICE, uuid4())):
            with pytest.raises(NotFound) as refusal:
                await unlink_memories(tx, caller, edge_id)
            assert refusal.value.number == "E100"
        assert await unlink_memories(tx, ALICE, edge.id) == edge
        assert await edges(tx) == []
        with pytest.raises(NotFound):
            await unlink_memories(tx, ALICE, edge.id)


async def test_automatic_edges_are_dropped_wholesale_and_nothing_else(db):
    async with db.transaction() as tx:
        a, b, c = await three(tx)
        d, e = [await remember(tx, f"foreign {n}", "agent:bob") for n in (1, 2)]
        auto = {"origin": EdgeOrigin.AUTO}
        await link_memories(tx, ALICE, a, b, "caused", extractor="rules-1", **auto)
        await link_memories(tx, ALICE, b, c, "caused", extractor="rules-2", **auto)
        await link_memories(tx, ALICE, a, c, "caused")
        await link_memories(tx, BOB, d, e, "caused", extractor="rules-1", **auto)
        assert await drop_extracted(tx, ALICE, "rules-1") == 1
        assert await drop_extracted(tx, ALICE, "rules-1") == 0
        assert await drop_extracted(tx, ALICE) == 1
        left = {(row["source_id"], row["target_id"]) for row in await edges(tx)}
        assert left == {(a, c), (d, e)}


async def test_every_change_of_the_graph_is_noted_in_the_scopes_of_both_ends(db):
    async with db.transaction() as tx:
        a = await remember(tx, "mine")
        b = await remember(tx, "ours", "shared")

    async def noted(act):
        async with db.transaction() as tx:
            seen = await snapshot(tx)
        async with db.transaction() as tx:
            result = await act(tx)
        async with db.transaction() as tx:
            scopes = ("agent:alice", "shared", "agent:bob")
            return result, [not await unchanged_since(tx, [scope], seen) for scope in scopes]

    drawn, changed = await noted(lambda tx: link_memories(tx, ALICE, a, b, "caused"))
    assert changed == [True, True, False]
    _, changed = await noted(lambda tx: unlink_memories(tx, ALICE, drawn.edge.id))
    assert changed == [True, True, False]
    _, changed = await noted(lambda tx: drop_extracted(tx, ALICE))
    assert changed == [False, False, False]
    auto = {"origin": EdgeOrigin.AUTO, "extractor": "rules-1"}
    await noted(lambda tx: link_memories(tx, ALICE, a, b, "caused", **auto))
    dropped, changed = await noted(lambda tx: drop_extracted(tx, ALICE, "rules-1"))
    assert (dropped, changed) == (1, [True, True, False])
