"""Declared commands of a board: declare them, switch them on and off, and look them up."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import DictRow

from frasier.board.boards import founder_only
from frasier.board.commands.declared_command import (
    DeclaredCommand,
    check_command,
    check_folder,
    check_program,
)
from frasier.board.commands.run_result import RunResult
from frasier.kernel.advice import Advice
from frasier.kernel.errors import NotAllowed, NotFound
from frasier.kernel.text import canonical_json, shorten
from frasier.store import Statements, Tx, append_event, from_row, parameters_of
from frasier.workflow import Actor

_sql = Statements("frasier.board.commands")

# An event has room for 64 KiB, and a character takes up to six bytes as JSON.
_ARGUMENT_CHARS = 120
_FOLDER_CHARS = 400
# Options whose argument is a secret: `--password`, `--api-key`; also `-u` if its argument holds a password.
_NAMES_SECRET = re.compile(
    r"--?[\w-]*(?:password|passwd|passphrase|token|secret|credentials?|api-?key|auth) .*|(?:-u|--user) .*:.*",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCommand:
    """A stored command; it is run only while it is `enabled`."""

    command: DeclaredCommand
    enabled: bool
    declared_at: datetime


async def declare_command(tx: Tx, board_id: UUID, command: DeclaredCommand, *, actor: Actor) -> StoredCommand:
    """Store the command for a board, switched off, replacing one of the same name. Only the founder may.

    Raises InvalidInput if it could not be run, and says what is missing.
    """
    founder_only(actor, "declare commands")
    check_command(command)
    check_folder(command)
    check_program(command)
    row = await _sql.one(
        tx,
        "declare",
        board_id=board_id,
        **parameters_of(command) | {"arguments": list(command.arguments), "folder": str(command.folder)},
    )
    await _record(tx, board_id, "declared", command.name, actor, **_event_facts(command))
    return command_of(row)


async def switch_command(tx: Tx, board_id: UUID, name: str, *, enabled: bool, actor: Actor) -> StoredCommand:
    """Switch a command on or off. Only the founder may; raises NotFound."""
    founder_only(actor, "declare commands")
    row = await _sql.maybe(tx, "switch", board_id=board_id, name=name, enabled=enabled)
    if row is None:
        raise _unknown(name)
    await _record(tx, board_id, "enabled" if enabled else "disabled", name, actor)
    return command_of(row)


async def get_command(tx: Tx, board_id: UUID, name: str) -> StoredCommand:
    """Return the command, whether it is on or off. Raises NotFound."""
    row = await _sql.maybe(tx, "get", board_id=board_id, name=name)
    if row is None:
        raise _unknown(name)
    return command_of(row)


async def list_commands(tx: Tx, board_id: UUID) -> list[StoredCommand]:
    """List the commands of a board, by name."""
    return [command_of(row) for row in await _sql.all(tx, "list_commands", board_id=board_id)]


async def enabled_command(tx: Tx, board_id: UUID, name: str, *, board: str) -> DeclaredCommand:
    """Return the command of `board`, to be run. Raises NotFound if there is none, NotAllowed if it is switched off."""
    kept = await get_command(tx, board_id, name)
    if not kept.enabled:
        raise NotAllowed(
            f"The command {name} is switched off.",
            kept="Nothing was run.",
            advice=Advice("command.enable", to="switch it on", name=name, board=board),
        )
    return kept.command


def run_facts(ran: RunResult) -> dict[str, Any]:
    """Return the facts to record of a run."""
    return {
        "exit_code": ran.exit_code,
        "ended": ran.ended.value,
        "passed": ran.passed,
        "total": ran.total,
        "took_s": round(ran.took_s, 2),
        "why": "" if ran.all_passed else _why(ran),
        "tail": ran.tail,
    }


def _why(ran: RunResult) -> str:
    """Return the reason as a part of a sentence. Failed tests say more than how the command ended because of them."""
    if ran.total and ran.passed != ran.total:
        return f"{ran.passed} of {ran.total} tests passed"
    if ran.why:
        return ran.why.rstrip(".")
    return "there were no tests" if ran.total == 0 else "its tests could not be counted"


async def _record(tx: Tx, board_id: UUID, what: str, name: str, actor: Actor, **more: Any) -> None:
    await append_event(
        tx, stream=board_id, kind=f"command.{what}", actor=str(actor), payload={"command": name, **more}
    )


def _event_facts(command: DeclaredCommand) -> dict[str, Any]:
    """Return the facts to record of a command: its shortened arguments without secrets, and the digest of all
    arguments.
    """
    return {
        "arguments": [shorten(one, _ARGUMENT_CHARS) for one in _without_secrets(command.arguments)],
        "arguments_digest": hashlib.sha256(canonical_json(list(command.arguments)).encode()).hexdigest(),
        "folder": shorten(str(command.folder), _FOLDER_CHARS),
        "timeout_s": command.timeout_s,
        "memory_mb": command.memory_mb,
        "report": shorten(command.report, _FOLDER_CHARS),
    }


def _without_secrets(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the arguments without secrets: without what looks like one, and what follows an option named for one."""
    from frasier.kernel.redaction import redact  # noqa: PLC0415 (a board is shown without it)

    before = ""
    for argument in arguments:
        yield "[redacted]" if _NAMES_SECRET.fullmatch(f"{before} {argument}") else redact(argument)[0]
        before = argument


def _unknown(name: str) -> NotFound:
    return NotFound(
        f"There is no command {name[:60]!r} on this board.",
        kept="Nothing was run.",
        advice=Advice("command.declare", to="declare one"),
    )


def command_of(row: DictRow) -> StoredCommand:
    """Return the command that a row holds."""
    return StoredCommand(
        command=from_row(DeclaredCommand, row), enabled=row["enabled"], declared_at=row["declared_at"]
    )
