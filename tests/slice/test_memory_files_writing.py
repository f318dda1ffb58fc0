"""Writing memory files: whole or not at all, never over somebody's change, and never lost for an index that fails."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import threading
from pathlib import Path

import psycopg
import pytest

from frasier.kernel.errors import InvalidInput, NotAllowed, SourceError, Stale
from frasier.memory.access import Caller
from frasier.memory.files import atomic_write
from frasier.memory.files.atomic_write import save_as_file, write_memory_file
from frasier.memory.files.compose import NewFile
from frasier.memory.files.index_file import FileStatus, index_file
from frasier.memory.files.metadata import ContextType, Link, LinkKind
from frasier.memory.files.parse_file import parse_file
from frasier.memory.files.scan import scan_folder
from frasier.memory.types import ImportanceTier
from frasier.store import Database

AGENT = Caller(name="agent", scopes=("agent:a", "shared"))
FOUNDER = Caller(name="founder", scopes=("agent:a", "shared", "founder"), founder=True)
NEW = NewFile(
    title="What we learned",
    body="<!-- ANCHOR:summary -->\nThe cache was cold.\n<!-- /ANCHOR:summary -->",
    triggers=("cold cache",),
    tags=("cache",),
    tier=ImportanceTier.IMPORTANT,
    context_type=ContextType.DISCOVERY,
    links=(Link(kind=LinkKind.CAUSED_BY, reference="nowhere.md"),),
)


async def rows(db, sql):
    async with db.transaction() as tx:
        return await (await tx.execute(sql)).fetchall()


def sha256(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


async def test_a_saved_file_is_a_memory_that_says_the_same(db, folder, roots):
    saved = await save_as_file(db, AGENT, roots, "2025/learned.md", NEW)
    assert saved.status is FileStatus.INDEXED
    parsed = parse_file((folder / "2025" / "learned.md").read_bytes(), "learned.md")
    assert (parsed.title, parsed.metadata.triggers, parsed.metadata.links) == (
        NEW.title,
        NEW.triggers,
        NEW.links,
    )
    [memory] = await rows(db, "select * from memory_items")
    assert (memory["id"], memory["title"], memory["tier"]) == (saved.memory_id, NEW.title, "important")
    assert names(folder) == ["learned.md"]
    again = await scan_folder(db, AGENT, roots, folder)
    assert (again.unchanged, again.indexed) == (1, 0)


async def test_nothing_is_written_over_a_file_that_nobody_read(db, folder, roots):
    (folder / "a.md").write_text("Somebody's own words.")
    with pytest.raises(Stale) as refused:
        await save_as_file(db, AGENT, roots, "a.md", NEW)
    assert refused.value.number == "E083"
    assert (folder / "a.md").read_text() == "Somebody's own words."
    assert names(folder) == ["a.md"]


async def test_nothing_is_written_over_a_change_since_the_file_was_read(db, folder, roots):
    path = folder / "a.md"
    path.write_text("Somebody's own words.")
    read = sha256(path)
    path.write_text("Somebody's newer words.")
    with pytest.raises(Stale):
        await save_as_file(db, AGENT, roots, path, NEW, expected_hash=read)
    assert path.read_text() == "Somebody's newer words."
    path.unlink()
    with pytest.raises(Stale, match="is gone"):
        await save_as_file(db, AGENT, roots, path, NEW, expected_hash=read)
    assert names(folder) == []


async def test_a_file_as_it_was_read_is_replaced_with_its_mode_and_memory(db, folder, roots):
    first = await save_as_file(db, AGENT, roots, "a.md", NEW)
    path = folder / "a.md"
    path.chmod(0o640)
    newer = NewFile(title="What we learned later", body="The cache was warm after all.")
    second = await save_as_file(db, AGENT, roots, "a.md", newer, expected_hash=sha256(path))
    assert (second.status, second.memory_id, second.version) == (FileStatus.UPDATED, first.memory_id, 2)
    assert path.stat().st_mode & 0o777 == 0o640
    assert "warm after all" in path.read_text()


async def test_of_writers_at_the_same_time_one_wins_and_the_others_are_told(db, folder, roots):
    async def save(number: int):
        try:
            return await save_as_file(
                db, AGENT, roots, "a.md", NewFile(body=f"The words of writer {number}.")
            )
        except Stale as stale:
            return stale

    results = await asyncio.gather(*(save(number) for number in range(6)))
    assert sum(not isinstance(result, Stale) for result in results) == 1
    assert names(folder) == ["a.md"]
    assert len(await rows(db, "select from memory_items")) == 1


async def test_of_two_that_read_the_same_only_one_writes_over_it(db, folder, roots, monkeypatch):
    """Both have looked whether it is unchanged before either writes, unless one waits for the other."""
    await save_as_file(db, AGENT, roots, "a.md", NEW)
    read = sha256(folder / "a.md")
    both_looked = threading.Barrier(2, timeout=1)
    check = atomic_write._check_unchanged

    def check_and_wait(*arguments):
        mode = check(*arguments)
        with contextlib.suppress(threading.BrokenBarrierError):
            both_looked.wait()
        return mode

    monkeypatch.setattr(atomic_write, "_check_unchanged", check_and_wait)
    results = await asyncio.gather(
        *(
            save_as_file(
                db, AGENT, roots, "a.md", NewFile(body=f"The words of writer {n}."), expected_hash=read
            )
            for n in range(2)
        ),
        return_exceptions=True,
    )
    assert [type(result) for result in results if isinstance(result, Exception)] == [Stale]


async def test_a_file_is_kept_as_pending_when_its_index_fails_and_the_next_scan_takes_it_in(
    db, server, database_name, folder, roots
):
    owner = server.url("frasier_owner", database_name)
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(
            "alter table memory_items add constraint broken check (title <> 'What we learned')"
        )
    saved = await save_as_file(db, AGENT, roots, "a.md", NEW)
    assert (saved.status, saved.memory_id) == (FileStatus.PENDING, None)
    assert "CheckViolation" in saved.reason
    [file] = await rows(db, "select path, status, reason from memory_files")
    assert (file["path"], file["status"], file["reason"]) == (str(folder / "a.md"), "pending", saved.reason)
    report = await scan_folder(db, AGENT, roots, folder, force=True)
    assert (report.failed, [error.path for error in report.errors]) == (1, [str(folder / "a.md")])
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute("alter table memory_items drop constraint broken")
    report = await scan_folder(db, AGENT, roots, folder, force=True)
    assert (report.indexed, report.failed) == (1, 0)
    assert [row["status"] for row in await rows(db, "select status from memory_files")] == ["indexed"]


async def test_a_file_is_written_even_when_the_database_is_away(database_url, folder, roots):
    async with Database(database_url) as database:
        await database.close()  # no connection is to be had any more, and nobody waits for one
        saved = await save_as_file(database, AGENT, roots, "a.md", NEW)
    assert saved.status is FileStatus.PENDING
    assert saved.reason
    assert names(folder) == ["a.md"]


@pytest.mark.parametrize(
    ("new", "number"),
    [
        (NewFile(body="short"), "PF030"),
        (NewFile(body="x" * 100_001), "PF031"),
        (NewFile(body="An anchor <!-- ANCHOR:a --> that nothing closes."), "PF003"),
        (NewFile(body="Half a character: \ud800, that is."), "E012"),
        (NewFile(body="A NUL \0 in the middle of it."), "E012"),
    ],
)
async def test_what_cannot_become_a_memory_is_not_written(db, folder, roots, new, number):
    with pytest.raises(InvalidInput) as refused:
        await save_as_file(db, AGENT, roots, "a.md", new)
    assert refused.value.number == number
    assert names(folder) == []


@pytest.mark.parametrize(
    "path", ["a.txt", ".hidden/a.md", ".a.md", "node_modules/a.md", "1/2/3/4/5/6/7/8/9/0/a.md"]
)
async def test_a_place_that_no_scan_comes_to_is_refused(folder, roots, path):
    with pytest.raises(InvalidInput) as refused:
        write_memory_file(roots, path, "A text that is long enough.")
    assert refused.value.number == "E014"
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("path", ["../a.md", "/tmp/a.md", "link/a.md"])
async def test_fault_36_nothing_is_written_outside(folder, roots, path):
    (folder / "link").symlink_to(folder.parent)
    with pytest.raises(InvalidInput):
        write_memory_file(roots, path, "A text that is long enough.")
    assert not (folder.parent / "a.md").exists()


async def test_a_disk_that_refuses_is_reported_and_leaves_nothing(folder, roots, monkeypatch):
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SourceError) as refused:
        write_memory_file(roots, "a.md", "A text that is long enough.")
    assert refused.value.number == "E081"
    assert "no space left" in refused.value.message
    assert names(folder) == []


async def test_secrets_are_not_written(db, folder, roots):
    secret = "sk-" + "a1" * 16
    saved = await save_as_file(
        db, AGENT, roots, "a.md", NewFile(body=f"The key was {secret}, and it is out.")
    )
    assert secret not in (folder / "a.md").read_text()
    assert any("removed from: the file." in warning for warning in saved.warnings)


class TestWhoMayWhat:
    async def test_only_the_founder_writes_what_binds_everybody(self, db, folder, roots):
        new = NewFile(body="Never delete a backup.", tier=ImportanceTier.CONSTITUTIONAL)
        with pytest.raises(NotAllowed):
            await save_as_file(db, AGENT, roots, "a.md", new)
        assert names(folder) == []
        await save_as_file(db, FOUNDER, roots, "a.md", new)
        with pytest.raises(NotAllowed):
            await save_as_file(db, AGENT, roots, "a.md", NEW, expected_hash=sha256(folder / "a.md"))
        assert "Never delete a backup." in (folder / "a.md").read_text()

    async def test_the_file_of_a_foreign_scope_is_not_written_over(self, db, folder, roots):
        await save_as_file(db, AGENT, roots, "a.md", NEW)
        stranger = Caller(name="stranger", scopes=("agent:b",))
        with pytest.raises(NotAllowed):
            await save_as_file(
                db,
                stranger,
                roots,
                "a.md",
                NewFile(body="It is mine now."),
                expected_hash=sha256(folder / "a.md"),
            )
        async with db.transaction() as tx:
            assert (await index_file(tx, AGENT, roots, "a.md")).status is FileStatus.UNCHANGED
