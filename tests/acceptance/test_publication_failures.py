"""A folder that cannot be written is named at once with its cause, and written as soon as it can be.

Full and read-only disks are small file systems in memory. To mount them takes root.
"""

from __future__ import annotations

import errno
import json
import os
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from frasier.org.missions import Mission
from support.cli import FrasierProgram, read_until
from support.cli_states import completed_mission
from support.organisation import DIRECTIVE, write_documents
from support.small_disk import small_disk

WAITS_FOR_FOUNDER = 5
PROVIDER = 6


@dataclass(frozen=True, slots=True)
class Fault:
    """Why nothing can be written below `place`, and what ends that."""

    place: Path
    cause: str
    mend: Callable[[], object]


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """A folder on a file system of its own with room for one page."""
    place = tmp_path / "disk"
    place.mkdir()
    with small_disk(place, "4k"):
        yield place


@pytest.fixture
def full(mounted: Path) -> Fault:
    """A full disk."""
    (mounted / "filler").write_bytes(bytes(4096))

    def mend() -> None:
        (mounted / "filler").unlink()
        subprocess.run(["mount", "-o", "remount,size=4m", str(mounted)], check=True)

    return Fault(mounted / "out", os.strerror(errno.ENOSPC), mend)


@pytest.fixture
def read_only(mounted: Path) -> Fault:
    """A disk that was mounted read-only."""
    subprocess.run(["mount", "-o", "remount,ro", str(mounted)], check=True)
    again = ["mount", "-o", "remount,rw,size=4m", str(mounted)]
    return Fault(mounted / "out", os.strerror(errno.EROFS), lambda: subprocess.run(again, check=True))


@pytest.fixture
def forbidden(tmp_path: Path) -> Fault:
    """A place that belongs to others."""
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    (tmp_path / "theirs").mkdir(mode=0o500)
    return Fault(
        tmp_path / "theirs" / "out", os.strerror(errno.EACCES), lambda: (tmp_path / "theirs").chmod(0o700)
    )


@pytest.fixture
def file_in_the_way(tmp_path: Path) -> Fault:
    """A file where the folder should be."""
    place = tmp_path / "out"
    place.write_text("a list of things to do")
    return Fault(place, f"{os.strerror(errno.EEXIST)} ({place})", place.unlink)


@pytest.fixture
def parent_gone(tmp_path: Path) -> Fault:
    """A link to a disk that is not there."""
    link = tmp_path / "archive"
    link.symlink_to(tmp_path / "unplugged")
    return Fault(link / "out", f"{os.strerror(errno.EEXIST)} ({link})", (tmp_path / "unplugged").mkdir)


async def finished(db, place: Path) -> Mission:
    """A mission whose deliverable is approved, and whose folder is to be written below `place`."""
    async with db.transaction() as tx:
        return (await completed_mission(tx, place)).mission


def names(text: str, fault: Fault) -> bool:
    return fault.cause in text and str(fault.place) in text


def publication(frasier: FrasierProgram) -> dict[str, Any]:
    """The effect that writes the folder."""
    effects = frasier.json("missions", "show")["effects"]
    (effect,) = [effect for effect in effects if effect["kind"] == "publish.folder"]
    return dict(effect)


def was_written_once(frasier: FrasierProgram, fault: Fault, mission: Mission) -> bool:
    (folder,) = fault.place.iterdir()  # nothing half made lies beside it
    stored = json.loads((folder / "provenance.json").read_text("utf-8"))
    kinds = Counter(event["kind"] for event in frasier.json("events", "tail", "--limit", "100")["events"])
    return stored["mission"]["id"] == str(mission.id) and kinds["mission.delivered"] == 1


@pytest.mark.parametrize("kind", ["full", "read_only", "forbidden", "file_in_the_way", "parent_gone"])
async def test_resume_names_folder_and_cause_at_once_and_writes_it_when_it_can(
    kind: str, request: pytest.FixtureRequest, db, frasier: FrasierProgram
) -> None:
    fault: Fault = request.getfixturevalue(kind)
    mission = await finished(db, fault.place)
    told = frasier.json("resume", "last", code=WAITS_FOR_FOUNDER)
    assert told["status"] == "completed"
    assert names(told["failure"], fault)
    assert publication(frasier)["attempts"] == 1, "it was told at the first failure"

    fault.mend()
    assert frasier.json("resume", "last")["status"] == "delivered"
    assert was_written_once(frasier, fault, mission)


async def test_every_screen_names_the_cause_and_resend_tries_at_once(
    db, frasier: FrasierProgram, full: Fault
) -> None:
    mission = await finished(db, full.place)
    told = frasier("resume", "last", code=WAITS_FOR_FOUNDER).err
    assert names(told, full)
    assert f"frasier resume {str(mission.id)[-8:]}" in told
    shown = frasier("missions", "show").out
    assert names(shown, full)
    assert "is being written" not in shown
    for screen in ("status", "inbox", "outbox list", "doctor"):
        assert full.cause in frasier(*screen.split()).out, screen
    assert names(frasier.json("inbox")["effects"][0]["error"], full)
    assert frasier.json("status")["effects_in_trouble"] == 1

    assert full.cause in frasier("outbox", "resend", code=PROVIDER).out
    (resent,) = frasier.json("outbox", "resend", code=PROVIDER)["effects"]
    assert names(resent["error"], full)
    assert publication(frasier)["attempts"] == 3

    full.mend()
    (sent,) = frasier.json("outbox", "resend")["effects"]
    assert sent["state"] == "sent"
    assert was_written_once(frasier, full, mission)


def test_run_names_folder_and_cause_at_once(frasier: FrasierProgram, tmp_path: Path, full: Fault) -> None:
    documents = str(write_documents(tmp_path / "drinks"))
    told = frasier("run", DIRECTIVE, "--sources", documents, "--out", str(full.place), code=WAITS_FOR_FOUNDER)
    assert names(told.err, full)
    assert publication(frasier)["attempts"] == 1


async def test_up_writes_the_folder_by_itself_once_there_is_room(
    db, frasier: FrasierProgram, full: Fault
) -> None:
    mission = await finished(db, full.place)
    with frasier.running("up", "--no-worker") as up:
        assert names(read_until(up.stderr, "publish.folder is in trouble"), full)
        full.mend()
        read_until(up.stderr, "is delivered")
    assert was_written_once(frasier, full, mission)
