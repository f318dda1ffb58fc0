"""Evaluations of a mission's artefacts by those who used them: what counts, and what is left out and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.copy_fields import copy_fields
from frasier.llm import spend_of_mission
from frasier.org.governance import (
    Evaluation,
    QuotedRemark,
    count_evaluations,
    evaluation_errors_of,
    evaluation_group,
    evaluation_tasks_of,
    evaluations_by,
    evaluations_of_mission,
)
from frasier.org.missions import Deliverable, find_mission, get_deliverables, superseded_deliverables
from frasier.org.people import roster
from frasier.store import Tx
from frasier.workflow import tasks_of

_MICROS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationView:
    """An evaluation that counts: of the version of a step's result that is in force.

    `evaluator` is a colleague's name, or that of a member from outside; `consumer` the key of the step or review that
    used the version. Labels have numbers from 1 to 5. `rank` is the place among the version and its `siblings`.
    """

    evaluation: UUID
    deliverable: UUID
    step: str
    version: int
    sha256: str
    producer: str
    evaluator: str
    role: str
    consumer: str
    consumer_attempt: int | None
    usefulness: str
    usefulness_points: int
    clarity: str
    clarity_points: int
    rank: int | None
    siblings: int
    evidence: tuple[QuotedRemark, ...]
    useful: tuple[str, ...]
    missing: tuple[str, ...]
    unused: tuple[str, ...]
    inaccuracies: tuple[QuotedRemark, ...]
    effect: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationFault:
    """A version of which an evaluator gave no evaluation, and why; the runner wrote it."""

    deliverable: UUID
    step: str
    version: int
    evaluator: str
    consumer: str
    error: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SilentEvaluator:
    """An evaluator without signal: all of its `n` evaluations have the same scores, so they are left out."""

    evaluator: str
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionEvaluations:
    """The evaluations of a mission's artefacts that count, oldest first, and how many do not.

    `superseded` are of versions that are in force no more, `flat` those of the evaluators `without_signal`. `waiting`
    are tasks of evaluation that have not ended; `cost_usd` is no part of the mission's.
    """

    mission: UUID
    title: str
    evaluations: tuple[EvaluationView, ...]
    superseded: int
    flat: int
    without_signal: tuple[SilentEvaluator, ...]
    errors: tuple[EvaluationFault, ...]
    waiting: int
    cost_usd: float


async def read_evaluations(tx: Tx, name: str) -> MissionEvaluations:
    """Read the evaluations of a mission; `name` is its id, a part of one, or "last"."""
    mission = await find_mission(tx, name)
    given = await evaluations_of_mission(tx, mission.id)
    errors = await evaluation_errors_of(tx, mission.id)
    everywhere = await evaluations_by(tx, given)
    superseded = await superseded_deliverables(tx, {one.deliverable_id for one in everywhere})
    counted = count_evaluations(given, everywhere, superseded)
    group = evaluation_group(mission.id)
    open_tasks = [task for task in await tasks_of(tx, group) if not task.terminal]
    names = {agent.id: agent.name for agent in await roster(tx, active_only=False)}
    facts = _Facts(
        names=names,
        keys={task.id: task.slug for task in await tasks_of(tx, mission.id)},
        versions=await get_deliverables(
            tx, {one.deliverable_id for one in counted.valid} | {one.deliverable_id for one in errors}
        ),
        consumers={task.task_id: task.consumer for task in await evaluation_tasks_of(tx, mission.id)},
    )
    spend = await spend_of_mission(tx, group)
    of_mission = {one.evaluator or one.member for one in given}
    return MissionEvaluations(
        mission=mission.id,
        title=mission.title,
        evaluations=tuple(facts.view(one) for one in counted.valid),
        superseded=counted.superseded,
        flat=counted.flat,
        without_signal=tuple(
            SilentEvaluator(evaluator=facts.name(who), n=n)
            for who, n in counted.without_signal.items()
            if who in of_mission
        ),
        errors=tuple(
            EvaluationFault(
                deliverable=one.deliverable_id,
                step=facts.step(one.deliverable_id),
                version=facts.versions[one.deliverable_id].version,
                evaluator=facts.name(one.evaluator),
                consumer=facts.keys.get(facts.consumers[one.task_id], ""),
                error=one.error,
                at=one.created_at,
            )
            for one in errors
        ),
        waiting=len(open_tasks),
        cost_usd=spend.spent_usd_micros / _MICROS,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Facts:
    """The names behind the ids of evaluations."""

    names: Mapping[UUID, str]
    keys: Mapping[UUID, str]
    versions: Mapping[UUID, Deliverable]
    consumers: Mapping[UUID, UUID]

    def name(self, who: UUID | str) -> str:
        return who if isinstance(who, str) else self.names.get(who, "?")

    def step(self, deliverable_id: UUID) -> str:
        return self.keys.get(self.versions[deliverable_id].task_id, "?")

    def view(self, evaluation: Evaluation) -> EvaluationView:
        return copy_fields(
            EvaluationView,
            evaluation,
            evaluation=evaluation.id,
            deliverable=evaluation.deliverable_id,
            step=self.step(evaluation.deliverable_id),
            version=self.versions[evaluation.deliverable_id].version,
            sha256=evaluation.digest,
            producer=self.name(evaluation.producer),
            evaluator=self.name(evaluation.evaluator or evaluation.member),
            consumer=self.keys.get(evaluation.consumer, "") if evaluation.consumer else "",
            usefulness_points=evaluation.usefulness.points,
            clarity_points=evaluation.clarity.points,
            at=evaluation.created_at,
        )
