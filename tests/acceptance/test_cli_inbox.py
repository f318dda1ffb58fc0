"""`frasier inbox`, `decide`, `pause`, `cancel`, `retry` and `outbox`: the founder's hand on what goes on."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from frasier.board import ApprovalMode
from frasier.kernel.ids import new_id
from frasier.org.conversation.announcements import announce
from frasier.org.execution import block_for_founder
from frasier.store import enqueue_effect, take_lease
from frasier.workflow import SYSTEM, block, get_task, processes
from support.board_team import BOARD, DESIGN, open_team
from support.cli import FrasierProgram
from support.cli_states import blocked_mission, completed_mission, planned_mission, take
from support.team import liaison_answers


@pytest.fixture
async def asked(db, home):
    """A mission one of whose steps waits for an answer."""
    async with db.transaction() as tx:
        planned = await planned_mission(tx, home)
        task = await get_task(tx, planned.steps["water"].task_id)
        await block_for_founder(tx, task, reason="which tea?", action="say which", actor=SYSTEM, asks=True)
    return planned


@pytest.fixture
async def in_trouble(db, home):
    """A mission one of whose steps was stopped by a trouble."""
    async with db.transaction() as tx:
        planned = await planned_mission(tx, home)
        task = await get_task(tx, planned.steps["water"].task_id)
        await block_for_founder(tx, task, reason="no tea", action="buy some", actor=SYSTEM)
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
        "skills": [],
        "decisions": [],
        "files": [],
        "unread_files": [],
        "blocked": [],
        "interrupted": [],
        "outages": [],
        "effects": [],
        "announcements": [],
        "digest": [],
    }


async def test_the_inbox_shows_each_question_with_the_command_that_answers_it(frasier: FrasierProgram, asked):
    question = question_of(frasier)
    shown = frasier("inbox").out
    assert "which tea" in shown
    assert shown.split("Latest announcements")[0].count("frasier decide") == 1
    assert f"frasier decide {question[-8:]} ANSWER | replan | skip | fail | cancel" in shown
    assert "Latest announcements" in shown


async def test_what_passes_is_announced_as_long_as_it_waits(db, frasier: FrasierProgram):
    """The questions about two designs: one is decided, one withdrawn by an edit; what does not pass stays."""
    mission = new_id()
    async with db.transaction() as tx:
        await announce(tx, mission_id=mission, kind="delivered", key=str(mission), text="It is delivered.")
    async with open_team(db, mode=ApprovalMode.MANUAL) as team:
        team.board = replace(team.board, notify_founder=announce_news)
        for task in ("tea", "cup"):
            await team.designed(task)
            fields = {"liaison_review": f"{task} is right.", **liaison_answers(task, "approval")}
            await team.refused("lia", "task_move", task=task, move="approve_design", fields=fields)
        found = frasier.json("inbox")
        assert [one["kind"] for one in found["announcements"]] == ["delivered", "decision", "decision"]
        tea, cup = found["decisions"]
        assert (tea["board"], tea["work"]["pdsa_ref"]) == (BOARD, DESIGN)
        assert "approve_design of kettle/cup" in frasier("status").out
        shown = frasier("inbox").out
        for name, answer in liaison_answers("tea", "approval").items():
            asks = processes()["pdsa_task"].fields[name].meaning
            assert re.search(rf"^    {name} +\({asks}\)\n +{re.escape(answer)}$", shown, re.MULTILINE), (
                "each answer stands below its question"
            )
        named = tea["decision"][-8:]
        assert "It can be: approve, reject." in frasier("decide", named, "continue", code=3).err
        assert "--comment WHY` to say why." in frasier("decide", named, "reject", code=3).err
        decided = frasier("decide", named, "Approve", "--note", "I like it.").out
        assert "approve_design of kettle/tea is approved." in decided
        assert "lia makes the move now, without fields" in decided
        assert "was approved by founder on 20" in frasier("decide", named, "reject", code=3).err
        await team("lia", "task_move", task="tea", move="approve_design")
        async with db.transaction() as tx:
            # What is over takes no room from what is not.
            for number in range(12):
                key = f"{tea['decision']}:{number}"
                await announce(tx, mission_id=mission, kind="decision", key=key, text="Still waiting.")
        await team("lia", "task_edit", task="cup", version=cup["version"], fields={"constraints": "Blue."})
    found = frasier.json("inbox")
    assert (found["decisions"], [one["kind"] for one in found["announcements"]]) == ([], ["delivered"])


async def test_what_is_not_urgent_is_grouped(db, frasier: FrasierProgram):
    for number in range(5):
        mission = new_id()
        text = f"The mission 'Tea {number}' is delivered: /tmp/{number}"
        async with db.transaction() as tx:
            await announce(tx, mission_id=mission, kind="delivered", key=str(mission), text=text)
    async with db.transaction() as tx:
        await announce(tx, mission_id=mission, kind="failed", key=str(mission), text="Tea 9 has failed.")
    (digest,) = frasier.json("inbox")["digest"]
    assert (digest["kind"], digest["announcements"]) == ("delivered", 5)
    assert [text[13:18] for text in digest["newest"]] == ["Tea 4", "Tea 3", "Tea 2"]
    shown = frasier("inbox").out
    latest, grouped = shown.split("In the last 7 days")
    assert "Tea 9 has failed." in latest
    assert "delivered" not in latest
    assert "5 × delivered" in grouped
    assert "Tea 0" not in grouped


async def announce_news(tx, news):
    """As the program tells the founder of boards."""
    await announce(tx, mission_id=news.about, kind=news.kind, key=news.key, text=news.text)


async def test_blocks_that_others_must_end_and_effects_in_trouble_are_shown_too(
    db, home, frasier: FrasierProgram
):
    async with db.transaction() as tx:
        planned = await blocked_mission(tx, home)
        await enqueue_effect(tx, kind="publish.folder", key="k", stream=planned.mission.id, payload={})
        await tx.execute(
            "update store_effects set state = 'failed', error = 'no place left', settled_at = now()"
        )
    shown = frasier("inbox").out
    assert re.search(
        r"the kettle broke — operator must mend it  \d+ s ago\n  It was pending, and goes on there with: ",
        shown,
    )
    assert "no place left" in shown
    document = frasier.json("inbox")
    [ends] = re.findall(
        r"^  It was pending, and goes on there with: (frasier retry \w{8})$", shown, re.MULTILINE
    )
    assert ends == document["blocked"][0]["ends_with"]
    assert document["blocked"][0]["reasons"][0]["owner"] == "operator"
    assert [effect["state"] for effect in document["effects"]] == ["failed"]


async def test_what_is_paused_for_the_founder_waits_for_them_with_its_place_and_its_end(
    db, frasier: FrasierProgram
):
    async with open_team(db) as team:
        await team.designed("tea")
        for number, owner in enumerate(("founder", "liaison")):
            what = {"reason": f"Draft {number}", "owner": owner, "action": "choose one"}
            await team("lia", "task_block", task="tea", **what)
        async with db.transaction() as tx:
            await tx.execute("update workflow_blocks set blocked_at = now() - interval '3 days'")
    assert frasier.json("status")["board_tasks"]["blocked"] == 1
    assert not any(frasier.json("status")["tasks"].values())
    for screen, heading in (("inbox", "Waiting for you to act"), ("status", "Waiting for your decision")):
        told = frasier(screen).out.split(f"{heading}\n")[1]
        for number, owner in enumerate(("founder", "liaison")):
            reason = rf"■ kettle/tea \(Title of tea\): Draft {number} — {owner} must choose one  \d+ s ago"
            assert re.search(reason, told), "each reason has its own time"
        assert (
            "\n  It was approval with liaison, and goes on there with: frasier task restore kettle/tea\n"
            in told
        )
    frasier("task", "restore", "kettle/tea")
    assert "Waiting for you" not in frasier("inbox").out


async def test_a_mission_that_nobody_works_on_waits_to_be_resumed(db, home, frasier: FrasierProgram):
    """One that was interrupted: not while somebody works on it, nor where only a member of a team holds a task."""
    async with db.transaction() as tx:
        first = await planned_mission(tx, home)
        await planned_mission(tx, home)
    async with open_team(db) as team:
        await team.claim("anna", await team.ready())
    for screen in ("inbox", "status"):
        told = frasier(screen).out
        assert "is not finished, and nobody works on it.\n  frasier resume last\n" in told
        assert f"\n  frasier resume {str(first.mission.id)[-8:]}\n" in told
    assert "anna (1 task)" in told
    frasier("pause", "last")
    assert [one["mission"] for one in frasier.json("inbox")["interrupted"]] == [str(first.mission.id)]
    async with db.transaction() as tx:
        await take(tx, "mission_step")
    assert frasier.json("inbox")["interrupted"] == []


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
        await take_lease(tx, "worker:somebody", holder="somebody", lease_s=600)
    decided = frasier.json("decide", question_of(frasier), "green tea")
    assert decided["next"] == ""
    assert decided["answer"] == "continue"


async def test_an_answer_that_is_none_of_the_options_is_refused_and_nothing_changes(
    db, frasier: FrasierProgram, in_trouble
):
    question = question_of(frasier)
    refused = frasier("decide", question, "perhaps", code=3).err
    assert "Choose one of: continue, replan, skip, fail, cancel." in refused
    assert await status_of(db, in_trouble, "water") == "blocked"
    assert question_of(frasier) == question


async def test_a_question_is_answered_by_what_is_said_and_goes_on_with_no_less(
    db, frasier: FrasierProgram, asked
):
    question = question_of(frasier)
    command = f"frasier decide {question[-8:]} ANSWER"
    for screen in ("inbox", "status"):
        assert f"\n  {command} | replan | skip | fail | cancel\n" in frasier(screen).out
    refused = frasier("decide", question, "continue", code=3).err
    assert f"`{command}`" in refused
    assert await status_of(db, asked, "water") == "blocked"
    as_shown = command.removeprefix("frasier ").replace("ANSWER", "Green Tea, of 2026").split(maxsplit=2)
    assert "goes on where it was" in frasier(*as_shown).out
    async with db.transaction() as tx:
        assert (await get_task(tx, asked.steps["water"].task_id)).fields[
            "founder_note"
        ] == "Green Tea, of 2026"


def test_a_mission_that_waits_for_the_founder_says_so_in_every_list(frasier: FrasierProgram, asked):
    name = str(asked.mission.id)[-8:]
    for view, rows in ((("missions", "list"), "missions"), (("status",), "latest")):
        (line,) = [
            line for line in frasier(*view).out.splitlines() if name in line and "waits for you" in line
        ]
        assert line.split()[0] == "■"
        (row,) = frasier.json(*view)[rows]
        assert (row["status"], row["waits_for_founder"]) == ("in_progress", True)
    frasier("decide", question_of(frasier), "green tea")
    assert "waits for you" not in frasier("missions", "list").out
    (row,) = frasier.json("missions", "list")["missions"]
    assert row["waits_for_founder"] is False


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
    assert "Nothing is in trouble" in frasier("outbox", "resend").out
    assert "publish.folder" not in frasier("outbox", "list").out
    assert "publish.folder" in frasier("outbox", "list", "--all").out


async def test_an_effect_that_is_not_in_trouble_cannot_be_sent_again(frasier: FrasierProgram):
    error = frasier.json("outbox", "resend", "12345678", code=3)["error"]
    assert error["code"] == "not_found"
    assert "Nothing was sent." in error["kept"]
