"""`frasier postmortem`: the figures of a mission or across missions, and what stands out by a rule."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.completion import complete_mission
from frasier.interfaces.cli.output import Page, print_json, write_out
from frasier.interfaces.cli.run_operation import ask_organisation
from frasier.interfaces.cli.with_services import JsonOption

if TYPE_CHECKING:
    from frasier.interfaces.post_mortem_rendering import Report


class PostMortemFormat(StrEnum):
    """The form in which a post-mortem is written."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"


FormatOption = Annotated[
    PostMortemFormat,
    typer.Option("--format", "-f", help="text, markdown, or html: one page that needs nothing."),
]
ComparedMission = Annotated[
    str | None,
    typer.Argument(
        metavar="MISSION",
        help="A mission's id, its beginning or end, or `last`. Without one, missions over time.",
        autocompletion=complete_mission,
    ),
]
SinceOption = Annotated[
    datetime | None,
    typer.Option(
        "--since", formats=["%Y-%m-%d"], help="Over time: only missions that ended from this day (UTC) on."
    ),
]
LimitOption = Annotated[
    int | None,
    typer.Option("--limit", "-n", min=1, max=1_000, help="Over time: how many missions, 50 by default."),
]


def postmortem(
    context: typer.Context,
    mission: ComparedMission = None,
    since: SinceOption = None,
    limit: LimitOption = None,
    form: FormatOption = PostMortemFormat.TEXT,
    as_json: JsonOption = False,
) -> None:
    """Show a mission's post-mortem, or missions over time. Figures only, and what stands out by a rule."""
    from frasier.interfaces.cli.document import document_of
    from frasier.interfaces.post_mortem_rendering import render_html, render_markdown, report_of

    view = _read(context, mission, since, limit)
    if as_json:
        print_json(document_of(view))
        return
    report = report_of(view)
    match form:
        case PostMortemFormat.TEXT:
            page = Page()
            _draw(page, report)
            page.show()
        case PostMortemFormat.MARKDOWN:
            write_out(render_markdown(report))
        case PostMortemFormat.HTML:
            write_out(render_html(report))


def _read(context: typer.Context, mission: str | None, since: datetime | None, limit: int | None) -> Any:
    from frasier.interfaces.operations.organisation.post_mortem import GET, TRENDS

    if mission is None:
        options = {"since": since.date() if since else None, "limit": limit}
        arguments = {name: value for name, value in options.items() if value is not None}
        return ask_organisation(context, TRENDS, arguments).trends
    if since or limit:
        raise typer.BadParameter("--since and --limit are for missions over time: name no mission with them.")
    return ask_organisation(context, GET, {"mission": mission}).post_mortem


def _draw(page: Page, report: Report) -> None:
    page.line((report.title, "bold"))
    page.line(report.state)
    for section in report.sections:
        page.heading(section.title)
        if section.note:
            page.line((section.note, "dim"))
        page.table(section.columns, section.rows)
