"""A board on a full disk: what cannot be stored is refused with a code, whole, and goes through once there is room.

The PostgreSQL is the test's own, on a file system of its own that lies in memory and is small. To mount that takes root.
"""

from __future__ import annotations

import asyncio
import errno
import random
import string
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from frasier.board import ApprovalMode
from frasier.kernel.errors import DatabaseUnreachable, StoreError
from frasier.kernel.ids import new_id
from frasier.store import Database, append_event, migrate
from frasier.store.embedded import EmbeddedServer
from support.board_invariants import find_violations, state_of
from support.board_team import WANTED, Team, open_team
from support.board_walk import Asked, approve_move, prepare_move
from support.small_disk import small_disk

SIZE_MB = 256
# The keys of one stream stand together, on a page of the index that is full long before the table: these are spread.
FILLING = [uuid4() for _ in range(40)]
# As in conftest. What is written is logged in segments that are there from the beginning, so that the tables find no
# room before the log does; nothing frees room behind the test's back.
ROOMY_LOG = {
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "min_wal_size": "96MB",
    "max_wal_size": "96MB",
    "autovacuum": "off",
}


class Disk:
    """A small file system, and a file on it that takes what is left."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self._filler = place / "filler"

    def fill(self) -> None:
        with self._filler.open("ab", buffering=0) as file:
            for size in (1 << 20, 4096):
                try:
                    while file.write(bytes(size)) == size:
                        pass
                except OSError as error:
                    assert error.errno == errno.ENOSPC

    def free(self) -> None:
        self._filler.unlink(missing_ok=True)


@pytest.fixture(scope="module")
def disk() -> Iterator[Disk]:
    place = Path(tempfile.mkdtemp(prefix="frasier-full-", dir="/tmp"))
    try:
        with small_disk(place, f"{SIZE_MB}m"):
            yield Disk(place)
    finally:
        place.rmdir()


@pytest.fixture(scope="module")
def own_server(disk: Disk) -> Iterator[EmbeddedServer]:
    server = EmbeddedServer(disk.place / "pg", settings=ROOMY_LOG)
    server.start()
    yield server
    disk.free()
    server.stop()
    server.release()


@pytest.fixture
async def team(disk: Disk, own_server: EmbeddedServer) -> AsyncIterator[Team]:
    disk.free()
    own_server.ensure()
    name = f"t_{new_id().hex}"
    own_server.create_database(name)
    await migrate(own_server.url("frasier_owner", name))
    async with (
        Database(own_server.url("frasier_app", name)) as db,
        open_team(db, mode=ApprovalMode.MANUAL) as team,
    ):
        yield team
    disk.free()
    own_server.ensure()
    own_server.drop_database(name)


def words(length: int) -> str:
    """A text that cannot be stored in less room than it has characters."""
    drawn = random.Random(length)
    return "".join(drawn.choices(string.ascii_letters, k=length))


async def refused(team: Team, asked: Asked) -> None:
    """It is told that there is no room, and what that means; and nothing of it is there."""
    who, tool, arguments = asked
    slug = arguments.get("task")
    before = await state_of(team.board.database, slug) if slug else None
    with pytest.raises(StoreError) as told:
        await team(who, tool, **arguments)
    assert told.value.code == "store_error", repr(told.value)
    assert "No space left" in told.value.message
    assert told.value.kept == "Nothing of this was stored; everything committed before is."
    assert told.value.hint or told.value.advice
    if slug:
        assert await state_of(team.board.database, slug) == before


async def use_up(team: Team) -> None:
    """Writes what is free inside of the tables full, the large holes first; the small ones until nothing goes in."""
    with pytest.raises(StoreError):
        while True:
            await team("lia", "memory_save", content=f"{words(40)} {words(9_000)}", force=True)
    # Each move writes an event: where the smallest finds no room, none does.
    for chars in (4_000, 1_000, 300, 100, 30, 1, 1):
        for stream in FILLING:
            with pytest.raises(StoreError):
                while True:
                    await append(team, stream, words(chars))


async def append(team: Team, stream: UUID, text: str) -> None:
    async with team.board.database.transaction() as tx:
        await append_event(tx, stream=stream, kind="t", actor="t", payload={"t": text})


async def prepared(team: Team) -> list[Asked]:
    """One task for each move that is then asked for; nothing has to be written for it but the move itself."""
    await team.create("mug")
    for slug in ("cup", "pot", "jug", "vat"):
        await team.ready(slug)
    await team.claim("anna", "pot")
    await team.claim("anna", "vat")
    asked = await prepare_move(team, "jug", "block")
    await team(asked[0], asked[1], **asked[2])
    for slug in ("tea", "pan", "urn"):
        await team.designed(slug)
    approve = await prepare_move(team, "tea", "approve_design")
    await approve_move(team, approve)
    open_one = await prepare_move(team, "urn", "approve_design")
    await team.refused(open_one[0], open_one[1], **open_one[2])
    [decision] = (await team("boss", "task_decisions"))["decisions"]
    description = WANTED | {"description": words(3_000)}
    return [
        approve,
        await prepare_move(team, "mug", "ready"),
        await prepare_move(team, "cup", "start"),
        await prepare_move(team, "pot", "submit_design"),
        await prepare_move(team, "jug", "restore"),
        await prepare_move(team, "vat", "block"),
        ("boss", "task_decide", {"decision": decision["decision"], "approve": True}),
        ("lia", "task_create", {"name": "new", "title": "A new one", "fields": description}),
        ("anna", "task_note", {"state": {"step": words(3_000)}}),
    ]


async def what_can_be_read(team: Team) -> dict[str, Any]:
    """The answers of the tools that only read."""
    recovered = await team("anna", "task_recover")
    listed = await team("lia", "task_list")
    return {
        "holding": sorted(one["task"] for one in recovered["holding"]),
        "listed": sorted((one["task"], one["status"]) for one in listed["tasks"]),
        "tea": (await team("lia", "task_get", task="tea"))["fields"],
        "history": (await team("lia", "task_history", task="tea"))["events"],
        "decisions": [one["task"] for one in (await team("boss", "task_decisions"))["decisions"]],
        "waiting": sorted(one["task"] for one in (await team("quinn", "task_wait", timeout_s=0))["tasks"]),
    }


async def test_what_finds_no_room_is_refused_whole_and_goes_through_once_there_is_some(disk, team, tmp_path):
    wanted = await prepared(team)
    undecided = await prepare_move(team, "pan", "approve_design")
    before = await what_can_be_read(team)
    for stream in FILLING:
        await append(team, stream, "begun while there was room")
    disk.fill()
    for asked in (*wanted, undecided):
        await use_up(team)  # what was refused before has left a hole
        await refused(team, asked)
    assert await what_can_be_read(team) == before
    assert await find_violations(team.board.database, tmp_path / "seal.key") == []

    disk.free()
    for who, tool, arguments in wanted:
        await team(who, tool, **arguments)
    needed = await team.refused(undecided[0], undecided[1], **undecided[2])
    assert needed.code == "decision_needed"
    assert await team.place("tea") == ("approved", "qa")
    assert await team.place("pot") == ("approval", "liaison")
    assert await find_violations(team.board.database, tmp_path / "seal.key") == []


async def test_a_server_that_finds_no_room_for_its_log_goes_down_and_has_kept_everything(
    disk, own_server, team, tmp_path
):
    """PostgreSQL ends itself then. Once there is room it is started again, and the same move is made."""
    await team.designed("tea")
    approve = await prepare_move(team, "tea", "approve_design")
    await approve_move(team, approve)
    before = await state_of(team.board.database, "tea")
    database = team.board.database.url.rpartition("/")[2].partition("?")[0]
    disk.fill()
    with (
        psycopg.connect(own_server.url("postgres", database), autocommit=True) as boss,
        pytest.raises(psycopg.OperationalError),
    ):
        while True:  # each time the rest of a segment of the log is given away
            boss.execute("select pg_switch_wal()")
            boss.execute("select pg_logical_emit_message(false, 'test', 'x')")
    with pytest.raises(DatabaseUnreachable) as told:
        await team(approve[0], approve[1], **approve[2])
    assert told.value.kept
    assert told.value.hint or told.value.advice

    disk.free()
    await asyncio.to_thread(own_server.ensure)
    assert await state_of(team.board.database, "tea") == before
    await team(approve[0], approve[1], **approve[2])
    assert await team.place("tea") == ("approved", "qa")
    assert await find_violations(team.board.database, tmp_path / "seal.key") == []
