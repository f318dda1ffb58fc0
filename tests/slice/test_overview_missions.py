"""Missions, steps, agents, costs and events as values."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from uuid import UUID

import pytest

from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.ids import new_id
from frasier.kernel.text import digest
from frasier.llm import Account, Caps
from frasier.llm.call_ledger import close_call, open_call
from frasier.org.people.capabilities import declared_capabilities
from frasier.overview import (
    read_agent,
    read_agents,
    read_costs,
    read_events,
    read_mission,
    read_missions,
    read_newest_events,
    read_progress,
    read_step,
    read_version,
)
from frasier.store import Database, Tx
from frasier.store.events import read_events_after
from support.cli_states import completed_mission, planned_mission, take
from support.ledger_calls import answered, intent


async def spend(tx: Tx, mission: UUID, task: UUID) -> None:
    """A call of that task's, which cost 0.4 cents."""
    account = Account(mission_id=mission, task_id=task)
    call = await open_call(tx, intent=intent(), account=account, caps=Caps())
    await close_call(tx, call, answered(), account=account)


async def test_progress_has_the_steps_in_the_order_of_their_graph(db: Database, tmp_path: Path):
    planned = await db.in_transaction(planned_mission, tmp_path)
    progress = await db.in_transaction(read_progress, planned.mission.id)
    assert [(step.key, step.level) for step in progress.steps[1:]] == [
        ("storage", 1),
        ("water", 1),
        ("report", 2),
    ]
    assert sorted(progress.steps[-1].needs) == ["storage", "water"]
    assert (progress.over, progress.waits_for_founder, progress.path) == (False, False, None)
    await db.in_transaction(take, "mission_step")
    progress = await db.in_transaction(read_progress, planned.mission.id)
    assert [step.phase for step in progress.steps if step.status == "active"] == ["reading the task"]


@pytest.mark.parametrize(
    ("reached", "phase"),
    [
        (("context", "decompose", "research-1"), "research"),
        (("context", "outline"), "section"),
        (("outline", "passages-7"), "section 7"),
        (("outline", "passages-7", "section-7"), "section"),
        (("section-1", "assembly"), "coherence"),
        (("assembly", "coherence"), "rewrite"),
        (("coherence", "rewrite-7"), "rewrite"),
        (("rewrite-7", "assembly-2"), "delivery"),
    ],
)
async def test_the_phase_is_what_follows_the_last_checkpoint(
    db: Database, tmp_path: Path, reached: tuple[str, ...], phase: str
) -> None:
    planned = await db.in_transaction(planned_mission, tmp_path)
    async with db.transaction() as tx:
        task = await take(tx, "mission_step")
    for name in reached:
        async with db.transaction() as tx:
            await tx.execute(
                "insert into work_checkpoints (task_id, phase, fingerprint, attempt, output)"
                " values (%s, %s, %s, %s, '{}')",
                [task.id, name, digest(name), task.attempt],
            )
    progress = await db.in_transaction(read_progress, planned.mission.id)
    assert [step.phase for step in progress.steps if step.status == "active"] == [phase]


async def test_a_mission_is_read_with_its_plans_steps_and_spend(db: Database, tmp_path: Path):
    planned = await db.in_transaction(completed_mission, tmp_path)
    step = planned.steps["report"]
    await db.in_transaction(spend, planned.mission.id, step.task_id)
    page = await db.in_transaction(read_mission, "last")
    assert (page.progress.mission_id, page.progress.status) == (planned.mission.id, "completed")
    assert [(plan.version, plan.accepted) for plan in page.plans] == [(1, False), (2, True)]
    assert [one.kind for one in page.effects][:1] == ["publish.folder"]
    report = page.progress.steps[-1]
    assert (report.key, report.version) == ("report", 1)
    assert {(one.verdict, one.by == "policy") for one in report.reviews} == {("approved", False)}
    (summary,) = await db.in_transaction(read_missions, limit=5)
    assert (summary.mission, summary.calls, summary.cost_usd) == (planned.mission.id, 1, 0.004)


