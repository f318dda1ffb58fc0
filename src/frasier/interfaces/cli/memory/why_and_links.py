"""`frasier memory why`, `link` and `unlink`: causes and effects of a memory, and editing the links."""

from __future__ import annotations

from typing import Annotated

import typer

from frasier.interfaces.cli.memory.link_tree import add_sides, every_step
from frasier.interfaces.cli.memory.memory_text import name_of, origin
from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import Page, fixed, short
from frasier.interfaces.cli.run_operation import AlsoScopes, ask, show
from frasier.interfaces.cli.with_services import JsonOption
from frasier.interfaces.operations import Output
from frasier.interfaces.operations.memory.graph import LINK, UNLINK, WHY, LinkOutput, WhyOutput

EdgesOption = Annotated[
    bool, typer.Option("--edges", help="Also the id of each link, by which `unlink` takes it.")
]


@options_of(WHY.input)
def why(
    context: typer.Context,
    arguments: Arguments,
    edges: EdgesOption = False,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Show why a memory is there. What led to it and what came of it, as a tree with the strength of each path."""
    answer = ask(context, WHY, arguments, scopes=scope)
    show(answer, lambda page, data: _draw_why(page, data, edges=edges), as_json=as_json)


@options_of(LINK.input)
def link(
    context: typer.Context, arguments: Arguments, scope: AlsoScopes = None, as_json: JsonOption = False
) -> None:
    """Link two memories. It reads as a sentence: SOURCE caused TARGET."""
    answer = ask(context, LINK, arguments, scopes=scope)
    show(answer, lambda page, data: _draw_linked(page, answer.summary, data), as_json=as_json)


@operation_command(UNLINK, summary=True)
def unlink(page: Page, data: Output) -> None:
    """Remove a link between two memories. The memories stay."""


def _draw_why(page: Page, data: WhyOutput, *, edges: bool) -> None:
    page.line((name_of(data.memory.title, data.memory.snippet), "bold"))
    page.line((origin(data.memory), "dim"))
    add_sides(page, data)
    if data.truncated:
        page.line(("There are more links than are shown.", "yellow"))
    if edges:
        page.heading("Links")
        page.table(
            [fixed("link"), fixed("relation"), "to or from", "drawn by"],
            [(str(step.edge_id), step.relation, step.title, step.origin) for step in every_step(data)],
        )


def _draw_linked(page: Page, summary: str, data: LinkOutput) -> None:
    page.line(
        f"{summary} {short(data.source)} {data.relation.replace('_', ' ')} {short(data.target)}"
        f" ({data.strength:.2f}).",
        (f"  link {data.edge_id}", "dim"),
    )
