"""The founder requires a declared command for a move of a project's tasks, and takes that back."""

from __future__ import annotations

from uuid import UUID

from frasier.board.board_processes import board_processes
from frasier.board.commands import KeptCommand, drop_requirement, keep_requirement, known_command
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotAllowed
from frasier.store import Tx, append_event
from frasier.workflow import Actor, ActorKind, Process, Transition


async def require_command(tx: Tx, project_id: UUID, name: str, move: str, *, actor: Actor) -> KeptCommand:
    """From now on `move` wants the command to have ended with 0: whoever makes the move has it run. Only the founder
    may.

    Raises NotFound for a command that is not declared, InvalidInput for what is no move, or one that must always be
    possible.
    """
    _founder_only(actor)
    _check_move(move)
    kept = await known_command(tx, project_id, name)
    if await keep_requirement(tx, project_id, name, move, by=str(actor)):
        await _record(tx, project_id, "required", name, move, actor)
    return kept


async def waive_command(tx: Tx, project_id: UUID, name: str, move: str, *, actor: Actor) -> KeptCommand:
    """Takes the requirement back. Only the founder may; raises NotFound, and InvalidInput where there is none."""
    _founder_only(actor)
    kept = await known_command(tx, project_id, name)
    if not await drop_requirement(tx, project_id, name, move):
        raise InvalidInput(
            f"{name} is not required for {move[:60]!r}.",
            kept="Nothing was changed.",
            advice=Advice("command.list", to="see what is required for which move"),
        )
    await _record(tx, project_id, "waived", name, move, actor)
    return kept


def _check_move(move: str) -> None:
    """Nothing that ends a pause, a lease or a mistake may hang on a program: neither what the engine makes by itself,
    nor what takes a task or sends it back.
    """
    moves = sorted(
        {
            rule.name
            for process in board_processes().values()
            for rule in process.transitions.values()
            if _can_wait(process, rule)
        }
    )
    if move not in moves:
        raise InvalidInput(
            f"Nothing can be required for {move[:60]!r}.",
            kept="Nothing was changed.",
            hint=f"It can be for {', '.join(moves)}.",
        )


def _can_wait(process: Process, rule: Transition) -> bool:
    engines_own = rule.actors & {ActorKind.SYSTEM} or rule.name == process.claim
    return not (engines_own or rule.strike or rule.reopens)


async def _record(tx: Tx, project_id: UUID, what: str, name: str, move: str, actor: Actor) -> None:
    payload = {"command": name, "move": move}
    await append_event(tx, stream=project_id, kind=f"command.{what}", actor=str(actor), payload=payload)


def _founder_only(actor: Actor) -> None:
    if actor.kind is not ActorKind.FOUNDER:
        raise NotAllowed(
            f"{actor.person} may not say what a move requires.",
            kept="Nothing was changed.",
            hint="Only the founder may.",
        )
