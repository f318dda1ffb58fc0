"""Which commands of a project must have ended well before a move is made."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from frasier.board.commands.declare import KeptCommand, kept_command
from frasier.store import Statements, Tx

_sql = Statements("frasier.board.commands")


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredCommand:
    """A command that is run when somebody makes `move`; while it is switched off, nobody makes that move."""

    move: str
    kept: KeptCommand

    @property
    def name(self) -> str:
        return self.kept.command.name


async def required_commands(tx: Tx, project_id: UUID, move: str | None = None) -> list[RequiredCommand]:
    """What a move of the project requires; what all of its moves do, where none is named."""
    rows = await _sql.all(tx, "required", project_id=project_id, move=move)
    return [RequiredCommand(move=row.pop("move"), kept=kept_command(row)) for row in rows]


async def keep_requirement(tx: Tx, project_id: UUID, name: str, move: str, *, by: str) -> bool:
    """Keeps it; returns whether it is new."""
    return await _sql.maybe(tx, "require", project_id=project_id, name=name, move=move, by=by) is not None


async def drop_requirement(tx: Tx, project_id: UUID, name: str, move: str) -> bool:
    """Takes it back; returns whether there was one."""
    return await _sql.maybe(tx, "waive", project_id=project_id, name=name, move=move) is not None
