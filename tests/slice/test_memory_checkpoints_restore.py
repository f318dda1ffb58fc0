"""Restoring: the same ids, the same words, the same ties; and whoever is in the way stays untouched."""

from __future__ import annotations

import pytest
from psycopg.types.json import Jsonb

from frasier.kernel.errors import InvalidInput
from frasier.memory import ImportanceTier, MemoryKind, NewMemory, Query, recall_by_words, save_memory
from frasier.memory.access import Caller
from frasier.memory.cache_invalidation import unchanged_since
from frasier.memory.posting_backfill import index_pending
from frasier.memory.snapshots.delete_memories import Selection, delete_memories, delete_memory
from frasier.memory.snapshots.manage import create_checkpoint, list_checkpoints
from frasier.memory.snapshots.restore import restore_checkpoint
from frasier.memory.snapshots.types import CheckpointRules, RestoreMode
from frasier.store import Statements
from support.kept_memories import ELSEWHERE, SCOPE, add_space, all_rows, save_linked_memories
from support.recall_snapshot import snapshot

ME = Caller(name="me", scopes=(SCOPE,))
BOTH = Caller(name="both", scopes=(SCOPE, ELSEWHERE))
FOUNDER = Caller(name="founder", scopes=(SCOPE,), founder=True)
MERGE, CLEAR = RestoreMode.MERGE, RestoreMode.CLEAR


async def made(db, name="c", caller=ME, **given):
    async with db.transaction() as tx:
        return await create_checkpoint(tx, caller, name, **given)


async def restored(db, mode, name="c", caller=ME, **given):
    async with db.transaction() as tx:
        return await restore_checkpoint(tx, caller, name, mode=mode, **given)


async def run(db, statement, *parameters):
    async with db.transaction() as tx:
        return (await tx.execute(statement, parameters)).rowcount


async def wipe(db):
    """Everything of the scope goes, as a deletion leaves it."""
    async with db.transaction() as tx:
        return await delete_memories(tx, FOUNDER, Selection(scope=SCOPE), confirm=True, skip_checkpoint=True)


async def owed(db):
    async with db.transaction() as tx:
        cursor = await tx.execute(
            "select id from memory_items join memory_embedding_jobs on memory_num = num order by num"
        )
        return [row["id"] for row in await cursor.fetchall()]


def without(taken, *columns):
    return {
        table: [{name: value for name, value in row.items() if name not in columns} for row in rows]
        for table, rows in taken.items()
    }


@pytest.mark.parametrize("mode", [MERGE, CLEAR])
async def test_what_was_deleted_comes_back_exactly_as_it_was(db, mode):
    await save_linked_memories(db)
    before = await all_rows(db)
    await made(db)
    await wipe(db)
    assert len((await all_rows(db))["memory_items"]) == 1
    outcome = await restored(db, mode)
    assert await all_rows(db) == before
    assert (outcome.added, outcome.present, outcome.edges, outcome.owed) == (4, 0, 4, 0)
    assert await owed(db) == []
    assert (outcome.gone, outcome.withheld, outcome.spared) == ((), 0, 0)


async def test_a_clear_puts_back_what_was_changed_and_takes_out_what_came_after(db):
    ids = await save_linked_memories(db)
    before = await all_rows(db)
    await made(db)
    async with db.transaction() as tx:
        new = await save_memory(tx, NewMemory(kind=MemoryKind.TASK, scope=SCOPE, content="Came after."))
        await delete_memory(tx, ME, ids["two"])
    await run(db, "update memory_items set title = 'changed', tier = 'deprecated' where id = %s", ids["one"])
    await run(db, "update memory_strengths set stability = 1")
    outcome = await restored(db, CLEAR)
    assert await all_rows(db) == before
    assert (outcome.removed, outcome.added) == (4, 4)
    assert len(outcome.gone) == 1
    async with db.transaction() as tx:
        await restore_checkpoint(tx, ME, outcome.safety, mode=CLEAR)
        cursor = await tx.execute("select id, title from memory_items where scope = %s", (SCOPE,))
        titles = {row["id"]: row["title"] for row in await cursor.fetchall()}
    assert new in titles
    assert ids["two"] not in titles
    assert titles[ids["one"]] == "changed"


