"""Evaluations of versions by those who used them, and why evaluators gave none. Nothing is ever changed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID, uuid5

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.evaluation_scale import Clarity, Usefulness
from frasier.kernel.ids import new_id
from frasier.org.governance.quotations import stands_in_text
from frasier.store import Statements, Tx, append_event, from_row

_sql = Statements("frasier.org.governance")
_NAMESPACE = UUID("5d0a3c57-3a1a-4c8e-9a2e-1f0f6f6f2b7d")


class EvaluatorRole(StrEnum):
    """The work for which a version was used: another step, the final step, a review, or work elsewhere."""

    DEPENDENT_STEP = "dependent_step"
    ASSEMBLER = "assembler"
    REVIEWER = "reviewer"
    MEMBER = "member"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedRemark:
    """Words that stand in a version, and what is said of them."""

    quotation: str
    remark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvaluation:
    """An evaluation of one version. `rank` is the place among it and its `siblings`, which the same work used."""

    evidence: tuple[QuotedRemark, ...]
    useful: tuple[str, ...]
    missing: tuple[str, ...]
    unused: tuple[str, ...]
    inaccuracies: tuple[QuotedRemark, ...]
    effect: str
    usefulness: Usefulness
    clarity: Clarity
    rank: int | None = None
    siblings: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedVersion:
    """A version that is evaluated: its text, which `digest` names, and its author."""

    deliverable_id: UUID
    mission_id: UUID
    digest: str
    content: str
    producer: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationTask:
    """The task of evaluating the `deliverables` that an attempt at another task, the `consumer`, used."""

    task_id: UUID
    mission_id: UUID
    evaluator: UUID
    role: EvaluatorRole
    consumer: UUID
    consumer_attempt: int
    deliverables: tuple[UUID, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation(NewEvaluation):
    """A stored evaluation. `evaluator` is an agent; else `member` names who used the version from outside.

    `consumer` and its attempt are the work that used the version, `task_id` and its attempt the run that evaluated it.
    """

    id: UUID
    mission_id: UUID
    deliverable_id: UUID
    digest: str
    producer: UUID
    evaluator: UUID | None
    member: str
    role: EvaluatorRole
    consumer: UUID | None
    consumer_attempt: int | None
    task_id: UUID | None
    attempt: int | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationError:
    """The reason for which an evaluator gave no evaluation of a version."""

    task_id: UUID
    attempt: int
    mission_id: UUID
    deliverable_id: UUID
    evaluator: UUID
    error: str
    created_at: datetime


def evaluation_group(mission_id: UUID) -> UUID:
    """Return the group of the tasks that evaluate a mission's artefacts, apart from the mission and its caps."""
    return uuid5(_NAMESPACE, str(mission_id))


async def insert_evaluation_task(
    tx: Tx,
    task_id: UUID,
    *,
    mission_id: UUID,
    evaluator: UUID,
    role: EvaluatorRole,
    consumer: UUID,
    consumer_attempt: int,
    deliverables: Sequence[UUID],
) -> None:
    """Store what a task evaluates; there is one such task for each attempt at the consumer."""
    await _sql.run(
        tx,
        "insert_evaluation_task",
        task_id=task_id,
        mission_id=mission_id,
        evaluator=evaluator,
        role=role,
        consumer=consumer,
        consumer_attempt=consumer_attempt,
        deliverables=list(deliverables),
    )


async def is_evaluated(tx: Tx, consumer: UUID, consumer_attempt: int) -> bool:
    """Return whether there is a task that evaluates what an attempt used."""
    row = await _sql.maybe(tx, "task_of_consumer", consumer=consumer, consumer_attempt=consumer_attempt)
    return row is not None


async def get_evaluation_task(tx: Tx, task_id: UUID) -> EvaluationTask:
    """Return what a task evaluates; raise NotFound."""
    row = await _sql.maybe(tx, "get_evaluation_task", task_id=task_id)
    if row is None:
        raise NotFound(f"There is no evaluation {task_id}.")
    return from_row(EvaluationTask, row)


async def store_evaluation(
    tx: Tx, task: EvaluationTask, attempt: int, version: EvaluatedVersion, new: NewEvaluation
) -> None:
    """Store the evaluation of a version by the agent of a task, once."""
    await _insert(
        tx,
        version,
        new,
        evaluator=task.evaluator,
        role=task.role,
        consumer=task.consumer,
        consumer_attempt=task.consumer_attempt,
        task_id=task.task_id,
        attempt=attempt,
        actor=f"agent:{task.evaluator}",
    )


