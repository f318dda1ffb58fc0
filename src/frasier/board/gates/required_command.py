"""What the founder requires of a project's move: a declared command ended well, on the work as it is, where it is."""

from __future__ import annotations

from frasier.board.commands import Ended, RequiredCommand, required_commands
from frasier.board.evidence import Evidence, newest_run, work_digest
from frasier.kernel.advice import Advice
from frasier.kernel.errors import TransitionRefused
from frasier.kernel.text import shorten
from frasier.store import Tx
from frasier.workflow import MoveRequest

_TAIL_CHARS = 200


class CommandRequired(TransitionRefused):
    """A command that the founder requires for the move has not ended well."""

    code = "command_required"


async def check_required(tx: Tx, request: MoveRequest) -> None:
    """Raises CommandRequired that names every command of which the proof is missing, and what to do."""
    closed: list[str] = []
    advice: list[Advice] = []
    mendable = False
    for one in await required_commands(tx, request.task.group_id, request.rule.name):
        if missing := await unproved(tx, request, one):
            closed.append(missing)
            mendable = mendable or one.kept.enabled
            advice += _advice(request, one)
    if closed:
        raise CommandRequired(
            f"{request.rule.name} of {request.task.slug} requires what has not been shown: {'; '.join(closed)}.",
            kept=f"{request.task.slug} is unchanged.",
            hint="Fix what the command found, and make the move again: it is run anew." if mendable else "",
            advice=advice,
        )


async def unproved(tx: Tx, request: MoveRequest, one: RequiredCommand) -> str:
    """What is missing of a required command, as a part of a sentence; empty where it ended well and still counts.

    A run counts for the work that it was made on, in the position that the task then was in, and for the command as it
    is declared: whoever declares another program under its name has that one run.
    """
    if not one.kept.enabled:
        return f"{one.name} is switched off, so nobody can {one.move}"
    run = await newest_run(tx, request.task.id, one.name)
    if run is None or run.began_at is None or run.began_at < request.task.since:
        return f"{one.name} was not run since {request.task.slug} is {request.task.status}"
    if run.began_at < one.kept.declared_at:
        return f"{one.name} was declared anew after it ran"
    if run.work != work_digest(request.task.definition, request.after):
        return f"the work was changed after {one.name} ran"
    return _ended_badly(run)


def _ended_badly(run: Evidence) -> str:
    found = run.found
    if found["ended"] != Ended.EXITED:
        return f"{run.subject} did not end by itself ({found['ended'].replace('_', ' ')})"
    if found["exit_code"] != 0:
        lines = [line for line in str(found.get("tail", "")).splitlines() if line.strip()]
        said = f" ({shorten(lines[-1].strip(), _TAIL_CHARS)})" if lines else ""
        return f"{run.subject} ended with exit code {found['exit_code']}{said}"
    return ""


def _advice(request: MoveRequest, one: RequiredCommand) -> list[Advice]:
    if one.kept.enabled:
        return [Advice("task.history", to="see its runs", task=request.task.slug)]
    return [
        Advice("command.enable", to=f"switch {one.name} on", name=one.name),
        Advice("command.waive", to="take the requirement back", name=one.name, move=one.move),
    ]