async def test_a_step_is_read_with_its_versions_reviews_and_calls(db: Database, tmp_path: Path):
    planned = await db.in_transaction(completed_mission, tmp_path)
    (sent_back,) = [
        key
        for key in ("water", "storage")
        if (await db.in_transaction(read_step, f"last/{key}")).strikes == 1
    ]
    await db.in_transaction(spend, planned.mission.id, planned.steps[sent_back].task_id)
    page = await db.in_transaction(read_step, f"last/{sent_back}")
    assert (page.key, page.mission, page.status) == (sent_back, planned.mission.id, "completed")
    assert [version.version for version in page.versions] == [1, 2]
    (review,) = page.versions[0].reviews
    assert (review.verdict, review.feedback) == ("rejected", "The temperature of black tea is missing.")
    assert ([call.cost_usd for call in page.calls], page.cost_usd) == ([0.004], 0.004)
    text = await db.in_transaction(read_version, str(page.step), 2)
    assert (text.sha256, text.degraded) == (page.versions[1].sha256, True)
    assert text.text.startswith("# The ")


async def test_what_is_no_step_or_has_no_such_version_is_refused(db: Database, tmp_path: Path):
    await db.in_transaction(planned_mission, tmp_path)
    with pytest.raises(InvalidInput, match="plan is not a step") as refused:
        await db.in_transaction(read_step, "last/plan")
    assert [advice.action for advice in refused.value.advice] == ["mission.show"]
    with pytest.raises(NotFound, match="has no version 3"):
        await db.in_transaction(read_version, "last/water", 3)
    with pytest.raises(NotFound, match="no step 'tea'"):
        await db.in_transaction(read_step, "last/tea")


async def test_agents_are_read_with_their_load_and_skills(db: Database, tmp_path: Path):
    planned = await db.in_transaction(planned_mission, tmp_path)
    agents = {one.agent: one for one in await db.in_transaction(read_agents, active_only=True)}
    assert agents[planned.steps["report"].agent_id].open_tasks >= 1
    chief = next(one for one in agents.values() if one.key == "frasier")
    page = await db.in_transaction(read_agent, "frasier", capabilities=declared_capabilities())
    assert (page.agent, page.persona.version, page.skills) == (chief.agent, 1, chief.skills)
    with pytest.raises(NotFound):
        await db.in_transaction(read_agent, "nobody", capabilities=declared_capabilities())


async def test_costs_are_split_and_the_missions_named(db: Database, tmp_path: Path):
    planned = await db.in_transaction(planned_mission, tmp_path)
    await db.in_transaction(spend, planned.mission.id, planned.steps["water"].task_id)
    bill = await db.in_transaction(read_costs, Caps())
    assert (bill.total.calls, bill.total.cost_usd, bill.mission) == (1, 0.004, None)
    assert [(line.key, line.title) for line in bill.by_mission] == [
        (str(planned.mission.id), planned.mission.title)
    ]
    assert bill.caps["day"].spent_usd == 0.004
    assert (await db.in_transaction(read_costs, Caps(), since=date(9999, 1, 1))).total.calls == 0
    with pytest.raises(NotFound):
        await db.in_transaction(read_costs, Caps(), mission=str(new_id()))


async def test_events_of_a_mission_are_those_of_its_tasks_too(db: Database, tmp_path: Path):
    planned = await db.in_transaction(planned_mission, tmp_path)
    every = await db.in_transaction(read_events, None, limit=500)
    own = await db.in_transaction(read_events, "last", limit=500)
    streams = {planned.mission.id, *(step.task_id for step in planned.steps.values())}
    assert streams <= {event.stream for event in own} < {event.stream for event in every} | streams
    told, place = await db.in_transaction(read_newest_events, "last", limit=500)
    assert [event.id for event in told] == [event.id for event in own]
    await db.in_transaction(take, "mission_step")
    (claimed, *_), _place = await db.in_transaction(read_events_after, place, limit=500)
    assert claimed.kind == "task.start"
