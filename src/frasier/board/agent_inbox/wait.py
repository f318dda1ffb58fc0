"""Wait until there is something to do: woken by a notification, and by a timer if the notification is lost."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence

from frasier.board.agent_inbox.inbox import Card, Notice, calls_for, cards, notices
from frasier.store import Database, NotifyListener
from frasier.workflow import READY_CHANNEL, Actor

_LOOK_EVERY_S = 5.0


async def wait_for_work(
    database: Database, url: str, actor: Actor, boards: Collection[str] = (), *, timeout_s: float
) -> Sequence[tuple[Card, Sequence[Notice]]]:
    """Return what `actor` should look at as soon as there is anything; empty after `timeout_s` without.

    `url` reaches the server directly, past any pooler.
    """
    deadline = time.monotonic() + timeout_s
    async with NotifyListener(url, READY_CHANNEL) as listener:
        while True:
            async with database.transaction() as tx:
                waiting = [
                    (card, why)
                    for card in await cards(tx, boards, concerning=actor)
                    if calls_for(
                        why := [one for one in notices(card, actor) if one is not Notice.HELD], actor
                    )
                ]
            remaining = deadline - time.monotonic()
            if waiting or remaining <= 0:
                return waiting
            await listener.wait(min(remaining, _LOOK_EVERY_S))
