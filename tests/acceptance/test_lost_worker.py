"""Work whose worker was killed: every view says so at once, and when another worker takes it over."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from frasier.overview import OfficePlace, read_office, read_progress
from frasier.store import Database, holder_name
from frasier.workflow import claim, expire_leases_of
from support.cli import FrasierProgram
from support.cli_states import planned_mission
from support.crash import poll
from support.model_responder import Prompt, decompose, plan_of
from support.model_server import ScriptedAnswer
from support.scripted_founder import scripted_founder

DIRECTIVE = "Compare the water temperatures of the drinks in these documents"
STEPS = ("part-1", "part-2")


def test_after_a_kill_every_view_says_at_once_that_nobody_works(frasier: FrasierProgram, documents: Path):
    def silent(_: Prompt) -> ScriptedAnswer:
        return ScriptedAnswer(hang=True)

    with scripted_founder(
        frasier, plan=lambda _: ScriptedAnswer.json(plan_of(3)), decompose=silent
    ) as founder:
        settings = founder.settings | {"FRASIER_WORKER__CONCURRENCY": "8"}
        with frasier.running("run", DIRECTIVE, "--sources", str(documents), **settings) as run:
            poll(lambda: len(founder.prompts("decompose")) == len(STEPS), "both steps ask their model")
            assert frasier.json("status")["tasks"]["running"] == len(STEPS)
        # The program was killed, and nothing else is told of it.
        assert run.wait(60) == -9

        status = frasier.json("status")
        assert (status["tasks"]["running"], status["tasks"]["lost"]) == (0, len(STEPS))
        assert status["workers"] == []
        assert [mission["status"] for mission in status["interrupted"]] == ["in_progress"]
        steps = {step["key"]: step["status"] for step in frasier.json("missions", "show", "last")["steps"]}
        assert [steps[key] for key in STEPS] == ["lost", "lost"]
        assert frasier("missions", "show", "last").out.count("its worker has ended") == len(STEPS)
        for key in STEPS:
            assert frasier.json("steps", "show", f"last/{key}")["status"] == "lost"
        assert frasier.json("missions", "list")["missions"][0]["steps_active"] == 0
        told = " ".join(frasier("status").out.split())
        assert "2 lost" in told
        assert "2 tasks for a worker, and nobody is at work" in told
        assert "nobody: `frasier up` starts a worker" in told
        with frasier.at_terminal("watch", "last", columns=100, rows=24, code=130) as terminal:
            terminal.read_until("Nobody is at work: `frasier resume(?s:.+)Nobody is at work: `frasier resume")
            drawn = terminal.screen()
            assert drawn.count("its worker has ended") == len(STEPS), drawn

        founder.answer(decompose=decompose)
        assert founder.json("resume", "last")["status"] == "delivered"
    status = frasier.json("status")
    assert status["tasks"]["lost"] == 0


@pytest.fixture
def ended_holder() -> str:
    """The name of a holder of leases in a process that has ended."""
    program = "from frasier.store import holder_name; print(holder_name())"
    return subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout.strip()


async def test_what_a_lost_worker_held_is_taken_over_by_another_and_the_views_say_when(
    db: Database, home: Path, ended_holder: str
):
    async with db.transaction() as tx:
        planned = await planned_mission(tx, home / "out")
        gone, living = [
            await claim(tx, worker=worker, names=["mission_step"], lease_s=25, limit=1)
            for worker in (ended_holder, holder_name())
        ]
    async with db.transaction() as tx:
        progress = await read_progress(tx, planned.mission.id)
        office = {one.task.title: one for one in await read_office(tx) if one.task}
    assert office[gone[0].title].place is OfficePlace.WAITING
    assert office[living[0].title].place is OfficePlace.DESK
    phases = {step.key: (step.status, step.phase) for step in progress.steps}
    assert phases[living[0].slug] == ("active", "reading the task")
    status, phase = phases[gone[0].slug]
    assert status == "lost"
    assert re.fullmatch(r"its worker has ended; taken over in 2\d s", phase)
    assert progress.attended

    async with db.transaction() as tx:
        await expire_leases_of(tx, [living[0].lease_owner])
    async with db.transaction() as tx:
        progress = await read_progress(tx, planned.mission.id)
    silent = next(step for step in progress.steps if step.key == living[0].slug)
    assert (silent.status, silent.phase) == ("lost", "its worker fell silent")
