"""`frasier run` and `frasier resume`: the main job, from a directive to the folder that holds the deliverable."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn
from uuid import UUID

import typer

from frasier.interfaces.cli.completion import complete_kind
from frasier.interfaces.cli.with_services import MissionArgument, with_services

if TYPE_CHECKING:
    from frasier.interfaces.services import Services
    from frasier.work import Directive

# Longer than any directive may be; the rest need not be read to refuse it.
_STDIN_CHARS_MAX = 1_000_000

DirectiveArgument = Annotated[
    str,
    typer.Argument(help="What you want to hold in your hands at the end; - reads it from standard input."),
]
SourcesOption = Annotated[
    list[Path] | None,
    typer.Option("--sources", "-s", help="A folder or file to work from; may be given several times."),
]
OutOption = Annotated[Path, typer.Option("--out", "-o", help="Where the deliverable's folder is put.")]
BudgetOption = Annotated[
    float | None, typer.Option("--budget", min=0, help="The most to spend, in US dollars.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a live view.")]


def run(
    context: typer.Context,
    directive: DirectiveArgument,
    sources: SourcesOption = None,
    out: OutOption = Path("deliverables"),
    budget: BudgetOption = None,
    kind: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="KIND",
            autocompletion=complete_kind,
            help="What the result shall be: report, answer, comparison, decision paper, plan, content or data. "
            "Without it the planner chooses.",
        ),
    ] = None,
    web: Annotated[bool, typer.Option("--web", help="Use the web too, although sources are given.")] = False,
    with_earlier: Annotated[
        bool,
        typer.Option(
            "--with-earlier", help="Use results of earlier missions too, although sources are given."
        ),
    ] = False,
    plan: Annotated[
        bool, typer.Option("--plan", help="Show the plan and its price first, and begin when you approve it.")
    ] = False,
    questions: Annotated[
        bool,
        typer.Option(
            "--questions/--no-questions", help="Whether the planner may ask you about an ambiguous directive."
        ),
    ] = True,
    skip_unreadable: Annotated[
        bool, typer.Option("--skip-unreadable", help="Go on without the sources that cannot be read.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Carry out a directive. Plans it, does it, reviews it, and puts the deliverable into a folder."""
    from frasier.kernel.deliverable_kind import kind_named
    from frasier.work import Directive

    asked = Directive(
        text=sys.stdin.read(_STDIN_CHARS_MAX) if directive == "-" else directive,
        destination=out,
        sources=tuple(sources or ()),
        web=web,
        with_earlier=with_earlier,
        skip_unreadable=skip_unreadable,
        budget_usd_micros=None if budget is None else _usd_micros(budget),
        kind=None if kind is None else kind_named(kind),
        asks_plan=plan,
        may_ask=questions,
    )
    carry_out(context, asked, as_json=as_json)


def carry_out(context: typer.Context, directive: Directive, *, as_json: bool) -> NoReturn:
    """Carry out a directive while this process runs; exit with the code that says how it ended."""

    async def work(services: Services) -> int:
        services.check_settings()
        taken = await services.take_directive(directive)
        if taken.skipped and not as_json:
            names = ", ".join(problem.path for problem in taken.skipped)
            typer.echo(f"Left out, because it cannot be read: {names}", err=True)
        return await see_through(services, taken.mission.id, as_json=as_json)

    raise typer.Exit(with_services(context, work))


def resume(
    context: typer.Context,
    mission: MissionArgument = "last",
    budget: BudgetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Go on with a mission. One that was interrupted, killed or paused goes on from where it was.

    For a mission that has ended it shows how it ended; nothing is done or paid then.
    """
    from frasier.org.planning import resume_named

    async def work(services: Services) -> int:
        micros = None if budget is None else _usd_micros(budget)
        found = await services.in_transaction(resume_named, mission, budget_usd_micros=micros)
        return await see_through(services, found.id, as_json=as_json, ended=found.status.ended)

    raise typer.Exit(with_services(context, work))


def watch(context: typer.Context, mission: MissionArgument = "last", as_json: JsonOption = False) -> None:
    """Watch a mission that another process carries out. Ends when it ends or waits for you, with its exit code.

    Ctrl-C ends the watching, and not the mission.
    """
    from frasier.org.planning import find_mission

    async def work(services: Services) -> int:
        from frasier.interfaces.cli.live_view import watch_mission
        from frasier.interfaces.cli.run_result import present_outcome
        from frasier.interfaces.cli.shutdown_signals import stop_on_signals

        found = await services.in_transaction(find_mission, mission)
        stop = stop_on_signals()
        progress = await watch_mission(services, found.id, stop=stop, quiet=as_json, elsewhere=True)
        return present_outcome(progress, as_json=as_json, interrupted=stop.is_set(), elsewhere=True)

    raise typer.Exit(with_services(context, work))


def _usd_micros(usd: float) -> int:
    return round(usd * 1_000_000)


async def see_through(services: Services, mission_id: UUID, *, as_json: bool, ended: bool = False) -> int:
    """Work until the mission has ended or waits for the founder; return the exit code.

    At a terminal the founder is asked there about a plan, and what a directive means, and the work goes on. If the
    mission had `ended` before, only carry out its pending announcements.
    """
    from frasier.interfaces.cli.live_view import watch_mission
    from frasier.interfaces.cli.plan_dialogue import answer_at_terminal, can_ask
    from frasier.interfaces.cli.run_result import present_ended, present_outcome
    from frasier.interfaces.cli.shutdown_signals import stop_on_signals
    from frasier.overview import newest_activity

    while True:
        stop = stop_on_signals()
        # What an earlier run did was told then.
        told = await services.in_transaction(newest_activity, mission_id)
        async with services.running(mission_id=mission_id, worker=not ended):
            progress = await watch_mission(
                services, mission_id, stop=stop, quiet=as_json or ended, after=told
            )
        if ended:
            return present_ended(progress, as_json=as_json)
        asks = not (as_json or stop.is_set() or progress.over) and can_ask()
        if not (asks and await answer_at_terminal(services, progress)):
            return present_outcome(progress, as_json=as_json, interrupted=stop.is_set())
