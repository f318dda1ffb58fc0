"""`frasier inbox`, `decide`, `pause`, `cancel`, `retry` and `outbox`: the founder's hand on what goes on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from frasier.kernel.ids import new_id
from frasier.org.planning import announce, block_for_founder
from frasier.store import enqueue_effect, take_lease
from frasier.workflow import SYSTEM, ApprovalMode, block, get_task
from support.cli import FrasierProgram
from support.cli_states import completed_mission, planned_mission
from support.task_desk import DESIGN, PROJECT, open_team
from support.team import answers


@pytest.fixture
async def asked(db, home):
    """A mission one of whose steps waits for an answer."""
    async with db.transaction() as tx:
        planned = await planned_mission(tx, home)
        task = await get_task(tx, planned.steps["water"].task_id)
        await block_for_founder(tx, task, reason="which tea?", action="say which", actor=SYSTEM, asks=True)
    return planned


async def status_of(db, planned, key: str) -> str:
    async with db.transaction() as tx:
        return (await get_task(tx, planned.steps[key].task_id)).status


def question_of(frasier: FrasierProgram) -> str:
    (question,) = frasier.json("inbox")["questions"]
    return str(question["question"])


def test_an_empty_inbox_says_so(frasier: FrasierProgram):
    assert frasier("inbox").out == "Nothing waits for you.\n"
    assert frasier.json("inbox") == {
        "questions": [],
        "decisions": [],
        "blocked": [],
        "outages": [],
        "effects": [],
        "announcements": [],
    }


async def test_the_inbox_shows_each_question_with_the_command_that_answers_it(frasier: FrasierProgram, asked):
    question = question_of(frasier)
    shown = frasier("inbox").out
    assert "which tea" in shown
    assert f"frasier decide {question[-8:]} continue | cancel" in shown
    assert "Latest announcements" in shown


async def test_what_passes_is_announced_as_long_as_it_waits(db, frasier: FrasierProgram):
    """The questions about two designs: one is decided, one withdrawn by an edit; what does not pass stays."""
    mission = new_id()
    async with db.transaction() as tx:
        await announce(tx, mission_id=mission, kind="delivered", key=str(mission), text="It is delivered.")
    async with open_team(db, mode=ApprovalMode.MANUAL) as team:
        team.board = replace(team.board, tell=announce_news)
        for task in ("tea", "cup"):
            await team.designed(task)
            fields = {"liaison_review": f"{task} is right.", **answers(task, "approval")}
            await team.refused("lia", "task_move", task=task, move="approve_design", fields=fields)
        found = frasier.json("inbox")
        assert [one["kind"] for one in found["announcements"]] == ["delivered", "decision", "decision"]
        tea, cup = found["decisions"]
        assert (tea["project"], tea["work"]["pdsa_ref"]) == (PROJECT, DESIGN)
        assert "approve_design of kettle/cup" in frasier("status").out
        await team("boss", "task_decide", decision=tea["decision"], approve=True)
        async with db.transaction() as tx:
            # What is over takes no room from what is not.
            for number in range(12):
                key = f"{tea['decision']}:{number}"
                await announce(tx, mission_id=mission, kind="decision", key=key, text="Still waiting.")
        await team("lia", "task_edit", task="cup", version=cup["version"], fields={"constraints": "Blue."})
    found = frasier.json("inbox")
    assert (found["decisions"], [one["kind"] for one in found["announcements"]]) == ([], ["delivered"])


async def announce_news(tx, news):
    """As the program tells the founder of boards."""
    await announce(tx, mission_id=news.about, kind=news.kind, key=news.key, text=news.text)


async def test_blocks_that_others_must_end_and_effects_in_trouble_are_shown_too(
    db, home, frasier: FrasierProgram
):
    async with db.transaction() as tx:
        planned = await planned_mission(tx, home)
        await block(
            tx,
            planned.steps["water"].task_id,
            reason="the kettle broke",
            owner="operator",
            action="mend it",
            actor=SYSTEM,
        )
        await enqueue_effect(tx, kind="publish.folder", key="k", stream=planned.mission.id, payload={})
        await tx.execute(
            "update store_effects set state = 'failed', error = 'no place left', settled_at = now()"
        )
    shown = frasier("inbox").out
    assert "the kettle broke — operator must mend it" in shown
    assert "no place left" in shown
    document = frasier.json("inbox")
    assert document["blocked"][0]["reasons"][0]["owner"] == "operator"
    assert [effect["state"] for effect in document["effects"]] == ["failed"]


async def test_a_decision_is_carried_out_and_used_once(db, frasier: FrasierProgram, asked):
    question = question_of(frasier)
    done = frasier("decide", question[-8:], "Continue", "--note", "green tea").out
    assert "goes on where it was" in done
    assert "frasier resume" in done  # nobody is at work
    assert await status_of(db, asked, "water") == "pending"
    assert frasier.json("inbox")["announcements"] == [], "it waits no more"
    again = frasier.json("decide", question, "continue", code=3)["error"]
    assert again["code"] == "stale"


async def test_while_somebody_works_a_decision_needs_no_further_command(db, frasier: FrasierProgram, asked):
    async with db.transaction() as tx:
        await take_lease(tx, "heartbeat", holder="somebody", lease_s=600)
    decided = frasier.json("decide", question_of(frasier), "continue")
    assert decided["next"] == ""
    assert decided["answer"] == "continue"


async def test_an_answer_that_is_none_of_the_options_is_refused_and_nothing_changes(
    db, frasier: FrasierProgram, asked
):
    question = question_of(frasier)
    refused = frasier("decide", question, "perhaps", code=3).err
    assert "It can be: continue, cancel." in refused
    assert await status_of(db, asked, "water") == "blocked"
    assert question_of(frasier) == question


async def test_a_question_must_be_named_by_enough_of_its_id(db, frasier: FrasierProgram, asked):
    assert frasier.json("decide", "", "continue", code=2)["error"]["code"] == "usage"
    assert frasier.json("decide", "00000000", "continue", code=3)["error"]["code"] == "not_found"
    assert await status_of(db, asked, "water") == "blocked"


async def test_a_mission_is_paused_with_its_reason_and_said_how_to_go_on(db, home, frasier: FrasierProgram):
    async with db.transaction() as tx:
        await planned_mission(tx, home)
    paused = frasier.json("pause", "last", "--reason", "the fair comes first")
    assert paused["status"] == "paused"
    assert "frasier resume" in paused["next"]
    assert frasier.json("status")["tasks"]["paused"] == 3
    assert "the fair comes first" in frasier("events", "tail", "--mission", "last").out
    assert "there is nothing to pause" in frasier("pause", "last", code=3).err


async def test_a_cancelled_mission_keeps_what_it_made_and_can_be_taken_up_again(
    db, home, frasier: FrasierProgram
):
    async with db.transaction() as tx:
        planned = await planned_mission(tx, home)
    cancelled = frasier("cancel", "last", "--reason", "no longer needed").out
    assert "what it made is kept" in cancelled
    assert await status_of(db, planned, "water") == "cancelled"
    assert "cancelled already" in frasier("cancel", "last", code=3).err
    retried = frasier.json("retry", str(planned.mission.id)[-8:])
    assert retried["status"] == "in_progress"
    assert await status_of(db, planned, "water") == "pending"


async def test_a_paused_mission_that_was_cancelled_and_taken_up_again_is_not_held_any_more(
    db, home, frasier: FrasierProgram
):
    async with db.transaction() as tx:
        await planned_mission(tx, home)
    frasier("pause", "last")
    frasier("cancel", "last")
    frasier("retry", "last")
    assert frasier.json("status")["tasks"]["paused"] == 0


async def test_one_step_is_tried_again_by_its_key_or_id(db, frasier: FrasierProgram, asked):
    tried = frasier.json("retry", "last/water", "--note", "the tap is mended")
    assert "goes on where it was" in tried["done"][0]
    assert await status_of(db, asked, "water") == "pending"
    async with db.transaction() as tx:
        await block(
            tx, asked.steps["water"].task_id, reason="again", owner="operator", action="look", actor=SYSTEM
        )
    frasier("retry", str(asked.steps["water"].task_id))
    assert await status_of(db, asked, "water") == "pending"


async def test_where_there_is_nothing_to_try_again_nothing_changes(db, home, frasier: FrasierProgram):
    async with db.transaction() as tx:
        await planned_mission(tx, home)
    assert "Nothing was changed." in frasier("retry", "last", code=3).err
    assert "no mission and no step" in frasier("retry", "no-such-thing", code=3).err


async def test_a_failed_publication_is_listed_and_sent_again_once_its_place_is_mended(
    db, home, frasier: FrasierProgram
):
    place = home / "out"
    place.write_text("a file stands where the folder should be")
    async with db.transaction() as tx:
        await completed_mission(tx, place)
        await tx.execute(
            "update store_effects set state = 'failed', error = 'not a directory', settled_at = now()"
        )
    (listed,) = frasier.json("outbox", "list")["effects"]
    assert (listed["state"], listed["error"]) == ("failed", "not a directory")
    assert "frasier outbox resend" in frasier("outbox", "list").out
    place.unlink()
    (sent,) = frasier.json("outbox", "resend", listed["effect"][-8:])["effects"]
    assert sent["state"] == "sent"
    assert (home / "out").is_dir()
    assert frasier.json("missions", "show")["status"] == "delivered"
    assert "Nothing has failed" in frasier("outbox", "resend").out
    assert "publish.folder" not in frasier("outbox", "list").out
    assert "publish.folder" in frasier("outbox", "list", "--all").out


async def test_an_effect_that_is_not_in_trouble_cannot_be_sent_again(frasier: FrasierProgram):
    error = frasier.json("outbox", "resend", "12345678", code=3)["error"]
    assert error["code"] == "not_found"
    assert "Nothing was sent." in error["kept"]
