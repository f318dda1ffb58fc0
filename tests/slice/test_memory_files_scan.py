"""Scanning a folder: new, changed, moved and gone files, once a minute, in any number of processes, kill −9 or not."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from frasier.kernel.errors import InvalidInput, NotFound, TooOften
from frasier.memory import Query, recall_by_words
from frasier.memory.access import Caller
from frasier.memory.files.allowed_paths import Roots
from frasier.memory.files.index_file import FileStatus
from frasier.memory.files.scan import scan_folder
from support.file_tiers import confirm_files

AGENT = Caller(name="agent", scopes=("agent:a", "shared"))
FOUNDER = Caller(name="founder", scopes=("agent:a", "shared", "founder"), founder=True)
SOURCE = Path(__file__).resolve().parents[2] / "src"


def write(folder: Path, name: str, text: str) -> Path:
    """A file that was written long enough ago to be taken for settled."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    settled = path.stat().st_mtime - 3600
    os.utime(path, (settled, settled))
    return path


def write_many(folder: Path, count: int) -> None:
    for number in range(count):
        write(folder, f"{number:02}.md", f"# Memory {number}\n\nThe text of number {number}.")


async def scanned(db, folder, caller=AGENT, *, force=True, **given):
    return await scan_folder(db, caller, Roots([folder]), folder, force=force, **given)


async def rescanned(db, folder, caller=AGENT, **given):
    """Not forced, as if the last scan was a while ago."""
    async with db.transaction() as tx:
        await tx.execute("update memory_roots set scanned_at = now() - interval '61 seconds'")
    return await scan_folder(db, caller, Roots([folder]), folder, **given)


async def rows(db, sql):
    async with db.transaction() as tx:
        return await (await tx.execute(sql)).fetchall()


async def found(db, text):
    async with db.transaction() as tx:
        return [hit.memory.title for hit in await recall_by_words(tx, Query(text=text, scopes=("agent:a",)))]


def counts(report):
    return (report.indexed, report.updated, report.unchanged, report.failed, report.removed)


async def test_a_scan_takes_in_what_is_new_and_then_only_what_changed(db, folder):
    write_many(folder, 3)
    write(folder, "sub/deep/3.md", "# Memory 3\n\nThe text of number 3.")
    assert counts(await scanned(db, folder)) == (4, 0, 0, 0, 0)
    assert counts(await rescanned(db, folder)) == (0, 0, 4, 0, 0)
    write(folder, "01.md", "# Memory 1\n\nAnother text of number one.")
    (folder / "02.md").touch()
    write(folder, "04.md", "# Memory 4\n\nThe text of number 4.")
    assert counts(await rescanned(db, folder)) == (1, 1, 3, 0, 0)
    assert await found(db, "another") == ["Memory 1"]
    assert len(await rows(db, "select from memory_items")) == 5


async def test_an_edit_that_leaves_time_and_size_alone_is_seen_while_the_file_is_fresh(db, folder):
    path = folder / "a.md"
    path.write_text("The answer is 41, for now.")
    status = path.stat()
    await scanned(db, folder)
    path.write_text("The answer is 42, for now.")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert counts(await rescanned(db, folder)) == (0, 1, 0, 0, 0)


async def test_a_file_that_is_gone_leaves_an_archived_memory_that_comes_back_with_it(db, folder):
    path = write(folder, "a.md", "# Gone\n\nHere today and gone tomorrow.")
    await scanned(db, folder)
    [before] = await rows(db, "select id from memory_items")
    text = path.read_text()
    path.unlink()
    assert counts(await rescanned(db, folder)) == (0, 0, 0, 0, 1)
    [memory] = await rows(db, "select id, archived_at, file_id from memory_items")
    assert memory["archived_at"] is not None
    assert memory["file_id"] is None
    assert await rows(db, "select from memory_files") == []
    assert await found(db, "tomorrow") == []
    assert counts(await rescanned(db, folder)) == (0, 0, 0, 0, 0)
    write(folder, "a.md", text)
    assert counts(await rescanned(db, folder)) == (0, 1, 0, 0, 0)
    assert [row["id"] for row in await rows(db, "select id from memory_items")] == [before["id"]]
    assert await found(db, "tomorrow") == ["Gone"]


