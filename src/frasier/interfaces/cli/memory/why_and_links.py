"""`frasier memory why`, `link` and `unlink`: what led to a memory, what came of it, and saying so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.memory.call_tool import AlsoScopes, Data, MemoryArgument, ask, say, show
from frasier.interfaces.cli.with_services import JsonOption

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page


def why(
    context: typer.Context,
    memory: MemoryArgument,
    depth: Annotated[int, typer.Option("--depth", "-d", help="How many links far, 1 to 10.")] = 3,
    direction: Annotated[
        str, typer.Option("--direction", help="To its causes, to its effects, or both.")
    ] = "both",
    relation: Annotated[
        list[str] | None, typer.Option("--relation", "-r", help="Only this relation; repeatable.")
    ] = None,
    min_strength: Annotated[
        float | None, typer.Option("--min-strength", help="The least strength of a whole path, 0 to 1.")
    ] = None,
    edges: Annotated[
        bool, typer.Option("--edges", help="Also the id of each link, by which `unlink` takes it.")
    ] = False,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Show why a memory is there. What led to it and what came of it, as a tree with the strength of each path."""
    given = {
        "id": memory,
        "depth": depth,
        "direction": direction,
        "relations": relation,
        "min_strength": min_strength,
    }
    envelope = ask(context, "memory_why", given, scopes=scope)
    show(envelope, lambda page, data: _draw_why(page, data, edges=edges), as_json=as_json)


def link(
    context: typer.Context,
    source: MemoryArgument,
    relation: Annotated[
        str,
        typer.Argument(
            metavar="RELATION",
            help="caused, enabled, supersedes, contradicts, derived_from or supports.",
        ),
    ],
    target: MemoryArgument,
    strength: Annotated[float, typer.Option("--strength", help="How sure that is, up to 1.")] = 1.0,
    evidence: Annotated[str, typer.Option("--evidence", "-e", help="How you know.")] = "",
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Link two memories. It reads as a sentence: SOURCE caused TARGET."""
    given = {
        "source": source,
        "target": target,
        "relation": relation,
        "strength": strength,
        "evidence": evidence,
    }
    envelope = ask(context, "memory_link", given, scopes=scope)
    show(envelope, lambda page, data: _draw_linked(page, envelope["summary"], data), as_json=as_json)


def unlink(
    context: typer.Context,
    edge: Annotated[
        str,
        typer.Argument(
            metavar="EDGE", help="A link's id, as `why --edges` shows it; its last 8 characters are enough."
        ),
    ],
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Remove a link between two memories. The memories stay."""
    say(ask(context, "memory_unlink", {"edge_id": edge}, scopes=scope), as_json=as_json)


def _draw_why(page: Page, data: Data, *, edges: bool) -> None:
    from frasier.interfaces.cli.memory.link_tree import add_sides, every_step
    from frasier.interfaces.cli.memory.memory_line import called, origin
    from frasier.interfaces.cli.output import Column

    memory = data["memory"]
    page.line((called(memory), "bold"))
    page.line((origin(memory), "dim"))
    add_sides(page, data)
    if data.get("truncated"):
        page.line(("There are more links than are shown.", "yellow"))
    if edges:
        page.heading("Links")
        page.table(
            [Column("link", fixed=True), Column("relation", fixed=True), "to or from", "drawn by"],
            [(step["edge_id"], step["relation"], step["title"], step["origin"]) for step in every_step(data)],
        )


def _draw_linked(page: Page, summary: str, data: Data) -> None:
    from frasier.interfaces.cli.output import short

    page.line(
        f"{summary} {short(data['source'])} {data['relation'].replace('_', ' ')} {short(data['target'])}"
        f" ({data['strength']:.2f}).",
        (f"  link {data['edge_id']}", "dim"),
    )
