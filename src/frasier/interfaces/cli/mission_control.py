"""`frasier pause`, `cancel` and `retry`: the founder's control of a mission."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from frasier.interfaces.cli.completion import complete_mission_or_step
from frasier.interfaces.cli.output import show_done
from frasier.interfaces.cli.waiting import how_to_go_on
from frasier.interfaces.cli.with_services import JsonOption, MissionArgument, NoteOption, in_transaction

if TYPE_CHECKING:
    from frasier.org.planning import Mission

TargetArgument = Annotated[
    str,
    typer.Argument(
        help="A mission, or a step as MISSION/KEY or by its id.", autocompletion=complete_mission_or_step
    ),
]


def pause(
    context: typer.Context, mission: MissionArgument, note: NoteOption = "", as_json: JsonOption = False
) -> None:
    """Pause a mission. A running step stops at its next checkpoint, and nothing is lost."""
    from frasier.org.planning import pause_named

    paused = in_transaction(context, pause_named, mission, reason=note)
    message = f"The mission {paused.title!r} is paused."
    _show(paused, [message], f"`frasier resume {str(paused.id)[-8:]}` goes on with it.", as_json=as_json)


def cancel(
    context: typer.Context, mission: MissionArgument, note: NoteOption = "", as_json: JsonOption = False
) -> None:
    """Cancel a mission. What it made is kept."""
    from frasier.org.planning import cancel_named

    cancelled = in_transaction(context, cancel_named, mission, reason=note)
    message = f"The mission {cancelled.title!r} is cancelled; what it made is kept."
    _show(
        cancelled, [message], f"`frasier retry {str(cancelled.id)[-8:]}` takes it up again.", as_json=as_json
    )


def retry(
    context: typer.Context, target: TargetArgument, note: NoteOption = "", as_json: JsonOption = False
) -> None:
    """Try a mission or a step again. Every part that failed, was cancelled or is blocked."""
    from frasier.org.planning import retry_named

    retried = in_transaction(context, retry_named, target, note=note)
    mission = retried.mission
    then = how_to_go_on(mission.id) if mission and retried.unattended else ""
    _show(mission, list(retried.done), then, as_json=as_json)


def _show(mission: Mission | None, messages: list[str], then: str, *, as_json: bool) -> None:
    facts = (
        {"mission": mission.id, "title": mission.title, "status": mission.status}
        if mission
        else {"mission": None}
    )
    document = {**facts, "done": messages, "next": then}
    show_done("\n".join(filter(None, [*messages, then])), document, as_json=as_json)
