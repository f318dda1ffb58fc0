"""The figures of a post-mortem as tables, which every form of it shows. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from frasier.kernel.statistics.estimate import NOT_ENOUGH_DATA, Estimate, SampleComparison
from frasier.overview import PostMortem, TimeUse

_USES = {
    TimeUse.WORK: "at work",
    TimeUse.MODEL: "waiting for a model",
    TimeUse.QUEUE: "waiting for a worker",
    TimeUse.DEPENDENCIES: "waiting for other tasks",
    TimeUse.REVIEW: "waiting for reviews",
    TimeUse.PERSON: "waiting for a person",
    TimeUse.LEASE: "waiting for the lease of a lost worker",
    TimeUse.REST: "ended, until it was taken up again",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureTable:
    """A table of figures, the first column names each row. `bars` has a value for each row, for a chart beside it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    bars: tuple[float, ...] = ()
    note: str = ""


def sections_of(view: PostMortem) -> list[FigureTable]:
    """Return the tables; one without rows is left out, unless its note says why."""
    return [section for section in _sections(view) if section.rows or section.note]


def _sections(view: PostMortem) -> Iterator[FigureTable]:
    telemetry = view.telemetry
    yield FigureTable(
        title="Findings",
        columns=("subject", "rule", "figures"),
        rows=tuple((finding.subject, finding.kind, finding.text) for finding in view.findings),
        note="" if view.findings else "Nothing stands out by the rules.",
    )
    yield _summary(view)
    uses = [use for use in TimeUse if telemetry.path_seconds[use] or telemetry.seconds[use]]
    yield FigureTable(
        title="Time",
        columns=("use", "critical path", "all tasks"),
        rows=tuple(
            (_USES[use], _seconds(telemetry.path_seconds[use]), _seconds(telemetry.seconds[use]))
            for use in uses
        ),
        bars=tuple(telemetry.path_seconds[use] for use in uses),
    )
    path = telemetry.critical_path
    yield FigureTable(
        title="Critical path",
        columns=("task", "use", "time", "of it for a model"),
        rows=tuple(
            (
                piece.key or "the end of the mission",
                _USES[piece.use] if piece.use else "unaccounted",
                _seconds(piece.seconds),
                _seconds(piece.model_seconds),
            )
            for piece in path
        ),
        bars=tuple(piece.seconds for piece in path),
    )
    yield FigureTable(
        title="Estimate and truth",
        columns=("amount", "low", "expected", "high", "actual"),
        rows=tuple(
            (line.name, *(_number(amount) for amount in (line.low, line.expected, line.high, line.actual)))
            for line in view.estimate
        ),
    )
    yield _outliers(view)
    yield from _judgements(view)


def _summary(view: PostMortem) -> FigureTable:
    telemetry = view.telemetry
    waiting = sum(
        seconds for use, seconds in telemetry.path_seconds.items() if use not in {TimeUse.WORK, TimeUse.MODEL}
    )
    return FigureTable(
        title="Summary",
        columns=("figure", "value"),
        rows=(
            ("time on the clock", _seconds(telemetry.wall_seconds)),
            ("of it waiting, on the critical path", _seconds(waiting)),
            ("runs", str(sum(len(task.runs) for task in telemetry.tasks))),
            ("runs again", str(telemetry.retries)),
            ("failed runs", str(telemetry.failed_runs)),
            ("calls of models", str(telemetry.spending.calls)),
            ("failed calls", str(telemetry.spending.failed_calls)),
            ("cost", _dollars(telemetry.spending.usd_micros)),
            ("accepted deliverables", str(view.accepted)),
            ("cost per accepted deliverable", _dollars(view.usd_micros_per_accepted)),
            ("verified statements", f"{view.verified} of {view.statements}"),
            ("cost per verified statement", _dollars(view.usd_micros_per_verified)),
        ),
    )


def _outliers(view: PostMortem) -> FigureTable:
    found = f"None among {view.timed_steps} steps."
    few = f"{NOT_ENOUGH_DATA} (n = {view.timed_steps})"
    note = "" if view.outliers else found if view.timed_steps >= 8 else few
    return FigureTable(
        title="Outliers: steps by the time of their runs, robust z above 3.5",
        columns=("step", "time", "robust z", "n"),
        rows=tuple((one.key, _seconds(one.seconds), f"{one.z:.2f}", str(one.n)) for one in view.outliers),
        bars=tuple(one.seconds for one in view.outliers),
        note=note,
    )


def _judgements(view: PostMortem) -> Iterator[FigureTable]:
    judgements = view.judgements
    yield FigureTable(
        title="Agreement",
        columns=("figure", "value"),
        rows=(
            ("verdicts until the mission ended", str(judgements.verdicts)),
            ("pairs of reviewers with the same verdict", str(judgements.agreement)),
            ("weighted kappa of their scores", str(judgements.kappa)),
            ("critic above the reviewers, in points", str(judgements.critic_above)),
        ),
    )
    yield FigureTable(
        title="Authors",
        columns=("author", "mean score", "against others (Cliff's delta)", "adjusted p"),
        rows=tuple(
            (one.author, str(one.score), _compared(one.against_others), _p_value(one.adjusted_p))
            for one in judgements.authors
        ),
        bars=tuple(one.score.value or 0.0 for one in judgements.authors),
    )
    yield FigureTable(
        title="Reviewers",
        columns=("reviewer", "above other reviewers, in points", "adjusted p", "agrees with the founder"),
        rows=tuple(
            (
                one.reviewer,
                _compared(one.above_others),
                _p_value(one.adjusted_p),
                str(one.agrees_with_founder),
            )
            for one in judgements.reviewers
        ),
        bars=tuple(_positive(one.agrees_with_founder) for one in judgements.reviewers),
    )


def _positive(estimate: Estimate) -> float:
    return max(estimate.value or 0.0, 0.0)


def _compared(comparison: SampleComparison) -> str:
    return f"{comparison.effect}{f', {comparison.method}' if comparison.method else ''}"


def _p_value(p_value: float | None) -> str:
    return NOT_ENOUGH_DATA if p_value is None else f"{p_value:.3g}"


def _seconds(seconds: float) -> str:
    return f"{seconds:.2f} s"


def _dollars(usd_micros: float | None) -> str:
    return "none" if usd_micros is None else f"${usd_micros / 1_000_000:.6f}"


def _number(amount: float | None) -> str:
    return "unknown" if amount is None else f"{amount:.6g}"
