"""Required commands of a move: each must have ended with exit code 0 on the work as it is, at the task's position."""

from __future__ import annotations

from frasier.board.commands.requirements import RequiredCommand, required_commands
from frasier.board.commands.run_result import RunEnd
from frasier.board.evidence.records import Evidence, newest_run
from frasier.board.evidence.work_digest import work_digest
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
    """Raise CommandRequired that names every command without a valid run, and what to do."""
    closed: list[str] = []
    advice: list[Advice] = []
    can_be_fixed = False
    for required in await required_commands(tx, request.task.group_id, request.rule.name):
        if missing := await missing_proof(tx, request, required):
            closed.append(missing)
            can_be_fixed = can_be_fixed or required.stored.enabled
            advice += _advice(request, required)
    if closed:
        raise CommandRequired(
            f"{request.rule.name} of {request.task.slug} requires what has not been shown: {'; '.join(closed)}.",
            kept=f"{request.task.slug} is unchanged.",
            hint="Fix what the command found, and make the move again, which runs it again."
            if can_be_fixed
            else "",
            advice=advice,
        )


async def missing_proof(tx: Tx, request: MoveRequest, required: RequiredCommand) -> str:
    """Return what a required command lacks, as a part of a sentence; empty if it ended well and that still counts.

    A run counts for the work that it was made on, at the position that the task then had, and for the command as it is
    declared: whoever declares another program under its name has that one run.
    """
    if not required.stored.enabled:
        return f"{required.name} is switched off, so nobody can {required.move}"
    run = await newest_run(tx, request.task.id, required.name)
    if run is None or run.began_at is None or run.began_at < request.task.since:
        return f"{required.name} was not run since {request.task.slug} is {request.task.status}"
    if run.began_at < required.stored.declared_at:
        return f"{required.name} was declared again after it ran"
    if run.work != work_digest(request.task.definition, request.after):
        return f"the work was changed after {required.name} ran"
    return _ended_badly(run)


def _ended_badly(run: Evidence) -> str:
    facts = run.found
    if facts["ended"] != RunEnd.EXITED:
        return f"{run.subject} did not end by itself ({facts['ended'].replace('_', ' ')})"
    if facts["exit_code"] != 0:
        lines = [line for line in str(facts.get("tail", "")).splitlines() if line.strip()]
        last_line = f" ({shorten(lines[-1].strip(), _TAIL_CHARS)})" if lines else ""
        return f"{run.subject} ended with exit code {facts['exit_code']}{last_line}"
    return ""


def _advice(request: MoveRequest, required: RequiredCommand) -> list[Advice]:
    if required.stored.enabled:
        return [Advice("task.history", to="see its runs", task=request.task.place)]
    board = str(request.task.fields["board"])
    return [
        Advice("command.enable", to=f"switch {required.name} on", name=required.name, board=board),
        Advice(
            "command.waive",
            to="take the requirement back",
            name=required.name,
            move=required.move,
            board=board,
        ),
    ]
