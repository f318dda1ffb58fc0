"""Require a declared command for a move of a board's tasks, and waive it."""

from __future__ import annotations

from uuid import UUID

from frasier.board.board_processes import board_processes
from frasier.board.boards import founder_only
from frasier.board.commands.declare import StoredCommand, get_command
from frasier.board.commands.requirements import delete_requirement, store_requirement
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput
from frasier.store import Tx, append_event
from frasier.workflow import Actor, ActorKind, Process, Transition


async def require_command(tx: Tx, board_id: UUID, name: str, move: str, *, actor: Actor) -> StoredCommand:
    """Require that the command ends with exit code 0 before `move`: whoever makes the move has it run. Only the founder
    may.

    Raises NotFound for a command that is not declared, InvalidInput for an unknown move, or one that must always be
    possible.
    """
    founder_only(actor, "say what a move requires")
    _check_move(move)
    stored = await get_command(tx, board_id, name)
    if await store_requirement(tx, board_id, name, move, by=str(actor)):
        await _record(tx, board_id, "required", name, move, actor)
    return stored


async def waive_command(tx: Tx, board_id: UUID, name: str, move: str, *, actor: Actor) -> StoredCommand:
    """Take the requirement back. Only the founder may; raises NotFound, and InvalidInput if there is no requirement."""
    founder_only(actor, "say what a move requires")
    stored = await get_command(tx, board_id, name)
    if not await delete_requirement(tx, board_id, name, move):
        raise InvalidInput(
            f"{name} is not required for {move[:60]!r}.",
            kept="Nothing was changed.",
            advice=Advice("command.list", to="see what is required for which move"),
        )
    await _record(tx, board_id, "waived", name, move, actor)
    return stored


def _check_move(move: str) -> None:
    """Refuse moves that must never depend on a program: those that the engine makes by itself, and those that claim a
    task, send it back or open it again.
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
            hint=f"These moves can require a command: {', '.join(moves)}.",
        )


def _can_wait(process: Process, rule: Transition) -> bool:
    engines_own = rule.actors & {ActorKind.SYSTEM} or rule.name == process.claim
    return not (engines_own or rule.strike or rule.reopens)


async def _record(tx: Tx, board_id: UUID, what: str, name: str, move: str, actor: Actor) -> None:
    payload = {"command": name, "move": move}
    await append_event(tx, stream=board_id, kind=f"command.{what}", actor=str(actor), payload=payload)
