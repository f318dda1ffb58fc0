"""Required commands: those that must have ended well before a move of a board."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from frasier.board.commands.declare import StoredCommand, command_of
from frasier.store import Statements, Tx

_sql = Statements("frasier.board.commands")


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredCommand:
    """A command that is run when somebody makes `move`; while it is switched off, nobody makes that move."""

    move: str
    stored: StoredCommand

    @property
    def name(self) -> str:
        return self.stored.command.name


async def required_commands(tx: Tx, board_id: UUID, move: str | None = None) -> list[RequiredCommand]:
    """List the required commands of a move on the board; of all moves if none is named."""
    rows = await _sql.all(tx, "required", board_id=board_id, move=move)
    return [RequiredCommand(move=row.pop("move"), stored=command_of(row)) for row in rows]


async def store_requirement(tx: Tx, board_id: UUID, name: str, move: str, *, by: str) -> bool:
    """Store the requirement; return whether it is new."""
    return await _sql.maybe(tx, "require", board_id=board_id, name=name, move=move, by=by) is not None


async def delete_requirement(tx: Tx, board_id: UUID, name: str, move: str) -> bool:
    """Delete the requirement; return whether there was one."""
    return await _sql.maybe(tx, "waive", board_id=board_id, name=name, move=move) is not None
