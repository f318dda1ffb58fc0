"""The outcomes of team routines put to use: a lesson, a decision, a proposal or a blocker; what waits goes on."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.errors import InvariantBroken
from frasier.kernel.text import shorten
from frasier.memory import save_lesson
from frasier.org.execution.apply_verdict import settle_reviews
from frasier.org.execution.delivery import provenance_of
from frasier.org.execution.stand_ups import ask_about_stand_up
from frasier.org.governance import (
    AutonomySettings,
    Review,
    Routine,
    RoutineKind,
    RoutineOutcome,
    computed_refusals,
    end_routine,
    list_routines,
    reviews_of_version,
    set_review_aside,
)
from frasier.org.missions import Deliverable, MissionStep, get_deliverable, get_step, lock_step
from frasier.org.people import get_agent
from frasier.org.planning import disagreement
from frasier.store import Tx
from frasier.workflow import end_delay, get_task

_ROUTINES_OF_MISSION = 200
_LESSON_IMPORTANCE = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutineResult:
    """The outcome of a routine in words, or why there is none. `stands` is "higher" or "lower" for a debate."""

    outcome: RoutineOutcome
    text: str
    stands: str = ""


async def conclude_routine(
    tx: Tx, routine: Routine, result: RoutineResult, *, autonomy: AutonomySettings
) -> str:
    """End a routine and put its outcome to use, in the caller's transaction; return what became of it.

    Without an outcome what waits for the routine goes on as if there had been none.
    """
    match routine.kind:
        case RoutineKind.STAND_UP:
            effect = await ask_about_stand_up(tx, routine, result.outcome, result.text)
        case RoutineKind.BRAINSTORM:
            effect = "" if result.outcome is RoutineOutcome.NONE else "The chief of staff plans with it."
        case RoutineKind.DEBATE:
            effect = await _settle_debate(tx, routine, result, autonomy)
        case RoutineKind.MENTORING:
            effect = await _teach(tx, routine, result)
    await end_routine(tx, routine, result.outcome, result.text, effect=effect)
    return effect


async def proposals_for(tx: Tx, mission_id: UUID) -> tuple[str, ...]:
    """Return what the brainstorm before a mission proposed for its plan."""
    return tuple(
        routine.result
        for routine in await list_routines(tx, mission_id=mission_id, limit=_ROUTINES_OF_MISSION)
        if routine.kind is RoutineKind.BRAINSTORM and routine.outcome is RoutineOutcome.PROPOSAL
    )


async def debated_work(tx: Tx, routine: Routine) -> tuple[MissionStep, Deliverable]:
    """Return the step and the version that a debate or mentoring is about."""
    if routine.deliverable_id is None:
        raise InvariantBroken(f"the routine {routine.task_id} is about no version")
    deliverable = await get_deliverable(tx, routine.deliverable_id)
    return await get_step(tx, deliverable.task_id), deliverable


async def waits_for_debate(tx: Tx, step: MissionStep, deliverable: Deliverable) -> bool:
    """Whether a step still waits for the verdict on that version: the founder may have given it meanwhile."""
    task = await get_task(tx, step.task_id)
    return task.status == "in_review" and task.fields.get("deliverable_id") == str(deliverable.id)


async def _settle_debate(tx: Tx, routine: Routine, result: RoutineResult, autonomy: AutonomySettings) -> str:
    """Set the verdict aside that the debate decided against, and move the step by those that stand.

    A debate makes no verdict of its own, and none that it keeps approves what computed checks forbid.
    """
    step, deliverable = await debated_work(tx, routine)
    await lock_step(tx, step.task_id)
    if not await waits_for_debate(tx, step, deliverable):
        return "The version waited for no verdict any more."
    stands, note = None, ""
    disputed = disagreement(await reviews_of_version(tx, step.task_id, deliverable.id))
    if result.outcome is RoutineOutcome.DECISION and disputed is not None:
        stands, set_aside = chosen_verdict(disputed, result.stands)
        if stands.state == "approved" and computed_refusals(deliverable.citations):
            stands = None
        else:
            await set_review_aside(tx, set_aside.id)
            note = f"Its reviewers debated it: {result.text}"
    task = await settle_reviews(tx, step, deliverable, autonomy=autonomy, note=note)
    what = "Both verdicts count" if stands is None else f"The {stands.kind} review stands"
    return f"{what}; the step is {task.status.replace('_', ' ')}."


def chosen_verdict(disputed: tuple[Review, Review], stands: str) -> tuple[Review, Review]:
    """Return the verdict that stands and the one that is set aside, of the lower and the higher one. Pure."""
    lower, higher = disputed
    return (higher, lower) if stands == "higher" else (lower, higher)


async def _teach(tx: Tx, routine: Routine, result: RoutineResult) -> str:
    """Keep the lesson of a mentoring for its author, and let the step go on."""
    step, deliverable = await debated_work(tx, routine)
    await end_delay(tx, step.task_id)
    if result.outcome is not RoutineOutcome.LESSON:
        return ""
    author = await get_agent(tx, step.agent_id)
    await save_lesson(
        tx,
        agent_id=author.id,
        lesson=result.text,
        context=shorten(step.title, 100),
        importance=_LESSON_IMPORTANCE,
        tags=("mentoring",),
        provenance=provenance_of(step, deliverable) | {"routine": str(routine.task_id)},
    )
    return f"It is a lesson of {author.name}'s."
