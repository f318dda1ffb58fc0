"""`frasier run` and `frasier resume`: the main job, from a directive to the folder that holds the deliverable."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn
from uuid import UUID

import typer

from frasier.interfaces.cli.completion import complete_kind
from frasier.interfaces.cli.run_operation import call_organisation
from frasier.interfaces.cli.with_services import MissionArgument, with_services
from frasier.kernel.mission_depth import MissionDepth

if TYPE_CHECKING:
    from frasier.interfaces.services import Services

# Longer than any directive may be; the rest need not be read to refuse it.
_STDIN_CHARS_MAX = 1_000_000

EVALUATIONS_TO_COME = (
    "Its results are still to be evaluated by the colleagues who used them. `frasier up` sees to it."
)

DirectiveArgument = Annotated[
    str,
    typer.Argument(
        metavar="DIRECTIVE",
        help="What you want to hold in your hands at the end; - reads it from standard input.",
    ),
]
SourcesOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--sources",
        "-s",
        help="A folder or file to work from (text, Markdown, HTML, PDF, CSV, XLSX, DOCX, e-mails); may be given "
        "several times.",
    ),
]
OutOption = Annotated[Path, typer.Option("--out", "-o", help="Where the deliverable's folder is put.")]
BudgetOption = Annotated[
    float | None, typer.Option("--budget", min=0, help="The most to spend, in US dollars.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a live view.")]

DepthOption = Annotated[
    MissionDepth | None,
    typer.Option("--depth", help="How deep the work goes. Without it the planner chooses."),
]


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
    depth: DepthOption = None,
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

    arguments = {
        "directive": sys.stdin.read(_STDIN_CHARS_MAX) if directive == "-" else directive,
        "out": str(out),
        "sources": [str(source) for source in sources or ()],
        "web": web,
        "with_earlier": with_earlier,
        "skip_unreadable": skip_unreadable,
        "budget": budget,
        "kind": None if kind is None else kind_named(kind),
        "depth": depth,
        "plan": plan,
        "no_questions": not questions,
    }
    carry_out(context, arguments, as_json=as_json)


def carry_out(context: typer.Context, arguments: Mapping[str, Any], *, as_json: bool) -> NoReturn:
    """Start a mission with these arguments, and carry it out here; exit with the code that says how it ended."""
    from frasier.interfaces.operations.organisation.runs import RUN

    async def work(services: Services) -> int:
        call = await call_organisation(services)
        services.check_settings()
        started = (await call(RUN, arguments)).data
        if started.skipped and not as_json:
            names = ", ".join(problem.path for problem in started.skipped)
            typer.echo(f"Left out, because it cannot be read: {names}", err=True)
        return await see_through(services, started.mission, as_json=as_json)

    raise typer.Exit(with_services(context, work, any_actor=True))


def resume(
    context: typer.Context,
    mission: MissionArgument = "last",
    budget: BudgetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Go on with a mission. One that was interrupted, killed or paused goes on from where it was.

    For a mission that has ended it shows how it ended; nothing is done or paid then.
    """
    from frasier.interfaces.operations.organisation.runs import RESUME

    async def work(services: Services) -> int:
        call = await call_organisation(services)
        state = (await call(RESUME, {"mission": mission, "budget": budget})).data
        return await see_through(services, state.of_mission, as_json=as_json, ended=state.ended)

    raise typer.Exit(with_services(context, work, any_actor=True))


def watch(context: typer.Context, mission: MissionArgument = "last", as_json: JsonOption = False) -> None:
    """Watch a mission that another process carries out. Ends when it ends or waits for you, with its exit code.

    Ctrl-C ends the watching, and not the mission.
    """
    from frasier.org.missions import find_mission

    async def work(services: Services) -> int:
        from frasier.interfaces.cli.live_view import watch_mission
        from frasier.interfaces.cli.run_result import present_outcome
        from frasier.interfaces.cli.shutdown_signals import stop_on_signals

        found = await services.in_transaction(find_mission, mission)
        stop = stop_on_signals()
        progress = await watch_mission(services, found.id, stop=stop, quiet=as_json, elsewhere=True)
        return present_outcome(progress, as_json=as_json, interrupted=stop.is_set(), elsewhere=True)

    raise typer.Exit(with_services(context, work))


async def see_through(services: Services, mission_id: UUID, *, as_json: bool, ended: bool = False) -> int:
    """Work until the mission has ended or waits for the founder; return the exit code.

    At a terminal the founder is asked there about a plan, and what a directive means, and the work goes on. If the
    mission had `ended` before, only carry out its pending announcements.
    """
    from frasier.interfaces.cli.live_view import watch_mission
    from frasier.interfaces.cli.plan_dialogue import answer_at_terminal, can_ask
    from frasier.interfaces.cli.run_result import present_ended, present_outcome
    from frasier.interfaces.cli.shutdown_signals import stop_on_signals
    from frasier.org.improvement import evaluations_are_to_come
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
            code = present_outcome(progress, as_json=as_json, interrupted=stop.is_set())
            if (
                progress.over
                and not as_json
                and await services.in_transaction(evaluations_are_to_come, mission_id)
            ):
                typer.echo(EVALUATIONS_TO_COME)
            return code
