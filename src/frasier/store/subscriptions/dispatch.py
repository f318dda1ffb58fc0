"""Turn events into effects: one for each subscription whose kinds match, in the order of the events."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.fault_points import fault_point
from frasier.kernel.ids import new_id
from frasier.kernel.text import canonical_json
from frasier.store.database import Database
from frasier.store.deferred import Tx
from frasier.store.event_kinds import matches_kind
from frasier.store.events import Event, EventCursor, read_events_after_stored
from frasier.store.sql_statements import Statements

_sql = Statements("frasier.store")

WAITING_MAX = 1_000
"""The effects of a subscription that may wait; further events stay in the log until some are delivered."""

_PAGE = 200

GroupsOf = Callable[[Tx, Collection[UUID]], Awaitable[Mapping[UUID, UUID]]]
"""Find the group (mission or board) of those streams that are tasks."""

NamesOf = Callable[[Tx, Collection[UUID]], Awaitable[Mapping[UUID, str]]]
"""Find the names of those groups that are boards."""


@dataclass(frozen=True, slots=True)
class EventSubjects:
    """Finds what events are about, which lower slices do not know."""

    groups_of: GroupsOf
    board_names: NamesOf

    async def read(self, tx: Tx, events: Collection[Event]) -> Mapping[UUID, EventSubject]:
        """Return the subject of each stream of the events."""
        streams = {event.stream for event in events}
        groups = await self.groups_of(tx, streams)
        of_streams = {stream: groups.get(stream, stream) for stream in streams}
        names = await self.board_names(tx, set(of_streams.values()))
        return {stream: EventSubject(group, names.get(group)) for stream, group in of_streams.items()}


@dataclass(frozen=True, slots=True)
class EventSubject:
    """The mission or board that an event is about; `board` is the name of a board."""

    group: UUID
    board: str | None


async def dispatch_events(database: Database, subjects: EventSubjects) -> int:
    """Turn the new events into effects of each active subscription; return the number of effects.

    The cursor of a subscription moves in the transaction that stores its effects, whose keys name the event: a crash
    loses none, and none is stored twice.
    """
    async with database.transaction() as tx:
        subscriptions = [row["id"] for row in await _sql.all(tx, "due_subscriptions")]
    added = 0
    for subscription in subscriptions:
        while True:
            async with database.transaction() as tx:
                read, effects = await _dispatch_page(tx, subscription, subjects)
                if read:
                    fault_point("subscription.before_commit")
            added += effects
            if read:
                fault_point("subscription.committed")
            if read < _PAGE:
                break
    return added


async def _dispatch_page(tx: Tx, subscription: UUID, subjects: EventSubjects) -> tuple[int, int]:
    """Read a page of events for a subscription; return their number, and that of the effects."""
    taken = await _sql.maybe(tx, "take_subscription", id=subscription)
    if taken is None or taken["waiting"] >= WAITING_MAX:
        return 0, 0
    cursor = EventCursor(taken["epoch"], taken["xid"], taken["event_id"])
    events, after = await read_events_after_stored(tx, cursor, limit=_PAGE)
    if after == cursor:
        return 0, 0
    wanted = [event for event in events if matches_kind(event.kind, taken["kinds"])]
    if wanted:
        await _add_effects(tx, taken, wanted, await subjects.read(tx, wanted))
    await _sql.run(
        tx,
        "advance_cursor",
        id=subscription,
        epoch=after.epoch,
        xid=after.xid,
        event_id=after.id,
        effects=taken["effects"] + len(wanted),
    )
    # Having passed from one epoch to the next counts as a whole page: there may be more.
    return len(events) or _PAGE, len(wanted)


async def _add_effects(
    tx: Tx, taken: DictRow, events: list[Event], subjects: Mapping[UUID, EventSubject]
) -> None:
    first = taken["effects"] + 1
    await _sql.run(
        tx,
        "add_effects",
        subscription_id=taken["id"],
        kind=taken["kind"],
        ids=[new_id() for _ in events],
        keys=[f"{taken['kind']}:{taken['id']}:{event.id}" for event in events],
        streams=[subjects[event.stream].group for event in events],
        payloads=[canonical_json(_payload(event, subjects[event.stream])) for event in events],
        places=list(range(first, first + len(events))),
    )


def _payload(event: Event, subject: EventSubject) -> dict[str, Any]:
    """Build what a subscriber is sent: the event, and the mission or board that it is about."""
    return {
        "type": event.kind,
        "timestamp": event.at.isoformat(),
        "data": {
            "cursor": event.cursor,
            "group": str(subject.group),
            **({"board": subject.board} if subject.board else {}),
            "stream": str(event.stream),
            "seq": event.seq,
            "actor": event.actor,
            "payload": event.payload,
        },
    }
