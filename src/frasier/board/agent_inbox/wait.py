"""Waiting until there is something to do: woken by a hint, and by the clock where the hint is lost."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence

from frasier.board.agent_inbox.inbox import Card, Notice, calls_for, cards, notices
from frasier.store import Database, NotifyListener
from frasier.workflow import READY_CHANNEL, Actor

_LOOK_EVERY_S = 5.0


async def wait_for_work(
    database: Database, url: str, actor: Actor, projects: Collection[str] = (), *, timeout_s: float
) -> Sequence[tuple[Card, Sequence[Notice]]]:
    """What `actor` should look at, as soon as there is anything; empty when `timeout_s` have passed without.

    `url` reaches the server directly, past any pooler.
    """
    deadline = time.monotonic() + timeout_s
    async with NotifyListener(url, READY_CHANNEL) as wakeup:
        while True:
            async with database.transaction() as tx:
                found = [
                    (card, why)
                    for card in await cards(tx, projects, concerning=actor)
                    if calls_for(
                        why := [one for one in notices(card, actor) if one is not Notice.HELD], actor
                    )
                ]
            left = deadline - time.monotonic()
            if found or left <= 0:
                return found
            await wakeup.wait(min(left, _LOOK_EVERY_S))
