"""A restore that fails, whatever the reason, leaves everything as it was."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from frasier.kernel.errors import NotFound, StoreError
from frasier.memory import MemoryKind, NewMemory, save_memory
from frasier.memory.access import Caller
from frasier.memory.snapshots.delete_memories import Selection, delete_memories
from frasier.memory.snapshots.manage import create_checkpoint, list_checkpoints
from frasier.memory.snapshots.restore import restore_checkpoint
from frasier.memory.snapshots.types import RestoreMode
from frasier.store import Database
from support.kept_memories import ELSEWHERE, SCOPE, all_rows, save_linked_memories

ME = Caller(name="me", scopes=(SCOPE,))
SOURCE = Path(__file__).resolve().parents[2] / "src"
PROGRAM = """
import asyncio, sys
sys.path.insert(0, sys.argv[1])
from slice.test_memory_checkpoints_damage import restore_once
asyncio.run(restore_once(*sys.argv[2:]))
"""


def unpacked(data):
    return [json.loads(line) for line in gzip.decompress(data).splitlines()]


def packed(records):
    return gzip.compress("".join(json.dumps(record) + "\n" for record in records).encode())


def changed(**values):
    """The snapshot with the first row of a kind changed."""

    def damage(data):
        records = unpacked(data)
        kind = values["kind"]
        row = next(record for record in records if record.get("is") == kind)
        row |= {name: value for name, value in values.items() if name != "kind"}
        return packed(records)

    return damage


def without_field(kind, field):
    def damage(data):
        records = unpacked(data)
        del next(record for record in records if record.get("is") == kind)[field]
        return packed(records)

    return damage


DAMAGES = {
    "cut off": lambda data: data[: len(data) // 2],
    "cut off by a byte": lambda data: data[:-1],
    "a byte changed": lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:],
    "a wrong checksum": lambda data: data[:-8] + bytes(8),
    "something behind it": lambda data: data + b"x",
    "a second archive behind it": lambda data: data + gzip.compress(b"{}\n"),
    "no gzip": lambda _data: b"no gzip at all",
    "empty": lambda _data: gzip.compress(b""),
    "no JSON": lambda _data: gzip.compress(b"no json\n"),
    "another format": lambda data: packed([{"format": "x", "version": 1}, *unpacked(data)[1:]]),
    "a later version": lambda data: packed([{"format": "frasier-memory", "version": 2}, *unpacked(data)[1:]]),
    "a list for a row": lambda data: packed([*unpacked(data)[:1], [], *unpacked(data)[1:]]),
    "an unknown kind": changed(kind="edge", **{"is": "spell"}),
    "a row lost": lambda data: packed([*unpacked(data)[:1], *unpacked(data)[2:]]),
    "the end lost": lambda data: packed(unpacked(data)[:-1]),
    "a row behind the end": lambda data: packed([*unpacked(data), unpacked(data)[1]]),
    "no line end": lambda data: gzip.compress(gzip.decompress(data)[:-1]),
    "a wrong tier": changed(kind="item", tier="divine"),
    "a wrong time": changed(kind="item", created_at="once upon a time"),
    "a wrong day": changed(kind="item", occurred_at="yesterday"),
    "a wrong id": changed(kind="item", id="x"),
    "a number of another": changed(kind="item", num=1_000_000, id="00000000-0000-0000-0000-000000000001"),
    "a field lost": without_field("item", "kind"),
    "a wrong strength": changed(kind="strength", stability=-1),
    "a wrong vector": changed(kind="vector", embedding="ü"),
    "a cut vector": changed(kind="vector", embedding="AAAA"),
    "wrong token states": changed(kind="states", states="A"),
}


async def damaged_checkpoint(db, damage):
    """A checkpoint whose snapshot is not what was written, and memories that were changed after it."""
    await save_linked_memories(db)
    async with db.transaction() as tx:
        await create_checkpoint(tx, ME, "c")
        await tx.execute("update memory_items set title = 'changed' where scope = %s", (SCOPE,))
        foreign = NewMemory(kind=MemoryKind.TASK, scope=ELSEWHERE, content="Has a number.")
        await save_memory(tx, foreign)
        await tx.execute(
            "insert into memory_items (num, id, kind, scope, content, content_hash) overriding system value"
            " values (1000000, gen_random_uuid(), 'task', %s, 'x', sha256('x'))",
            (ELSEWHERE,),
        )
        cursor = await tx.execute("select snapshot from memory_checkpoints")
        [row] = await cursor.fetchall()
        await tx.execute("update memory_checkpoints set snapshot = %s", (damage(bytes(row["snapshot"])),))


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
async def test_a_damaged_snapshot_is_refused_and_nothing_is_changed(db, damage):
    await damaged_checkpoint(db, damage)
    before = await all_rows(db)
    async with db.transaction() as tx:  # the caller goes on in spite of it, and commits
        with pytest.raises(StoreError) as refused:
            await restore_checkpoint(tx, ME, "c", mode=RestoreMode.CLEAR)
    assert (refused.value.number, bool(refused.value.hint)) == ("E061", True)
    assert await all_rows(db) == before
    async with db.transaction() as tx:
        assert [one.name for one in await list_checkpoints(tx, ME)] == ["c"]


async def test_a_snapshot_that_was_only_packed_again_is_restored(db):
    """The damages above are what is refused, not the way in which the tests do them."""
    await damaged_checkpoint(db, lambda data: packed(unpacked(data)))
    async with db.transaction() as tx:
        assert (await restore_checkpoint(tx, ME, "c", mode=RestoreMode.CLEAR)).added == 4


async def test_a_restore_that_its_caller_does_not_commit_never_was(db):
    await save_linked_memories(db)
    async with db.transaction() as tx:
        await create_checkpoint(tx, ME, "c")
        await delete_memories(tx, ME, Selection(scope=SCOPE), confirm=True)
    before = await all_rows(db)
    with pytest.raises(ZeroDivisionError):
        async with db.transaction() as tx:
            await restore_checkpoint(tx, ME, "c", mode=RestoreMode.MERGE)
            raise ZeroDivisionError
    assert await all_rows(db) == before


async def restore_once(database_url: str, mode: str) -> None:
    """What the process that is killed does."""
    async with Database(database_url) as db, db.transaction() as tx:
        await restore_checkpoint(tx, ME, "c", mode=RestoreMode(mode))


@pytest.mark.parametrize("mode", RestoreMode)
async def test_a_kill_in_the_middle_of_a_restore_leaves_nothing_half_done(db, database_url, mode):
    await save_linked_memories(db)
    whole = await all_rows(db)
    async with db.transaction() as tx:
        await create_checkpoint(tx, ME, "c")
        await delete_memories(tx, ME, Selection(scope=SCOPE), confirm=True, skip_checkpoint=True)
        await save_memory(tx, NewMemory(kind=MemoryKind.TASK, scope=SCOPE, content="Came after."))
    before = await all_rows(db)
    killed = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", PROGRAM, str(Path(__file__).parents[1]), database_url, mode],
        env=os.environ | {"FRASIER_FAULT": "restore.before_commit:kill", "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    assert await all_rows(db) == before
    async with db.transaction() as tx:
        assert [one.name for one in await list_checkpoints(tx, ME)] == ["c"]
        restored = await restore_checkpoint(tx, ME, "c", mode=mode)
    assert restored.added == 4
    after = await all_rows(db)
    if mode is RestoreMode.CLEAR:
        assert after == whole
    else:
        assert len(after["memory_items"]) == 6


async def test_a_checkpoint_that_is_deleted_meanwhile_is_not_found(db):
    await save_linked_memories(db)
    async with db.transaction() as tx:
        await create_checkpoint(tx, ME, "c")
        await tx.execute("delete from memory_checkpoints")
        with pytest.raises(NotFound):
            await restore_checkpoint(tx, ME, "c", mode=RestoreMode.MERGE)
