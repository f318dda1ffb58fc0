"""Tasks whose positions are a status and a role: who may take them, whose turn it is next, and what stays refused."""

from __future__ import annotations

import asyncio
from uuid import UUID

import pytest

from frasier.board import blocked_tasks
from frasier.board.agent_inbox.audit_replay import check_trail
from frasier.kernel.errors import InvalidInput, LeaseLost, Stale, TransitionRefused
from frasier.kernel.ids import new_id
from frasier.store import Database
from frasier.workflow import (
    FOUNDER,
    SYSTEM,
    Dependency,
    NewTask,
    Task,
    block,
    claim_task,
    create_tasks,
    get_task,
    processes,
    recover_expired,
    renew,
    restore,
)
from support.board import events_and_markers
from support.team import ANNA, DAN, DORA, LIA, QUINN, claim_after_search, make_team_move, member

DESIGN = "https://example.org/design/v0.0.1.md"
DONE = {
    "abstract_ref": "https://example.org/abstract.md",
    "changelog_ref": "https://example.org/changelog.md",
    "liaison_review": "good",
}


async def new(
    db: Database, slug: str = "tea", *needs: UUID, process: str = "pdsa_task", role: str = ""
) -> Task:
    task = NewTask(
        id=new_id(),
        process=process,
        slug=slug,
        title=f"Title of {slug}",
        group_id=new_id(),
        role=role,
        depends_on=tuple(Dependency(depends_on=needed) for needed in needs),
    )
    async with db.transaction() as tx:
        [made] = await create_tasks(tx, [task], actor=LIA)
    return made


def place(task: Task) -> tuple[str, str]:
    return task.status, task.role


async def designed(db: Database) -> Task:
    """A task whose design waits for approval."""
    task = await make_team_move(db, await new(db), "ready", LIA, depends_on_reviewed=True)
    held = await claim_after_search(db, task, ANNA)
    return await make_team_move(db, held, "submit_design", ANNA, attempt=held.attempt, pdsa_ref=DESIGN)


async def built(db: Database) -> Task:
    """A task whose work waits for the tester's review."""
    task = await make_team_move(
        db, await designed(db), "approve_design", LIA, liaison_review="as it was asked for"
    )
    tests = await claim_after_search(db, task, QUINN)
    tests = await make_team_move(
        db, tests, "submit_tests", QUINN, attempt=tests.attempt, qa_tests="tests/test_tea.py"
    )
    task = await make_team_move(db, tests, "hand_over", QUINN)
    work = await claim_after_search(db, task, DAN)
    return await make_team_move(db, work, "submit_work", DAN, attempt=work.attempt, implementation="a kettle")


async def test_a_task_goes_from_role_to_role_to_its_end(db):
    task = await built(db)
    assert place(task) == ("review", "qa")
    task = await make_team_move(db, task, "pass_tests", QUINN, qa_review="all pass")
    assert place(task) == ("review", "pdsa")
    task = await make_team_move(db, task, "pass_design", ANNA, pdsa_review="as designed")
    assert place(task) == ("review", "liaison")
    task = await make_team_move(db, task, "complete", LIA, **DONE)
    assert (*place(task), task.outcome, task.terminal) == ("complete", "liaison", "completed", True)
    assert task.result_digest
    assert task.result_size
    events, markers = await events_and_markers(db, task)
    assert markers[-1].startswith("TASK SUMMARY: LIAISON tea (")
    # Every move has its marker; the last one has the summary beside it.
    assert len(markers) - 1 == len([kind for kind in events if kind != "task.evidence"])
    async with db.transaction() as tx:
        assert await check_trail(tx, task.id) == []


async def test_whoever_has_not_the_role_takes_nothing_and_is_told_who_may(db):
    task = await make_team_move(db, await new(db), "ready", LIA, depends_on_reviewed=True)
    with pytest.raises(TransitionRefused) as refused:
        await claim_after_search(db, task, DAN)
    assert "dan may not claim" in refused.value.message
    assert "pdsa" in refused.value.hint
    async with db.transaction() as tx:
        assert await get_task(tx, task.id) == task


async def test_of_two_who_take_the_same_task_one_holds_it_and_the_other_is_told(db):
    task = await make_team_move(db, await built(db), "send_back", QUINN, rework_reason="it leaks")
    assert place(task) == ("rework", "dev")
    held = await claim_after_search(db, task, DAN)
    with pytest.raises(TransitionRefused, match="tea is active"):
        await claim_after_search(db, task, DORA)
    with pytest.raises(TransitionRefused, match="held by dan"):
        await make_team_move(db, held, "submit_work", DORA, attempt=held.attempt, implementation="mine")
    with pytest.raises(TransitionRefused, match="did not name an attempt"):
        await make_team_move(db, held, "release", DAN, reason="tired")
    async with db.transaction() as one:
        looked_at = await get_task(one, task.id)
        renewed = await renew(one, task.id, actor=DAN, attempt=held.attempt, lease_s=600)
        assert renewed.lease_until > looked_at.lease_until


