"""Resolutions of an escalated step: each is offered only where it is possible, and carried out in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from frasier.kernel.errors import InvalidInput
from frasier.kernel.humanize import ended, plural
from frasier.org.conversation import EscalationAnswer
from frasier.org.execution.completion import fail_mission, settle_mission
from frasier.org.governance import withdraw_questions
from frasier.org.missions import (
    Mission,
    MissionAmounts,
    MissionEstimate,
    MissionStep,
    accepted_deliverables,
    dependants_of,
    get_mission,
    get_step,
    record_left_out,
    steps_of,
)
from frasier.org.people import roster
from frasier.org.planning import cancel_work, retry_step
from frasier.store import Tx
from frasier.workflow import Actor, Task, drop_ended_dependants, get_task, lock_group, move

if TYPE_CHECKING:
    from frasier.org.planning import MissionGraph


async def resolutions_of(
    tx: Tx, task: Task, first: EscalationAnswer, *, is_shared: bool = False, may_replan: bool = True
) -> list[str]:
    """Return the answers to an escalation of a task, the `first` first.

    The final step cannot be left out, and a new plan settles no trouble that `is_shared` with other tasks. Where a new
    version of a delivered result is made, the steps before it have ended.
    """
    if task.process != "mission_step":
        return [first, EscalationAnswer.CANCEL]
    step, mission = await get_step(tx, task.id), await get_mission(tx, task.group_id)
    is_first_version = mission.final_deliverable is None
    possible = {
        EscalationAnswer.REPLAN: may_replan and is_first_version and not is_shared,
        EscalationAnswer.SKIP: is_first_version and not step.is_final,
        EscalationAnswer.FAIL: is_first_version and not is_shared,
    }
    return [first, *(one for one, is_possible in possible.items() if is_possible), EscalationAnswer.CANCEL]


async def resolve_step(
    tx: Tx, task_id: UUID, resolution: EscalationAnswer, *, cause: str, note: str, actor: Actor
) -> str:
    """Carry out a resolution that is about a step; return a sentence about the effect. `cause` escalated it.

    Raises InvalidInput where it is not possible any more; the caller's transaction then changes nothing.
    """
    task = await get_task(tx, task_id)
    await lock_group(tx, task.group_id)
    task = await get_task(tx, task_id)
    step = await get_step(tx, task_id)
    if resolution not in await resolutions_of(tx, task, EscalationAnswer.CONTINUE):
        raise InvalidInput(
            f"{step.title} has no answer {resolution}.", kept="Nothing was changed.", hint="Read it again."
        )
    match resolution:
        case EscalationAnswer.SKIP:
            return await skip_step(tx, step, task, reason=note or cause, actor=actor)
        case EscalationAnswer.FAIL:
            return await end_with_results(tx, step, task, reason=note or cause, actor=actor)
        case _:
            from frasier.org.planning import plan_step_anew  # noqa: PLC0415 (views resolve nothing)

            return await plan_step_anew(tx, step, task, cause=cause, note=note, actor=actor)


async def skip_step(tx: Tx, step: MissionStep, task: Task, *, reason: str, actor: Actor) -> str:
    """Leave a step out: those who would have built on it build on what it needed, and are told what is missing.

    A failed step takes along what failed only because of it, and its mission goes on.
    """
    from frasier.org.planning import read_graph  # noqa: PLC0415 (views resolve nothing)

    if task.terminal:
        await retry_step(tx, task.id, actor=actor, note="to be left out")
    mission = await get_mission(tx, step.mission_id)
    graph = await read_graph(tx, mission.id)
    below = [graph.steps[key] for key in dependants_of(step.key, graph.needs)]
    await _remove(tx, mission, graph, step.key, actor=actor)
    await drop_ended_dependants(tx, step.task_id)
    await record_left_out(tx, step, reason=reason, dependants=[other.task_id for other in below], actor=actor)
    await settle_mission(tx, mission.id)
    told = f"{', '.join(other.title for other in below)} is told" if below else "nothing builds on it"
    return f"{step.title} is left out; {told}, and the result will say so."


async def _remove(tx: Tx, mission: Mission, graph: MissionGraph, key: str, *, actor: Actor) -> None:
    """Take one step out of a mission without asking anybody; the estimate of its plan stands, which it lowers."""
    from frasier.llm.reply_schemas import SteerReply  # noqa: PLC0415 (views resolve nothing)
    from frasier.org.planning import steer  # noqa: PLC0415 (views resolve nothing)

    change = SteerReply(removed=[key], changed=[], added=[], explanation="It is left out.")
    nothing = MissionAmounts(calls=0, tokens=0, usd_micros=0, seconds=0.0)
    estimate = graph.accepted.estimate or MissionEstimate(
        low=nothing, expected=nothing, high=nothing, steps={}
    )
    await steer(
        tx, mission, graph, change, roster=await roster(tx), documents=(), estimate=estimate, actor=actor
    )


async def end_with_results(tx: Tx, step: MissionStep, task: Task, *, reason: str, actor: Actor) -> str:
    """End a mission as failed; what its steps made is kept."""
    mission = await get_mission(tx, step.mission_id)
    results = await results_in_words(tx, mission)
    if mission.status.ended:
        await withdraw_questions(tx, mission_id=mission.id)
        return f"The mission {mission.title!r} has {mission.status} already; {results}."
    if not task.terminal:
        await move(tx, task.id, "fail", actor=actor, fields={"reason": reason})
    await cancel_work(tx, mission, actor=actor, reason=f"{step.title} has failed")
    await fail_mission(tx, mission, reason=f"{step.title}: {ended(reason)} The founder ended it; {results}.")
    return f"The mission {mission.title!r} ends as failed; {results}."


async def results_in_words(tx: Tx, mission: Mission) -> str:
    """Say how many results of a mission are accepted and kept."""
    steps = [step.task_id for step in await steps_of(tx, mission.id)]
    accepted = len(await accepted_deliverables(tx, steps))
    return f"{plural(accepted, 'accepted result')} {'is' if accepted == 1 else 'are'} kept"
