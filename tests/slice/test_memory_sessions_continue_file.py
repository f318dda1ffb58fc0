"""CONTINUE_SESSION.md on the disk: inside the configured folders only, whole, and never over somebody else's file."""

from __future__ import annotations

import pytest

from frasier.kernel.errors import InvalidInput, InvariantBroken, Stale
from frasier.memory.access import Caller
from frasier.memory.files.allowed_paths import Roots
from frasier.memory.files.index_file import index_file
from frasier.memory.sessions.continue_file import CONTINUE_FILE, render_continue_file, write_continue_file
from frasier.memory.sessions.lifecycle import open_session, update_session

RESUME = "Run `frasier memory session resume s:1:`."
ME = Caller(name="me", scopes=("project:one",))


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "specs"
    folder.mkdir()
    return folder


@pytest.fixture
async def session(db):
    async with db.transaction() as tx:
        await open_session(tx, ME, "s:1:")
        return await update_session(tx, ME, "s:1:", task="Compare the engines", pending_work="- write it up")


@pytest.mark.parametrize("absolute", [True, False])
async def test_the_file_is_written_and_replaced_by_a_later_one(root, session, absolute):
    roots = Roots([root])
    folder = root / "001-a" if absolute else "001-a"
    path = await write_continue_file(roots, folder, session, resume=RESUME)
    assert path == root / "001-a" / CONTINUE_FILE
    assert path.read_text("utf-8") == render_continue_file(session, resume=RESUME)
    path.write_text(path.read_text("utf-8").replace("Compare", "Older"), "utf-8")
    assert await write_continue_file(roots, folder, session, resume=RESUME) == path
    assert path.read_text("utf-8") == render_continue_file(session, resume=RESUME)
    assert [entry.name for entry in path.parent.iterdir()] == [CONTINUE_FILE]


async def test_fault_36_nothing_is_written_outside_of_the_configured_folders(root, session, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "link").symlink_to(outside)
    (root / "trap").mkdir()
    (root / "trap" / CONTINUE_FILE).symlink_to(outside / "stolen.md")
    for folder in (outside, "../outside", root / "link", "link", "trap", "a/../../outside", "\0"):
        with pytest.raises(InvalidInput) as refused:
            await write_continue_file(Roots([root]), folder, session, resume=RESUME)
        assert refused.value.number in {"E011", "E014"}
    with pytest.raises(InvalidInput):
        await write_continue_file(Roots([]), root, session, resume=RESUME)
    assert list(outside.iterdir()) == []


async def test_a_file_of_somebody_else_is_left_alone(root, session):
    (root / CONTINUE_FILE).write_text("My own notes.", "utf-8")
    with pytest.raises(Stale) as refused:
        await write_continue_file(Roots([root]), "", session, resume=RESUME)
    assert refused.value.number == "E083"
    assert (root / CONTINUE_FILE).read_text("utf-8") == "My own notes."


async def test_no_transaction_waits_for_the_disk(db, root, session):
    with pytest.raises(InvariantBroken):
        async with db.transaction():
            await write_continue_file(Roots([root]), "", session, resume=RESUME)


async def test_where_a_scan_finds_the_file_it_becomes_a_memory_that_soon_fades(db, root, session):
    path = await write_continue_file(Roots([root]), "", session, resume=RESUME)
    async with db.transaction() as tx:
        await index_file(tx, ME, Roots([root]), path, scope="project:one")
        cursor = await tx.execute("select title, memory_type, tier, expires_at from memory_items")
        [row] = await cursor.fetchall()
    assert (row["title"], row["memory_type"], row["tier"]) == (
        "Continue session s:1:",
        "working",
        "temporary",
    )
    assert row["expires_at"] is not None
