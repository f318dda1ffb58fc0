"""`frasier memory graph`: statistics of links between memories, and removal of automatic ones."""

from __future__ import annotations

import typer

from frasier.interfaces.cli.operation_options import Arguments, options_of
from frasier.interfaces.cli.output import Page, numbers
from frasier.interfaces.cli.parse_args import confirm
from frasier.interfaces.cli.run_operation import AlsoScopes, YesOption, ask, show, show_summary
from frasier.interfaces.cli.with_services import JsonOption
from frasier.interfaces.operations.memory.graph import (
    DROP_EXTRACTED,
    GRAPH_STATS,
    CoverageOutput,
    GraphStatsOutput,
)
from frasier.kernel.humanize import plural

graph = typer.Typer(
    help="How well memories are linked; without a command it is shown.", rich_markup_mode=None
)


@graph.callback(invoke_without_command=True)
def stats(context: typer.Context, scope: AlsoScopes = None, as_json: JsonOption = False) -> None:
    """Show how well memories are linked. Links by relation and origin, and how many memories have one."""
    if context.invoked_subcommand is None:
        show(ask(context, GRAPH_STATS, {}, scopes=scope), _draw_stats, as_json=as_json)


@graph.command()
@options_of(DROP_EXTRACTED.input)
def drop_automatic(
    context: typer.Context,
    arguments: Arguments,
    yes: YesOption = False,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Remove the links that were extracted from texts. What people and agents linked stays."""
    confirm("Remove the automatic links?", yes=yes)
    show_summary(ask(context, DROP_EXTRACTED, arguments, scopes=scope), as_json=as_json)


def _draw_stats(page: Page, data: GraphStatsOutput) -> None:
    average = data.average_strength
    page.line(
        (plural(data.edges, "link"), "bold"),
        f" of strength {average:.2f} on average" if average is not None else "",
    )
    for title, counts in (("By relation", data.by_relation), ("Drawn by", data.by_origin)):
        rows = [(name.replace("_", " "), f"{count:,}") for name, count in counts.items() if count]
        if rows:
            page.heading(title)
            page.table(["", numbers("")], rows)
    page.heading(f"Memories that are linked (wanted: {data.target_percent:.0f} %)")
    page.table(
        ["scope", *(numbers(title) for title in ("memories", "linked", "by people and agents alone"))],
        [_coverage_row(coverage) for coverage in (*data.per_scope, data.coverage)],
    )
    if data.orphans:
        page.line((f"{plural(data.orphans, 'link')} without both of their memories.", "red"))


def _coverage_row(coverage: CoverageOutput) -> tuple[str | tuple[str, str], ...]:
    return (
        coverage.scope or ("all", "bold"),
        f"{coverage.memories:,}",
        _share(coverage.linked, coverage.percent),
        _share(coverage.linked_deliberately, coverage.percent_without_automatic),
    )


def _share(count: int, percent: float) -> str:
    return f"{count:,} ({percent:.0f} %)"
