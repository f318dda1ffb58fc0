"""The completion of missions. Completion and the request for publication are one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvariantBroken
from frasier.kernel.fault_points import fault_point
from frasier.memory import MemoryKind, NewMemory, WorkOutcome, archive_of_origin, save_memories
from frasier.org.conversation import announce, save_outcome
from frasier.org.execution.coherence import unsettled_of
from frasier.org.governance import open_questions
from frasier.org.missions import (
    PUBLISH_FOLDER,
    REHEARSAL,
    Deliverable,
    Mission,
    MissionStatus,
    MissionStep,
    accepted_deliverables,
    complete_mission,
    degradation_of,
    get_deliverable,
    get_mission,
    judge_lessons,
    left_out_of,
    lock_mission,
    mark_delivered,
    remember_plan,
    set_status,
    steps_of,
)
from frasier.org.planning import restore_result
from frasier.store import Effect, Tx, enqueue_effect
from frasier.workflow import SYSTEM, Task, tasks_of

EARLIER_WORK = "deliverables"
"""The memory scope in which later missions find the deliverables of earlier ones."""

_PARAGRAPH_CHARS_MIN = 80


async def settle_mission(tx: Tx, mission_id: UUID) -> Mission:
    """Complete or fail a mission whose steps have all ended; otherwise change nothing."""
    # The lock comes last and before reading: of two steps that end at once, the second sees the first.
    await lock_mission(tx, mission_id)
    mission = await get_mission(tx, mission_id)
    if mission.status is not MissionStatus.IN_PROGRESS:
        return mission
    steps = [step for step in await steps_of(tx, mission_id) if not step.removed]
    tasks = {task.id: task for task in await tasks_of(tx, mission_id)}
    if any(not tasks[step.task_id].terminal for step in steps):
        return mission
    final = next(step for step in steps if step.is_final)
    if tasks[final.task_id].status == "completed":
        accepted = (await accepted_deliverables(tx, [final.task_id])).get(final.task_id)
        planning = next((task for task in tasks.values() if task.process == "planning"), None)
        return await _complete(tx, mission, accepted, steps=steps, planning=planning)
    return await fail_mission(tx, mission, reason=_first_failure(list(tasks.values())))


def _first_failure(tasks: list[Task]) -> str:
    failed = [task for task in tasks if task.status == "failed"]
    own = [task for task in failed if not task.cascaded] or failed
    if not own:
        return "its final step was cancelled"
    return f"{own[0].title}: {own[0].failure}"


async def fail_mission(tx: Tx, mission: Mission, *, reason: str) -> Mission:
    """Fail a mission that cannot be completed; keep its results, and notify the founder.

    Where a new version was to be made, the one before it stands.
    """
    if mission.final_deliverable is not None:
        return await _keep_earlier_version(tx, mission, reason=reason)
    failed = await set_status(tx, mission, MissionStatus.FAILED, actor=SYSTEM, reason=reason)
    await save_outcome(tx, mission, f"The mission {mission.title!r} has failed: {reason}")
    await announce(
        tx,
        mission_id=mission.id,
        kind="failed",
        key=f"{mission.id}:{failed.updated_at.isoformat()}",
        text=f"The mission {mission.title!r} has failed: {reason}",
        advice=await _how_to_decide(tx, mission),
    )
    return failed


async def _how_to_decide(tx: Tx, mission: Mission) -> tuple[Advice, ...]:
    """Return what leads to the question whether a failed mission is tried again, where there is one."""
    is_asked = any(question.mission_id == mission.id for question in await open_questions(tx))
    return (Advice("inbox.show", to="decide whether it is tried again"),) * is_asked


async def _keep_earlier_version(tx: Tx, mission: Mission, *, reason: str) -> Mission:
    """Return a mission whose new version came to nothing to the version before it, and notify the founder."""
    restored = await restore_result(tx, mission, actor=SYSTEM, reason=reason)
    text = f"No new version of {mission.title!r} was made: {reason} The earlier one stands."
    await save_outcome(tx, mission, text)
    key = f"{mission.id}:{restored.updated_at.isoformat()}"
    advice = await _how_to_decide(tx, mission)
    await announce(tx, mission_id=mission.id, kind="failed", key=key, text=text, advice=advice)
    return restored


async def _complete(
    tx: Tx,
    mission: Mission,
    final: Deliverable | None,
    *,
    steps: Sequence[MissionStep],
    planning: Task | None,
) -> Mission:
    if final is None or not final.content.strip():
        raise InvariantBroken(f"the final step of {mission.id} is completed without a deliverable")
    fault_point("mission.before_complete")
    await complete_mission(tx, mission, deliverable_id=final.id, digest=final.digest)
    await enqueue_effect(
        tx,
        kind=PUBLISH_FOLDER,
        key=f"{PUBLISH_FOLDER}:{mission.id}:{final.digest}:{final.version}",
        stream=mission.id,
        payload={"mission": str(mission.id), "destination": mission.destination},
    )
    await _remember(tx, mission, final)
    if planning is not None and not final.rehearsal:
        await judge_lessons(tx, [planning.id], WorkOutcome.ACCEPTED)
    await remember_plan(tx, mission, planning=planning, steps=steps, final=final)
    return await get_mission(tx, mission.id)


async def _remember(tx: Tx, mission: Mission, final: Deliverable) -> None:
    """Store the result for later missions, in place of the version before it."""
    await archive_of_origin(tx, EARLIER_WORK, {"mission": str(mission.id)})
    paragraphs = [part.strip() for part in final.content.split("\n\n")]
    await save_memories(
        tx,
        [
            NewMemory(
                kind=MemoryKind.PASSAGE,
                scope=EARLIER_WORK,
                title=mission.title,
                content=part,
                provenance={
                    "mission": str(mission.id),
                    "deliverable": str(final.id),
                    REHEARSAL: final.rehearsal,
                },
            )
            for part in paragraphs
            if len(part) >= _PARAGRAPH_CHARS_MIN
        ],
    )


async def confirm_publication(tx: Tx, effect: Effect, receipt: Mapping[str, Any]) -> None:
    """Mark the mission as delivered, now that its folder exists, and announce its success."""
    mission_id = UUID(effect.payload["mission"])
    path = str(receipt["path"])
    mission = await mark_delivered(tx, mission_id, path)
    if mission is None or mission.final_deliverable is None:
        return
    final = await get_deliverable(tx, mission.final_deliverable)
    missing = [step.sentence for step in await left_out_of(tx, mission_id)]
    missing += await unsettled_of(tx, mission)
    degraded = await degradation_of(tx, mission_id)
    ending = "delivered with gaps" if missing else "delivered"
    text = " ".join(
        [f"The mission {mission.title!r} is {ending}: {path}", *missing, *filter(None, [degraded])]
    )
    await save_outcome(tx, mission, text, result=final.content)
    await announce(
        tx,
        mission_id=mission_id,
        kind="delivered",
        key=f"{mission_id}:{final.version}",
        text=text,
        path=path,
    )
