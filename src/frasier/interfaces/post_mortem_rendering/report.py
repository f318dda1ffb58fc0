"""A post-mortem of one mission, or across missions, as a report: title, state and tables. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from frasier.interfaces.post_mortem_rendering.figures import FigureTable
from frasier.interfaces.post_mortem_rendering.sections import sections_of, state_of
from frasier.interfaces.post_mortem_rendering.trend_sections import state_of_trends, trend_sections
from frasier.overview import PostMortem, PostMortemTrends


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report, which is drawn on the terminal, as Markdown, and as a page."""

    title: str
    state: str
    sections: tuple[FigureTable, ...]


def report_of(view: PostMortem | PostMortemTrends) -> Report:
    """Return the report of a post-mortem; a table without rows is left out, unless its note says why."""
    if isinstance(view, PostMortem):
        title, state = f"Post-mortem: {view.telemetry.title}", state_of(view)
        sections = sections_of(view)
    else:
        title, state = "Post-mortems over time", state_of_trends(view)
        sections = trend_sections(view)
    shown = tuple(section for section in sections if section.rows or section.note)
    return Report(title=title, state=state, sections=shown)
