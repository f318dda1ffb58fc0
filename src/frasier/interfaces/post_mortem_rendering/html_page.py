"""A post-mortem as one page of HTML that needs nothing else: no script, no other file. Pure."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files

from frasier.interfaces.post_mortem_rendering.sections import FigureTable, sections_of
from frasier.overview import PostMortem


def render_html(view: PostMortem) -> str:
    """Return the page: each section a table, with a bar of SVG in each row where it has values."""
    title = escape(f"Post-mortem: {view.telemetry.title}")
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    sections = "".join(part for section in sections_of(view) for part in _section(section))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_style()}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
        f"<p>Status: {escape(str(view.telemetry.status))}.</p>\n{sections}</main>\n</body>\n</html>\n"
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
        drawn = '<th scope="col" class="drawn" aria-hidden="true"></th>' if section.bars else ""
        yield f"<table>\n<thead><tr>{heads}{drawn}</tr></thead>\n<tbody>\n"
        top = max(section.bars, default=0.0)
        for index, row in enumerate(section.rows):
            cells = f'<th scope="row">{escape(row[0])}</th>' + "".join(
                f"<td>{escape(cell)}</td>" for cell in row[1:]
            )
            bar = f'<td class="drawn">{_bar(section.bars[index], top)}</td>' if section.bars else ""
            yield f"<tr>{cells}{bar}</tr>\n"
        yield "</tbody>\n</table>\n"
    yield "</section>\n"


def _bar(value: float, top: float) -> str:
    share = min(max(value / top, 0.0), 1.0) if top > 0 else 0.0
    return f'<svg width="100%" height="8" aria-hidden="true"><rect width="{share * 100:.2f}%" height="8" rx="2"/></svg>'