async def test_a_folder_that_is_not_there_archives_nothing(db, folder):
    write_many(folder, 2)
    await scanned(db, folder)
    shutil.rmtree(folder)
    with pytest.raises(NotFound) as refused:
        await scanned(db, folder)
    assert refused.value.number == "E010"
    assert await found(db, "number 1") != []


async def test_files_that_are_only_left_out_are_not_gone(db, folder):
    write(folder, "sub/a.md", "A file in a folder that will be hidden.")
    await scanned(db, folder)
    report = await rescanned(db, folder)
    (folder / "sub").rename(folder / ".sub")
    hidden = await rescanned(db, folder)
    assert (report.removed, hidden.removed) == (0, 1), "it is gone from where it was"
    write(folder, "d/e.md", "A file that stays where it is.")
    await rescanned(db, folder)
    async with db.transaction() as tx:
        await tx.execute("update memory_files set path = replace(path, 'd/e.md', '.sub/a.md')")
    assert (await rescanned(db, folder)).removed == 0, "it is there, although no scan comes to it"


async def test_moved_files_keep_their_memories(db, folder):
    write_many(folder, 3)
    await scanned(db, folder)
    before = {row["title"]: row["id"] for row in await rows(db, "select id, title from memory_items")}
    (folder / "archive").mkdir()
    for number in range(3):
        (folder / f"{number:02}.md").rename(folder / "archive" / f"{number:02}.md")
    report = await rescanned(db, folder)
    assert (report.moved, report.removed, report.indexed) == (3, 0, 0)
    assert {row["title"]: row["id"] for row in await rows(db, "select id, title from memory_items")} == before
    assert counts(await rescanned(db, folder)) == (0, 0, 3, 0, 0)


async def test_swapped_names_swap_no_texts(db, folder):
    write(folder, "a.md", "# A\n\nThe text of a.")
    write(folder, "b.md", "# B\n\nThe text of b, longer.")
    await scanned(db, folder)
    (folder / "a.md").rename(folder / "c.md")
    (folder / "b.md").rename(folder / "a.md")
    (folder / "c.md").rename(folder / "b.md")
    await scanned(db, folder)
    files = await rows(
        db, "select path, title from memory_files f join memory_items m on m.file_id = f.id order by path"
    )
    assert [(Path(file["path"]).name, file["title"]) for file in files] == [("a.md", "B"), ("b.md", "A")]


async def test_one_bad_file_stops_nothing_and_is_tried_again(db, folder):
    write_many(folder, 2)
    bad = folder / "00-bad.md"
    bad.write_bytes(b"\x80\x81 this is not UTF-8")
    (folder / "x.md").write_text("<!-- ANCHOR:a -->An anchor that nothing closes.")
    report = await scanned(db, folder)
    assert counts(report) == (2, 0, 0, 2, 0)
    assert [(error.path, error.number) for error in report.errors] == [
        (str(bad), "E012"),
        (str(folder / "x.md"), "PF003"),
    ]
    kept = await rows(
        db, "select path, status, reason from memory_files where status <> 'indexed' order by path"
    )
    assert [row["status"] for row in kept] == ["failed", "failed"]
    assert "not text" in kept[0]["reason"]
    bad.write_text("It is UTF-8 by now, and long enough.")
    assert counts(await rescanned(db, folder)) == (1, 0, 2, 1, 0)


