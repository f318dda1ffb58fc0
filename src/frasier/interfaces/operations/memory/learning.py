"""Learning from use: whether memories served, and what tasks taught."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from frasier.interfaces.operations import (
    CliOption,
    Layer,
    OperationContext,
    OperationInput,
    Output,
    Result,
    declare,
)
from frasier.interfaces.operations.memory.fields import MemoryRef, Page, Percent, SessionField, secret_hints
from frasier.kernel.advice import Advice
from frasier.kernel.humanize import ended, plural
from frasier.memory import (
    Deltas,
    Grade,
    ImportanceTier,
    LearningBand,
    LearningTrend,
    Reading,
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

Refs = Annotated[
    tuple[MemoryRef, ...],
    Field(min_length=1, max_length=100),
    CliOption(argument="MEMORY", help="Ids; the last 8 characters of each are enough."),
]
Gap = Annotated[str, Field(min_length=1, max_length=500)]
Gaps = Annotated[tuple[Gap, ...], Field(max_length=50)]


class ValidateInput(OperationInput):
    id: MemoryRef
    useful: Annotated[bool, CliOption(flags=("--useful/--useless",), help="Whether it helped.")]


class ValidateOutput(Output):
    """The confidence of a memory after a vote; see Validation."""

    memory_id: UUID
    confidence: float
    count: int
    tier: ImportanceTier
    ready: bool
    promoted: bool
    exempt: bool


async def _validate(context: OperationContext, request: ValidateInput) -> Result[ValidateOutput]:
    memory, validation = await context.memory.on_memory(
        context.caller, request.id, validate_memory, useful=request.useful
    )
    ready = (
        "It has proven itself: the founder can promote it.",
        Advice("memory.promote", to="promote it", id=str(memory.id)),
    )
    return Result(
        summary=_confidence(validation),
        data=ValidateOutput.of(validation),
        hints=ready if validation.ready else (),
    )


def _confidence(validation: Validation) -> str:
    if validation.exempt:
        return "It binds everybody and is not weighed by use."
    if validation.promoted:
        return "Promoted: it is critical now, and neither fades nor expires."
    return f"Confidence {validation.confidence:.2f} after {validation.count} votes."


class OutcomeInput(OperationInput):
    ids: Refs
    outcome: Annotated[WorkOutcome, CliOption(argument="OUTCOME", help="accepted, modified or rejected.")] = (
        Field(description="What became of the work that used them")
    )


class OutcomeOutput(Output):
    """The confidence of each memory afterwards; use does not weigh the exempt ones, which bind everybody."""

    confidence: dict[UUID, float]
    exempt: tuple[UUID, ...]


async def _outcome(context: OperationContext, request: OutcomeInput) -> Result[OutcomeOutput]:
    memories = await context.memory.in_transaction(find_memories, context.caller, request.ids)
    ids = [memory.id for memory in memories]
    recorded = await context.memory.in_transaction(record_outcome, context.caller, ids, request.outcome)
    return Result(
        summary=f"{len(recorded.confidence)} weighed as {request.outcome}.", data=OutcomeOutput.of(recorded)
    )


class ReviewInput(OperationInput):
    id: MemoryRef
    grade: Annotated[Grade, CliOption(argument="GRADE", help="again, hard, good or easy.")] = Field(
        description="How well it served"
    )
    session: SessionField = None


class StrengthOutput(Output):
    """The strength of a memory; see Strength."""

    stability: float
    difficulty: float
    confidence: float
    validations: int
    review_count: int
    reviewed_at: datetime | None
    use_count: int
    used_at: datetime | None
    accessed_at: datetime | None
    cited_at: datetime | None


class ReviewOutput(Output):
    """The strength of a memory after its review; `reason` says why the review did not count."""

    id: UUID
    counted: bool
    reason: str = ""
    retrievability_before: float
    strength: StrengthOutput


async def _review(context: OperationContext, request: ReviewInput) -> Result[ReviewOutput]:
    memory, review = await context.memory.on_memory(
        context.caller, request.id, review_memory, request.grade, request.session
    )
    stability = f"stability {review.strength.stability:.1f} days"
    return Result(
        summary=f"Reviewed: {stability}." if review.counted else f"Not counted: {ended(review.reason)}",
        data=ReviewOutput.of(
            review,
            id=memory.id,
            retrievability_before=review.retrievability,
            strength=StrengthOutput.of(review.strength),
        ),
    )


class CiteInput(OperationInput):
    ids: Refs


class CiteOutput(Output):
    """The number of memories that were cited."""

    cited: int


async def _cite(context: OperationContext, request: CiteInput) -> Result[CiteOutput]:
    memories = await context.memory.in_transaction(find_memories, context.caller, request.ids)
    ids = [memory.id for memory in memories]
    cited = await context.memory.in_transaction(mark_cited, context.caller, ids)
    return Result(summary=f"{cited} cited.", data=CiteOutput(cited=cited))


class PromoteInput(OperationInput):
    id: Annotated[
        MemoryRef | None, CliOption(argument="MEMORY", help="Which; without it, those that could be.")
    ] = Field(None, description="Default: only list those that are ready")


class PromoteOutput(Output):
    """The memory that was promoted; where none was named, `ready` lists those that can be."""

    ready: bool | tuple[ValidateOutput, ...]
    memory_id: UUID | None = None
    confidence: float | None = None
    count: int | None = None
    tier: ImportanceTier | None = None
    promoted: bool | None = None
    exempt: bool | None = None


async def _promote(context: OperationContext, request: PromoteInput) -> Result[PromoteOutput]:
    if request.id is None:
        ready = await context.memory.in_transaction(promotable, context.caller)
        return Result(
            summary=f"{len(ready)} are ready to be critical.",
            data=PromoteOutput(ready=tuple(map(ValidateOutput.of, ready))),
        )
    _, promoted = await context.memory.on_memory(context.caller, request.id, promote_memory)
    return Result(summary=_confidence(promoted), data=PromoteOutput.of(promoted))


class ReadingInput(OperationInput):
    """The name of a task, and what is known of its matter."""

    task: Annotated[str, CliOption(argument="TASK", help="Names the task, the same before and after.")] = (
        Field(min_length=1, max_length=200, description="Names the task; the same before and after")
    )
    knowledge: Annotated[
        Percent, CliOption(flags=("--knowledge", "-k"), help="How much you know of the matter, 0 to 100.")
    ]
    uncertainty: Annotated[
        Percent, CliOption(flags=("--uncertainty", "-u"), help="How unsure you are, 0 to 100.")
    ]
    context: Annotated[
        Percent, CliOption(flags=("--context", "-c"), help="How much context you have, 0 to 100.")
    ]


class PreflightInput(ReadingInput):
    gaps: Annotated[Gaps, CliOption(flags=("--gap",), help="What you do not know yet; repeatable.")] = ()
    session: Annotated[SessionField, CliOption(help="The session that it is part of.")] = None


class TaskLearningOutput(Output):
    """Knowledge before a task and, once it is finished, after it; see TaskLearning."""

    scope: str
    task_key: str
    session_id: str | None
    before: Reading
    after: Reading | None
    deltas: Deltas | None
    index: float | None
    band: LearningBand | None
    knowledge_gaps: tuple[str, ...]
    gaps_closed: tuple[str, ...]
    new_gaps: tuple[str, ...]
    started_at: datetime
    completed_at: datetime | None


async def _preflight(context: OperationContext, request: PreflightInput) -> Result[TaskLearningOutput]:
    begun = await context.memory.in_transaction(
        begin_task,
        context.caller,
        request.task,
        session_id=request.session,
        **request.model_dump(exclude={"task", "session"}),
    )
    return Result(
        summary="Recorded what you know before the task.",
        data=TaskLearningOutput.of(begun),
        hints=(
            Advice("memory.postflight", to="record what you know when it is done", task=begun.task_key),
            *secret_hints(request),
        ),
    )


class PostflightInput(ReadingInput):
    gaps_closed: Annotated[Gaps, CliOption(flags=("--closed",), help="What you know now; repeatable.")] = ()
    new_gaps: Annotated[
        Gaps, CliOption(flags=("--new-gap",), help="What turned out to be unknown; repeatable.")
    ] = ()


async def _postflight(context: OperationContext, request: PostflightInput) -> Result[TaskLearningOutput]:
    finished = await context.memory.in_transaction(
        finish_task, context.caller, request.task, **request.model_dump(exclude={"task"})
    )
    return Result(summary=_index(finished), data=TaskLearningOutput.of(finished), hints=secret_hints(request))


def _index(task: TaskLearning) -> str:
    return f"Learning index {task.index:.1f}: {task.band}." if task.index is not None else "Not finished."


class LearningHistoryInput(OperationInput):
    session: Annotated[str | None, CliOption(help="Only of this session.")] = Field(None, max_length=128)
    only_complete: Annotated[bool, CliOption(flags=("--finished",), help="Only what is finished.")] = False
    limit: Page = 10


class LearningHistoryOutput(Output):
    """Learning by tasks, the latest first, with the averages of all finished ones that match."""

    records: tuple[TaskLearning, ...]
    started: int
    completed: int
    average_deltas: Deltas | None
    average_index: float | None
    trend: LearningTrend | None


async def _history(context: OperationContext, request: LearningHistoryInput) -> Result[LearningHistoryOutput]:
    history = await context.memory.in_transaction(
        learning_history,
        context.caller,
        session_id=request.session,
        only_complete=request.only_complete,
        limit=request.limit,
    )
    average = f", {history.average_index:.1f} on average" if history.average_index is not None else ""
    return Result(
        summary=f"Finished: {history.completed} of {plural(history.started, 'task')}{average}.",
        data=LearningHistoryOutput.of(history),
    )


VALIDATE = declare(
    _validate,
    name="memory_validate",
    title="Was it useful?",
    layer=Layer.SURGICAL,
    about="Vote on whether a memory was useful, which moves its confidence.",
)
OUTCOME = declare(
    _outcome,
    name="memory_outcome",
    title="What became of the work",
    layer=Layer.SURGICAL,
    about="Say whether work that used memories was accepted, modified or rejected.",
)
REVIEW = declare(
    _review,
    name="memory_review",
    title="Review a memory",
    layer=Layer.SURGICAL,
    about="Say how well you remembered with it. Makes it last longer or shorter; counts once a day.",
    idempotent=True,
)
CITE = declare(
    _cite,
    name="memory_cite",
    title="Cite memories",
    layer=Layer.SURGICAL,
    about="Note that you relied on memories in what you wrote.",
)
PROMOTE = declare(
    _promote,
    name="memory_promote",
    title="Promote a memory",
    layer=Layer.SURGICAL,
    about="List memories that have proven themselves; for the founder, make one critical.",
    idempotent=True,
)
PREFLIGHT = declare(
    _preflight,
    name="task_preflight",
    title="Before a task",
    layer=Layer.DETAIL,
    about="Record before a task what you know, how unsure you are and how much context you have (0 to 100).",
    idempotent=True,
)
POSTFLIGHT = declare(
    _postflight,
    name="task_postflight",
    title="After a task",
    layer=Layer.DETAIL,
    about="Record the same after the task; the answer says what it taught.",
    idempotent=True,
)
LEARNING_HISTORY = declare(
    _history,
    name="memory_learning_history",
    title="What tasks taught",
    layer=Layer.DETAIL,
    about="The lessons of finished tasks, on average and one by one.",
    read_only=True,
)
