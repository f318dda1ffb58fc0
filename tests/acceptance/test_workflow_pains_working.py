"""What was complete and did not work: the pain by its number, and what the board does instead."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from psycopg.types.json import Jsonb

from frasier.board import (
    ApprovalMode,
    DecisionNeeded,
    get_board,
    require_command,
    switch_command,
    waive_command,
)
from frasier.kernel.errors import InvalidInput, NotAllowed
from frasier.workflow import FOUNDER
from support.board_team import BOARD, open_team
from support.cli import FrasierProgram
from support.task_walk import completion_move, create_reviewed_task, declare_tests, open_http_board
from support.team import LIA

UP = "open({log!r}, 'a').write('x'); print('it answers')"
DOWN = UP.replace("it answers", "nobody answers at port 80") + "; raise SystemExit(3)"


class Deployment:
    """What is deployed, and the founder's command `smoke` that looks whether it works."""

    def __init__(self, team, folder: Path) -> None:
        self.team, self.folder, self.log = team, folder, folder / "ran"

    async def declared(self, program: str = UP) -> None:
        await declare_tests(self.team, self.folder, program.format(log=str(self.log)), "smoke")

    def becomes(self, program: str) -> None:
        """The world changes; the command is the same."""
        (self.folder / "smoke.py").write_text(program.format(log=str(self.log)))

    async def says(self, use, *given, **named):
        async with self.team.board.database.transaction() as tx:
            board = await get_board(tx, BOARD)
            return await use(tx, board.id, "smoke", *given, **{"actor": FOUNDER} | named)

    @property
    def runs(self) -> int:
        return len(self.log.read_text()) if self.log.exists() else 0


@pytest.fixture
async def deployment(team, tmp_path):
    made = Deployment(team, tmp_path)
    await made.declared()
    await made.says(require_command, "complete")
    return made


async def test_pain_14_what_does_not_work_where_it_runs_is_not_completed(team, deployment, tmp_path):
    """All tests were green, and the program had never been restarted: "complete" meant that code was merged."""
    await create_reviewed_task(team, tmp_path)
    deployment.becomes(DOWN)
    before = await team("lia", "task_get", task="tea")
    closed = await team.refused("lia", "task_move", **completion_move())
    assert closed.code == "command_required"
    assert "smoke ended with exit code 3 (nobody answers at port 80)" in closed.message
    assert "make the move again" in closed.hint
    assert (await team("lia", "task_get", task="tea"))["version"] == before["version"]
    deployment.becomes(UP)
    await team("lia", "task_move", **completion_move())
    assert await team.place("tea") == ("complete", "liaison")
    assert deployment.runs == 2
    assert (await team("lia", "task_history", task="tea"))["problems"] == []


async def test_pain_14_the_founder_completes_nothing_that_does_not_work_either(team, deployment, tmp_path):
    await create_reviewed_task(team, tmp_path)
    deployment.becomes(DOWN)
    assert (await team.refused("boss", "task_move", **completion_move())).code == "command_required"
    await deployment.says(waive_command, "complete")
    await team("boss", "task_move", **completion_move())


async def test_pain_14_it_is_said_beforehand_what_a_move_will_run(team, deployment, tmp_path):
    await create_reviewed_task(team, tmp_path)
    shown = await team("lia", "task_get", task="tea")
    ways = {way["move"]: way.get("requires_commands") for way in shown["ways"]}
    assert ways == {"complete": ["smoke"], "send_back_to": None, "cancel": None}
    assert shown["breadcrumb"].endswith("[review+liaison] → {smoke} → complete+liaison")
    listed = await team("lia", "task_commands")
    assert {one["command"]: one.get("required_for") for one in listed["commands"]} == {
        "smoke": ["complete"],
        "unit": None,
    }
    checked = await team("lia", "task_check", task="tea", command="smoke")
    assert checked["required_for"] == ["complete"]
    await team("lia", "task_move", **completion_move())
    assert deployment.runs == 1, "what was shown already is not run again"


async def test_pain_14_a_run_counts_for_the_work_as_it_is_and_since_it_stands_there(
    team, deployment, tmp_path
):
    await create_reviewed_task(team, tmp_path, "cup")
    await team.built()
    await declare_tests(team, tmp_path)
    await team("quinn", "task_check", task="tea", command="smoke")  # it ran while the tester had the task
    await team("quinn", "task_check", task="tea", command="unit")
    for who, move, field in (("quinn", "pass_tests", "qa_review"), ("anna", "pass_design", "pdsa_review")):
        await team(who, "task_move", task="tea", move=move, fields={field: f"{who} looked at tea."})
    deployment.becomes(DOWN)
    assert (await team.refused("lia", "task_move", **completion_move())).code == "command_required"
    assert deployment.runs == 2

    deployment.becomes(UP)
    await team("lia", "task_check", task="cup", command="smoke")
    deployment.becomes(DOWN)
    async with team.board.database.transaction() as tx:  # past the engine: no tool changes it by now
        other = Jsonb({"implementation": "src/cup2.py"})
        await tx.execute("update workflow_tasks set fields = fields || %s where slug = 'cup'", [other])
    await team("quinn", "task_check", task="cup", command="unit")
    closed = await team.refused("lia", "task_move", **completion_move("cup"))
    assert "smoke ended with exit code 3" in closed.message


async def test_pain_14_what_a_check_says_is_no_tests_and_tests_are_no_check(team, deployment, tmp_path):
    """It counts none: the tests that passed stay as they were counted, and it opens nothing that wants tests."""
    await team.built()
    await declare_tests(team, tmp_path)
    await team("quinn", "task_check", task="tea", command="smoke")
    passed = {"task": "tea", "move": "pass_tests", "fields": {"qa_review": "All green."}}
    assert "no tests were run" in (await team.refused("quinn", "task_move", **passed)).message
    await team("quinn", "task_check", task="tea", command="unit")
    await team("quinn", "task_check", task="tea", command="smoke")
    await team("quinn", "task_move", **passed)
    assert (await team("quinn", "task_get", task="tea"))["fields"]["test_pass_count"] == 3


