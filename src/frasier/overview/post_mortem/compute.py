"""Computing the post-mortem of a mission: its telemetry, estimate, verdicts and outliers, and what they find."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from frasier.kernel.statistics.outliers import OUTLIER_Z, robust_z_scores
from frasier.org.execution import unsettled_of
from frasier.org.governance import count_evaluations, evaluations_by, evaluations_of_mission, evaluator_of
from frasier.org.missions import Deliverable, Mission, deliverables_of, steps_of, superseded_deliverables
from frasier.org.people import roster
from frasier.overview.evaluations import SilentEvaluator
from frasier.overview.mission_plan import AmountRange, read_plan
from frasier.overview.post_mortem.evaluation_figures import (
    EvaluationRecord,
    GivenEvaluation,
    judge_evaluations,
)
from frasier.overview.post_mortem.findings import apply_rules, findings_of, rules_of_evaluations
from frasier.overview.post_mortem.judgements import GivenVerdict, judge_verdicts
from frasier.overview.post_mortem.records import EstimateLine, PostMortem, PostMortemFacts, TimeOutlier
from frasier.overview.telemetry.read import telemetry_of
from frasier.overview.telemetry.records import TimeUse
from frasier.store import Statements, Tx

_sql = Statements("frasier.overview")

_SECONDS_MIN = 0.001
AT_WORK = {TimeUse.WORK, TimeUse.MODEL}
"""The uses of time in which somebody works on a task."""


async def post_mortem_of(tx: Tx, mission: Mission) -> PostMortem:
    """Compute the post-mortem of a mission; of one that goes on, what can be said until now."""
    telemetry = await telemetry_of(tx, mission)
    until = telemetry.ended_at or telemetry.as_of
    step_ids = [step.task_id for step in await steps_of(tx, mission.id)]
    completed = {task.task for task in telemetry.tasks if task.status == "completed"}
    accepted = _accepted(await deliverables_of(tx, step_ids), completed, mission.final_deliverable)
    verified = sum(version.verification.verified for version in accepted)
    verdicts = await verdicts_of(tx, [mission.id], rehearsal=mission.rehearsal, until=until)
    # Resampling takes computing time, in which others of the process go on.
    judgements = await asyncio.to_thread(judge_verdicts, verdicts, mission.id)
    evaluations = await _evaluations(tx, mission)
    tests = apply_rules(judgements, rules_of_evaluations(evaluations))
    outliers, timed = await _outliers(tx, mission, until)
    plan = await read_plan(tx, mission)
    cost = telemetry.spending.usd_micros
    return PostMortem(
        telemetry=telemetry,
        runs=sum(len(task.runs) for task in telemetry.tasks),
        waiting_seconds=sum(
            (time for use, time in telemetry.path_seconds.items() if use not in AT_WORK), 0.0
        ),
        accepted=len(accepted),
        usd_micros_per_accepted=cost / len(accepted) if accepted else None,
        verified=verified,
        statements=sum(version.verification.total for version in accepted),
        usd_micros_per_verified=cost / verified if verified else None,
        estimate=tuple(
            _line(label, getattr(plan.estimate, label)) for label in ("calls", "tokens", "usd", "seconds")
        )
        if plan and plan.estimate
        else (),
        judgements=judgements,
        evaluations=evaluations,
        tests=tests,
        outliers=outliers,
        timed_tasks=timed,
        findings=tuple(findings_of(tests, telemetry, outliers, evaluations)),
        facts=await read_facts(tx, mission.id),
        unsettled=await unsettled_of(tx, mission),
    )


def _accepted(
    versions: Sequence[Deliverable], completed: Collection[UUID], delivered: UUID | None
) -> list[Deliverable]:
    """Return the accepted version of each step: the newest of one that is completed, and what was delivered, which
    stands although a revision of it failed. `versions` are in their order.
    """
    accepted = {version.task_id: version for version in versions if version.task_id in completed}
    standing = {version.task_id: version for version in versions if version.id == delivered}
    return list({**standing, **accepted}.values())


async def read_facts(tx: Tx, mission_id: UUID) -> PostMortemFacts:
    """Count the facts about a mission that may come after its end."""
    return PostMortemFacts(**await _sql.one(tx, "later_facts", mission=mission_id))


def _line(name: str, amounts: AmountRange) -> EstimateLine:
    return EstimateLine(
        name=name, low=amounts.low, expected=amounts.expected, high=amounts.high, actual=amounts.actual
    )


async def verdicts_of(
    tx: Tx, missions: Sequence[UUID], *, rehearsal: bool, until: datetime | None = None
) -> list[GivenVerdict]:
    """Return the verdicts on versions of some missions, and those that any mission had `until` a moment."""
    names = {agent.id: agent.name for agent in await roster(tx, active_only=False)}
    rows = await _sql.all(tx, "verdicts_until", until=until, missions=list(missions), rehearsal=rehearsal)
    return [
        GivenVerdict(
            version=row["deliverable_id"],
            reviewer=names.get(row["reviewer"], "?"),
            author=names.get(row["author"], "?"),
            approved=row["state"] == "approved",
            overall=row["overall"],
            critique=row["critique_mean"],
            founder_agrees=row["founder_agrees"],
            delivered=bool(row["delivered"]),
            corrected=row["corrected"],
        )
        for row in rows
    ]


async def _evaluations(tx: Tx, mission: Mission) -> EvaluationRecord:
    """Judge the evaluations of a mission's artefacts, with all that their evaluators gave anywhere."""
    everywhere = await evaluations_by(tx, await evaluations_of_mission(tx, mission.id))
    superseded = await superseded_deliverables(tx, {one.deliverable_id for one in everywhere})
    counted = count_evaluations(everywhere, everywhere, superseded)
    names: dict[UUID | str, str] = {agent.id: agent.name for agent in await roster(tx, active_only=False)}
    given = [
        GivenEvaluation(
            mission=one.mission_id,
            version=one.deliverable_id,
            evaluator=names.get(evaluator_of(one), one.member),
            producer=names.get(one.producer, "?"),
            usefulness=one.usefulness.points,
            missing=one.missing,
        )
        for one in counted.valid
    ]
    silent = [
        SilentEvaluator(evaluator=names.get(who, str(who)), n=n) for who, n in counted.without_signal.items()
    ]
    # Resampling takes computing time, in which others of the process go on.
    return await asyncio.to_thread(judge_evaluations, given, mission.id, silent)


async def _outliers(tx: Tx, mission: Mission, until: datetime) -> tuple[tuple[TimeOutlier, ...], int]:
    """Return the tasks of a mission whose runs took unusually long or short, and how many there were to compare.

    Times are skewed: many are short, and a few long. Their logarithms are not, so that a score is theirs.
    """
    by_process: dict[str, list[dict[str, Any]]] = {}
    rows = await _sql.all(tx, "task_seconds_until", until=until, rehearsal=mission.rehearsal)
    for row in rows:
        by_process.setdefault(row["process"], []).append(row)
    outliers = []
    for process, tasks in by_process.items():
        scores = robust_z_scores([math.log(max(row["seconds"], _SECONDS_MIN)) for row in tasks])
        for row, score in zip(tasks, scores or (), strict=scores is not None):
            if row["mission"] == mission.id and abs(score) > OUTLIER_Z:
                outliers.append(
                    TimeOutlier(
                        key=row["key"],
                        process=process,
                        seconds=row["seconds"],
                        z=score,
                        n=len(tasks),
                    )
                )
    return tuple(outliers), len(rows)
