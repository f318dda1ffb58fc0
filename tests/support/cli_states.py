"""States of the organisation that screens show, created by use cases without a model."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from frasier.kernel.ids import new_id
from frasier.llm import Citations, Tier, Verification
from frasier.llm.reply_schemas import CritiqueReply, PlannedStep, PlanReply
from frasier.org.execution import Handover, apply_verdict, deliver_step, worker_actor
from frasier.org.governance import AutonomySettings, Verdict, review_of_task
from frasier.org.missions import (
    Draft,
    Mission,
    MissionAmounts,
    MissionEstimate,
    MissionStep,
    NewMission,
    StepAmounts,
    record_refused_plan,
)
from frasier.org.people import roster
from frasier.org.planning import accept_plan, propose_plan, start_mission
from frasier.org.staffing import found
from frasier.store import Tx
from frasier.workflow import SYSTEM, Task, block, claim, move

WORKER = "test-worker"
ACTOR = worker_actor(WORKER)
TEXT = "Green tea is brewed with water of 75 degrees, and black tea with boiling water [1].\n\n" * 3


@dataclass(frozen=True, slots=True)
class Planned:
    """A mission with two parallel steps, `water` and `storage`, and the final step `report`."""

    mission: Mission
    steps: dict[str, MissionStep]


async def new_mission(
    tx: Tx, destination: Path, directive: str = "Compare how teas are brewed and stored"
) -> Mission:
    """Create a mission that waits for its plan."""
    await found(tx)
    new = NewMission(id=new_id(), directive=directive, destination=str(destination), rehearsal=True)
    return await start_mission(tx, new)


async def planned_mission(tx: Tx, destination: Path) -> Planned:
    """Create a mission whose second plan was accepted."""
    mission = await new_mission(tx, destination)
    task = await take(tx, "planning")
    await record_refused_plan(tx, mission.id, _plan(), issues=["It ends in 3 steps."])
    agents = await roster(tx)
    proposed = await propose_plan(tx, mission, _plan(), roster=agents, estimate=estimate_fixed)
    steps = await accept_plan(tx, mission, proposed, roster=agents, actor=ACTOR)
    await move(
        tx,
        task.id,
        "finish",
        actor=ACTOR,
        attempt=task.attempt,
        fields={"result_digest": "0" * 64, "result_size": 10},
    )
    return Planned(mission, {step.key: step for step in steps})


async def estimate_fixed(
    _tx: Tx,
    _mission: Mission,
    plan: PlanReply,
    *,
    authors: int,
    done_keys: Collection[str] = (),
    hires: int = 0,
) -> MissionEstimate:
    """Estimate the same for every mission."""

    def amounts(calls: int) -> MissionAmounts:
        return MissionAmounts(
            calls=calls, tokens=1_000 * calls, usd_micros=1_000 * calls, seconds=10.0 * calls
        )

    steps = {
        step.key: StepAmounts(calls=5, usd_micros=5_000, seconds=50.0)
        for step in plan.steps
        if step.key not in done_keys
    }
    return MissionEstimate(low=amounts(6), expected=amounts(16), high=amounts(30), steps=steps)


async def blocked_mission(tx: Tx, destination: Path) -> Planned:
    """Create a planned mission one of whose steps is paused until an operator acts."""
    planned = await planned_mission(tx, destination)
    await block(
        tx,
        planned.steps["water"].task_id,
        reason="the kettle broke",
        owner="operator",
        action="mend it",
        actor=SYSTEM,
    )
    return planned


def _plan() -> PlanReply:
    def step(key: str, role: str, *needs: str) -> PlannedStep:
        return PlannedStep(
            key=key,
            title=f"The {key} of tea",
            task=f"Find out about the {key} of tea and write it down with its sources.",
            role=role,
            depends_on=list(needs),
            acceptance=[f"Names the {key} of every tea."],
            sources_needed=0,
            queries_needed=0,
        )

    parts = [
        step("water", "research"),
        step("storage", "knowledge"),
        step("report", "content", "water", "storage"),
    ]
    return PlanReply(title="Compare how teas are brewed and stored", steps=parts, escalation="")


async def take(tx: Tx, process: str) -> Task:
    """Claim the next ready task of a process."""
    (task,) = await claim(tx, worker=WORKER, names=[process], lease_s=600)
    return task


def rehearsed_draft(content: str, score: float, *, degraded: bool = False) -> Draft:
    """Return a draft of that content, which cites one source and has the same score in everything."""
    return Draft(
        verification=Verification(),
        content=content,
        citations=Citations(
            score=1.0, substantive_lines=3, cited_lines=3, cited=(1,), unknown=(), quotable=1
        ),
        critique=CritiqueReply(
            completeness=score,
            accuracy=score,
            actionability=score,
            depth=score,
            gaps=[],
            lesson="Name the source.",
        ),
        questions=("How warm is the water?",),
        tier_asked=Tier.T2,
        tier_served=Tier.T1 if degraded else Tier.T2,
        provider="rehearsal",
        model="rehearsal",
        degraded=degraded,
        rehearsal=True,
    )


async def deliver(
    tx: Tx, planned: Planned, *, score: float = 3.2, degraded: bool = False, text: str = TEXT
) -> tuple[MissionStep, Handover]:
    """Deliver a version of the next step."""
    task = await take(tx, "mission_step")
    step = next(step for step in planned.steps.values() if step.task_id == task.id)
    draft = rehearsed_draft(f"# {step.title}\n\n{text}", score, degraded=degraded)
    handover = await deliver_step(
        tx, step, draft, attempt=task.attempt, actor=ACTOR, autonomy=AutonomySettings()
    )
    return step, handover


async def review(tx: Tx, planned: Planned, *, approved: bool, feedback: str) -> None:
    """Give the verdict of the next review."""
    task = await take(tx, "review")
    wanted = await review_of_task(tx, task.id)
    step = next(step for step in planned.steps.values() if step.task_id == wanted.step_id)
    overall = 4.0 if approved else 2.0
    verdict = Verdict(approved=approved, overall=overall, scores={"depth": overall}, feedback=feedback)
    await apply_verdict(
        tx, step, wanted, verdict, attempt=task.attempt, worker=ACTOR, autonomy=AutonomySettings()
    )


async def completed_mission(tx: Tx, destination: Path) -> Planned:
    """Create a mission with an approved final deliverable, one rejected version, and its folder in the outbox."""
    planned = await planned_mission(tx, destination)
    await deliver(tx, planned)
    await review(tx, planned, approved=False, feedback="The temperature of black tea is missing.")
    for _ in range(2):
        await deliver(tx, planned, score=4.5, degraded=True)
    await deliver(tx, planned)
    await review(tx, planned, approved=True, feedback="Clear and cited.")
    await review(tx, planned, approved=True, feedback="The founder can act on it.")
    await review(tx, planned, approved=True, feedback="Its parts fit together.")
    return planned
