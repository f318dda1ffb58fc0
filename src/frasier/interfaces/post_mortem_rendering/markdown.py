"""A post-mortem as Markdown. Pure."""

from __future__ import annotations

from frasier.interfaces.post_mortem_rendering.figures import FigureTable
from frasier.interfaces.post_mortem_rendering.report import Report


def render_markdown(report: Report) -> str:
    """Return the document."""
    parts = [f"# {_cell(report.title)}", report.state]
    for section in report.sections:
        parts.append(f"## {section.title}")
        if section.note:
            parts.append(section.note)
        if section.rows:
            parts.append(_table(section))
    return "\n\n".join(parts) + "\n"


def _table(section: FigureTable) -> str:
    rows = [section.columns, tuple("---" for _ in section.columns), *section.rows]
    return "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in rows)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
