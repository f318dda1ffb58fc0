"""Learning from use: whether memories served, and what tasks taught."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from frasier.interfaces.memory_tools.fields import MemoryRef, Page, Percent, SessionField, secret_hints
from frasier.interfaces.tools import Layer, Reply, Surroundings, Tool, ToolInput, as_json, told
from frasier.kernel.advice import Advice
from frasier.kernel.humanize import ended, plural
from frasier.memory import (
    Grade,
    TaskLearning,
    Validation,
    WorkOutcome,
    begin_task,
    find_memories,
    finish_task,
    learning_history,
    mark_cited,
    promotable,
    promote_memory,
    record_outcome,
    review_memory,
    validate_memory,
)

Refs = Annotated[tuple[MemoryRef, ...], Field(min_length=1, max_length=100)]
TaskKey = Annotated[
    str, Field(min_length=1, max_length=200, description="Names the task; the same before and after")
]
Gap = Annotated[str, Field(min_length=1, max_length=500)]
Gaps = Annotated[tuple[Gap, ...], Field(max_length=50)]


class ValidateInput(ToolInput):
    id: MemoryRef
    useful: bool


async def _validate(around: Surroundings, given: ValidateInput) -> Reply:
    memory, validation = await around.engine.on_memory(
        around.caller, given.id, validate_memory, useful=given.useful
    )
    ready = (
        "It has proven itself: the founder can promote it.",
        Advice("memory.promote", to="promote it", id=str(memory.id)),
    )
    return Reply(
        summary=_standing(validation), data=as_json(validation), hints=ready if validation.ready else ()
    )


def _standing(validation: Validation) -> str:
    if validation.exempt:
        return "It binds everybody and is not weighed by use."
    if validation.promoted:
        return "Promoted: it is critical now, and neither fades nor expires."
    return f"Confidence {validation.confidence:.2f} after {validation.count} votes."


class OutcomeInput(ToolInput):
    ids: Refs
    outcome: WorkOutcome = Field(description="What became of the work that used them")


async def _outcome(around: Surroundings, given: OutcomeInput) -> Reply:
    found = await around.engine.in_transaction(find_memories, around.caller, given.ids)
    ids = [memory.id for memory in found]
    recorded = await around.engine.in_transaction(record_outcome, around.caller, ids, given.outcome)
    return Reply(summary=f"{len(recorded.confidence)} weighed as {given.outcome}.", data=as_json(recorded))


class ReviewInput(ToolInput):
    id: MemoryRef
    grade: Grade = Field(description="How well it served")
    session: SessionField = None


async def _review(around: Surroundings, given: ReviewInput) -> Reply:
    memory, review = await around.engine.on_memory(
        around.caller, given.id, review_memory, given.grade, given.session
    )
    kept = f"stability {review.strength.stability:.1f} days"
    return Reply(
        summary=f"Reviewed: {kept}." if review.counted else f"Not counted: {ended(review.reason)}",
        data=told(
            id=memory.id,
            counted=review.counted,
            reason=review.reason,
            retrievability_before=review.retrievability,
            strength=review.strength,
        ),
    )


class CiteInput(ToolInput):
    ids: Refs


async def _cite(around: Surroundings, given: CiteInput) -> Reply:
    found = await around.engine.in_transaction(find_memories, around.caller, given.ids)
    ids = [memory.id for memory in found]
    cited = await around.engine.in_transaction(mark_cited, around.caller, ids)
    return Reply(summary=f"{cited} cited.", data={"cited": cited})


class PromoteInput(ToolInput):
    id: MemoryRef | None = Field(None, description="Default: only list those that are ready")


async def _promote(around: Surroundings, given: PromoteInput) -> Reply:
    if given.id is None:
        ready = await around.engine.in_transaction(promotable, around.caller)
        return Reply(summary=f"{len(ready)} are ready to be critical.", data={"ready": as_json(ready)})
    _, promoted = await around.engine.on_memory(around.caller, given.id, promote_memory)
    return Reply(summary=_standing(promoted), data=as_json(promoted))


class PreflightInput(ToolInput):
    task: TaskKey
    knowledge: Percent
    uncertainty: Percent
    context: Percent
    gaps: Gaps = ()
    session: SessionField = None


async def _preflight(around: Surroundings, given: PreflightInput) -> Reply:
    begun = await around.engine.in_transaction(
        begin_task,
        around.caller,
        given.task,
        knowledge=given.knowledge,
        uncertainty=given.uncertainty,
        context=given.context,
        gaps=given.gaps,
        session_id=given.session,
    )
    return Reply(
        summary="Recorded what you know before the task.",
        data=as_json(begun),
        hints=(
            Advice("memory.postflight", to="record what you know when it is done", task=begun.task_key),
            *secret_hints(given),
        ),
    )


class PostflightInput(ToolInput):
    task: TaskKey
    knowledge: Percent
    uncertainty: Percent
    context: Percent
    gaps_closed: Gaps = ()
    new_gaps: Gaps = ()


async def _postflight(around: Surroundings, given: PostflightInput) -> Reply:
    finished = await around.engine.in_transaction(
        finish_task,
        around.caller,
        given.task,
        knowledge=given.knowledge,
        uncertainty=given.uncertainty,
        context=given.context,
        gaps_closed=given.gaps_closed,
        new_gaps=given.new_gaps,
    )
    return Reply(summary=_taught(finished), data=as_json(finished), hints=secret_hints(given))


def _taught(task: TaskLearning) -> str:
    return f"Learning index {task.index:.1f}: {task.band}." if task.index is not None else "Not finished."


class HistoryInput(ToolInput):
    session: str | None = Field(None, max_length=128)
    only_complete: bool = False
    limit: Page = 10


async def _history(around: Surroundings, given: HistoryInput) -> Reply:
    history = await around.engine.in_transaction(
        learning_history,
        around.caller,
        session_id=given.session,
        only_complete=given.only_complete,
        limit=given.limit,
    )
    average = f", {history.average_index:.1f} on average" if history.average_index is not None else ""
    return Reply(
        summary=f"Finished: {history.completed} of {plural(history.started, 'task')}{average}.",
        data=as_json(history),
    )


LEARNING = (
    Tool(
        name="memory_validate",
        title="Was it useful?",
        layer=Layer.SURGICAL,
        about="Vote on whether a memory was useful, which moves its confidence.",
        input=ValidateInput,
        run=_validate,
    ),
    Tool(
        name="memory_outcome",
        title="What became of the work",
        layer=Layer.SURGICAL,
        about="Say whether work that used memories was accepted, modified or rejected.",
        input=OutcomeInput,
        run=_outcome,
    ),
    Tool(
        name="memory_review",
        title="Review a memory",
        layer=Layer.SURGICAL,
        about="Say how well you remembered with it. Makes it last longer or shorter; counts once a day.",
        input=ReviewInput,
        run=_review,
        idempotent=True,
    ),
    Tool(
        name="memory_cite",
        title="Cite memories",
        layer=Layer.SURGICAL,
        about="Note that you relied on memories in what you wrote.",
        input=CiteInput,
        run=_cite,
    ),
    Tool(
        name="memory_promote",
        title="Promote a memory",
        layer=Layer.SURGICAL,
        about="List memories that have proven themselves; for the founder, make one critical.",
        input=PromoteInput,
        run=_promote,
        idempotent=True,
    ),
    Tool(
        name="task_preflight",
        title="Before a task",
        layer=Layer.DETAIL,
        about="Record before a task what you know, how unsure you are and how much context you have (0 to 100).",
        input=PreflightInput,
        run=_preflight,
        idempotent=True,
    ),
    Tool(
        name="task_postflight",
        title="After a task",
        layer=Layer.DETAIL,
        about="Record the same after the task; the answer says what it taught.",
        input=PostflightInput,
        run=_postflight,
        idempotent=True,
    ),
    Tool(
        name="memory_learning_history",
        title="What tasks taught",
        layer=Layer.DETAIL,
        about="What finished tasks taught, on average and one by one.",
        input=HistoryInput,
        run=_history,
        read_only=True,
        idempotent=True,
    ),
)