async def test_pain_14_a_check_that_could_not_start_takes_away_nothing_that_was_counted(team, tmp_path):
    await team.built()
    await declare_tests(team, tmp_path)
    gone = tmp_path / "gone"
    gone.mkdir()
    await declare_tests(team, gone, name="again")
    shutil.rmtree(gone)
    await team("quinn", "task_check", task="tea", command="unit")
    told = await team("quinn", "task_check", task="tea", command="again")
    assert (told["ended"], told["holds"]) == ("not_started", False)
    fields = (await team("quinn", "task_get", task="tea"))["fields"]
    assert (fields["test_pass_count"], fields["test_total_count"]) == (3, 3)
    await team("quinn", "task_move", task="tea", move="pass_tests", fields={"qa_review": "All green."})


async def test_pain_14_a_check_that_is_switched_off_leaves_no_hole(team, deployment, tmp_path):
    """Neither by switching it off nor by another program under its name."""
    await create_reviewed_task(team, tmp_path)
    await team("lia", "task_check", task="tea", command="smoke")
    await deployment.says(switch_command, enabled=False)
    for who in ("lia", "boss"):
        closed = await team.refused(who, "task_move", **completion_move())
        assert closed.code == "command_required"
        assert "smoke is switched off" in closed.message
        assert [advice.as_dict() for advice in closed.advice] == [
            {
                "action": "command.enable",
                "to": "switch smoke on",
                "arguments": {"name": "smoke", "board": "kettle"},
            },
            {
                "action": "command.waive",
                "to": "take the requirement back",
                "arguments": {"name": "smoke", "move": "complete", "board": "kettle"},
            },
        ]
    assert (await team("lia", "task_get", task="tea"))["breadcrumb"].count("{smoke (switched off)}") == 1
    await deployment.declared(DOWN)
    closed = await team.refused("lia", "task_move", **completion_move())
    assert "exit code 3" in closed.message
    async with team.board.database.transaction() as tx:
        cursor = await tx.execute("select count(*) as kept from board_required_commands")
        assert (await cursor.fetchone())["kept"] == 1


async def test_pain_14_nothing_is_run_for_what_is_refused_anyway(team, deployment, tmp_path):
    await create_reviewed_task(team, tmp_path)
    for who, given in (
        ("dan", completion_move()),
        ("lia", completion_move() | {"fields": {}}),
        (
            "lia",
            completion_move() | {"fields": completion_move()["fields"] | {"liaison_q1_complete": "short"}},
        ),
    ):
        closed = await team.refused(who, "task_move", **given)
        assert closed.code == "transition_refused"
    assert deployment.runs == 0


async def test_pain_14_the_founder_is_asked_only_about_what_works(db, tmp_path):
    async with open_team(db, mode=ApprovalMode.AUTO_APPROVAL) as team:
        deployment = Deployment(team, tmp_path)
        await deployment.declared(DOWN)
        await deployment.says(require_command, "complete")
        await create_reviewed_task(team, tmp_path)
        assert (await team.refused("lia", "task_move", **completion_move())).code == "command_required"
        assert (await team("boss", "task_decisions"))["decisions"] == []
        deployment.becomes(UP)
        with pytest.raises(DecisionNeeded):
            await team("lia", "task_move", **completion_move())
        [asked] = (await team("boss", "task_decisions"))["decisions"]
        await team("boss", "task_decide", decision=asked["decision"], approve=True)
        await team("lia", "task_move", **completion_move())
        assert await team.place("tea") == ("complete", "liaison")


async def test_pain_14_no_agent_says_what_is_required_and_nothing_hangs_that_must_be_possible(
    team, deployment
):
    for use in (require_command, waive_command):
        with pytest.raises(NotAllowed):
            await deployment.says(use, "complete", actor=LIA)
    for move in ("release", "cancel", "start", "send_back_to", "reopen", "ready", "no_such"):
        with pytest.raises(InvalidInput, match="Nothing can be required"):
            await deployment.says(require_command, move)
    with pytest.raises(InvalidInput, match="is not required"):
        await deployment.says(waive_command, "submit_work")


async def test_pain_14_over_http_it_is_refused_with_its_code(team, deployment, tmp_path):
    await create_reviewed_task(team, tmp_path)
    deployment.becomes(DOWN)
    async with open_http_board(team) as wire:
        refused = await wire(team.tokens["lia"], "task_move", **completion_move())
    assert refused.status_code == 409
    error = refused.json()["error"]
    assert error["code"] == "command_required"
    assert "smoke" in error["message"]


def test_pain_14_the_founder_requires_it_at_the_command_line(frasier: FrasierProgram, tmp_path):
    frasier("task", "board", "make", "kettle")
    words = ("task", "command")
    frasier(*words, "declare", "smoke", "--folder", str(tmp_path.resolve()), "--", sys.executable, "-c", "0")
    said = frasier(*words, "require", "smoke").out
    assert "complete runs smoke from now on" in said
    assert "`frasier task command enable smoke`" in said
    assert frasier.json("task", "commands")["data"]["commands"][0]["required_for"] == ["complete"]
    assert "complete" in frasier(*words, "list").out
    assert "does not run smoke any more" in frasier(*words, "waive", "smoke", "--for", "complete").out
    assert "required_for" not in frasier.json("task", "commands")["data"]["commands"][0]
