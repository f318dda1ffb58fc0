"""`frasier routine`: hold a stand-up, and read team routines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.operation_command import operation_command
from frasier.interfaces.cli.output import Column, Page, ago, fixed, short, usd
from frasier.interfaces.cli.run_operation import call_organisation
from frasier.interfaces.cli.run_operation import show as show_answer
from frasier.interfaces.cli.with_services import JsonOption, with_services
from frasier.interfaces.operations.organisation.routines import (
    GET,
    LIST,
    STAND_UP,
    RoutineListOutput,
    RoutineOutput,
)

if TYPE_CHECKING:
    from frasier.interfaces.services import Services
    from frasier.overview import RoutineSummary

TeamOption = Annotated[str, typer.Option("--team", help="A team's id or name; everybody, if not said.")]
_EVERY_S = 0.2


def stand_up(context: typer.Context, team: TeamOption = "", as_json: JsonOption = False) -> None:
    """Hold today's stand-up, and show what was said. None is held where nothing has happened since the last one."""

    async def work(services: Services) -> int:
        from frasier.interfaces.cli.shutdown_signals import pause, stop_on_signals

        stop = stop_on_signals()
        services.check_settings()
        call = await call_organisation(services)
        held = await call(STAND_UP, {"team": team})
        routine = held.data.routine
        if routine is None:
            show_answer(held, lambda _page, _data: None, as_json=as_json, summary=True)
            return 0
        arguments = {"routine": str(routine.routine)}
        # Stand-ups only: this process ends with it, and must not leave paid work of others half done.
        async with services.running(only="stand_up"):
            while _goes_on((await call(GET, arguments)).data.routine):
                if await pause(stop, _EVERY_S):
                    return 130
        show_answer(await call(GET, arguments), draw_routine, as_json=as_json)
        return 0

    raise typer.Exit(with_services(context, work, any_actor=True))


@operation_command(LIST, boards=True)
def list_(page: Page, data: RoutineListOutput) -> None:
    """List the newest routines with their cost and outcome."""
    if not data.routines:
        page.line("No routine has been held yet. `frasier policy show routines` says when they are.")
    page.table(
        [
            fixed("id"),
            fixed("kind"),
            "about",
            fixed("outcome"),
            Column("cost", fixed=True, right=True),
            fixed("held"),
        ],
        [
            (
                short(one.routine),
                _words(one.kind),
                one.subject,
                _outcome(one),
                usd(one.cost_usd),
                ago(one.created_at),
            )
            for one in data.routines
        ],
    )


@operation_command(GET, boards=True)
def show(page: Page, data: RoutineOutput) -> None:
    """Show a routine: who said what, what it cost, its outcome, and what became of it."""
    draw_routine(page, data)


def draw_routine(page: Page, data: RoutineOutput) -> None:
    """Draw a routine with its transcript."""
    one = data.routine
    page.line((one.subject, "bold"))
    facts: list[Any] = [_words(one.kind), one.state, usd(one.cost_usd), ago(one.created_at)]
    page.line(("  ·  ".join(facts), "dim"))
    for turn in data.transcript:
        page.heading(f"{turn.name}, {turn.title}")
        page.prose(turn.said)
    page.heading(f"Outcome: {_outcome(one)}")
    page.prose(one.result or "none yet")
    if one.effect:
        page.line((one.effect, "dim"))


def _goes_on(routine: RoutineSummary) -> bool:
    return routine.ended_at is None and routine.state in {"pending", "active"}


def _outcome(routine: RoutineSummary) -> str:
    return routine.outcome or routine.state


def _words(kind: str) -> str:
    return kind.replace("_", "-")
