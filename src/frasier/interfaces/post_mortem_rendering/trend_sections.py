"""The figures of post-mortems across missions as tables, which every form of them shows. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from frasier.interfaces.post_mortem_rendering.figures import FigureTable, dollars, moment, seconds
from frasier.interfaces.post_mortem_rendering.judgement_sections import judgement_sections, tests_section
from frasier.kernel.humanize import plural
from frasier.kernel.statistics.estimate import NOT_ENOUGH_DATA, Estimate
from frasier.overview import MissionFigures, PostMortemTrends


def state_of_trends(view: PostMortemTrends) -> str:
    """Say which missions are compared."""
    kind = "rehearsal" if view.rehearsal else "mission"
    if not view.missions:
        return (
            f"No mission has ended since {moment(view.since)} UTC."
            if view.since
            else "No mission has ended yet."
        )
    first, last = view.missions[0].ended_at, view.missions[-1].ended_at
    return f"{plural(len(view.missions), kind)} that ended from {moment(first)} to {moment(last)} UTC."


def trend_sections(view: PostMortemTrends) -> Iterator[FigureTable]:
    """Yield the tables; there are none before the first mission has ended."""
    if not view.missions:
        return
    outstanding = [test for test in view.tests if test.stands_out]
    yield FigureTable(
        title="Findings",
        columns=("subject", "rule", "figures"),
        rows=tuple(
            (test.subject, test.rule, f"{test.figure}: {test.effect}, adjusted p {test.adjusted_p:.2g}")
            for test in outstanding
        ),
        note="" if outstanding else "Nothing stands out by the rules.",
    )
    yield FigureTable(
        title="Trends: medians of all missions, and of their earlier and their later half",
        columns=("figure", "all", "earlier", "later"),
        rows=tuple(
            (
                figure.name,
                *(_estimate(one, figure.unit) for one in (figure.median, figure.earlier, figure.later)),
            )
            for figure in view.figures
        ),
    )
    for title, unit, read in _CHARTS:
        yield _chart(view, title, unit, read)
    yield from judgement_sections(view.judgements, "verdicts on versions of these missions")
    yield tests_section(view.tests)


Reader = Callable[[MissionFigures], float | None]
_CHARTS: tuple[tuple[str, str, Reader], ...] = (
    ("Cost per accepted deliverable", "usd", lambda row: row.usd_micros_per_accepted),
    ("Cost per verified statement", "usd", lambda row: row.usd_micros_per_verified),
    ("Time on the clock", "seconds", lambda row: row.seconds),
    ("Share of the critical path waiting", "share", lambda row: row.waiting),
    ("Runs again", "count", lambda row: float(row.retries)),
    ("Cost divided by the estimate", "ratio", lambda row: row.usd_ratio),
    ("Time divided by the estimate", "ratio", lambda row: row.seconds_ratio),
)
_WRITTEN: Mapping[str, Callable[[float], str]] = {
    "usd": dollars,
    "seconds": seconds,
    "share": lambda value: f"{value:.1%}",
    "count": lambda value: f"{value:.6g}",
    "ratio": lambda value: f"{value:.3g}",
}


def _chart(view: PostMortemTrends, title: str, unit: str, read: Reader) -> FigureTable:
    values = [read(row) for row in view.missions]
    return FigureTable(
        title=title,
        columns=("ended (UTC)", "mission", "value"),
        rows=tuple(
            (
                moment(row.ended_at),
                row.title,
                "none" if value is None else _WRITTEN[unit](value),
            )
            for row, value in zip(view.missions, values, strict=True)
        ),
        bars=tuple(value or 0.0 for value in values),
    )


def _estimate(estimate: Estimate, unit: str) -> str:
    if estimate.value is None:
        return f"{NOT_ENOUGH_DATA} (n = {estimate.n})"
    write = _WRITTEN[unit]
    interval = (
        ""
        if estimate.low is None or estimate.high is None
        else f", 95 % interval {write(estimate.low)} to {write(estimate.high)}"
    )
    return f"{write(estimate.value)} (n = {estimate.n}{interval})"
