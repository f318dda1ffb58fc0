"""A post-mortem as one page of HTML that needs nothing else: no script, no other file. Pure."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files

from frasier.interfaces.post_mortem_rendering.figures import FigureTable
from frasier.interfaces.post_mortem_rendering.report import Report


def render_html(report: Report) -> str:
    """Return the page: each section a table, with a bar of SVG in each row where it has values."""
    title = escape(report.title)
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    sections = "".join(part for section in report.sections for part in _section(section))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_style()}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
        f"<p>{escape(report.state)}</p>\n{sections}</main>\n</body>\n</html>\n"
    )


@cache
def _style() -> str:
    return files("frasier.interfaces.post_mortem_rendering").joinpath("post_mortem.css").read_text("utf-8")


def _section(section: FigureTable) -> Iterator[str]:
    yield f"<section>\n<h2>{escape(section.title)}</h2>\n"
    if section.note:
        yield f"<p>{escape(section.note)}</p>\n"
    if section.rows:
        heads = "".join(f'<th scope="col">{escape(column)}</th>' for column in section.columns)
        drawn = '<td class="drawn"></td>' if section.bars else ""
        label = escape(section.title, quote=True)
        yield f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">\n'
        yield f"<table>\n<thead><tr>{heads}{drawn}</tr></thead>\n<tbody>\n"
        top = max(section.bars, default=0.0)
        for index, row in enumerate(section.rows):
            cells = f'<th scope="row">{escape(row[0])}</th>' + "".join(
                f"<td>{escape(cell)}</td>" for cell in row[1:]
            )
            bar = (
                f'<td class="drawn" data-value="{section.bars[index]!r}">{_bar(section.bars[index], top)}</td>'
                if section.bars
                else ""
            )
            yield f"<tr>{cells}{bar}</tr>\n"
        yield "</tbody>\n</table>\n</div>\n"
    yield "</section>\n"


def _bar(value: float, top: float) -> str:
    share = min(max(value / top, 0.0), 1.0) if top > 0 else 0.0
    return (
        '<svg width="100%" height="8" aria-hidden="true"><rect class="track" width="100%" height="8" rx="2"/>'
        f'<rect class="level" width="{share * 100:.2f}%" height="8" rx="2"/></svg>'
    )
