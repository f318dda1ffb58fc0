"""`frasier memory graph`: how well memories are linked, by people and by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.memory.call_tool import AlsoScopes, Data, YesOption, ask, say, show
from frasier.interfaces.cli.memory.parse_args import confirm
from frasier.interfaces.cli.with_services import JsonOption

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page

graph = typer.Typer(
    help="How well memories are linked; without a command it is shown.", rich_markup_mode=None
)


@graph.callback(invoke_without_command=True)
def stats(context: typer.Context, scope: AlsoScopes = None, as_json: JsonOption = False) -> None:
    """Show how well memories are linked. Links by relation and origin, and how many memories have one."""
    if context.invoked_subcommand is None:
        show(ask(context, "memory_graph_stats", {}, scopes=scope), _draw_stats, as_json=as_json)


@graph.command()
def drop_automatic(
    context: typer.Context,
    extractor: Annotated[
        str | None, typer.Option("--extractor", help="Only those that this version drew.")
    ] = None,
    yes: YesOption = False,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Remove the links that were read out of texts. What people and agents linked stays."""
    confirm("Remove the automatic links?", yes=yes)
    say(ask(context, "memory_drop_extracted", {"extractor": extractor}, scopes=scope), as_json=as_json)


def _draw_stats(page: Page, data: Data) -> None:
    from frasier.interfaces.cli.output import Column
    from frasier.kernel.humanize import plural

    average = data["average_strength"]
    page.line(
        (plural(data["edges"], "link"), "bold"),
        f" of strength {average:.2f} on average" if average is not None else "",
    )
    for title, counts in (("By relation", data["by_relation"]), ("Drawn by", data["by_origin"])):
        rows = [(name.replace("_", " "), f"{count:,}") for name, count in counts.items() if count]
        if rows:
            page.heading(title)
            page.table(["", Column("", right=True)], rows)
    page.heading(f"Memories that are linked (wanted: {data['target_percent']:.0f} %)")
    scopes = [*data["per_scope"], data["coverage"]]
    page.table(
        [
            "scope",
            *(Column(title, right=True) for title in ("memories", "linked", "by people and agents alone")),
        ],
        [
            (
                one["scope"] or ("all", "bold"),
                f"{one['memories']:,}",
                _share(one["linked"], one["percent"]),
                _share(one["linked_deliberately"], one["percent_without_automatic"]),
            )
            for one in scopes
        ],
    )
    if data["orphans"]:
        page.line((f"{plural(data['orphans'], 'link')} without both of their memories.", "red"))


def _share(count: int, percent: float) -> str:
    return f"{count:,} ({percent:.0f} %)"
