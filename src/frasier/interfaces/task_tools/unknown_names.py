"""What a list can be chosen by: a word that no process has is a slip, and no empty board."""

from __future__ import annotations

import difflib
from collections.abc import Collection

from frasier.board import board_processes
from frasier.kernel.errors import InvalidInput
from frasier.workflow import BLOCKED


def refuse_unknown(*, status: str | None, role: str | None, process: str | None) -> None:
    """Raises InvalidInput for a status, a role or a process that no board's process has."""
    known = board_processes().values()
    _refuse("status", status, {name for one in known for name in one.statuses} | {BLOCKED})
    _refuse("role", role, {name for one in known for name in one.roles})
    _refuse("process", process, {one.name for one in known})


def _refuse(what: str, given: str | None, known: Collection[str]) -> None:
    if given is None or given in known:
        return
    close = difflib.get_close_matches(given.lower(), known, n=1)
    meant = f"Did you mean {close[0]}? " if close else ""
    raise InvalidInput(
        f"There is no {what} {given!r}.",
        hint=f"{meant}There are {', '.join(sorted(known))}.",
    )
