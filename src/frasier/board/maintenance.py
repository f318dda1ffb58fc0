"""Periodic jobs of boards: recover expired leases, and remind the founder of decisions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from frasier.board.board_processes import board_processes
from frasier.board.decisions.request import decisions_to_remind
from frasier.board.founder_notifications import NotifyFounder, about_reminder
from frasier.store import Database
from frasier.workflow import recover_expired

BoardUpkeep: TypeAlias = tuple[str, float, Callable[[], Awaitable[None]]]
"""A name, the seconds to wait between runs, and the job."""

_LEASES_EVERY_S = 15.0
_REMINDERS_EVERY_S = 300.0


def board_upkeep(database: Database, notify_founder: NotifyFounder) -> list[BoardUpkeep]:
    """Return the periodic jobs; each may run in several processes at once."""

    async def leases() -> None:
        async with database.transaction() as tx:
            await recover_expired(tx, list(board_processes()))

    async def reminders() -> None:
        async with database.transaction() as tx:
            for decision in await decisions_to_remind(tx):
                await notify_founder(tx, about_reminder(decision))

    return [("board-leases", _LEASES_EVERY_S, leases), ("board-decisions", _REMINDERS_EVERY_S, reminders)]
