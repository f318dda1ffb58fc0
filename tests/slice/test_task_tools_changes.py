"""A task whose title, priority or dependencies change after it was made: through the tools that everybody uses."""

from __future__ import annotations

import pytest

from frasier.board import make_board
from frasier.kernel.errors import InvalidInput, NotFound, Stale, TransitionRefused
from frasier.workflow import FOUNDER

NO_MORE = {"reason": "nobody wants it"}


async def changed(team, who, task, **what):
    version = (await team(who, "task_get", task=task))["version"]
    return await team(who, "task_edit", task=task, version=version, **what)


async def test_a_task_whose_dependency_was_cancelled_goes_on_after_the_liaison_changed_what_it_needs(team):
    await team.create("water")
    await team.create("tea", needs=["water"])
    await team("lia", "task_move", task="water", move="cancel", fields=NO_MORE)
    stuck = await team("lia", "task_get", task="tea")
    assert (stuck["status"], stuck["role"]) == ("blocked", "liaison")
    assert "change what it needs" in stuck["blocked"][0]["action"]
    refused = await team.refused("lia", "task_restore", task="tea")
    assert "water, which is cancelled" in refused.message
    assert "Change what it needs first" in refused.hint
    version = stuck["version"]
    answer = await team.envelope("lia", "task_edit", task="tea", needs=[], version=version)
    assert 'task_restore with task="kettle/tea"' in " ".join(answer.hints)
    await team("lia", "task_restore", task="tea")
    await team("lia", "task_move", task="tea", move="ready", fields={"depends_on_reviewed": True})
    assert await team.place("tea") == ("ready", "pdsa")
    history = await team("lia", "task_history", task="tea")
    [edit] = [event for event in history["events"] if event["what"] == "edit"]
    assert edit["filled"] == {"needs": "nothing"}
    assert history["problems"] == []


async def test_what_a_task_waits_for_is_named_wherever_it_is_shown(team):
    await team.create("water")
    await team.ready("tea")
    await changed(team, "lia", "tea", needs=["kettle/water"])
    assert (await team("anna", "task_get", task="tea"))["waits_for_tasks"] == ["kettle/water"]
    listed = {
        one["task"]: one.get("waits_for_tasks", []) for one in (await team("anna", "task_list"))["tasks"]
    }
    assert listed == {"kettle/tea": ["kettle/water"], "kettle/water": []}
    refused = await team.refused(
        "anna", "task_claim", task="tea", memory_query_session=await team.asked("anna")
    )
    assert refused.message == "tea waits for water."
    await changed(team, "lia", "tea", needs=[])
    assert await team.claim("anna", "tea") == 1


async def test_dependencies_replace_those_before_and_keep_the_order_of_numbers(team, db):
    for slug in ("cup", "leaf", "water"):
        await team.create(slug)
    await team.create("tea", needs=["cup"])
    await team.create("party", needs=["tea"])
    for needs in (["leaf, water"], ["water", "leaf"]):
        await changed(team, "lia", "tea", needs=needs)
        assert (await team("lia", "task_get", task="tea"))["waits_for_tasks"] == [
            "kettle/leaf",
            "kettle/water",
        ]
    await team.create("guest", needs=["cup"])
    await changed(team, "lia", "cup", needs=["party"])
    async with db.transaction() as tx:
        cursor = await tx.execute(
            "select t.slug, n.slug as needed, t.num > n.num as comes_later from workflow_dependencies d"
            " join workflow_tasks t on t.id = d.task_id join workflow_tasks n on n.id = d.depends_on"
        )
        edges = {(row["slug"], row["needed"]): row["comes_later"] for row in await cursor.fetchall()}
    needed = [("tea", "leaf"), ("tea", "water"), ("party", "tea"), ("cup", "party"), ("guest", "cup")]
    assert edges == dict.fromkeys(needed, True)
    assert (await team("lia", "task_history", task="cup"))["problems"] == []


