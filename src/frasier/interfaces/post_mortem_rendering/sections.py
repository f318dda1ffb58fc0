"""The figures of a post-mortem as tables, which every form of it shows. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from frasier.interfaces.post_mortem_rendering.figures import (
    FigureTable,
    compared,
    dollars,
    moment,
    number,
    p_value,
    seconds,
)
from frasier.interfaces.post_mortem_rendering.judgement_sections import judgement_sections, tests_section
from frasier.kernel.humanize import plural
from frasier.kernel.statistics.estimate import NOT_ENOUGH_DATA
from frasier.overview import EvaluationRecord, PostMortem, TimeUse

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

_ONE = {
    "verdicts of the founder": "verdict of the founder",
    "results that the founder had corrected": "result that the founder had corrected",
    "evaluations": "evaluation",
    "calls of models that were settled": "call of a model that was settled",
}
"""The names of later facts for one of them."""


def state_of(view: PostMortem) -> str:
    """Say how the mission ended, when that was stored, and what has been counted since."""
    state = f"Status: {view.telemetry.status}."
    if view.stored_at is None:
        return f"{state} Computed now."
    stored = f"{state} Stored at {moment(view.stored_at)} UTC."
    if not view.later:
        return stored
    later = ", ".join(
        f"{facts.count} {_ONE.get(facts.name, facts.name) if facts.count == 1 else facts.name}"
        for facts in view.later
    )
    return f"{stored} Computed again since, because of later facts: {later}."


def sections_of(view: PostMortem) -> Iterator[FigureTable]:
    """Yield the tables, also those without rows."""
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
            (_USES[use], seconds(telemetry.path_seconds[use]), seconds(telemetry.seconds[use]))
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
                seconds(piece.seconds),
                seconds(piece.model_seconds),
            )
            for piece in path
        ),
        bars=tuple(piece.seconds for piece in path),
    )
    yield FigureTable(
        title="Estimate and truth",
        columns=("amount", "low", "expected", "high", "actual"),
        rows=tuple(
            (line.name, *(number(amount) for amount in (line.low, line.expected, line.high, line.actual)))
            for line in view.estimate
        ),
    )
    yield _outliers(view)
    yield from judgement_sections(view.judgements, "verdicts until the mission ended")
    yield from _evaluation_sections(view.evaluations)
    yield tests_section(view.tests)


def _summary(view: PostMortem) -> FigureTable:
    telemetry = view.telemetry
    return FigureTable(
        title="Summary",
        columns=("figure", "value"),
        rows=(
            ("time on the clock", seconds(telemetry.wall_seconds)),
            ("of it waiting, on the critical path", seconds(view.waiting_seconds)),
            ("runs", str(view.runs)),
            ("runs again", str(telemetry.retries)),
            ("failed runs", str(telemetry.failed_runs)),
            ("calls of models, with failed ones", str(telemetry.spending.calls)),
            ("failed calls", str(telemetry.spending.failed_calls)),
            ("cost", dollars(telemetry.spending.usd_micros)),
            ("accepted deliverables", str(view.accepted)),
            ("cost per accepted deliverable", dollars(view.usd_micros_per_accepted)),
            ("verified statements", f"{view.verified} of {view.statements}"),
            ("cost per verified statement", dollars(view.usd_micros_per_verified)),
            *(("not settled", sentence) for sentence in view.unsettled),
        ),
    )


def _outliers(view: PostMortem) -> FigureTable:
    return FigureTable(
        title="Outliers: tasks by the time of their longest run, robust z of its logarithm above 3.5",
        columns=("task", "process", "time", "robust z", "n"),
        rows=tuple(
            (one.key, one.process, seconds(one.seconds), f"{one.z:.2f}", str(one.n)) for one in view.outliers
        ),
        bars=tuple(one.seconds for one in view.outliers),
        note=""
        if view.outliers
        else f"None among {plural(view.timed_tasks, 'task')}; a process with fewer than 8 of them has"
        f" {NOT_ENOUGH_DATA}.",
    )


def _evaluation_sections(evaluations: EvaluationRecord) -> Iterator[FigureTable]:
    """Yield the tables, none where nobody evaluated anything."""
    if not evaluations.evaluations and not evaluations.without_signal:
        return
    yield FigureTable(
        title="Evaluations",
        columns=("figure", "value"),
        rows=(
            ("evaluations of the mission's artefacts", str(evaluations.of_mission)),
            ("evaluations in all missions by the same evaluators", str(evaluations.evaluations)),
            *(
                (f"left out of {one.evaluator}, who always gives the same", str(one.n))
                for one in evaluations.without_signal
            ),
        ),
    )
    yield FigureTable(
        title="Missing information, by the evaluations that name it",
        columns=("information", "evaluations", "share", "p"),
        rows=tuple(
            (one.text, str(one.named), str(one.share), p_value(one.above_p)) for one in evaluations.missed
        ),
        bars=tuple(float(one.named) for one in evaluations.missed),
    )
    yield FigureTable(
        title="Producers, by the mean usefulness of each version",
        columns=("producer", "mean usefulness", "against others (Cliff's delta)"),
        rows=tuple(
            (one.producer, str(one.score), compared(one.against_others)) for one in evaluations.producers
        ),
        bars=tuple(one.score.value or 0.0 for one in evaluations.producers),
    )
    yield FigureTable(
        title="Evaluators",
        columns=("evaluator", "above other evaluators, in points", "most frequent score"),
        rows=tuple(
            (one.rater, compared(one.above_others), str(one.same_score)) for one in evaluations.evaluators
        ),
    )
