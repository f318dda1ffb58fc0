"""The post-mortem of a mission: its telemetry, estimate, verdicts and outliers, and what they find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.statistics.outliers import OUTLIER_Z, robust_z_scores
from frasier.org.people import roster
from frasier.org.planning import deliverables_of, find_mission, steps_of
from frasier.overview.mission_plan import AmountRange, read_plan
from frasier.overview.post_mortem.judgements import GivenVerdict, JudgementRecord, judge_verdicts
from frasier.overview.telemetry.read import telemetry_of
from frasier.overview.telemetry.records import MissionTelemetry
from frasier.store import Statements, Tx

_sql = Statements("frasier.overview")

BOTTLENECK_SHARE = 0.5
"""The share of the critical path from which a step that is an outlier by its time is a bottleneck."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateLine:
    """An amount as it was estimated and as it was."""

    name: str
    low: float
    expected: float
    high: float
    actual: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOutlier:
    """A step whose runs took unusually long or short, among `n` steps of all missions; `z` is its robust score."""

    key: str
    seconds: float
    z: float
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PostMortemFinding:
    """A figure that stands out by its rule. `kind` names the rule."""

    kind: str
    subject: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PostMortem:
    """The post-mortem of a mission. Costs are in millionths of a dollar.

    `timed_steps` is the number of steps that outliers were looked for among. Verdicts are those of the organisation
    until the mission ended, with models or of rehearsals, as the mission is.
    """

    telemetry: MissionTelemetry
    accepted: int
    usd_micros_per_accepted: float | None
    verified: int
    statements: int
    usd_micros_per_verified: float | None
    estimate: tuple[EstimateLine, ...]
    judgements: JudgementRecord
    outliers: tuple[StepOutlier, ...]
    timed_steps: int
    findings: tuple[PostMortemFinding, ...]


async def read_post_mortem(tx: Tx, name: str) -> PostMortem:
    """Read the post-mortem of a mission; of one that goes on, what can be said until now."""
    mission = await find_mission(tx, name)
    telemetry = await telemetry_of(tx, mission)
    until = telemetry.ended_at or telemetry.as_of
    step_ids = [step.task_id for step in await steps_of(tx, mission.id)]
    completed = {task.task for task in telemetry.tasks if task.status == "completed"}
    newest = {version.task_id: version for version in await deliverables_of(tx, step_ids)}
    accepted = [version for task_id, version in newest.items() if task_id in completed]
    verified = sum(version.verification.verified for version in accepted)
    judgements = judge_verdicts(await _verdicts(tx, until=until, rehearsal=mission.rehearsal), mission.id)
    outliers, timed = await _outliers(tx, mission.id, until=until, rehearsal=mission.rehearsal)
    plan = await read_plan(tx, mission)
    cost = telemetry.spending.usd_micros
    return PostMortem(
        telemetry=telemetry,
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
        outliers=outliers,
        timed_steps=timed,
        findings=tuple(_findings(telemetry, judgements, outliers)),
    )


def _line(name: str, amounts: AmountRange) -> EstimateLine:
    return EstimateLine(
        name=name, low=amounts.low, expected=amounts.expected, high=amounts.high, actual=amounts.actual
    )


async def _verdicts(tx: Tx, *, until: object, rehearsal: bool) -> list[GivenVerdict]:
    names = {agent.id: agent.name for agent in await roster(tx, active_only=False)}
    return [
        GivenVerdict(
            version=row["deliverable_id"],
            reviewer="" if row["kind"] == "founder" else names.get(row["reviewer"], "?"),
            author=names.get(row["author"], "?"),
            approved=row["state"] == "approved",
            overall=None if row["overall"] is None else float(row["overall"]),
            critique=None if row["critique_mean"] is None else float(row["critique_mean"]),
        )
        for row in await _sql.all(tx, "verdicts_until", until=until, rehearsal=rehearsal)
    ]


async def _outliers(
    tx: Tx, mission_id: UUID, *, until: object, rehearsal: bool
) -> tuple[tuple[StepOutlier, ...], int]:
    rows = await _sql.all(tx, "step_seconds_until", until=until, rehearsal=rehearsal)
    scores = robust_z_scores([row["seconds"] for row in rows])
    if scores is None:
        return (), len(rows)
    return tuple(
        StepOutlier(key=row["key"], seconds=row["seconds"], z=score, n=len(rows))
        for row, score in zip(rows, scores, strict=True)
        if row["mission"] == mission_id and abs(score) > OUTLIER_Z
    ), len(rows)


def _findings(
    telemetry: MissionTelemetry, judgements: JudgementRecord, outliers: Sequence[StepOutlier]
) -> Iterator[PostMortemFinding]:
    """Yield what stands out: each by a rule with its figures, none by an opinion."""
    on_path: dict[str, float] = {}
    for piece in telemetry.critical_path:
        on_path[piece.key] = on_path.get(piece.key, 0.0) + piece.seconds
    for outlier in outliers:
        share = on_path.get(outlier.key, 0.0) / max(telemetry.wall_seconds, 0.001)
        if outlier.z > 0 and share >= BOTTLENECK_SHARE:
            yield PostMortemFinding(
                kind="bottleneck",
                subject=outlier.key,
                text=f"{share:.0%} of the critical path; {outlier.seconds:.1f} s of runs, robust z {outlier.z:.1f}"
                f" among {outlier.n} steps",
            )
    for author in judgements.authors:
        if author.is_worse:
            yield PostMortemFinding(
                kind="author",
                subject=author.author,
                text=f"scores below those of others: mean {author.score}, Cliff's delta"
                f" {author.against_others.effect}, adjusted p {author.adjusted_p:.2g}",
            )
    for reviewer in judgements.reviewers:
        if reviewer.flatters:
            yield PostMortemFinding(
                kind="flattery",
                subject=reviewer.reviewer,
                text=f"scores above those of other reviewers of the same versions by {reviewer.above_others.effect},"
                f" adjusted p {reviewer.adjusted_p:.2g}",
            )
        if reviewer.is_miscalibrated:
            yield PostMortemFinding(
                kind="calibration",
                subject=reviewer.reviewer,
                text=f"agrees with the founder in {reviewer.agrees_with_founder} of the verdicts",
            )