async def test_a_name_may_have_its_own_board_in_front_and_no_other(team, db):
    await db.in_transaction(make_board, "other", actor=FOUNDER)
    await team.create("water")
    await team.create("leaf")
    await team.create("tea", needs=["kettle/water", "water"], about=["kettle/leaf", "water"])
    assert (await team("lia", "task_get", task="tea"))["waits_for_tasks"] == ["kettle/water"]
    version = (await team("lia", "task_get", task="tea"))["version"]
    for needs in (["other/water"], ["kettle/leaf, other/water"]):
        refused = await team.refused("lia", "task_edit", task="tea", needs=needs, version=version)
        assert isinstance(refused, NotFound)
        assert "kettle has no task 'other/water'" in refused.message
        assert "a task depends on none of another board" in refused.hint
    with pytest.raises(NotFound, match="kettle has no task 'other/water'"):
        await team.create("party", needs=["other/water"])
    many = ",".join(["water"] * 51)
    refused = await team.refused("lia", "task_edit", task="tea", needs=[many], version=version)
    assert isinstance(refused, InvalidInput)
    assert "needs has 51 names, more than 50" in refused.message


async def test_what_a_task_has_already_makes_no_version_and_no_event(team):
    await team.create("water")
    await team.create("tea", needs=["water"], priority=3)
    before = await team("lia", "task_get", task="tea")
    same = {"title": f" {before['title']} ", "priority": 3, "needs": ["water"]}
    for what in (*({name: value} for name, value in same.items()), same):
        answer = await team.envelope("lia", "task_edit", task="tea", version=before["version"], **what)
        assert "nothing was changed, it stays at version" in answer.summary
    assert await team("lia", "task_get", task="tea") == before
    await changed(team, "lia", "tea", **same | {"priority": 4})
    [edit] = [
        one for one in (await team("lia", "task_history", task="tea"))["events"] if one["what"] == "edit"
    ]
    assert edit["filled"] == {"priority": 4}


@pytest.mark.parametrize(
    ("needs", "error", "words"),
    [
        (["party"], InvalidInput, "party, tea would wait for each other"),
        (["tea"], InvalidInput, "tea would wait for each other"),
        (["nothing-such"], NotFound, "kettle has no task 'nothing-such'"),
        (["gone"], InvalidInput, "gone ended"),
    ],
)
async def test_a_dependency_that_cannot_be_is_refused(team, needs, error, words):
    await team.create("gone")
    await team("lia", "task_move", task="gone", move="cancel", fields=NO_MORE)
    await team.create("tea")
    await team.create("party", needs=["tea"])
    version = (await team("lia", "task_get", task="tea"))["version"]
    refused = await team.refused("lia", "task_edit", task="tea", needs=needs, version=version)
    assert isinstance(refused, error)
    assert words in refused.message


async def test_title_and_priority_change_with_fields_all_or_none(team):
    await team.create("tea")
    await changed(team, "lia", "tea", title="  Green   tea ", priority=7, fields={"constraints": "No sugar."})
    tea = await team("lia", "task_get", task="tea")
    assert (tea["title"], tea["priority"], tea["fields"]["constraints"]) == ("Green tea", 7, "No sugar.")
    history = await team("lia", "task_history", task="tea")
    assert history["problems"] == []
    assert [event["filled"] for event in history["events"][-2:]] == [
        {"title": "Green tea", "priority": 7},
        {"constraints": "No sugar."},
    ]
    refused = await team.refused(
        "lia", "task_edit", task="tea", title=" ", fields={"constraints": "Sugar."}, version=tea["version"]
    )
    assert "A title must have" in refused.message
    refused = await team.refused("lia", "task_edit", task="tea", title="Black tea", version=1)
    assert isinstance(refused, Stale)


async def test_who_may_not_create_tasks_changes_none(team):
    await team.create("tea")
    for what in ({"title": "Coffee"}, {"priority": 1}, {"needs": []}):
        refused = await team.refused("dan", "task_edit", task="tea", version=1, **what)
        assert isinstance(refused, TransitionRefused)
        assert "dan may not change the title, the priority or the dependencies of tea" in refused.message
    await changed(team, "boss", "tea", title="Coffee")
    await team("lia", "task_move", task="tea", move="cancel", fields=NO_MORE)
    version = (await team("lia", "task_get", task="tea"))["version"]
    refused = await team.refused("lia", "task_edit", task="tea", title="Tea", version=version)
    assert "an ended task cannot be edited" in refused.message
