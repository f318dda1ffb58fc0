"""`frasier status`, `agents` and `costs`: how everything stands, who works here, and what it cost."""

from __future__ import annotations

import re

import pytest

from frasier.board import worker_lease
from frasier.kernel.ids import new_id
from frasier.llm import Account, Tier
from frasier.llm.call_ledger import close_call, doubt_call, open_call
from frasier.llm.settings import Caps
from frasier.org.execution import block_for_founder
from frasier.store import take_lease
from frasier.workflow import SYSTEM, get_task
from support.cli import FrasierProgram
from support.cli_states import WORKER, completed_mission, planned_mission, take
from support.ledger_calls import answered, intent


def test_an_empty_organisation_says_what_to_do_first(frasier: FrasierProgram):
    said = frasier("status").out
    assert "Nothing has been asked" in said
    assert "frasier run" in said
    assert "OPENROUTER_API_KEY" in said
    document = frasier.json("status")
    assert document["rehearsal"] is True
    assert document["missions"] == {}
    assert document["latest"] == []
    assert document["spend"]["day"] == {
        "spent_usd": 0.0,
        "reserved_usd": 0.0,
        "cap_usd": 20.0,
        "calls": 0,
        "nearly_used_up": False,
    }


async def test_status_counts_tasks_by_what_they_wait_for(db, home, frasier: FrasierProgram):
    async with db.transaction() as tx:
        planned = await planned_mission(tx, home)
        running = await take(tx, "mission_step")
        other = next(s for s in planned.steps.values() if s.key != "report" and s.task_id != running.id)
        await block_for_founder(
            tx,
            await get_task(tx, other.task_id),
            reason="which tea?",
            action="say which",
            actor=SYSTEM,
            asks=True,
        )
    document = frasier.json("status")
    assert document["missions"] == {"in_progress": 1}
    assert {place: number for place, number in document["tasks"].items() if number} == {
        "running": 1,
        "waiting": 1,
        "blocked": 1,
    }
    assert document["workers"][0]["name"] == WORKER
    assert document["heartbeat"] is False
    (question,) = document["waiting_for_founder"]
    assert question["options"] == ["continue", "replan", "skip", "fail", "cancel"]
    shown = frasier("status").out
    assert f"frasier decide {question['question'][-8:]} ANSWER | replan | skip | fail | cancel" in shown
    assert "1 running" in shown
    assert f"{WORKER} (1 task)" in shown


async def test_status_tells_what_waits_for_a_decision_from_what_waits_for_a_worker(
    db, home, frasier: FrasierProgram
):
    async with db.transaction() as tx:
        planned = await planned_mission(tx, home)
    assert frasier.json("status")["waits_for"] == {
        "decision": 0,
        "worker": 2,
        "member": 0,
        "attended": False,
    }
    shown = frasier("status").out
    assert "2 tasks for a worker, and nobody is at work" in shown
    assert "Waiting for your decision" not in shown
    assert "is not finished, and nobody works on it" in shown.split("Waiting for a worker")[1]
    async with db.transaction() as tx:
        await take_lease(tx, "worker:somebody", holder="somebody", lease_s=600)
        await block_for_founder(
            tx,
            await get_task(tx, planned.steps["water"].task_id),
            reason="which tea?",
            action="say which",
            actor=SYSTEM,
            asks=True,
        )
    assert frasier.json("status")["waits_for"] == {"decision": 1, "worker": 1, "member": 0, "attended": True}
    shown = frasier("status").out
    assert "1 for your decision; 1 task for a worker\n" in shown
    assert "which tea?" in shown.split("Waiting for your decision")[1]


async def test_status_shows_a_heartbeat_that_lives(db, home, frasier: FrasierProgram):
    async with db.transaction() as tx:
        await planned_mission(tx, home)
    assert "nobody: `frasier up`" in frasier("status").out
    async with db.transaction() as tx:
        await take_lease(tx, "heartbeat", holder="somebody", lease_s=600)
    assert frasier.json("status")["heartbeat"] is True


async def test_status_shows_a_worker_that_has_nothing_to_do(db, home, frasier: FrasierProgram):
    async with db.transaction() as tx:
        await planned_mission(tx, home)
        await take_lease(tx, worker_lease(WORKER, rehearsal=True), holder=WORKER, lease_s=600)
    shown = frasier("status").out
    assert "a worker without a task" in shown
    assert "nobody" not in shown