async def test_a_lease_that_has_run_out_writes_nothing_and_the_task_can_be_taken_by_another(db):
    task = await make_team_move(db, await built(db), "send_back", QUINN, rework_reason="it leaks")
    held = await claim_after_search(db, task, DAN)
    async with db.transaction() as tx:
        await tx.execute("update workflow_tasks set lease_until = now() - interval '1 second'")
        [back] = await recover_expired(tx, list(processes()))
    assert place(back) == ("ready", "dev")
    with pytest.raises(LeaseLost):
        await make_team_move(db, held, "submit_work", DAN, attempt=held.attempt, implementation="late")
    with pytest.raises(LeaseLost):
        async with db.transaction() as tx:
            await renew(tx, task.id, actor=DAN, attempt=held.attempt, lease_s=60)
    assert (await claim_after_search(db, back, DORA)).lease_owner == "dora"


async def test_of_many_who_take_one_task_at_once_one_wins_and_the_others_are_told(db):
    task = await make_team_move(db, await new(db), "ready", LIA, depends_on_reviewed=True)
    takers = [member(f"designer-{n}", "pdsa") for n in range(6)]
    answers = await asyncio.gather(
        *(claim_after_search(db, task, taker) for taker in takers), return_exceptions=True
    )
    [held] = [answer for answer in answers if isinstance(answer, Task)]
    refused = [answer for answer in answers if isinstance(answer, (Stale, TransitionRefused))]
    assert len(refused) == len(takers) - 1
    async with db.transaction() as tx:
        stored = await get_task(tx, task.id)
    assert (stored.lease_owner, stored.attempt) == (held.lease_owner, 1)


async def test_sent_back_it_asks_for_a_new_query_and_counts_a_strike(db):
    task = await make_team_move(db, await built(db), "send_back", QUINN, rework_reason="it leaks")
    assert task.strikes == 1
    assert {"memory_query_session", "memory_contribution_id"}.isdisjoint(task.fields)
    async with db.transaction() as tx:
        with pytest.raises(TransitionRefused, match="lacks memory_query_session"):
            await claim_task(tx, task.id, actor=DAN, lease_s=60)


async def test_the_liaison_says_to_whom_it_goes_back(db):
    task = await make_team_move(db, await built(db), "pass_tests", QUINN, qa_review="fine")
    task = await make_team_move(db, task, "pass_design", ANNA, pdsa_review="fine")
    with pytest.raises(InvalidInput, match="rework_target_role must be one of"):
        await make_team_move(db, task, "send_back_to", LIA, rework_reason="no", rework_target_role="founder")
    task = await make_team_move(db, task, "send_back_to", LIA, rework_reason="no", rework_target_role="qa")
    assert place(task) == ("rework", "qa")


async def test_a_pause_keeps_status_role_and_claim_and_a_second_reason_is_added_to_it(db):
    task = await built(db)
    async with db.transaction() as tx:
        for reason in ("no key", "no power"):
            await block(tx, task.id, reason=reason, owner="liaison", action="mend it", actor=QUINN)
        [paused] = await blocked_tasks(tx)
        assert [entry["reason"] for entry in paused.reasons] == ["no key", "no power"]
        back = await restore(tx, task.id, actor=SYSTEM)
    assert place(back) == place(task)


async def test_what_waits_for_a_cancelled_task_is_blocked_for_the_liaison_and_nothing_further_down(db):
    first = await new(db, "first")
    second = await new(db, "second", first.id)
    third = await new(db, "third", second.id)
    await make_team_move(db, first, "cancel", LIA, reason="not wanted")
    async with db.transaction() as tx:
        [paused] = await blocked_tasks(tx)
        assert (paused.slug, paused.reasons[0]["owner"]) == ("second", "liaison")
        assert "needs first, which was cancelled" in paused.reasons[0]["reason"]
        assert (await get_task(tx, third.id)).status == "pending"


async def test_completing_frees_what_waits_and_reopening_is_the_only_way_back(db):
    first = await built(db)
    second = await new(db, "second", first.id)
    assert second.pending_deps == 1
    task = await make_team_move(db, first, "pass_tests", QUINN, qa_review="fine")
    task = await make_team_move(db, task, "pass_design", ANNA, pdsa_review="fine")
    task = await make_team_move(db, task, "complete", FOUNDER, **DONE)
    async with db.transaction() as tx:
        assert (await get_task(tx, second.id)).pending_deps == 0
    with pytest.raises(TransitionRefused, match="cannot be blocked"):
        async with db.transaction() as tx:
            await block(tx, task.id, reason="r", owner="liaison", action="a", actor=LIA)
    task = await make_team_move(db, task, "reopen", LIA, rework_reason="it broke", rework_target_role="dev")
    assert (*place(task), task.outcome, task.ended_at) == ("rework", "dev", None, None)


async def test_a_bug_goes_to_a_developer_at_once(db):
    bug = await new(db, "leak", process="pdsa_bug")
    bug = await make_team_move(db, bug, "ready", LIA, depends_on_reviewed=True)
    assert place(bug) == ("ready", "dev")
    held = await claim_after_search(db, bug, DORA)
    bug = await make_team_move(
        db, held, "submit_work", DORA, attempt=held.attempt, implementation="a new seal"
    )
    assert place(bug) == ("review", "qa")
