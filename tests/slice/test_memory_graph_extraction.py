"""Automatic edges: exact names only, weak, few, the same again, gone with the text, and never over what binds."""

import pytest

from frasier.kernel.ids import new_id
from frasier.memory import ImportanceTier, MemoryKind, NewMemory, save_memory
from frasier.memory.access import Caller
from frasier.memory.cache_invalidation import unchanged_since
from frasier.memory.graph.coverage import graph_stats
from frasier.memory.graph.extraction import AUTO_EDGES_MAX, EXTRACTOR, extract_links
from frasier.memory.graph.link import drop_extracted, link_memories
from support.recall_snapshot import snapshot

ALICE = Caller(name="alice", scopes=("agent:alice", "shared"))


async def remember(tx, title, content=None, *, scope="agent:alice", kind=MemoryKind.DECISION, **fields):
    founder = "tier" in fields
    new = NewMemory(kind=kind, scope=scope, title=title, content=content or f"About {title}.", **fields)
    return await save_memory(tx, new, founder=founder)


async def edges(tx):
    cursor = await tx.execute("select * from memory_edges order by id")
    return await cursor.fetchall()


async def triples(tx):
    return {(row["source_id"], row["relation"], row["target_id"]) for row in await edges(tx)}


async def test_what_a_text_says_of_a_memory_that_it_names_becomes_an_edge(db):
    async with db.transaction() as tx:
        outage = await remember(tx, "The Great Outage")
        adr = await remember(tx, "ADR-12: Use SQLite")
        text = "We moved because of the great outage, and this supersedes ADR-12."
        move = await remember(tx, "The move", text)
        assert await extract_links(tx, [move]) == 2
        found = {row["relation"]: row for row in await edges(tx)}
    assert (found["caused"]["source_id"], found["caused"]["target_id"]) == (outage, move)
    assert (found["supersedes"]["source_id"], found["supersedes"]["target_id"]) == (move, adr)
    for row in found.values():
        assert (row["origin"], row["extractor"], row["created_by"]) == ("auto", EXTRACTOR, str(move))
        assert row["strength"] <= 0.5
    assert found["caused"]["evidence"].startswith("because of the great outage")
    assert found["supersedes"]["strength"] < found["caused"]["strength"]


async def test_a_memory_is_named_by_its_id_or_the_path_of_its_file(db):
    async with db.transaction() as tx:
        first = await remember(tx, "")
        second = await remember(tx, "from a file")
        file_id = new_id()
        await tx.execute(
            "insert into memory_files (id, path, root, scope, status)"
            " values (%s, '/notes/a.md', '/notes', 'agent:alice', 'indexed')",
            [file_id],
        )
        await tx.execute("update memory_items set file_id = %s where id = %s", [file_id, second])
        text = f"It was derived from {first}.\nIt contradicts `/notes/a.md`, though."
        third = await remember(tx, "third", text)
        assert await extract_links(tx, [third]) == 2
        assert await triples(tx) == {(third, "derived_from", first), (third, "contradicts", second)}
        assert {row["strength"] for row in await edges(tx)} == {0.5}


async def test_done_again_it_changes_nothing(db):
    async with db.transaction() as tx:
        await remember(tx, "The Great Outage")
        move = await remember(tx, "The move", "Caused by The Great Outage.")
        assert await extract_links(tx, [move, move]) == 1
        before = await edges(tx)
    async with db.transaction() as tx:
        seen = await snapshot(tx)
    async with db.transaction() as tx:
        assert await extract_links(tx, [move]) == 0
        assert await edges(tx) == before
    async with db.transaction() as tx:
        assert await unchanged_since(tx, ["agent:alice"], seen)


async def test_a_new_edge_is_noted_as_a_change(db):
    async with db.transaction() as tx:
        await remember(tx, "The Great Outage", scope="shared")
        move = await remember(tx, "The move", "Caused by The Great Outage.")
    async with db.transaction() as tx:
        seen = await snapshot(tx)
    async with db.transaction() as tx:
        await extract_links(tx, [move])
    async with db.transaction() as tx:
        assert not await unchanged_since(tx, ["agent:alice"], seen)
        assert not await unchanged_since(tx, ["shared"], seen)


async def test_an_edge_goes_with_the_sentence_that_asked_for_it(db):
    async with db.transaction() as tx:
        await remember(tx, "The Great Outage")
        other = await remember(tx, "The small outage")
        move = await remember(tx, "The move", "Caused by The Great Outage.")
        drawn_by_hand = (await link_memories(tx, ALICE, other, move, "enabled")).edge
        await extract_links(tx, [move])
        await tx.execute(
            "update memory_items set content = 'Caused by The small outage.' where id = %s", [move]
        )
        assert await extract_links(tx, [move]) == 1
        assert await triples(tx) == {(other, "caused", move), (other, "enabled", move)}
        await tx.execute("update memory_items set content = 'Nobody knows.' where id = %s", [move])
        assert await extract_links(tx, [move]) == 0
        assert [row["id"] for row in await edges(tx)] == [drawn_by_hand.id]


async def test_an_edge_that_somebody_drew_stays_as_it_is(db):
    async with db.transaction() as tx:
        outage = await remember(tx, "The Great Outage")
        move = await remember(tx, "The move", "Caused by The Great Outage.")
        drawn = (await link_memories(tx, ALICE, outage, move, "caused", strength=0.9)).edge
        assert await extract_links(tx, [move]) == 0
        [row] = await edges(tx)
        assert (row["id"], row["origin"]) == (drawn.id, "manual")
        assert row["strength"] == pytest.approx(0.9)


