"""`frasier postmortem`: the figures of a mission, and what stands out by a rule."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.output import Page, show_view, write_out
from frasier.interfaces.cli.run_operation import ask_organisation
from frasier.interfaces.cli.with_services import JsonOption, MissionArgument

if TYPE_CHECKING:
    from frasier.overview import PostMortem


class PostMortemFormat(StrEnum):
    """The form in which a post-mortem is written."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"


FormatOption = Annotated[
    PostMortemFormat,
    typer.Option("--format", "-f", help="text, markdown, or html: one page that needs nothing."),
]


def postmortem(
    context: typer.Context,
    mission: MissionArgument = "last",
    form: FormatOption = PostMortemFormat.TEXT,
    as_json: JsonOption = False,
) -> None:
    """Show a mission's post-mortem. Figures only: time, costs, estimate, verdicts, outliers, and what stands out."""
    from frasier.interfaces.cli.document import document_of
    from frasier.interfaces.operations.organisation.post_mortem import GET
    from frasier.interfaces.post_mortem_rendering import render_html, render_markdown

    view = ask_organisation(context, GET, {"mission": mission}).post_mortem
    if as_json or form is PostMortemFormat.TEXT:
        show_view(view, _draw, document_of, as_json=as_json)
    else:
        write_out(render_html(view) if form is PostMortemFormat.HTML else render_markdown(view))


def _draw(page: Page, view: PostMortem) -> None:
    from frasier.interfaces.post_mortem_rendering import sections_of

    page.line((view.telemetry.title, "bold"), f"  {view.telemetry.status}")
    for section in sections_of(view):
        page.heading(section.title)
        if section.note:
            page.line((section.note, "dim"))
        page.table(section.columns, section.rows)
