"""The timeline of a mission as rows of bars: phases filled, waiting hatched. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from frasier.kernel.humanize import duration
from frasier.overview import MissionTimeline, SpanKind, TimelineRow, TimeSpan

ROWS_MAX = 60
"""A chart with more runs begins with the newest ones; the others open on demand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnSpan:
    """A span from `x` on, `width` wide, both in percent of the chart, and how long it took."""

    x: float
    width: float
    kind: SpanKind
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnRow:
    """A row with its spans, and how long they took in all."""

    row: TimelineRow
    spans: tuple[DrawnSpan, ...]
    worked: str
    waited: str

    @property
    def description(self) -> str:
        """Everything that the bars show, in words."""
        return "; ".join(span.text for span in self.spans) or "no time yet"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineChart:
    """The rows, the oldest first, below a scale of moments with their places in percent. `earlier` are left out."""

    rows: tuple[DrawnRow, ...]
    earlier: int
    scale: tuple[tuple[float, str], ...]


def draw_timeline(timeline: MissionTimeline, *, now: datetime, whole: bool = False) -> TimelineChart:
    """Draw the newest runs of a timeline; the `whole` chart has all."""
    rows = timeline.rows if whole else timeline.rows[-ROWS_MAX:]
    if not rows:
        return TimelineChart(rows=(), earlier=0, scale=())
    start = min(row.started_at for row in rows)
    end = max(row.ended_at or now for row in rows)
    scale = _Scale(start, max(end - start, timedelta(milliseconds=1)), now)
    return TimelineChart(
        rows=tuple(scale.row(row) for row in rows),
        earlier=len(timeline.rows) - len(rows),
        scale=tuple(scale.ticks()),
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    start: datetime
    length: timedelta
    now: datetime

    def percent(self, at: datetime) -> float:
        return round(min(max((at - self.start) / self.length, 0.0), 1.0) * 100, 2)

    def ticks(self) -> list[tuple[float, str]]:
        return [
            (at, _duration(self.length.total_seconds() * at / 100) if at else "0")
            for at in (0.0, 25.0, 50.0, 75.0)
        ]

    def row(self, row: TimelineRow) -> DrawnRow:
        worked, waited = (
            sum(
                max(((span.ended_at or self.now) - span.started_at).total_seconds(), 0.0)
                for span in row.spans
                if span.kind.is_waiting is waiting
            )
            for waiting in (False, True)
        )
        return DrawnRow(
            row=row,
            spans=tuple(self.span(span) for span in row.spans),
            worked=_duration(worked),
            waited=_duration(waited) if waited >= 1 else "",
        )

    def span(self, span: TimeSpan) -> DrawnSpan:
        end = span.ended_at or self.now
        x = self.percent(span.started_at)
        seconds = max((end - span.started_at).total_seconds(), 0.0)
        going = "" if span.ended_at else ", goes on"
        return DrawnSpan(
            x=x,
            # What was too short to be seen is drawn nevertheless.
            width=max(round(self.percent(end) - x, 2), 0.2),
            kind=span.kind,
            text=f"{span.name}: {_duration(seconds)}{going}",
        )


def _duration(seconds: float) -> str:
    """Format a duration; a short one to a tenth of a second."""
    return f"{seconds:.1f} s" if seconds < 10 else duration(seconds)
