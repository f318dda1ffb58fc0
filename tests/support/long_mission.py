"""A mission of hundreds of steps in all states, created by use cases without a model."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.ids import new_id
from frasier.llm.reply_schemas import PlannedStep, PlanReply
from frasier.org.missions import Mission, MissionStatus, NewMission, PlanState, record_plan
from frasier.org.missions.missions import set_status
from frasier.org.missions.steps import insert_step
from frasier.org.people import Agent, roster
from frasier.org.planning import propose_plan, start_mission
from frasier.org.planning.plan import step_of_plan, task_of_step
from frasier.org.staffing import found
from frasier.store import Tx
from frasier.work.run_log import begin_runs, end_run
from frasier.work.run_outcomes import Done
from frasier.workflow import SYSTEM, block, claim, create_tasks, move
from support.cli_states import ACTOR, WORKER, estimate_fixed, take

_TOPICS = ("Research", "Compare", "Draft", "Verify", "Summarise")
_WIDTH = 8


async def long_mission(
    tx: Tx,
    destination: Path,
    *,
    steps: int = 200,
    started: int = 60,
    title: str = "Compare every storage engine",
) -> Mission:
    """Create a mission with so many steps in layers of eight, of which some are in work and one waits for the founder."""
    await found(tx)
    mission = await start_mission(
        tx, NewMission(id=new_id(), directive=title, destination=str(destination), rehearsal=False)
    )
    task = await take(tx, "planning")
    agents = await roster(tx)
    plan = _plan(steps, title)
    proposed = await propose_plan(tx, mission, plan, roster=agents, estimate=estimate_fixed)
    await record_plan(tx, mission.id, proposed, state=PlanState.ACCEPTED)
    await _create_steps(tx, mission, plan, agents)
    fields = {"result_digest": "0" * 64, "result_size": 10}
    await move(tx, task.id, "finish", actor=ACTOR, attempt=task.attempt, fields=fields)
    taken = await claim(tx, worker=WORKER, names=["mission_step"], lease_s=600, limit=started)
    await begin_runs(tx, taken, worker=WORKER)
    if taken:
        await end_run(tx, taken[0], Done())
        await block(
            tx,
            taken[0].id,
            reason="the offer of the supplier cannot be read",
            owner="founder",
            action="send it again",
            actor=SYSTEM,
            attempt=taken[0].attempt,
        )
    return mission


async def _create_steps(tx: Tx, mission: Mission, plan: PlanReply, agents: Sequence[Agent]) -> None:
    """Create the steps of a plan that is longer than one reply of a model may be; missions grow so by steering."""
    ids = {planned.key: new_id() for planned in plan.steps}
    steps = [
        step_of_plan(
            planned,
            ids[planned.key],
            mission.id,
            agents[number % len(agents)],
            is_final=planned.key == "final",
            documents=(),
        )
        for number, planned in enumerate(plan.steps)
    ]
    tasks = [
        task_of_step(mission, step, needs=[ids[key] for key in planned.depends_on])
        for step, planned in zip(steps, plan.steps, strict=True)
    ]
    await create_tasks(tx, tasks, actor=ACTOR)
    for step in steps:
        await insert_step(tx, replace(step, kind=DeliverableKind.REPORT) if step.is_final else step)
    await set_status(tx, mission, MissionStatus.IN_PROGRESS, actor=ACTOR)


def _plan(count: int, title: str) -> PlanReply:
    chance = random.Random(count)
    layers: list[list[str]] = []
    steps: list[PlannedStep] = []
    roles = ("research", "knowledge", "content", "engineering")
    while len(steps) < count - 1:
        layer = len(layers)
        keys = [f"s{layer}-{number}" for number in range(min(_WIDTH, count - 1 - len(steps)))]
        for number, key in enumerate(keys):
            needs = sorted(set(chance.sample(layers[-1], min(2, len(layers[-1]))))) if layers else []
            steps.append(
                _step(
                    key,
                    f"{_TOPICS[layer % len(_TOPICS)]} {layer}: part {number + 1}",
                    roles[number % 4],
                    needs,
                )
            )
        layers.append(keys)
    needed = {need for step in steps for need in step.depends_on}
    steps.append(
        _step("final", "Final document", "content", [step.key for step in steps if step.key not in needed])
    )
    return PlanReply.model_construct(title=title, kind="report", steps=steps, escalation="", question="")


def _step(key: str, title: str, role: str, needs: list[str]) -> PlannedStep:
    return PlannedStep.model_construct(
        **(
            PlannedStep(
                key=key,
                title=title,
                task="Find it out and write it down with its sources.",
                role=role,
                depends_on=[],
                acceptance=["Names every part."],
                sources_needed=0,
                queries_needed=0,
            ).__dict__
            | {"depends_on": needs}
        )
    )