async def test_fault_33_a_name_that_two_memories_bear_means_neither(db):
    async with db.transaction() as tx:
        await remember(tx, "The Great Outage", "The first.")
        twin = await remember(tx, "The Great Outage", "The second.")
        await remember(tx, "The Great")
        move = await remember(tx, "The move", "Caused by The Great Outage.")
        assert await extract_links(tx, [move]) == 0
        await tx.execute("update memory_items set archived_at = now() where id = %s", [twin])
        assert await extract_links(tx, [move]) == 1


@pytest.mark.parametrize(
    "content",
    [
        "Caused by The % Outage.",
        "Caused by The Great Outag.",
        "Caused by The Great Outages.",
        "Caused by The Great_Outage.",
        "Caused by %.",
        "Caused by a Great.",
        "Caused by '; drop table memory_edges; --",
    ],
)
async def test_faults_33_and_39_nothing_is_guessed_from_a_part_or_a_wildcard(db, content):
    async with db.transaction() as tx:
        await remember(tx, "The Great Outage")
        await remember(tx, "Another")
        move = await remember(tx, "The move", content)
        assert await extract_links(tx, [move]) == 0


async def test_one_plain_word_is_a_name_only_in_marks(db):
    async with db.transaction() as tx:
        monday = await remember(tx, "Monday")
        loose = await remember(tx, "loose", "It broke because of Monday traffic.")
        marked = await remember(tx, "marked", "It broke because of “Monday”.")
        assert await extract_links(tx, [loose, marked]) == 1
        assert await triples(tx) == {(monday, "caused", marked)}


async def test_names_are_looked_for_in_the_own_scope_then_the_shared_one_and_no_other(db):
    async with db.transaction() as tx:
        await remember(tx, "The Great Outage", "Bob's.", scope="agent:bob")
        move = await remember(tx, "The move", "Caused by The Great Outage.")
        assert await extract_links(tx, [move]) == 0
        shared = await remember(tx, "The Great Outage", "Ours.", scope="shared")
        assert await extract_links(tx, [move]) == 1
        assert await triples(tx) == {(shared, "caused", move)}
        mine = await remember(tx, "The Great Outage", "Mine.")
        assert await extract_links(tx, [move]) == 1
        assert await triples(tx) == {(mine, "caused", move)}
        foreign_id = await remember(tx, "", "Bob's own.", scope="agent:bob")
        by_id = await remember(tx, "by id", f"Caused by {foreign_id}.")
        assert await extract_links(tx, [by_id]) == 0


async def test_foreign_words_are_not_taken_for_our_own(db):
    async with db.transaction() as tx:
        await remember(tx, "The Great Outage")
        said = [
            await remember(tx, f"said {kind}", "Caused by The Great Outage.", kind=kind)
            for kind in (MemoryKind.PASSAGE, MemoryKind.CONVERSATION)
        ]
        assert await extract_links(tx, said) == 0


async def test_what_binds_everybody_is_not_superseded_by_a_sentence(db):
    async with db.transaction() as tx:
        await remember(tx, "Rule 7", scope="shared", tier=ImportanceTier.CRITICAL)
        rebel = await remember(tx, "rebel", "This supersedes Rule 7. It contradicts Rule 7.")
        assert await extract_links(tx, [rebel]) == 1
        assert {relation for _, relation, _ in await triples(tx)} == {"contradicts"}


async def test_texts_do_not_close_a_cycle_of_descent(db):
    async with db.transaction() as tx:
        first = await remember(tx, "Plan 1", "It supersedes Plan 2.")
        second = await remember(tx, "Plan 2", "It supersedes Plan 1.")
        assert await extract_links(tx, [first, second]) == 1
        assert await triples(tx) == {(first, "supersedes", second)}


async def test_no_memory_gets_more_automatic_edges_than_the_limit(db):
    async with db.transaction() as tx:
        texts = []
        for number in range(AUTO_EDGES_MAX + 5):
            await remember(tx, f"Case {number}")
            texts.append(await remember(tx, f"Text {number}", f"The text {number} is based on Case 3."))
        index = await remember(
            tx, "index", "\n".join(f"caused by Case {number}" for number in range(AUTO_EDGES_MAX + 5))
        )
        assert await extract_links(tx, [index]) == AUTO_EDGES_MAX
        assert await extract_links(tx, texts) == AUTO_EDGES_MAX - 1
        assert await extract_links(tx, [index, *texts]) == 0
        assert len(await edges(tx)) == 2 * AUTO_EDGES_MAX - 1


async def test_all_that_was_extracted_can_be_dropped_and_drawn_again(db):
    async with db.transaction() as tx:
        await remember(tx, "The Great Outage")
        move = await remember(tx, "The move", "Caused by The Great Outage.")
        await extract_links(tx, [move])
        assert (await graph_stats(tx, ALICE)).coverage.linked == 2
        assert (await graph_stats(tx, ALICE)).coverage.linked_deliberately == 0
        assert await drop_extracted(tx, ALICE, EXTRACTOR) == 1
        assert await extract_links(tx, [move]) == 1


async def test_nothing_to_read_is_nothing_done(db):
    async with db.transaction() as tx:
        assert await extract_links(tx, []) == 0
        assert await extract_links(tx, [new_id()]) == 0
