"""Refuse filters that no process knows: such a word is a slip, not an empty board."""

from __future__ import annotations

import difflib
from collections.abc import Collection

from frasier.board import board_processes
from frasier.kernel.errors import InvalidInput
from frasier.workflow import BLOCKED


def refuse_unknown(*, status: str | None, role: str | None, process: str | None) -> None:
    """Raise InvalidInput for a status, a role or a process that no board's process has."""
    known = board_processes().values()
    _refuse("status", status, {name for one in known for name in one.statuses} | {BLOCKED})
    _refuse("role", role, {name for one in known for name in one.roles})
    _refuse("process", process, {one.name for one in known})


def _refuse(what: str, word: str | None, known: Collection[str]) -> None:
    if word is None or word in known:
        return
    close = difflib.get_close_matches(word.lower(), known, n=1)
    meant = f"Did you mean {close[0]}? " if close else ""
    raise InvalidInput(
        f"There is no {what} {word!r}.",
        hint=f"{meant}There are {', '.join(sorted(known))}.",
    )
