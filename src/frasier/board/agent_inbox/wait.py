"""Wait until there is something to do: woken by a notification, and by a timer if the notification is lost."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TypeAlias
from uuid import UUID

from frasier.board.agent_inbox.inbox import Card, Notice, calls_for, current_cards, notices
from frasier.store import Database, NotifyListener
from frasier.workflow import READY_CHANNEL, Actor

_LOOK_EVERY_S = 5.0


_ACTORS_MAX = 1_000

_Told: TypeAlias = Mapping[UUID, tuple[int, tuple[Notice, ...]]]
"""Tasks with the version and the notices that somebody was told of."""


@dataclass(slots=True)
class ToldNotices:
    """The notices that each actor got from its last wait in this process: the same do not end the next one at once."""

    _of_actors: dict[str, _Told] = field(default_factory=dict)

    def is_news(self, actor: Actor, waiting: _Told) -> bool:
        """Tell whether something waits that the actor was not told of as it is now."""
        told = self._of_actors.get(actor.name, {})
        return any(told.get(task_id) != notices for task_id, notices in waiting.items())

    def tell(self, actor: Actor, waiting: _Told) -> None:
        """Remember what the actor is told; whoever has not waited for longest is forgotten."""
        self._of_actors.pop(actor.name, None)
        self._of_actors[actor.name] = waiting
        if len(self._of_actors) > _ACTORS_MAX:
            del self._of_actors[next(iter(self._of_actors))]


async def wait_for_work(
    database: Database,
    url: str,
    actor: Actor,
    boards: Collection[str] = (),
    *,
    timeout_s: float,
    news: ToldNotices,
) -> Sequence[tuple[Card, Sequence[Notice]]]:
    """Return what `actor` should look at as soon as anything is there that is news after the wait before; after
    `timeout_s` return all that there is.

    `url` reaches the server directly, past any pooler. A connection is opened for listening only if there is nothing.
    """
    deadline = time.monotonic() + timeout_s
    async with AsyncExitStack() as stack:
        listener: NotifyListener | None = None
        while True:
            async with database.transaction() as tx:
                waiting = [
                    (card, why)
                    for card in await current_cards(tx, boards, concerning=actor)
                    if calls_for(why := notices(card, actor), actor)
                ]
            seen = {card.task.id: (card.task.version, tuple(why)) for card, why in waiting}
            remaining = deadline - time.monotonic()
            if remaining <= 0 or news.is_news(actor, seen):
                news.tell(actor, seen)
                return [(card, [one for one in why if one is not Notice.HELD]) for card, why in waiting]
            if listener is None:
                # It gives a hint as soon as it listens: what happens meanwhile is looked at then.
                listener = await stack.enter_async_context(NotifyListener(url, READY_CHANNEL))
            await listener.wait(min(remaining, _LOOK_EVERY_S))