async def test_a_file_that_breaks_leaves_its_memory_as_it_was(db, folder):
    path = write(folder, "a.md", "The text that was good.")
    await scanned(db, folder)
    path.write_bytes(b"\x80\x81 broken by an editor")
    assert counts(await rescanned(db, folder)) == (0, 0, 0, 1, 0)
    assert await found(db, "good") == ["a"]
    path.write_text("The text that is good again.")
    assert counts(await rescanned(db, folder)) == (0, 1, 0, 0, 0)
    assert len(await rows(db, "select from memory_items")) == 1


async def test_what_may_not_be_read_is_reported_and_not_gone(db, folder, monkeypatch):
    write(folder, "a.md", "The text that was readable.")
    await scanned(db, folder)
    really_open = os.open

    def closed(path, *given, **options):
        if path == "a.md":
            raise PermissionError(13, "Permission denied")
        return really_open(path, *given, **options)

    monkeypatch.setattr(os, "open", closed)
    report = await scanned(db, folder)
    assert [error.number for error in report.errors] == ["E011"]
    assert report.removed == 0
    assert await found(db, "readable") == ["a"]


async def test_names_that_the_database_cannot_hold_are_reported(db, folder):
    (folder / os.fsdecode(b"\xff.md")).write_text("A file with a name of no encoding.")
    (folder / "new\nline.md").write_text("A file with a line in its name.")
    write(folder, "a.md", "A file like any other.")
    report = await scanned(db, folder)
    assert counts(report) == (1, 0, 0, 2, 0)
    assert {error.number for error in report.errors} == {"E014"}


async def test_a_folder_is_scanned_once_a_minute_whoever_asks(db, folder):
    write_many(folder, 1)
    await scanned(db, folder, force=False)
    for caller in (AGENT, FOUNDER):
        with pytest.raises(TooOften) as refused:
            await scanned(db, folder, caller, force=False)
        assert refused.value.number == "E429"
        assert "seconds" in refused.value.hint
    assert (await scanned(db, folder, force=True)).unchanged == 1
    assert (await rescanned(db, folder)).unchanged == 1


async def test_fault_24_scans_at_the_same_time_make_no_doubles(db, folder):
    write_many(folder, 12)
    reports = await asyncio.gather(*(scanned(db, folder) for _ in range(4)))
    assert sum(report.indexed for report in reports) == 12
    assert all(report.indexed + report.unchanged == 12 for report in reports)
    assert (
        len(await rows(db, "select from memory_items"))
        == len(await rows(db, "select from memory_files"))
        == 12
    )


async def test_moves_seen_by_two_scans_at_once_make_no_doubles(db, folder):
    write_many(folder, 8)
    await scanned(db, folder)
    before = {row["id"] for row in await rows(db, "select id from memory_items")}
    for number in range(8):
        (folder / f"{number:02}.md").rename(folder / f"moved-{number}.md")
    await asyncio.gather(*(scanned(db, folder) for _ in range(3)))
    live = await rows(db, "select id from memory_items where archived_at is null")
    assert {row["id"] for row in live} == before
    assert len(await rows(db, "select from memory_files")) == 8


async def test_progress_is_told_file_by_file(db, folder):
    write_many(folder, 3)
    told = []

    async def tell(step):
        told.append(step)

    await scanned(db, folder, progress=tell)
    assert [(step.done, step.total, step.file.status) for step in told] == [
        (1, 3, FileStatus.INDEXED),
        (2, 3, FileStatus.INDEXED),
        (3, 3, FileStatus.INDEXED),
    ]


async def test_part_of_a_folder_can_be_scanned_and_the_rest_is_not_gone(db, folder):
    write(folder, "a/1.md", "The first file of them.")
    write(folder, "ab/2.md", "The second file of them.")
    await scanned(db, folder)
    report = await scan_folder(db, AGENT, Roots([folder]), folder / "a", force=True)
    assert counts(report) == (0, 0, 1, 0, 0)


async def test_a_folder_outside_of_the_roots_is_refused(db, folder, tmp_path):
    with pytest.raises(InvalidInput) as refused:
        await scan_folder(db, AGENT, Roots([folder]), tmp_path)
    assert refused.value.number == "E011"


