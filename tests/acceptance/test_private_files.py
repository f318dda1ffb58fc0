"""What the program writes into its home is closed to every other user of the machine."""

from __future__ import annotations

import json
import os
import pwd
import stat
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from frasier.interfaces.publish import AnnouncementFile
from frasier.store import enqueue_effect, latest_effects
from support.cli import FrasierProgram, read_until
from support.cli_states import new_mission
from support.embedded_places import open_place, wait_until

AS_ROOT = os.geteuid() == 0
needs_root = pytest.mark.skipif(not AS_ROOT, reason="only root runs PostgreSQL as another user")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def announce(db, home: Path) -> None:
    async with db.transaction() as tx:
        mission = await new_mission(tx, home)
        await enqueue_effect(
            tx, kind="announce", key="k", stream=mission.id, payload={"text": "Tea is ready."}
        )


async def test_a_new_home_and_its_records_are_closed_to_others(db, home, frasier: FrasierProgram):
    await announce(db, home)
    own = home / "own"
    with frasier.running("up", FRASIER_HOME=str(own)) as process:
        read_until(process.stdout, "Frasier is up")
        wait_until(lambda: (own / "announcements.jsonl").exists() and (own / "seal.key").exists())
    assert mode(own) == 0o700
    assert {mode(file) for file in own.iterdir()} == {0o600}


async def test_a_long_file_of_announcements_is_begun_anew_and_none_is_announced_twice(
    db, home, frasier: FrasierProgram
):
    current, older = home / "announcements.jsonl", home / "announcements.jsonl.1"
    old = (json.dumps({"at": "2026-11-01", "key": "of before", "text": "Tea was ready."}) + "\n").encode()
    current.write_bytes(old * 80_000)
    await announce(db, home)
    with frasier.running("up", "--no-worker") as process:
        read_until(process.stdout, "Frasier is up")
        wait_until(older.exists)
        wait_until(lambda: current.exists() and current.read_bytes().endswith(b"\n"))
    assert older.read_bytes() == old * 80_000
    (line,) = current.read_text("utf-8").splitlines()
    assert json.loads(line)["text"] == "Tea is ready."
    assert mode(current) == 0o600
    async with db.transaction() as tx:
        (sent,) = await latest_effects(tx, kind="announce", limit=2)
    file = AnnouncementFile(current)
    assert await file.send(replace(sent, key="of before")) == {"file": str(older)}, (
        "it stands in the older part"
    )
    assert len(current.read_text("utf-8").splitlines()) == 1


@pytest.mark.parametrize(("name", "besides"), [("own", []), (".frasier", ["tokens.env"])])
def test_an_open_home_of_before_is_closed_when_it_is_next_opened(
    home, frasier: FrasierProgram, name: str, besides: list[str]
):
    own = home / name
    own.mkdir(mode=0o755)
    for other in besides:
        (own / other).touch()
    (own / "deliverables").mkdir(mode=0o755)
    for record in ("announcements.jsonl", "database-stays"):
        (own / record).touch()
        (own / record).chmod(0o644)
    frasier("status", FRASIER_HOME=str(own))
    assert mode(own) == 0o700
    assert mode(own / "announcements.jsonl") == mode(own / "database-stays") == 0o600
    assert mode(own / "deliverables") == 0o755, "the founder's documents are theirs to open"


def test_a_directory_that_holds_other_things_too_is_left_open_and_its_records_are_closed(
    home, frasier: FrasierProgram
):
    shared = home / "shared"
    shared.mkdir(mode=0o755)
    for name in ("announcements.jsonl", "website.html"):
        (shared / name).touch()
        (shared / name).chmod(0o644)
    frasier("status", FRASIER_HOME=str(shared))
    assert mode(shared) == 0o755
    assert mode(shared / "announcements.jsonl") == 0o600
    assert mode(shared / "website.html") == 0o644


@needs_root
def test_as_root_only_the_user_of_the_database_may_pass_through_the_home():
    with open_place() as place:
        home = place / "home"
        own = FrasierProgram(place, None)
        own("db", "start", FRASIER_HOME=str(home))
        try:
            owner = (home / "postgres" / "data").stat()
            assert mode(home) == 0o710
            assert (home.stat().st_uid, home.stat().st_gid) == (0, owner.st_gid)
            assert mode(home / "database-stays") == 0o600
            nobody = pwd.getpwnam("nobody")
            looked = subprocess.run(
                ["/usr/bin/test", "-x", home], user=nobody.pw_uid, group=nobody.pw_gid, extra_groups=[]
            )
            assert looked.returncode == 1
        finally:
            own("db", "stop", FRASIER_HOME=str(home))
