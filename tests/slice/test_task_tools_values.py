"""What is said with a move means what it means in an edit: nothing is nothing, and a list has what is not blank."""

from __future__ import annotations

import pytest

from frasier.board import NewBoardTask, add_task, get_board
from frasier.board.agent_inbox.audit_replay import check_trail
from frasier.kernel.errors import InvalidInput, TransitionRefused
from frasier.workflow import SYSTEM, processes
from frasier.workflow.processes.process import FieldKind
from support.board_team import BOARD, DESIGN, WANTED
from support.board_walk import task_of

BLANKS = ["", " \n"]


async def fields_of(team, task="tea"):
    return (await team("lia", "task_get", task=task))["fields"]


async def check_history(team, task="tea"):
    """Its events lead to exactly what is stored."""
    stored = await task_of(team, task)
    async with team.board.database.transaction() as tx:
        assert await check_trail(tx, stored.id) == []


@pytest.mark.parametrize("nothing", ["", "  ", None])
async def test_an_empty_value_said_with_a_move_removes_the_field(team, nothing):
    await team.create(fields=WANTED | {"constraints": "Copper."}, role="liaison")
    fields = {"depends_on_reviewed": True, "constraints": nothing, "findings": nothing}
    await team("lia", "task_move", task="tea", move="ready", fields=fields)
    assert await fields_of(team) == WANTED | {"board": BOARD, "depends_on_reviewed": True}
    await check_history(team)


async def test_an_empty_value_a_task_begins_with_is_none(team):
    await team.create(fields=WANTED | {"constraints": " ", "findings": ""}, role="liaison")
    assert await fields_of(team) == WANTED | {"board": BOARD}
    await check_history(team)


async def test_no_is_an_answer(team):
    await team.create()
    closed = await team.refused(
        "lia", "task_move", task="tea", move="ready", fields={"depends_on_reviewed": False}
    )
    assert "depends_on_reviewed is not true" in closed.message


async def test_a_gate_sees_what_a_move_empties(team):
    attempt = await team.claim("anna", await team.ready())
    await team("anna", "task_edit", task="tea", attempt=attempt, version=3, fields={"pdsa_ref": DESIGN})
    fields = {"pdsa_ref": " ", "memory_contribution_id": await team.learned("anna")}
    closed = await team.refused("anna", "task_deliver", task="tea", attempt=attempt, fields=fields)
    assert "lacks pdsa_ref" in closed.message


async def test_criteria_that_are_blank_are_none(team):
    given = {"name": "tea", "title": "A kettle", "fields": WANTED | {"acceptance_criteria": BLANKS}}
    refused = await team.refused("lia", "task_create", **given)
    assert isinstance(refused, InvalidInput)
    assert "lacks acceptance_criteria" in refused.message
    await team.create(fields=WANTED | {"acceptance_criteria": ["", " It whistles. ", " "]})
    assert (await fields_of(team))["acceptance_criteria"] == ["It whistles."]
    version = (await team("lia", "task_get", task="tea"))["version"]
    await team("lia", "task_edit", task="tea", version=version, fields={"acceptance_criteria": BLANKS})
    assert "acceptance_criteria" not in await fields_of(team)


async def test_the_engine_makes_no_task_that_it_could_not_fill(db, team):
    """A table names as makers only those who may say what a task must begin with."""
    async with db.transaction() as tx:
        board = await get_board(tx, BOARD)
        new = NewBoardTask(process="pdsa_task", slug="tea", title="A kettle", fields=WANTED)
        with pytest.raises(TransitionRefused, match="system:frasier may not create a pdsa_task"):
            await add_task(tx, board, new, actor=SYSTEM)


async def test_as_much_as_all_fields_take_is_said_with_one_move_and_leaves_its_event(team):
    """An event has room for 64 KiB, and these signs take three bytes each: the trail tells of each in short."""
    texts = [
        field.name
        for field in processes()["pdsa_task"].fields.values()
        if field.kind is FieldKind.TEXT
        and not field.with_move
        and field.writers & {"founder", "owner", "pdsa"}
    ]
    said = {name: f"{number} " + "日" * 2_500 for number, name in enumerate(texts)}
    said["acceptance_criteria"] = ["日" * 1_500, "水" * 1_500]
    await team("lia", "task_create", name="tea", title="Tea", fields=WANTED)
    await team("boss", "task_move", task="tea", move="ready", fields={**said, "depends_on_reviewed": True})
    assert len(texts) > 10
    assert (await fields_of(team))["pdsa_review"] == said["pdsa_review"]
    await check_history(team)