async def store_member_evaluation(
    tx: Tx, member: str, version: EvaluatedVersion, new: NewEvaluation
) -> Evaluation:
    """Store a member's evaluation of a version, and return it; raise InvalidInput for a second one of the version."""
    stored = await _insert(
        tx, version, new, member=member, role=EvaluatorRole.MEMBER, actor=f"member:{member}"
    )
    if stored is None:
        raise InvalidInput(
            f"{member} has evaluated this version already.",
            kept="The first evaluation stands: none is ever changed.",
            hint="Evaluate the next version when there is one.",
        )
    return stored


async def store_evaluation_error(
    tx: Tx, task: EvaluationTask, attempt: int, deliverable_id: UUID, error: str
) -> None:
    """Store why the agent of a task gave no evaluation of a version, once."""
    await _sql.run(
        tx,
        "insert_evaluation_error",
        task_id=task.task_id,
        attempt=attempt,
        mission_id=task.mission_id,
        deliverable_id=deliverable_id,
        evaluator=task.evaluator,
        error=error,
    )


async def evaluations_of_mission(tx: Tx, mission_id: UUID) -> list[Evaluation]:
    """Return every evaluation of a mission's versions, oldest first."""
    return [_evaluation(row) for row in await _sql.all(tx, "evaluations_of_mission", mission_id=mission_id)]


async def evaluation_errors_of(tx: Tx, mission_id: UUID) -> list[EvaluationError]:
    """Return the errors of evaluators in a mission, oldest first."""
    return await _sql.all_as(EvaluationError, tx, "evaluation_errors_of", mission_id=mission_id)


async def evaluation_tasks_of(tx: Tx, mission_id: UUID) -> list[EvaluationTask]:
    """Return the tasks that evaluate a mission's versions, oldest first."""
    return await _sql.all_as(EvaluationTask, tx, "evaluation_tasks_of", mission_id=mission_id)


async def evaluated_missions(tx: Tx, task_ids: Collection[UUID]) -> dict[UUID, UUID]:
    """Return the mission whose artefacts each of these tasks evaluates."""
    rows = await _sql.all(tx, "evaluated_missions", task_ids=list(task_ids))
    return {row["task_id"]: row["mission_id"] for row in rows}


async def evaluations_by(tx: Tx, evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """Return all evaluations, in whatever mission, by those who gave some, oldest first."""
    rows = await _sql.all(
        tx,
        "evaluations_by",
        agents=sorted({one.evaluator for one in evaluations if one.evaluator}),
        members=sorted({one.member for one in evaluations if one.member}),
    )
    return [_evaluation(row) for row in rows]


async def _insert(
    tx: Tx,
    version: EvaluatedVersion,
    new: NewEvaluation,
    *,
    role: EvaluatorRole,
    actor: str,
    evaluator: UUID | None = None,
    member: str = "",
    consumer: UUID | None = None,
    consumer_attempt: int | None = None,
    task_id: UUID | None = None,
    attempt: int | None = None,
) -> Evaluation | None:
    check_cited(version, new)
    row = await _sql.maybe(
        tx,
        "insert_evaluation",
        id=new_id(),
        mission_id=version.mission_id,
        deliverable_id=version.deliverable_id,
        digest=version.digest,
        producer=version.producer,
        evaluator=evaluator,
        member=member,
        role=role,
        consumer=consumer,
        consumer_attempt=consumer_attempt,
        task_id=task_id,
        attempt=attempt,
        evidence=Jsonb([asdict(one) for one in new.evidence]),
        useful=list(new.useful),
        missing=list(new.missing),
        unused=list(new.unused),
        inaccuracies=Jsonb([asdict(one) for one in new.inaccuracies]),
        effect=new.effect,
        usefulness=new.usefulness,
        clarity=new.clarity,
        rank=new.rank,
        siblings=new.siblings,
    )
    if row is None:
        return None
    await append_event(
        tx,
        stream=evaluation_group(version.mission_id),
        kind="evaluation.given",
        actor=actor,
        payload={
            "mission": str(version.mission_id),
            "deliverable": str(version.deliverable_id),
            "digest": version.digest,
            "role": role,
            "usefulness": new.usefulness,
            "clarity": new.clarity,
        },
    )
    return _evaluation(row)


def check_cited(version: EvaluatedVersion, new: NewEvaluation) -> None:
    """Raise InvalidInput unless there is evidence, and every quotation stands in the version."""
    if not new.evidence:
        raise InvalidInput("The evaluation cites no evidence.", kept="Nothing was stored.")
    for quoted in (*new.evidence, *new.inaccuracies):
        if not stands_in_text(quoted.quotation, version.content):
            raise InvalidInput(
                f"These words do not stand in the version: “{quoted.quotation[:120]}”.",
                kept="Nothing was stored.",
                hint="Copy the words of the version exactly; mark what is left out by an ellipsis.",
            )


def _evaluation(row: DictRow) -> Evaluation:
    quoted = {name: tuple(QuotedRemark(**one) for one in row[name]) for name in ("evidence", "inaccuracies")}
    return from_row(Evaluation, {**row, **quoted})
