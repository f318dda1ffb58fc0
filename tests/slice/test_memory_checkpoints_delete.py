"""Deleting: nothing of a memory remains, nothing else is touched, and what is not there is not deleted."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest

from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound, Refused
from frasier.memory import ImportanceTier, MemoryKind, NewMemory, save_directive, save_memories, save_memory
from frasier.memory.access import Caller
from frasier.memory.cache_invalidation import unchanged_since
from frasier.memory.posting_backfill import index_pending
from frasier.memory.snapshots.delete_memories import Selection, delete_memories, delete_memory
from frasier.memory.snapshots.manage import list_checkpoints
from frasier.memory.snapshots.restore import restore_checkpoint
from frasier.memory.snapshots.types import CheckpointRules, RestoreMode
from support.kept_memories import ELSEWHERE, SCOPE, all_rows, save_linked_memories, until_waiting
from support.recall_snapshot import snapshot

ME = Caller(name="me", scopes=(SCOPE,))
FOUNDER = Caller(name="founder", scopes=(SCOPE, "founder"), founder=True)
BINDING = [ImportanceTier.CONSTITUTIONAL, ImportanceTier.CRITICAL]


async def deleted(db, selection, caller=ME, **given):
    async with db.transaction() as tx:
        return await delete_memories(tx, caller, selection, **{"confirm": True, **given})


async def saved(db, content, *, founder=False, **fields):
    async with db.transaction() as tx:
        new = NewMemory(**{"kind": MemoryKind.TASK, "scope": SCOPE, "content": content, **fields})
        return await save_memory(tx, new, founder=founder)


async def left(db):
    return [row["id"] for row in (await all_rows(db, "memory_items"))["memory_items"]]


async def test_fault_24_nothing_of_a_deleted_memory_remains_and_the_others_are_as_they_were(db):
    ids = await save_linked_memories(db)
    before = await all_rows(db)
    nums = {row["id"]: row["num"] for row in before["memory_items"]}
    async with db.transaction() as tx:
        outcome = await delete_memory(tx, ME, ids["one"])
    assert (outcome.count, outcome.gone, outcome.checkpoint) == (1, (nums[ids["one"]],), None)

    def mentions(row):
        return ids["one"] in row.values() or row.get("memory_num") == nums[ids["one"]]

    after = await all_rows(db)
    assert not any(mentions(row) for rows in after.values() for row in rows)
    for table in ("memory_items", "memory_terms", "memory_versions", "memory_triggers", "memory_vectors"):
        assert after[table] == [row for row in before[table] if not mentions(row)], table
    assert len(after["memory_edges"]) == 2


@pytest.mark.parametrize("use", ["one", "many"])
async def test_fault_23_what_is_not_there_or_is_foreign_is_not_found(db, use):
    ids = await save_linked_memories(db)
    for missing in (uuid4(), ids["far"]):
        with pytest.raises(NotFound) as refused:
            if use == "one":
                async with db.transaction() as tx:
                    await delete_memory(tx, ME, missing)
            else:
                await deleted(db, Selection(ids=(ids["one"], missing)))
        assert refused.value.number == "E080"
    assert len(await left(db)) == 5


async def test_fault_23_where_nothing_is_selected_nothing_is_said_to_be_deleted(db):
    await save_linked_memories(db)
    outcome = await deleted(db, Selection(tier=ImportanceTier.TEMPORARY))
    assert (outcome.count, outcome.checkpoint, outcome.gone) == (0, None, ())
    async with db.transaction() as tx:
        assert await list_checkpoints(tx, ME) == []


async def test_a_selection_takes_what_everything_given_holds_for(db):
    await save_linked_memories(db)
    old = await saved(db, "Old and temporary.", tier=ImportanceTier.TEMPORARY)
    new = await saved(db, "New and temporary.", tier=ImportanceTier.TEMPORARY)
    async with db.transaction() as tx:
        await tx.execute(
            "update memory_items set created_at = now() - interval '8 days' where id <> %s", (new,)
        )
    outcome = await deleted(db, Selection(scope=SCOPE, tier=ImportanceTier.TEMPORARY, older_than_days=7))
    assert outcome.count == 1
    assert old not in await left(db)
    assert new in await left(db)
    assert (await deleted(db, Selection(ids=(new,), older_than_days=0))).count == 1


async def test_a_scope_is_deleted_without_touching_another(db):
    ids = await save_linked_memories(db)
    assert (await deleted(db, Selection(scope=SCOPE))).count == 4
    assert await left(db) == [ids["far"]]
    with pytest.raises(NotAllowed):
        await deleted(db, Selection(scope=ELSEWHERE))
    assert (await deleted(db, Selection(older_than_days=0))).count == 0
    assert await left(db) == [ids["far"]]


async def test_what_was_deleted_together_can_be_brought_back(db):
    await save_linked_memories(db)
    before = await all_rows(db)
    outcome = await deleted(db, Selection(scope=SCOPE))
    assert outcome.checkpoint.startswith("before-delete-")
    async with db.transaction() as tx:
        [kept] = await list_checkpoints(tx, ME)
        assert (kept.name, kept.partial, kept.automatic) == (outcome.checkpoint, True, True)
        await restore_checkpoint(tx, ME, outcome.checkpoint, mode=RestoreMode.MERGE)
    assert await all_rows(db) == before


async def test_the_checkpoint_holds_only_what_is_deleted(db):
    ids = await save_linked_memories(db)
    await deleted(db, Selection(ids=(ids["one"],)))
    async with db.transaction() as tx:
        [kept] = await list_checkpoints(tx, ME)
    assert (kept.counts["memories"], kept.counts["edges"], kept.counts["vectors"]) == (1, 2, 2)


async def test_without_a_checkpoint_only_where_that_is_wanted(db):
    await save_linked_memories(db)
    with pytest.raises(Refused) as refused:
        await deleted(db, Selection(scope=SCOPE), rules=CheckpointRules(bytes_max=500))
    assert refused.value.number == "E062"
    assert len(await left(db)) == 5
    outcome = await deleted(
        db, Selection(scope=SCOPE), skip_checkpoint=True, rules=CheckpointRules(bytes_max=500)
    )
    assert (outcome.count, outcome.checkpoint) == (4, None)


@pytest.mark.parametrize(
    ("selection", "given", "number"),
    [
        (Selection(), {}, "E031"),
        (Selection(scope=SCOPE), {"confirm": False}, "E031"),
        (Selection(older_than_days=-1), {}, "E032"),
        (Selection(older_than_days=float("nan")), {}, "E032"),
        (Selection(older_than_days=1e300), {}, "E032"),
        (Selection(ids=tuple(uuid4() for _ in range(1_001))), {}, "E032"),
    ],
)
async def test_what_is_not_said_clearly_deletes_nothing(db, selection, given, number):
    await save_linked_memories(db)
    with pytest.raises(InvalidInput) as refused:
        await deleted(db, selection, **given)
    assert (refused.value.number, bool(refused.value.hint)) == (number, True)
    assert len(await left(db)) == 5


@pytest.mark.parametrize("tier", BINDING)
async def test_what_binds_everybody_is_deleted_by_the_founder_only(db, tier):
    rule = await saved(db, "A rule.", tier=tier, founder=True)
    plain = await saved(db, "Plain.")
    for refusing in (Selection(tier=tier), Selection(ids=(plain, rule))):
        with pytest.raises(NotAllowed):
            await deleted(db, refusing)
    with pytest.raises(NotAllowed):
        async with db.transaction() as tx:
            await delete_memory(tx, ME, rule)
    outcome = await deleted(db, Selection(scope=SCOPE))
    assert (outcome.count, outcome.spared) == (1, 1)
    assert await left(db) == [rule]
    assert (await deleted(db, Selection(tier=tier), caller=FOUNDER)).count == 1
    assert await left(db) == []


async def test_a_directive_is_deleted_by_the_founder_only(db):
    async with db.transaction() as tx:
        directive = await save_directive(tx, "Never pay for data.", provenance={})
    agent = Caller(name="agent", scopes=("founder",))
    with pytest.raises(NotAllowed):
        async with db.transaction() as tx:
            await delete_memory(tx, agent, directive)
    assert (await deleted(db, Selection(scope="founder"), caller=agent)).spared == 1
    async with db.transaction() as tx:
        assert (await delete_memory(tx, FOUNDER, directive)).count == 1


async def test_a_deletion_is_noticed_by_cached_answers(db):
    ids = await save_linked_memories(db)
    for delete in (
        lambda tx: delete_memory(tx, ME, ids["one"]),
        lambda tx: delete_memories(tx, ME, Selection(scope=SCOPE), confirm=True),
    ):
        async with db.transaction() as tx:
            seen = await snapshot(tx)
        async with db.transaction() as tx:
            await delete(tx)
        async with db.transaction() as tx:
            assert not await unchanged_since(tx, [SCOPE], seen)
            assert await unchanged_since(tx, [ELSEWHERE], seen)


async def test_fault_24_postings_that_are_made_meanwhile_are_deleted_too(db):
    """The deletion waits for whoever is indexing the memory, and then sees what that one made."""
    memory = await saved(db, "Words about engines.")
    async with db.transaction() as tx:
        await tx.execute("delete from memory_terms")
        await tx.execute("update memory_items set indexed = false, length = 0, term_keys = '{}'")

    async def delete():
        async with db.transaction() as tx:
            await delete_memory(tx, ME, memory)

    async with db.transaction() as indexing:
        assert await index_pending(indexing, 10) == 1
        deletion = asyncio.create_task(delete())
        await until_waiting(db, deletion)
        assert not deletion.done()
    await deletion
    assert await all_rows(db, "memory_items", "memory_terms") == {"memory_items": [], "memory_terms": []}


async def test_more_than_a_batch_is_deleted(db):
    news = [
        NewMemory(kind=MemoryKind.PASSAGE, scope=SCOPE, content=f"Passage numero{at}.") for at in range(2_345)
    ]
    async with db.transaction() as tx:
        await save_memories(tx, news)
    assert (await deleted(db, Selection(scope=SCOPE), skip_checkpoint=True)).count == 2_345
    assert await all_rows(db, "memory_items", "memory_terms") == {"memory_items": [], "memory_terms": []}
