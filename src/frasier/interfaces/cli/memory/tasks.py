"""`frasier memory task`: what a task taught, measured before and after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.memory.call_tool import AlsoScopes, Data, HomeScope, ask, show
from frasier.interfaces.cli.with_services import JsonOption, command_group

if TYPE_CHECKING:
    from frasier.interfaces.cli.output import Page

task = command_group("What tasks taught: measured before and after each.")

TaskArgument = Annotated[
    str, typer.Argument(metavar="TASK", help="Names the task, the same before and after.")
]
KnowledgeOption = Annotated[
    int, typer.Option("--knowledge", "-k", help="How much you know of the matter, 0 to 100.")
]
UncertaintyOption = Annotated[int, typer.Option("--uncertainty", "-u", help="How unsure you are, 0 to 100.")]
ContextOption = Annotated[int, typer.Option("--context", "-c", help="How much context you have, 0 to 100.")]
_QUANTITIES = ("knowledge", "uncertainty", "context")


@task.command()
def begin(
    context: typer.Context,
    name: TaskArgument,
    knowledge: KnowledgeOption,
    uncertainty: UncertaintyOption,
    how_much_context: ContextOption,
    gap: Annotated[
        list[str] | None, typer.Option("--gap", help="What you do not know yet; repeatable.")
    ] = None,
    session: Annotated[str | None, typer.Option("--session", help="The session that it is part of.")] = None,
    scope: HomeScope = None,
    as_json: JsonOption = False,
) -> None:
    """Record what you know before a task."""
    given = {
        "task": name,
        "knowledge": knowledge,
        "uncertainty": uncertainty,
        "context": how_much_context,
        "gaps": gap,
        "session": session,
    }
    envelope = ask(context, "task_preflight", given, scopes=[scope] if scope else None)
    show(envelope, lambda page, data: _draw_task(page, envelope["summary"], data), as_json=as_json)


@task.command()
def finish(
    context: typer.Context,
    name: TaskArgument,
    knowledge: KnowledgeOption,
    uncertainty: UncertaintyOption,
    how_much_context: ContextOption,
    closed: Annotated[
        list[str] | None, typer.Option("--closed", help="What you know now; repeatable.")
    ] = None,
    new_gap: Annotated[
        list[str] | None, typer.Option("--new-gap", help="What turned out to be unknown; repeatable.")
    ] = None,
    scope: HomeScope = None,
    as_json: JsonOption = False,
) -> None:
    """Record what you know after a task, and see what it taught."""
    given = {
        "task": name,
        "knowledge": knowledge,
        "uncertainty": uncertainty,
        "context": how_much_context,
        "gaps_closed": closed,
        "new_gaps": new_gap,
    }
    envelope = ask(context, "task_postflight", given, scopes=[scope] if scope else None)
    show(envelope, lambda page, data: _draw_task(page, envelope["summary"], data), as_json=as_json)


@task.command()
def history(
    context: typer.Context,
    session: Annotated[str | None, typer.Option("--session", help="Only of this session.")] = None,
    finished: Annotated[bool, typer.Option("--finished", help="Only what is finished.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many to show at most, 1 to 100.")] = 10,
    scope: AlsoScopes = None,
    as_json: JsonOption = False,
) -> None:
    """Show what tasks taught, on average and one by one."""
    given = {"session": session, "only_complete": finished, "limit": limit}
    envelope = ask(context, "memory_learning_history", given, scopes=scope)
    show(envelope, lambda page, data: _draw_history(page, envelope["summary"], data), as_json=as_json)


def _draw_task(page: Page, summary: str, data: Data) -> None:
    from frasier.interfaces.cli.output import Column

    page.line(summary)
    before, after, deltas = data["before"], data["after"], data["deltas"]
    if after is None:
        page.table(["", Column("now", right=True)], [(name, str(before[name])) for name in _QUANTITIES])
    else:
        page.table(
            ["", *(Column(title, right=True) for title in ("before", "after", "gain"))],
            [(name, str(before[name]), str(after[name]), f"{deltas[name]:+.0f}") for name in _QUANTITIES],
        )
    for title, name in (
        ("Not known yet", "knowledge_gaps"),
        ("Known now", "gaps_closed"),
        ("New gaps", "new_gaps"),
    ):
        if data[name]:
            page.line((f"{title}: ", "dim"), "; ".join(data[name]))


def _draw_history(page: Page, summary: str, data: Data) -> None:
    from frasier.interfaces.cli.memory.memory_line import since
    from frasier.interfaces.cli.output import Column

    page.line(summary, (f"  trend: {data['trend']}", "dim") if data["trend"] else "")
    page.table(
        [
            "task",
            *(Column(name, right=True) for name in (*_QUANTITIES, "index")),
            Column("taught", fixed=True),
            Column("begun", fixed=True),
        ],
        [
            (
                one["task_key"],
                *(_gain(one, name) for name in _QUANTITIES),
                f"{one['index']:.1f}" if one["index"] is not None else "",
                one["band"] or ("not finished", "dim"),
                (since(one["started_at"]), "dim"),
            )
            for one in data["records"]
        ],
    )


def _gain(one: dict[str, Any], name: str) -> str:
    return f"{one['deltas'][name]:+.0f}" if one["deltas"] else str(one["before"][name])
