"""`frasier pause`, `cancel` and `retry`: the founder's control of a mission."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.completion import complete_mission_or_step
from frasier.interfaces.cli.output import show_done
from frasier.interfaces.cli.run_operation import ask_organisation
from frasier.interfaces.cli.waiting import how_to_go_on
from frasier.interfaces.cli.with_services import JsonOption, MissionArgument, NoteOption

if TYPE_CHECKING:
    from frasier.interfaces.operations.organisation.runs import MissionStateOutput

TargetArgument = Annotated[
    str,
    typer.Argument(
        metavar="TARGET",
        help="A mission, or a step as MISSION/KEY or by its id.",
        autocompletion=complete_mission_or_step,
    ),
]


def pause(
    context: typer.Context, mission: MissionArgument, note: NoteOption = "", as_json: JsonOption = False
) -> None:
    """Pause a mission. A running step stops at its next checkpoint, and nothing is lost."""
    from frasier.interfaces.operations.organisation.runs import PAUSE

    paused = ask_organisation(context, PAUSE, {"mission": mission, "note": note})
    _show(paused, f"`frasier resume {_end(paused)}` goes on with it.", as_json=as_json)


def cancel(
    context: typer.Context, mission: MissionArgument, note: NoteOption = "", as_json: JsonOption = False
) -> None:
    """Cancel a mission. What it made is kept."""
    from frasier.interfaces.operations.organisation.runs import CANCEL

    cancelled = ask_organisation(context, CANCEL, {"mission": mission, "note": note})
    _show(cancelled, f"`frasier retry {_end(cancelled)}` takes it up again.", as_json=as_json)


def retry(
    context: typer.Context, target: TargetArgument, note: NoteOption = "", as_json: JsonOption = False
) -> None:
    """Try a mission or a step again. Every part that failed, was cancelled or is blocked."""
    from frasier.interfaces.operations.organisation.runs import RETRY

    retried = ask_organisation(context, RETRY, {"mission": target, "note": note})
    then = how_to_go_on(retried.mission) if retried.mission and not retried.attended else ""
    _show(retried, then, as_json=as_json)


def _end(state: MissionStateOutput) -> str:
    return str(state.mission)[-8:]


def _show(state: MissionStateOutput, then: str, *, as_json: bool) -> None:
    facts = (
        {"mission": state.mission, "title": state.title, "status": state.status}
        if state.mission
        else {"mission": None}
    )
    document = {**facts, "done": list(state.done), "next": then}
    show_done("\n".join(filter(None, [*state.done, then])), document, as_json=as_json)