async def test_a_merge_leaves_what_is_there_as_it_is(db):
    ids = await save_linked_memories(db)
    await made(db)
    await run(db, "update memory_items set title = 'changed', access_count = 9 where id = %s", ids["one"])
    await run(db, "update memory_strengths set stability = 1")
    changed = await all_rows(db)
    outcome = await restored(db, MERGE)
    assert await all_rows(db) == changed
    assert (outcome.added, outcome.present, outcome.removed, outcome.safety) == (0, 4, 0, None)


async def test_a_merge_adds_what_is_missing_with_its_ties(db):
    ids = await save_linked_memories(db)
    before = await all_rows(db)
    await made(db)
    async with db.transaction() as tx:
        await delete_memory(tx, ME, ids["two"])
    outcome = await restored(db, MERGE)
    assert (outcome.added, outcome.present, outcome.edges) == (1, 3, 2)
    after = await all_rows(db)
    # The adjustments of what stayed lost their correction with the memory that it corrected, and stayed.
    for taken in (before, after):
        taken["memory_adjustments"].sort(key=lambda row: (row["memory_id"], row["created_at"], row["amount"]))
    assert without(after, "correction_id") == without(before, "correction_id")


async def test_the_postings_are_those_of_a_fresh_save(db):
    await save_linked_memories(db)
    await run(db, "update memory_items set occurred_at = '2023-05-08 23:30:00+00', thread = null")
    async with db.transaction() as tx:  # their postings are made again as saving would make them now
        await tx.execute("delete from memory_terms")
        await tx.execute("update memory_items set indexed = false, length = 0, term_keys = '{}'")
        await index_pending(tx, 100)
    before = await all_rows(db, "memory_items", "memory_terms")
    await made(db)
    await wipe(db)
    await restored(db, MERGE)
    # The hash covers the time, which was changed above.
    assert without(await all_rows(db, "memory_items", "memory_terms"), "content_hash") == without(
        before, "content_hash"
    )
    async with db.transaction() as tx:
        found = await recall_by_words(tx, Query(text="8 May 2023 three", scopes=(SCOPE,)))
    assert found[0].memory.title == "Title of three"


async def test_what_was_not_indexed_yet_is_found_after_a_restore(db):
    async with db.transaction() as tx:
        await save_memory(tx, NewMemory(kind=MemoryKind.TASK, scope=SCOPE, content="Words about engines."))
        await tx.execute("delete from memory_terms")
        await tx.execute("update memory_items set indexed = false, length = 0, term_keys = '{}'")
    await made(db)
    await restored(db, CLEAR)
    async with db.transaction() as tx:
        assert len(await recall_by_words(tx, Query(text="engines", scopes=(SCOPE,)))) == 1
        assert await index_pending(tx, 10) == 0


@pytest.mark.parametrize("hashed", ["as it is now", "before occasions counted"])
async def test_the_same_content_saved_anew_stands_in_for_the_memory_that_is_missing(db, hashed):
    ids = await save_linked_memories(db)
    if hashed == "before occasions counted":
        await run(db, "update memory_items set content_hash = sha256(convert_to(content, 'UTF8'))")
    await made(db)
    async with db.transaction() as tx:
        cursor = await tx.execute("select * from memory_items where id = %s", (ids["one"],))
        [row] = await cursor.fetchall()
    await wipe(db)
    async with db.transaction() as tx:
        new = await save_memory(
            tx,
            NewMemory(
                kind=MemoryKind.LESSON,
                scope=SCOPE,
                content=row["content"],
                agent_id=row["agent_id"],
                speaker=row["speaker"],
                occurred_at=row["occurred_at"],
            ),
        )
    outcome = await restored(db, MERGE)
    assert (outcome.added, outcome.present) == (3, 1)
    taken = await all_rows(db)
    assert ids["one"] not in {memory["id"] for memory in taken["memory_items"]}
    ends = {(edge["source_id"], edge["target_id"]) for edge in taken["memory_edges"]}
    assert ends == {
        (new, ids["two"]),
        (ids["two"], ids["three"]),
        (ids["three"], ids["far"]),
        (ids["far"], new),
    }
    [correction] = taken["memory_corrections"]
    assert (correction["original_id"], correction["replacement_id"]) == (ids["two"], new)


