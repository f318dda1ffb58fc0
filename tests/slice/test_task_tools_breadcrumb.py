"""The way that is told as a task's leads through every stage that its process has."""

from __future__ import annotations

from support.task_walk import walk

WHOLE = (
    "pending+pdsa → ready+pdsa → active+pdsa → approval+liaison → approved+qa → active+qa → testing+qa → ready+dev"
    " → active+dev → review+qa → review+pdsa → review+liaison → complete+liaison"
)


async def crumbs(team, task="tea"):
    return (await team("lia", "task_get", task=task))["breadcrumb"]


async def test_a_design_that_waits_for_its_approval_is_tested_and_built_next(team):
    await team.designed()
    assert await crumbs(team) == WHOLE.replace("approval+liaison", "[approval+liaison]")


async def test_every_position_of_a_task_is_named_on_one_and_the_same_way(team, tmp_path):
    async for stop in walk(team, tmp_path):
        here = f"{stop.status}+{stop.role}"
        if stop.status != "rework":
            assert await crumbs(team) == WHOLE.replace(here, f"[{here}]")


async def test_what_took_a_shortcut_is_told_where_it_is(team):
    await team.approve(await team.designed())
    await team("lia", "task_move", task="tea", move="skip_tests", fields={"reason": "Nothing to test."})
    assert await crumbs(team) == WHOLE.replace("ready+dev", "[ready+dev]")