def test_the_founding_agents_are_listed_with_their_skills(frasier: FrasierProgram):
    listed = frasier.json("agents", "list")["agents"]
    assert len(listed) == 7
    assert listed[0]["kind"] == "chief_of_staff"
    assert all(agent["skills"] for agent in listed)
    assert "Chief of Staff" in frasier("agents", "list").out
    assert re.search(r"title .*Chief of Staff", frasier.on_terminal("agents", "list", columns=80))


async def test_an_agent_is_shown_with_persona_skills_work_and_lessons(db, home, frasier: FrasierProgram):
    async with db.transaction() as tx:
        planned = await completed_mission(tx, home / "out")
    author = next(
        step["agent"] for step in frasier.json("missions", "show")["steps"] if step["key"] == "report"
    )
    document = frasier.json("agents", "show", author.lower())
    assert document["name"] == author
    parts = {"version", "identity", "soul", "method", "standards"}
    assert set(document["persona"]) == parts | {"sources", "why", "written_at"}
    assert [work["title"] for work in document["recent_work"]] == [planned.steps["report"].title]
    assert any("Name the source." in lesson["text"] for lesson in document["lessons"])
    shown = frasier("agents", "show", author[:3]).out
    skill = document["skills"][0]
    assert re.search(rf"{skill['skill']} +{skill['level']} +{skill['uses']}\b", shown)
    assert "█" not in shown, "levels route work, and are no bars"
    assert "Name the source." in shown


def test_nobody_by_that_name_is_refused_with_the_names(frasier: FrasierProgram):
    error = frasier.json("agents", "show", "nobody", code=3)["error"]
    assert error["code"] == "not_found"
    assert "Heron" in error["hint"]


@pytest.fixture
async def bill(noon, db, home):
    """A mission with a degraded answer, a call in flight and a doubted one."""
    async with db.transaction() as tx:
        mission = (await planned_mission(tx, home)).mission
    account = Account(task_id=new_id(), attempt=1, mission_id=mission.id)
    calls = []
    for about in ({}, {"tier": Tier.T1}, {"usd_micros": 7_000}, {"usd_micros": 9_000}):
        async with db.transaction() as tx:
            calls.append(await open_call(tx, intent=intent(new_id(), **about), account=account, caps=Caps()))
    async with db.transaction() as tx:
        await close_call(tx, calls[0], answered(cost=4_000), account=account)
        await close_call(tx, calls[1], answered(cost=500), account=account)
        await doubt_call(tx, calls[3], error_code="provider_timeout", error="-")
    return mission


async def test_costs_are_split_and_show_what_is_unknown_degraded_and_in_flight(frasier: FrasierProgram, bill):
    document = frasier.json("costs")
    assert document["total"]["cost_usd"] == pytest.approx(0.0135)
    assert document["total"]["reserved_usd"] == pytest.approx(0.007)
    assert (document["total"]["unknown_calls"], document["total"]["degraded_calls"]) == (1, 1)
    assert {line["key"]: line["calls"] for line in document["by_tier"]} == {"T1": 1, "T2": 3}
    assert [line["title"] for line in document["by_mission"]] == [bill.title]
    assert document["caps"]["day"]["cap_usd"] == 20
    assert document["caps"]["day"]["spent_usd"] == pytest.approx(0.0135)
    shown = frasier("costs").out
    assert "$0.0135" in shown
    assert "because the outcome is unknown: 1 call" in shown
    assert bill.title in shown
    assert "of $20.00 today (+ $0.0070 in flight)" in shown
    assert re.search(r"^tier +calls .*unknown +degraded +in flight +cost$", shown, re.MULTILINE)
    assert "failed" not in shown
    narrow = frasier.on_terminal("costs", columns=80)
    assert bill.title in narrow
    assert all(len(line) <= 80 for line in re.sub(r"\x1b\[[0-9;]*m", "", narrow).splitlines())


async def test_costs_can_be_of_one_mission_or_from_a_day_on(noon, db, home, frasier: FrasierProgram, bill):
    async with db.transaction() as tx:
        await planned_mission(tx, home)
    assert frasier.json("costs", "--mission", "last")["total"]["calls"] == 0
    assert frasier.json("costs", "--mission", str(bill.id))["total"]["calls"] == 4
    today = str(noon.date())
    since_today = frasier.json("costs", "--since", today)
    assert (since_today["since"], since_today["total"]["calls"]) == (today, 4)
    assert frasier.json("costs", "--since", "2100-01-01")["total"]["calls"] == 0
    assert frasier.json("costs", "--since", "soon", code=2)["error"]["code"] == "usage"