async def test_the_memory_that_a_file_has_now_stands_in_for_the_one_it_had(db):
    async with db.transaction() as tx:
        memory = await save_memory(tx, NewMemory(kind=MemoryKind.TASK, scope=SCOPE, content="Old words."))
        await tx.execute(
            "insert into memory_files (id, path, root, scope, content_hash, mtime_ns, status)"
            " values (%s, '/r/a.md', '/r', %s, sha256('x'), 5, 'indexed')",
            (memory, SCOPE),
        )
        await tx.execute("update memory_items set file_id = id")
    await made(db)
    await wipe(db)
    async with db.transaction() as tx:
        new = await save_memory(tx, NewMemory(kind=MemoryKind.TASK, scope=SCOPE, content="New words."))
        await tx.execute("update memory_items set file_id = %s", (memory,))
    assert (await restored(db, MERGE)).present == 1
    assert [row["id"] for row in (await all_rows(db))["memory_items"]] == [new]


async def test_fault_17_the_file_of_a_restored_memory_is_read_again(db):
    async with db.transaction() as tx:
        memory = await save_memory(tx, NewMemory(kind=MemoryKind.TASK, scope=SCOPE, content="Old words."))
        await tx.execute(
            "insert into memory_files (id, path, root, scope, content_hash, mtime_ns, status)"
            " values (%s, '/r/a.md', '/r', %s, sha256('x'), 5, 'indexed')",
            (memory, SCOPE),
        )
        await tx.execute("update memory_items set file_id = id")
    await made(db)
    await restored(db, CLEAR)
    async with db.transaction() as tx:
        cursor = await tx.execute("select content_hash, mtime_ns from memory_files")
        [row] = await cursor.fetchall()
    assert (row["content_hash"], row["mtime_ns"]) == (None, 0)
    await run(db, "delete from memory_files")
    await wipe(db)
    await restored(db, MERGE)
    [row] = (await all_rows(db))["memory_items"]
    assert (row["id"], row["file_id"]) == (memory, None)


async def test_without_the_founder_what_binds_everybody_is_neither_removed_nor_brought_back(db):
    async with db.transaction() as tx:
        kept = await save_memory(
            tx,
            NewMemory(kind=MemoryKind.TASK, scope=SCOPE, content="Rule.", tier=ImportanceTier.CONSTITUTIONAL),
            founder=True,
        )
        revoked = await save_memory(
            tx,
            NewMemory(kind=MemoryKind.TASK, scope=SCOPE, content="Old rule.", tier=ImportanceTier.CRITICAL),
            founder=True,
        )
        plain = await save_memory(tx, NewMemory(kind=MemoryKind.TASK, scope=SCOPE, content="Plain."))
    await made(db)
    async with db.transaction() as tx:
        await delete_memory(tx, FOUNDER, revoked)
    outcome = await restored(db, CLEAR)
    assert (outcome.removed, outcome.spared, outcome.added, outcome.present, outcome.withheld) == (
        1,
        1,
        1,
        1,
        1,
    )
    assert [row["id"] for row in (await all_rows(db))["memory_items"]] == [kept, plain]
    outcome = await restored(db, CLEAR, caller=FOUNDER)
    assert (outcome.removed, outcome.spared, outcome.added, outcome.withheld) == (2, 0, 3, 0)
    assert [row["id"] for row in (await all_rows(db))["memory_items"]] == [kept, revoked, plain]


async def test_vectors_of_another_model_do_not_come_back_but_are_owed(db):
    ids = await save_linked_memories(db)
    await made(db)
    await wipe(db)
    await run(db, "delete from memory_spaces")
    async with db.transaction() as tx:
        await add_space(tx, model="another")
    outcome = await restored(db, MERGE)
    assert (await all_rows(db))["memory_vectors"] == []
    assert outcome.owed == 4
    assert await owed(db) == [ids[name] for name in ("one", "two", "three", "archived")]


async def test_vectors_find_their_space_by_its_model_not_by_its_number(db):
    await save_linked_memories(db)
    before = without(await all_rows(db, "memory_vectors"), "space_id")
    await made(db, caller=BOTH)
    async with db.transaction() as tx:
        await delete_memories(tx, BOTH, Selection(scope=SCOPE), confirm=True, skip_checkpoint=True)
        await delete_memories(tx, BOTH, Selection(scope=ELSEWHERE), confirm=True, skip_checkpoint=True)
        await tx.execute("delete from memory_spaces")
        await add_space(tx)
    outcome = await restored(db, MERGE, caller=BOTH)
    assert without(await all_rows(db, "memory_vectors"), "space_id") == before
    assert outcome.owed == 0


