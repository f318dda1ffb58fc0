"""What is remembered of accepted work: for its authors how they went about it, for the chief of staff the plan."""

from __future__ import annotations

import pytest

from frasier.memory import (
    EmbeddingSettings,
    MemoryKind,
    MemorySettings,
    open_engine,
    recent_of_agent,
)
from frasier.org.people import chief_of_staff
from frasier.org.skills import skills_of
from frasier.work.run_memory import approaches_to
from support.cli_states import completed_mission, deliver, planned_mission, review


@pytest.fixture
async def by_words(db):
    async with open_engine(db, MemorySettings(embedding=EmbeddingSettings(provider="none"))) as engine:
        yield engine


async def approaches(tx, agent_id):
    return await recent_of_agent(tx, agent_id, {MemoryKind.APPROACH}, 10)


async def learned_from(tx, planned):
    """Whatever the authors of a mission have learned: their approaches, and how often they used a skill."""
    authors = {step.agent_id for step in planned.steps.values()}
    remembered = [approach for agent_id in authors for approach in await approaches(tx, agent_id)]
    used = [skill.uses for agent_id in authors for skill in await skills_of(tx, agent_id)]
    return remembered, sum(used)


async def test_a_version_that_waits_for_its_review_has_taught_nothing(db, tmp_path):
    async with db.transaction() as tx:
        planned = await planned_mission(tx, tmp_path)
        await deliver(tx, planned)
        assert await learned_from(tx, planned) == ([], 0)
        await review(tx, planned, approved=False, feedback="It lacks the black tea.")
        assert await learned_from(tx, planned) == ([], 0)


async def test_what_policy_approved_is_remembered_at_once_and_claims_no_reviewer(db, tmp_path):
    async with db.transaction() as tx:
        planned = await planned_mission(tx, tmp_path)
        step, handover = await deliver(tx, planned, score=4.5)
        [approach] = await approaches(tx, step.agent_id)
    assert handover.stages == ()
    assert "approved by policy, reviewed by nobody" in approach.content
    assert "4.5" not in approach.content
    assert approach.provenance["score"] is None
    assert approach.task_id == step.task_id


async def test_the_plan_of_a_completed_mission_is_the_chiefs_approach(db, tmp_path):
    async with db.transaction() as tx:
        planned = await completed_mission(tx, tmp_path)
        chief = await chief_of_staff(tx)
        [approach] = await approaches(tx, chief.id)
        [of_report] = [
            one
            for one in await approaches(tx, planned.steps["report"].agent_id)
            if one.task_id == planned.steps["report"].task_id
        ]
    lines = approach.content.splitlines()
    assert lines[0] == f"Directive: {planned.mission.directive}"
    assert lines[1].startswith("Result: accepted with 4 of 5 by its reviewers; 1 version was sent back (")
    assert lines[2] == "Plan of 3 steps:"
    assert "report (content) after storage, water: The report of tea" in lines
    assert of_report.content.splitlines()[2] == "Version 1, accepted with 4 of 5 by its reviewers"


@pytest.mark.parametrize("rehearsal", [True, False])
async def test_what_was_rehearsed_reaches_no_paid_prompt(db, by_words, tmp_path, rehearsal):
    async with db.transaction() as tx:
        planned = await completed_mission(tx, tmp_path)
        chief = await chief_of_staff(tx)
    found = await approaches_to(by_words, chief.id, planned.mission.directive, rehearsal=rehearsal)
    assert len(found) == int(rehearsal)
