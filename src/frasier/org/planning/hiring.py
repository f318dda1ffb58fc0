"""Hires in a mission: the task that writes the persona of a new colleague, and the founder's decision about a hire."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvariantBroken
from frasier.kernel.humanize import dollars
from frasier.kernel.ids import new_id
from frasier.org.conversation import HIRE_QUESTION, MessageIntent, announce, assign_answer, store_message
from frasier.org.governance import (
    FounderQuestion,
    ReviewKind,
    ask_founder,
    pending_reviews_of,
    waive_review,
    waiver,
)
from frasier.org.missions import Mission, MissionStatus, get_mission, steps_of
from frasier.org.people import Agent, AgentStatus, chief_of_staff, find_agent
from frasier.org.planning.plan_staffing import hand_over
from frasier.org.staffing import HirePersona, HireState, decide_hire, hire_of
from frasier.store import Tx
from frasier.workflow import (
    BLOCKED,
    SYSTEM,
    Actor,
    NewTask,
    Task,
    block,
    create_tasks,
    dependencies_of,
    get_task,
    move,
    reassign,
    restore,
    rewire,
    tasks_of,
)

HIRE, REFUSE = "yes", "no"
_ID_CHARS = 8


async def create_hires(tx: Tx, mission: Mission, agents: Collection[Agent]) -> dict[UUID, tuple[UUID, ...]]:
    """Create the task that writes the persona of each agent who has only a first one, unless the mission has it; return
    them by agent.

    A task about a hire that the founder has to decide is paused with the question.
    """
    chief = await chief_of_staff(tx)
    tasks: dict[UUID, tuple[UUID, ...]] = {}
    for agent in sorted({one.id: one for one in agents}.values(), key=lambda one: one.key):
        existing = await hire_of(tx, agent.id)
        if existing is None or existing.persona is not HirePersona.FIRST:
            continue
        if begun := await _open_hire(tx, mission.id, agent):
            tasks[agent.id] = (begun,)
            continue
        task = NewTask(
            id=new_id(),
            process="hire",
            slug=f"hire-{agent.key}",
            title=f"Hire {agent.name}, {agent.title}",
            group_id=mission.id,
            assignee=chief.id,
            priority=10,
            fields={"colleague": agent.key},
        )
        await create_tasks(tx, [task], actor=SYSTEM)
        tasks[agent.id] = (task.id,)
        if existing.state is HireState.PROPOSED:
            await _ask(
                tx,
                mission,
                task.id,
                agent,
                why=existing.why,
                reason=existing.reason,
                usd_micros=existing.expected_usd_micros,
            )
    return tasks


async def _open_hire(tx: Tx, mission_id: UUID, agent: Agent) -> UUID | None:
    """Return the task of the mission that writes the persona of an agent, if there is one that has not ended."""
    for task in await tasks_of(tx, mission_id):
        if task.process == "hire" and task.fields.get("colleague") == agent.key and not task.terminal:
            return task.id
    return None


async def _ask(
    tx: Tx, mission: Mission, task_id: UUID, agent: Agent, *, why: str, reason: str, usd_micros: int
) -> None:
    await block(
        tx,
        task_id,
        reason=f"the hire waits for a decision: {why}",
        owner="founder",
        action="hire or refuse",
        actor=SYSTEM,
    )
    text = (
        f"Shall {agent.name} be hired as {agent.title}? {reason.rstrip('.')}. It is expected to cost"
        f" {dollars(usd_micros / 1_000_000)}; you are asked because {why}."
    )
    question_id = await ask_founder(
        tx,
        kind=HIRE_QUESTION,
        mission_id=mission.id,
        task_id=task_id,
        question=text,
        options=[HIRE, REFUSE],
        place=(task_id, str(agent.id)),
        cause=text,
        cause_key=f"hire:{agent.id}",
    )
    if question_id:
        name = str(question_id)[-_ID_CHARS:]
        advice = (
            Advice("question.decide", to="hire", question=name, answer=HIRE),
            Advice("question.decide", to="do it with those who are here", question=name, answer=REFUSE),
        )
        await announce(
            tx,
            mission_id=mission.id,
            kind="blocked",
            key=f"{mission.id}:{question_id}",
            text=f"Waiting for you. {text}",
            advice=advice,
        )


async def decide_about_hire(
    tx: Tx, questions: Sequence[FounderQuestion], answer: str, *, note: str, actor: Actor
) -> str:
    """Carry out the founder's decision about a hire, for every mission that waits for it; return a sentence about it.

    A hire that is made releases the steps of the new colleague. After a refusal colleagues who are here get those
    steps, and the chief of staff plans anew what is not done.
    """
    tasks = [await get_task(tx, question.task_id) for question in questions if question.task_id]
    if not tasks:
        raise InvariantBroken(f"question {questions[0].id} is about no hire")
    agent = await find_agent(tx, str(tasks[0].fields["colleague"]))
    if agent.status is AgentStatus.PROPOSED:
        agent = await decide_hire(tx, agent.id, approve=answer == HIRE, actor=actor)
    for task in tasks:
        if task.status != BLOCKED:
            continue
        if answer == HIRE:
            await restore(tx, task.id, actor=actor, note=note)
        else:
            await _plan_without(tx, task, agent, note=note, actor=actor)
    if answer == HIRE:
        return f"{agent.name} is hired as {agent.title}."
    return f"{agent.title} is not hired; those who are here do that work, and QA alone gives such reviews."


async def _plan_without(tx: Tx, task: Task, refused: Agent, *, note: str, actor: Actor) -> None:
    """Give the steps of a colleague who was refused to others, and have the mission planned anew: one transaction."""
    mission = await get_mission(tx, task.group_id)
    steps = [
        step for step in await steps_of(tx, mission.id) if step.agent_id == refused.id and not step.removed
    ]
    edges = await dependencies_of(tx, mission.id)
    # The founder may have judged a version meanwhile whose review waited for the colleague.
    waiting = {one.id for one in await tasks_of(tx, mission.id) if not one.terminal}
    await rewire(
        tx,
        mission.id,
        {
            task_id: [edge.depends_on for edge in needs if edge.depends_on != task.id]
            for task_id, needs in edges.items()
            if task_id in waiting and any(edge.depends_on == task.id for edge in needs)
        },
    )
    await hand_over(tx, steps, actor=SYSTEM)
    await _waive_reviews(tx, refused, actor=actor)
    await move(tx, task.id, "cancel", actor=actor, fields={"reason": note or "the founder refused the hire"})
    if steps and mission.status in {MissionStatus.IN_PROGRESS, MissionStatus.PAUSED}:
        because = f": {note}" if note else ""
        message = await store_message(
            tx,
            f"{refused.title} is not hired{because}. Plan what is not done yet of that work with the colleagues who are"
            f" here: {', '.join(step.title for step in steps)}.",
            intent=MessageIntent.STEER,
            mission_id=mission.id,
        )
        await assign_answer(tx, message)


async def _waive_reviews(tx: Tx, refused: Agent, *, actor: Actor) -> None:
    """Leave the verdict to QA where the review of somebody was waited for who is not hired; its task concludes that."""
    chief = await chief_of_staff(tx)
    for review in await pending_reviews_of(tx, refused.id):
        why = f"{review.choice.split(': ', 1)[-1]}, and the founder hires nobody for it"
        await waive_review(tx, review.id, reason=waiver(ReviewKind(review.kind), why))
        if review.review_task is not None:
            await reassign(tx, review.review_task, chief.id, actor=actor)


async def hire_edges(tx: Tx, mission_id: UUID) -> dict[UUID, list[UUID]]:
    """Return the hire tasks that each step of a mission waits for, or waited for."""
    hires = {task.id for task in await tasks_of(tx, mission_id) if task.process == "hire"}
    return {
        task_id: found
        for task_id, needs in (await dependencies_of(tx, mission_id)).items()
        if (found := [edge.depends_on for edge in needs if edge.depends_on in hires])
    }