async def test_token_states_of_another_projection_do_not_come_back_but_are_owed(db):
    await save_linked_memories(db)
    await made(db)
    await wipe(db)
    await run(db, "update memory_spaces set projection = 'other'")
    outcome = await restored(db, MERGE)
    taken = await all_rows(db)
    assert len(taken["memory_vectors"]) == 10
    assert len(taken["memory_token_states"]) == 1
    assert outcome.owed == 4


async def test_what_there_was_no_room_for_is_owed(db):
    await save_linked_memories(db)
    async with db.transaction() as tx:
        await tx.execute(
            "update memory_token_states set states = (select string_agg(decode(md5(n::text || memory_num), 'hex'), '')"
            " from generate_series(1, 800) n)"
        )
    await made(db, rules=CheckpointRules(bytes_max=20_000))
    outcome = await restored(db, CLEAR)
    assert outcome.owed == 4
    assert len((await all_rows(db))["memory_vectors"]) == 10


async def test_a_memory_whose_vector_was_owed_is_owed_it_again_and_a_marker_is_owed_none(db):
    ids = await save_linked_memories(db)
    await run(
        db,
        "delete from memory_vectors v using memory_items m where m.num = v.memory_num and id = %s",
        ids["one"],
    )
    await run(db, "update memory_items set kind = 'marker' where id = %s", ids["two"])
    await run(
        db,
        "delete from memory_vectors v using memory_items m where m.num = v.memory_num and id = %s",
        ids["two"],
    )
    await made(db)
    await restored(db, CLEAR)
    assert await owed(db) == [ids["one"]]


async def test_a_restore_is_noticed_by_cached_answers(db):
    await save_linked_memories(db)
    await made(db)
    async with db.transaction() as tx:
        seen = await snapshot(tx)
    await restored(db, MERGE)
    async with db.transaction() as tx:
        assert not await unchanged_since(tx, [SCOPE], seen)
        assert await unchanged_since(tx, [ELSEWHERE], seen)


async def test_before_a_clear_what_is_there_is_kept(db):
    await save_linked_memories(db)
    await made(db)
    safety = (await restored(db, CLEAR)).safety
    assert safety.startswith("before-restore-")
    async with db.transaction() as tx:
        kept = {one.name: one for one in await list_checkpoints(tx, ME)}
    assert (kept[safety].automatic, kept[safety].counts) == (True, kept["c"].counts)


async def test_the_oldest_automatic_checkpoint_gives_way_but_never_the_one_that_is_restored(db):
    rules = CheckpointRules(count_max=2)
    await save_linked_memories(db)
    before = await all_rows(db)
    await made(db, rules=rules)
    first = (await restored(db, CLEAR, rules=rules)).safety
    second = (await restored(db, CLEAR, rules=rules)).safety
    third = (await restored(db, CLEAR, first, rules=rules)).safety
    async with db.transaction() as tx:
        assert {one.name for one in await list_checkpoints(tx, ME)} == {"c", first, third}
    assert second not in {first, third}
    assert await all_rows(db) == before


async def test_for_a_partial_checkpoint_nothing_is_cleared(db):
    ids = await save_linked_memories(db)
    async with db.transaction() as tx:
        deleted = await delete_memories(tx, ME, Selection(ids=(ids["one"],)), confirm=True)
    before = await all_rows(db)
    with pytest.raises(InvalidInput) as refused:
        await restored(db, CLEAR, deleted.checkpoint)
    assert refused.value.number == "E030"
    assert await all_rows(db) == before
    assert (await restored(db, MERGE, deleted.checkpoint)).added == 1


async def test_uses_that_an_older_checkpoint_counted_by_recalls_do_not_come_back(db):
    ids = await save_linked_memories(db)
    await run(db, "delete from memory_strengths")
    older = {
        "memory_id": str(ids["one"]),
        "stability": 3,
        "difficulty": 5,
        "confidence": 0.5,
        "validations": 0,
    }
    older |= {"review_count": 0, "access_count": 7, "accessed_at": "2026-01-01T00:00:00Z"}
    async with db.transaction() as tx:
        await Statements("frasier.memory.snapshots").run(tx, "restore_strengths", records=Jsonb([older]))
        cursor = await tx.execute("select use_count, used_at, accessed_at from memory_strengths")
        [row] = await cursor.fetchall()
    assert (row["use_count"], row["used_at"]) == (0, None)
    assert row["accessed_at"] is not None