async def test_fault_36_a_stored_path_that_leads_out_is_reported_and_not_looked_at(db, folder, tmp_path):
    write_many(folder, 1)
    await scanned(db, folder)
    (tmp_path / "outside.md").write_text("What lies outside of the folder.")
    async with db.transaction() as tx:
        await tx.execute("update memory_files set path = %s", (f"{folder}/../outside.md",))
    (folder / "00.md").unlink()
    report = await scanned(db, folder)
    assert [error.number for error in report.errors] == ["E014"]
    assert report.removed == 0


async def test_files_of_a_foreign_scope_stay_as_they_are(db, folder):
    write(folder, "a.md", "What one agent remembers.")
    await scanned(db, folder)
    (folder / "a.md").unlink()
    write(folder, "b.md", "What another agent remembers.")
    stranger = Caller(name="stranger", scopes=("agent:b",))
    report = await scanned(db, folder, stranger)
    assert counts(report) == (1, 0, 0, 0, 0)
    mine = await scanned(db, folder)
    assert [left.reason for left in mine.left_out] == ["the memory of somebody else"]
    assert counts(mine) == (0, 0, 0, 0, 1)


async def test_only_the_founders_scan_archives_what_binds_everybody(db, folder):
    path = write(folder, "a.md", "---\nimportance_tier: constitutional\n---\nNever delete a backup.")
    await scanned(db, folder, FOUNDER)
    await confirm_files(db)
    path.unlink()
    report = await scanned(db, folder)
    assert (report.removed, len(report.errors)) == (0, 1)
    assert "founder" in report.errors[0].message
    assert await found(db, "backup") == ["a"]
    assert (await scanned(db, folder, FOUNDER)).removed == 1
    assert await found(db, "backup") == []


async def test_fault_33_links_are_drawn_whatever_the_order_of_the_files(db, folder):
    write(
        folder,
        "a.md",
        "---\ncausal_links: {caused_by: [b.md], supersedes: [nowhere.md]}\n---\nThe effect of something.",
    )
    write(folder, "b.md", "The cause of something.")
    write(folder, "c.md", "---\ncausal_links: {derived_from: b}\n---\nWhat was made of it.")
    report = await scanned(db, folder)
    assert (report.links_drawn, report.unresolved) == (2, 1)
    edges = await rows(
        db,
        "select s.title as cause, t.title as effect from memory_edges e join memory_items s on s.id = e.source_id"
        " join memory_items t on t.id = e.target_id where relation = 'caused'",
    )
    assert edges == [{"cause": "b", "effect": "a"}]


async def scan_once(database_url: str, folder: str) -> None:
    """What the process that is killed does."""
    from frasier.store import Database

    async with Database(database_url) as database:
        await scan_folder(database, AGENT, Roots([Path(folder)]), folder)


PROGRAM = """
import asyncio, sys
sys.path.insert(0, sys.argv[1])
from slice.test_memory_files_scan import scan_once
asyncio.run(scan_once(*sys.argv[2:]))
"""


@pytest.mark.parametrize("hit", [1, 3])
async def test_kill_9_between_files_loses_and_doubles_nothing(db, database_url, folder, hit):
    write_many(folder, 4)
    died = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", PROGRAM, str(Path(__file__).parents[1]), database_url, str(folder)],
        env={
            **os.environ,
            "PYTHONPATH": str(SOURCE),
            "FRASIER_FAULT": f"scan.file_indexed:kill:{hit}",
        },
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL, died.stderr.decode()
    assert len(await rows(db, "select from memory_items m join memory_files f on f.id = m.file_id")) == hit
    assert counts(await rescanned(db, folder)) == (4 - hit, 0, hit, 0, 0)
    assert sorted(await found(db, "memory text number")) == [f"Memory {number}" for number in range(4)]
