"""`frasier resume` of a mission that has ended tells how it ended, and that nothing was done or paid now."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from frasier.org.execution import fail_mission
from frasier.org.missions import Mission, get_mission
from support.cli import FrasierProgram
from support.cli_states import completed_mission, planned_mission

FAILED = 4


def trail(frasier: FrasierProgram) -> list[Any]:
    """Everything that ever happened."""
    return list(frasier.json("events", "tail", "--limit", "500")["events"])


async def delivered(db, home: Path, frasier: FrasierProgram) -> tuple[Mission, str]:
    """A mission that was resumed up to its delivery, and where its folder is."""
    async with db.transaction() as tx:
        mission = (await completed_mission(tx, home / "out")).mission
    return mission, frasier.json("resume", "last")["folder"]


async def test_a_delivered_mission_is_not_carried_out_again(db, home: Path, frasier: FrasierProgram) -> None:
    mission, folder = await delivered(db, home, frasier)
    before = trail(frasier)

    told = frasier("resume", "last")
    assert f"Mission {str(mission.id)[-8:]} ({mission.title}) was delivered on 2" in told.out
    assert folder in told.out
    assert "Nothing was done or paid now." in told.out
    assert "Green tea is brewed" not in told.out, "the deliverable is not shown as if it had just been made"
    assert told.err == ""

    document = frasier.json("resume", "last", "--budget", "9")
    assert (document["status"], document["resumed"], document["folder"]) == ("delivered", False, folder)
    assert document["ended_at"]
    assert "Nothing was done or paid now." in document["message"]
    assert frasier.json("missions", "show")["budget_usd"] is None
    assert trail(frasier) == before


async def test_a_delivered_folder_that_was_removed_is_missed(db, home: Path, frasier: FrasierProgram) -> None:
    _, folder = await delivered(db, home, frasier)
    shutil.rmtree(folder)
    told = frasier("resume", "last").out
    assert "That folder is not there any more" in told
    assert not Path(folder).exists()


async def test_a_failed_mission_is_not_failed_again(db, home: Path, frasier: FrasierProgram) -> None:
    async with db.transaction() as tx:
        planned = await planned_mission(tx, home / "out")
        mission = await get_mission(tx, planned.mission.id)
        await fail_mission(tx, mission, reason="the water: rejected 3 times")
    frasier("resume", "last", code=FAILED)  # its announcement is carried out
    before = trail(frasier)
    told = frasier("resume", "last", code=FAILED).err
    assert "failed on 2" in told
    assert "rejected 3 times" in told
    assert "Nothing was done or paid now." in told
    assert f"`frasier retry {str(planned.mission.id)[-8:]}` takes it up again." in told
    assert frasier.json("resume", "last", code=FAILED)["resumed"] is False
    assert trail(frasier) == before


async def test_a_cancelled_mission_is_not_cancelled_again(db, home: Path, frasier: FrasierProgram) -> None:
    async with db.transaction() as tx:
        await planned_mission(tx, home / "out")
    frasier("cancel", "last")
    before = trail(frasier)
    told = frasier("resume", "last", code=FAILED).err
    assert "was cancelled on 2" in told
    assert "Nothing was done or paid now." in told
    assert "takes it up again" in told
    assert trail(frasier) == before
