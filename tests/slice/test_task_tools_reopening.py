"""What is reopened is waited for again, also by what was there to be taken already."""

from __future__ import annotations

from frasier.kernel.errors import TransitionRefused
from support.board_team import DESIGN
from support.task_walk import completion_move, create_reviewed_task

BACK = {"rework_reason": "It leaks after all, at the seam.", "rework_target_role": "liaison"}


async def completed(team, tmp_path):
    await create_reviewed_task(team, tmp_path)
    await team("lia", "task_move", **completion_move())


async def reopened(team):
    await team("lia", "task_move", task="tea", move="reopen", fields=BACK)


async def done_again(team):
    attempt = await team.claim("lia", "tea")
    await team.deliver(
        "lia", "tea", attempt, findings="The seam is tight.", rework_context=BACK["rework_reason"]
    )
    # Somebody held it since: what was built is tested again.
    await team("quinn", "task_check", task="tea", command="unit")
    await team("lia", "task_move", **completion_move())


async def listed(team, who):
    return [one["task"] for one in (await team(who, "task_list", mine=True))["tasks"]]


async def test_what_was_ready_and_not_taken_waits_again_until_it_is_completed_once_more(team, tmp_path):
    await completed(team, tmp_path)
    await team.ready("cup", needs=["tea"])
    assert "kettle/cup" in await listed(team, "anna")
    await reopened(team)
    session = await team.asked("anna")
    refused = await team.refused("anna", "task_claim", task="cup", memory_query_session=session)
    assert isinstance(refused, TransitionRefused)
    assert "cup waits for tea." in refused.message
    assert "kettle/cup" not in await listed(team, "anna")
    await done_again(team)
    assert "kettle/cup" in await listed(team, "anna")
    await team("anna", "task_claim", task="cup", memory_query_session=await team.asked("anna"))


async def test_what_was_paused_meanwhile_waits_when_it_is_restored(team, tmp_path):
    await completed(team, tmp_path)
    await team.ready("cup", needs=["tea"])
    await team("anna", "task_block", task="cup", reason="No clay.", owner="liaison", action="bring some")
    await reopened(team)
    await team("lia", "task_restore", task="cup")
    session = await team.asked("anna")
    refused = await team.refused("anna", "task_claim", task="cup", memory_query_session=session)
    assert "cup waits for tea." in refused.message


async def test_whoever_holds_one_goes_on_and_the_next_who_would_take_it_waits(team, tmp_path):
    await completed(team, tmp_path)
    attempt = await team.claim("anna", await team.ready("cup", needs=["tea"]))
    await reopened(team)
    await team.deliver("anna", "cup", attempt, pdsa_ref=DESIGN)
    # What has begun is looked at: it is still the liaison's turn.
    assert "kettle/cup" in await listed(team, "lia")
    await team.approve("cup")
    session = await team.asked("quinn")
    refused = await team.refused("quinn", "task_claim", task="cup", memory_query_session=session)
    assert "cup waits for tea." in refused.message
    await done_again(team)
    await team("quinn", "task_claim", task="cup", memory_query_session=await team.asked("quinn"))
