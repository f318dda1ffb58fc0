"""`frasier missions read`: the text of a result, with how much of it is verified, and its sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.output import Page, clock, show_view
from frasier.interfaces.cli.run_operation import ask_organisation
from frasier.interfaces.cli.with_services import JsonOption, MissionArgument

if TYPE_CHECKING:
    from frasier.overview import DeliverablePage


def read(
    context: typer.Context,
    mission: MissionArgument = "last",
    step: Annotated[str, typer.Option("--step", help="The key of a step; without it the final one.")] = "",
    version: Annotated[
        int | None,
        typer.Option(
            "--version", "-v", min=1, help="This version; without it the approved one, else the newest."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Read the result of a mission here. With --json also the verdict and the passages of each statement."""
    from frasier.interfaces.operations.organisation.deliverables import GET

    arguments = {"mission": mission, "step": step, "version": version}
    page = ask_organisation(context, GET, arguments).deliverable
    show_view(page, _draw, as_json=as_json)


_DOUBTFUL = "doubtful"


def _draw(page: Page, view: DeliverablePage) -> None:
    approved = "approved" if view.approved else "not approved"
    facts = [f"version {view.version}", approved, clock(view.created_at), view.headline]
    page.line((view.title, "bold"))
    page.line(("  ·  ".join(facts), "dim"))
    if view.rehearsal:
        page.line(("rehearsal: no model was asked", "yellow"))
    if view.degraded:
        page.line(("degraded: made with less than was asked for", "yellow"))
    for sentence in view.missing:
        page.line((f"incomplete: {sentence}", "yellow"))
    page.markdown(_marked(view))
    doubtful = [statement for statement in view.statements if statement.verdict == _DOUBTFUL]
    if doubtful:
        page.heading("Doubtful")
    for statement in doubtful:
        page.line(f"{statement.text}", (f"  {'; '.join(statement.findings)}", "dim"))
    cited = [source for source in view.sources if source.cited]
    if cited:
        page.heading("Sources")
    for source in cited:
        page.line(f"[{source.number}] {source.title}", (f"  {source.uri}", "dim"))


def _marked(view: DeliverablePage) -> str:
    """Return the text with its mark behind each doubtful statement, as the file has it."""
    text = view.text
    for statement in reversed(view.statements):
        if statement.verdict == _DOUBTFUL and statement.end is not None:
            text = f"{text[: statement.end]} [doubtful]{text[statement.end :]}"
    return text
