"""Checkpoints: what is kept, for whom, how many, and how large."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound, Refused
from frasier.memory import MemoryKind, NewMemory, save_memories
from frasier.memory.access import Caller
from frasier.memory.snapshots.manage import (
    create_checkpoint,
    delete_checkpoint,
    forget_old_checkpoints,
    list_checkpoints,
)
from frasier.memory.snapshots.restore import restore_checkpoint
from frasier.memory.snapshots.types import CheckpointRules, RestoreMode
from support.kept_memories import ELSEWHERE, SCOPE, all_rows, save_linked_memories, until_waiting

ME = Caller(name="me", scopes=(SCOPE,))
BOTH = Caller(name="both", scopes=(SCOPE, ELSEWHERE))
OTHER = Caller(name="other", scopes=(ELSEWHERE,))


async def made(db, name="c", caller=ME, **given):
    async with db.transaction() as tx:
        return await create_checkpoint(tx, caller, name, **given)


async def names(db, caller=ME):
    async with db.transaction() as tx:
        return [one.name for one in await list_checkpoints(tx, caller)]


async def age(db, days, name=None):
    async with db.transaction() as tx:
        await tx.execute(
            f"update memory_checkpoints set used_at = used_at - interval '{days} days'"
            " where %(name)s::text is null or name = %(name)s",
            {"name": name},
        )


async def test_a_checkpoint_tells_what_it_holds_and_changes_nothing(db):
    await save_linked_memories(db)
    before = await all_rows(db)
    checkpoint = await made(db)
    assert await all_rows(db) == before
    assert checkpoint.counts == {
        "memories": 4,
        "versions": 2,
        "edges": 4,
        "corrections": 1,
        "vectors": 8,
        "token_states": 4,
    }
    assert (checkpoint.scopes, checkpoint.made_by) == ((SCOPE,), "me")
    assert (checkpoint.automatic, checkpoint.partial) == (False, False)
    async with db.transaction() as tx:
        cursor = await tx.execute("select octet_length(snapshot) as size from memory_checkpoints")
        [row] = await cursor.fetchall()
        assert await list_checkpoints(tx, ME) == [checkpoint]
    assert checkpoint.size_bytes == row["size"]


async def test_scopes_without_memories_make_an_empty_checkpoint(db):
    assert (await made(db)).counts["memories"] == 0


@pytest.mark.parametrize("wrong", ["", "a b", "a/b", "ä", "x" * 101, "a\n", "before-restore-x", "a;b"])
async def test_what_cannot_be_a_name_is_refused(db, wrong):
    with pytest.raises(InvalidInput) as refused:
        await made(db, wrong)
    assert refused.value.number == "E030"


async def test_a_name_is_given_once(db):
    await made(db)
    for caller in (ME, OTHER):
        with pytest.raises(InvalidInput) as refused:
            await made(db, caller=caller)
        assert (refused.value.number, bool(refused.value.hint)) == ("E063", True)


async def test_two_who_choose_the_same_name_at_once_make_one_checkpoint(db):
    await save_linked_memories(db)
    ended = await asyncio.gather(*(made(db) for _ in range(3)), return_exceptions=True)
    refused = [one for one in ended if isinstance(one, InvalidInput)]
    assert [one.number for one in refused] == ["E063", "E063"]
    assert await names(db) == ["c"]


async def test_a_foreign_scope_is_neither_kept_nor_shown(db):
    with pytest.raises(NotAllowed):
        await made(db, scopes=(ELSEWHERE,))
    await made(db, "mine")
    await made(db, "ours", caller=BOTH)
    assert await names(db) == ["mine"]
    assert await names(db, BOTH) == ["ours", "mine"]
    assert await names(db, OTHER) == []
    for caller, name in ((ME, "ours"), (OTHER, "mine"), (ME, "none")):
        with pytest.raises(NotFound) as refused:
            async with db.transaction() as tx:
                await delete_checkpoint(tx, caller, name)
        assert refused.value.number == "E060"
        with pytest.raises(NotFound) as refused:
            async with db.transaction() as tx:
                await restore_checkpoint(tx, caller, name, mode=RestoreMode.MERGE)
        assert refused.value.number == "E060"


async def test_only_its_maker_and_the_founder_delete_a_checkpoint(db):
    await made(db, "mine")
    await made(db, "yours")
    peer, founder = replace(ME, name="peer"), replace(ME, name="founder", founder=True)
    with pytest.raises(NotAllowed, match="me made the checkpoint mine, so peer cannot delete it"):
        async with db.transaction() as tx:
            await delete_checkpoint(tx, peer, "mine")
    assert await names(db) == ["yours", "mine"]
    for caller, name in ((ME, "mine"), (founder, "yours")):
        async with db.transaction() as tx:
            await delete_checkpoint(tx, caller, name)
    assert await names(db) == []


async def test_a_deleted_checkpoint_is_gone_and_its_name_is_free(db):
    await made(db)
    async with db.transaction() as tx:
        await delete_checkpoint(tx, ME, "c")
    assert await names(db) == []
    await made(db)


async def test_as_many_are_kept_as_the_rules_say_and_an_unused_one_gives_way(db):
    rules = CheckpointRules(count_max=3)
    for name in ("a", "b", "c"):
        await made(db, name, rules=rules)
    with pytest.raises(Refused) as refused:
        await made(db, "d", rules=rules)
    assert (refused.value.number, bool(refused.value.hint)) == ("E062", True)
    await made(db, "elsewhere", caller=OTHER, rules=rules)
    await age(db, 31, "b")
    await made(db, "d", rules=rules)
    assert await names(db) == ["d", "c", "a"]


async def test_two_who_make_checkpoints_at_once_do_not_pass_the_limit(db):
    rules = CheckpointRules(count_max=1)
    async with db.transaction() as tx:
        await create_checkpoint(tx, ME, "a", rules=rules)
        second = asyncio.create_task(made(db, "b", rules=rules))
        await until_waiting(db, second)
    with pytest.raises(Refused):
        await second
    assert await names(db) == ["a"]


async def test_a_job_forgets_what_nobody_used_for_long_and_a_restore_is_a_use(db):
    await made(db, "used")
    await made(db, "unused")
    await age(db, 29)
    async with db.transaction() as tx:
        await restore_checkpoint(tx, ME, "used", mode=RestoreMode.MERGE)
    await age(db, 2)
    async with db.transaction() as tx:
        assert await forget_old_checkpoints(tx) == 1
    assert await names(db) == ["used"]


async def test_what_does_not_fit_is_refused_with_a_hint_and_nothing_is_kept(db):
    await save_linked_memories(db)
    with pytest.raises(Refused) as refused:
        await made(db, rules=CheckpointRules(bytes_max=500))
    assert (refused.value.number, bool(refused.value.hint)) == ("E062", True)
    assert await names(db) == []


async def test_vectors_are_left_out_before_anything_that_cannot_be_made_again(db):
    await save_linked_memories(db)
    async with db.transaction() as tx:  # so much that no compression makes it fit
        await tx.execute(
            "update memory_token_states set states = (select string_agg(decode(md5(n::text || memory_num), 'hex'), '')"
            " from generate_series(1, 800) n)"
        )
    everything = await made(db, "large")
    small = await made(db, "small", rules=CheckpointRules(bytes_max=everything.size_bytes - 1_000))
    assert small.counts | {"token_states": 4} == everything.counts
    assert small.counts["token_states"] == 0
    assert small.size_bytes < 10_000


async def test_fault_13_a_scope_of_thousands_is_kept_and_put_back(db):
    news = [
        NewMemory(kind=MemoryKind.PASSAGE, scope=SCOPE, content=f"Passage numero{at} of many words.")
        for at in range(3_000)
    ]
    async with db.transaction() as tx:
        await save_memories(tx, news)
    before = await all_rows(db, "memory_items", "memory_terms")
    await made(db)
    async with db.transaction() as tx:
        restored = await restore_checkpoint(tx, ME, "c", mode=RestoreMode.CLEAR)
    assert (restored.removed, restored.added) == (3_000, 3_000)
    assert await all_rows(db, "memory_items", "memory_terms") == before
