"""`frasier approve` and `frasier reject`: the founder's own verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from frasier.interfaces.cli.output import show_done
from frasier.interfaces.cli.waiting import how_to_go_on
from frasier.interfaces.cli.with_services import JsonOption, NoteOption, StepArgument, in_transaction

if TYPE_CHECKING:
    from frasier.org.planning import StepJudged


def approve(
    context: typer.Context, step: StepArgument, note: NoteOption = "", as_json: JsonOption = False
) -> None:
    """Approve a step's result yourself. Its open reviews are withdrawn, and what waits for it goes on."""
    from frasier.org.planning import approve_step

    _show(in_transaction(context, approve_step, step, reason=note), as_json=as_json)


def reject(
    context: typer.Context, step: StepArgument, note: NoteOption = "", as_json: JsonOption = False
) -> None:
    """Send a step's result back. Its author makes a new version, and is told your --reason."""
    from frasier.org.planning import reject_step

    _show(in_transaction(context, reject_step, step, reason=note), as_json=as_json)


def _show(judged: StepJudged, *, as_json: bool) -> None:
    then = how_to_go_on(judged.mission.id) if judged.unattended else ""
    document: dict[str, Any] = {
        "step": judged.task.id,
        "key": judged.task.slug,
        "status": judged.task.status,
        "version": judged.version,
        "mission": judged.mission.id,
        "mission_status": judged.mission.status,
        "done": judged.done,
        "next": then,
    }
    show_done("\n".join(filter(None, (judged.done, then))), document, as_json=as_json)
