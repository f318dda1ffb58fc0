"""Tasks of evaluation: begun when work that used artefacts is done, by a cursor over events, apart from the mission."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.ids import new_id
from frasier.org.governance import (
    EvaluationRules,
    EvaluatorRole,
    evaluation_group,
    insert_evaluation_task,
    is_evaluated,
    policy_history,
    review_of_task,
    rules_in_force,
)
from frasier.org.missions import (
    Deliverable,
    accepted_deliverables,
    deliverables_of,
    get_deliverable,
    get_step,
    superseded_deliverables,
)
from frasier.store import Tx, advance_reader, current_cursor, read_events_after_stored, reader_cursor
from frasier.workflow import SYSTEM, NewTask, Task, create_tasks, dependencies_of, get_task, tasks_of

READER = "evaluations"
"""The name of the cursor over events."""

_ENDS_WORK = {"task.approve", "task.finish"}
_PAGE = 200
_VERSIONS_READ = 100
_PRIORITY = -100  # below everything that a mission waits for


@dataclass(frozen=True, slots=True, kw_only=True)
class _UsedVersions:
    """The versions that an agent used for a task."""

    mission_id: UUID
    evaluator: UUID
    role: EvaluatorRole
    deliverables: Sequence[Deliverable]


async def start_evaluations(tx: Tx) -> int:
    """Read on in the events, and create a task of evaluation for each work that used artefacts and is done.

    The cursor moves in the same transaction. Return the number of tasks. Work that was done while the policy was off is
    never evaluated.
    """
    cursor = await reader_cursor(tx, READER)
    since = await _enabled_since(tx)
    if since is None:
        await advance_reader(tx, READER, await current_cursor(tx))
        return 0
    events, after = await read_events_after_stored(tx, cursor, limit=_PAGE)
    started = 0
    for event in events:
        if event.kind in _ENDS_WORK and event.at >= since:
            started += await _start(tx, await get_task(tx, event.stream))
    if after != cursor:
        await advance_reader(tx, READER, after)
    return started


async def evaluations_are_to_come(tx: Tx, mission_id: UUID) -> bool:
    """Return whether artefacts of a mission are still to be evaluated: by tasks, or by work that was not read yet."""
    if not (await rules_in_force(tx, EvaluationRules)).enabled:
        return False
    if any(not task.terminal for task in await tasks_of(tx, evaluation_group(mission_id))):
        return True
    events, _ = await read_events_after_stored(tx, await reader_cursor(tx, READER), limit=_PAGE)
    ended = {event.stream for event in events if event.kind in _ENDS_WORK}
    return any(task.id in ended for task in await tasks_of(tx, mission_id))


async def _enabled_since(tx: Tx) -> datetime | None:
    """Return since when evaluations are allowed without a break; None if they are off."""
    if not (await rules_in_force(tx, EvaluationRules)).enabled:
        return None
    since = None
    for version in await policy_history(tx, EvaluationRules.subject, limit=_VERSIONS_READ):
        if not (isinstance(version.rules, EvaluationRules) and version.rules.enabled):
            break
        since = version.set_at
    return since


async def _start(tx: Tx, task: Task) -> int:
    used = None
    if task.process == "mission_step" and task.status == "completed":
        used = await _used_by_step(tx, task)
    elif task.process == "review" and task.status == "completed":
        used = await _used_by_review(tx, task)
    if used is None or await is_evaluated(tx, task.id, task.attempt):
        return 0
    superseded = await superseded_deliverables(tx, {one.id for one in used.deliverables})
    wanted = [one for one in used.deliverables if one.id not in superseded and one.author != used.evaluator]
    if not wanted:
        return 0
    new = NewTask(
        id=new_id(),
        process="evaluation",
        slug=f"evaluate-{str(task.id)[-8:]}-{task.attempt}",
        title=f"Evaluate what was used for: {task.title}",
        group_id=evaluation_group(used.mission_id),
        assignee=used.evaluator,
        priority=_PRIORITY,
    )
    await create_tasks(tx, [new], actor=SYSTEM)
    await insert_evaluation_task(
        tx,
        new.id,
        mission_id=used.mission_id,
        evaluator=used.evaluator,
        role=used.role,
        consumer=task.id,
        consumer_attempt=task.attempt,
        deliverables=[one.id for one in wanted],
    )
    return 1


async def _used_by_step(tx: Tx, task: Task) -> _UsedVersions | None:
    """Return the newest versions that there were of what a step needed when its own result was written."""
    own = (await accepted_deliverables(tx, [task.id])).get(task.id)
    if own is None or own.author is None:
        return None
    step = await get_step(tx, task.id)
    needed = [edge.depends_on for edge in (await dependencies_of(tx, step.mission_id)).get(task.id, ())]
    newest: dict[UUID, Deliverable] = {}
    for version in await deliverables_of(tx, needed):
        if version.created_at <= own.created_at:
            newest[version.task_id] = version
    role = EvaluatorRole.ASSEMBLER if step.is_final else EvaluatorRole.DEPENDENT_STEP
    return _UsedVersions(
        mission_id=step.mission_id, evaluator=own.author, role=role, deliverables=list(newest.values())
    )


async def _used_by_review(tx: Tx, task: Task) -> _UsedVersions | None:
    review = await review_of_task(tx, task.id)
    if review.reviewer is None or not review.has_verdict:
        return None
    version = await get_deliverable(tx, review.deliverable_id)
    return _UsedVersions(
        mission_id=version.mission_id,
        evaluator=review.reviewer,
        role=EvaluatorRole.REVIEWER,
        deliverables=[version],
    )
