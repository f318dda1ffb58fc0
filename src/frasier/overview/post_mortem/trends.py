"""Post-mortems across missions: how costs, waits and retries went over time, and the judgements on all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.statistics.comparisons import mann_whitney
from frasier.kernel.statistics.estimate import Estimate, seed_of
from frasier.kernel.statistics.intervals import bootstrap_median
from frasier.org.improvement import missions_ended_since
from frasier.org.missions import Mission, get_mission
from frasier.overview.post_mortem.compute import verdicts_of
from frasier.overview.post_mortem.findings import LARGE_EFFECT, apply_rules
from frasier.overview.post_mortem.judgements import JudgementRecord, judge_verdicts
from frasier.overview.post_mortem.records import PostMortem, RuleTest
from frasier.overview.post_mortem.stored import known_post_mortem
from frasier.store import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionFigures:
    """The figures of one mission. Costs are in millionths of a dollar, None where nothing was accepted or verified.

    `waiting` is the share of its critical path at which nobody worked; `usd_ratio` and `seconds_ratio` are what it took
    divided by what was expected, None where it was not estimated or not completed.
    """

    mission: UUID
    title: str
    status: str
    ended_at: datetime
    seconds: float
    usd_micros_per_accepted: float | None
    usd_micros_per_verified: float | None
    waiting: float | None
    retries: int
    usd_ratio: float | None
    seconds_ratio: float | None
    findings: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureTrend:
    """A figure across missions: its median, and that of the earlier and of the later half of those that have it."""

    name: str
    unit: str
    median: Estimate
    earlier: Estimate
    later: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class PostMortemTrends:
    """The post-mortems of the missions that ended last, oldest first: only those with models, or only rehearsals.

    `tests` has the rules about people, and for each figure whether the later half of the missions differs from the
    earlier one; all of them are adjusted together. Those that ended before `since` are left out, if it is given.
    """

    since: datetime | None
    rehearsal: bool
    missions: tuple[MissionFigures, ...]
    figures: tuple[FigureTrend, ...]
    judgements: JudgementRecord
    tests: tuple[RuleTest, ...]


async def read_post_mortem_trends(
    tx: Tx, *, since: datetime | None = None, limit: int = 50
) -> PostMortemTrends:
    """Read the post-mortems of missions that ended since a moment; of rehearsals if there is nothing else."""
    rehearsal = False
    ids = await missions_ended_since(tx, since, rehearsal=rehearsal, limit=limit)
    if not ids:
        rehearsal = True
        ids = await missions_ended_since(tx, since, rehearsal=rehearsal, limit=limit)
    rows = []
    for mission_id in ids:
        mission = await get_mission(tx, mission_id)
        row = _figures(mission, await known_post_mortem(tx, mission))
        # A mission may be published on the day after the one on which it ended.
        if since is None or row.ended_at >= since:
            rows.append(row)
    rows.sort(key=lambda row: row.ended_at)
    subject = rows[-1].mission if rows else UUID(int=0)
    verdicts = await verdicts_of(tx, [row.mission for row in rows], rehearsal=rehearsal)
    judgements = await asyncio.to_thread(judge_verdicts, verdicts, subject)
    return PostMortemTrends(
        since=since,
        rehearsal=rehearsal,
        missions=tuple(rows),
        figures=tuple(_trend(figure, rows, subject) for figure in _FIGURES),
        judgements=judgements,
        tests=apply_rules(judgements, [_change(figure, rows, subject) for figure in _FIGURES]),
    )


def _figures(mission: Mission, view: PostMortem) -> MissionFigures:
    telemetry = view.telemetry
    on_path = sum(telemetry.path_seconds.values())
    ratios = {
        line.name: line.actual / line.expected
        for line in view.estimate
        if line.actual is not None and line.expected > 0
    }
    return MissionFigures(
        mission=mission.id,
        title=mission.title,
        status=mission.status,
        ended_at=telemetry.ended_at or telemetry.as_of,
        seconds=telemetry.wall_seconds,
        usd_micros_per_accepted=view.usd_micros_per_accepted,
        usd_micros_per_verified=view.usd_micros_per_verified,
        waiting=view.waiting_seconds / on_path if on_path else None,
        retries=telemetry.retries,
        usd_ratio=ratios.get("usd"),
        seconds_ratio=ratios.get("seconds"),
        findings=len(view.findings),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Figure:
    name: str
    unit: str
    read: Callable[[MissionFigures], float | None]


_FIGURES = (
    _Figure(name="cost per accepted deliverable", unit="usd", read=lambda row: row.usd_micros_per_accepted),
    _Figure(name="cost per verified statement", unit="usd", read=lambda row: row.usd_micros_per_verified),
    _Figure(name="time on the clock", unit="seconds", read=lambda row: row.seconds),
    _Figure(name="share of the critical path waiting", unit="share", read=lambda row: row.waiting),
    _Figure(name="runs again", unit="count", read=lambda row: float(row.retries)),
    _Figure(name="cost divided by the estimate", unit="ratio", read=lambda row: row.usd_ratio),
    _Figure(name="time divided by the estimate", unit="ratio", read=lambda row: row.seconds_ratio),
)


def _halves(figure: _Figure, rows: Sequence[MissionFigures]) -> tuple[list[float], list[float]]:
    values = [value for row in rows if (value := figure.read(row)) is not None]
    return values[: len(values) // 2], values[len(values) // 2 :]


def _trend(figure: _Figure, rows: Sequence[MissionFigures], subject: UUID) -> FigureTrend:
    earlier, later = _halves(figure, rows)
    return FigureTrend(
        name=figure.name,
        unit=figure.unit,
        median=bootstrap_median([*earlier, *later], seed=seed_of(subject, "median", figure.name)),
        earlier=bootstrap_median(earlier, seed=seed_of(subject, "earlier", figure.name)),
        later=bootstrap_median(later, seed=seed_of(subject, "later", figure.name)),
    )


def _change(figure: _Figure, rows: Sequence[MissionFigures], subject: UUID) -> RuleTest:
    earlier, later = _halves(figure, rows)
    compared = mann_whitney(later, earlier, seed=seed_of(subject, "change", figure.name))
    return RuleTest(
        rule="trend",
        subject=figure.name,
        figure="Cliff's delta of the later half of the missions against the earlier one",
        effect=compared.effect,
        p_value=compared.p_value,
        is_large=abs(compared.effect.value or 0.0) >= LARGE_EFFECT,
    )
