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


_WAITS_MAX = 1_000

_Answers: TypeAlias = tuple[tuple[str, str], ...]
_Told: TypeAlias = Mapping[UUID, tuple[int, tuple[Notice, ...], _Answers]]
"""Tasks with the version, the notices and the founder's answers by decision that somebody was told of."""


@dataclass(slots=True)
class ToldNotices:
    """The notices that each actor got from its last wait on the same boards in this process: the same do not end the
    next one at once.
    """

    _of_waits: dict[tuple[str, frozenset[str]], _Told] = field(default_factory=dict)

    def news(self, actor: Actor, boards: Collection[str], waiting: _Told) -> Collection[UUID]:
        """Return the tasks of which the actor was not told as they are now."""
        told = self._of_waits.get((actor.name, frozenset(boards)), {})
        return {task_id for task_id, notices in waiting.items() if told.get(task_id) != notices}

    def tell(self, actor: Actor, boards: Collection[str], waiting: _Told) -> None:
        """Remember what the actor was told; whoever has not waited for longest is forgotten."""
        wait = (actor.name, frozenset(boards))
        self._of_waits.pop(wait, None)
        self._of_waits[wait] = waiting
        if len(self._of_waits) > _WAITS_MAX:
            del self._of_waits[next(iter(self._of_waits))]


async def wait_for_work(
    database: Database,
    url: str,
    actor: Actor,
    boards: Collection[str] = (),
    *,
    timeout_s: float,
    limit: int,
    told_notices: ToldNotices,
) -> Sequence[tuple[Card, Sequence[Notice]]]:
    """Return what `actor` should look at as soon as anything is there that is news after the wait before; after
    `timeout_s` return all that there is. News comes first, and only the first `limit` count as told.

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
            seen = {card.task.id: _seen(card, why) for card, why in waiting}
            remaining = deadline - time.monotonic()
            news = told_notices.news(actor, boards, seen)
            if remaining <= 0 or news:
                waiting.sort(key=lambda one: one[0].task.id not in news)
                untold = {card.task.id for card, _ in waiting[limit:]} & set(news)
                told_notices.tell(
                    actor, boards, {one: notices for one, notices in seen.items() if one not in untold}
                )
                return [(card, [one for one in why if one is not Notice.HELD]) for card, why in waiting]
            if listener is None:
                # It gives a hint as soon as it listens: what happens meanwhile is looked at then.
                listener = await stack.enter_async_context(NotifyListener(url, READY_CHANNEL))
            await listener.wait(min(remaining, _LOOK_EVERY_S))


def _seen(card: Card, why: Sequence[Notice]) -> tuple[int, tuple[Notice, ...], _Answers]:
    answers = sorted((str(one["decision"]), one["answer"] or "") for one in card.asked)
    return card.task.version, tuple(why), tuple(answers)
