"""The audit log: append-only, each stream chained by hash; see audit_seal."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.errors import InvalidInput, InvariantBroken, Stale
from frasier.kernel.limits import EVENT_PAYLOAD_BYTES_MAX
from frasier.kernel.text import canonical_json
from frasier.store.database import Database
from frasier.store.deferred import Tx
from frasier.store.sql_statements import Statements

_sql = Statements("frasier.store")

EVENTS_CHANNEL = "frasier_events"
"""The channel of PostgreSQL that `append_event` notifies."""

_MONTHS_AHEAD = 2
_CURSOR = re.compile(r"([0-9]{1,19})-([0-9]{1,19})-([0-9]{1,19})")
_BIGINT_MAX = 2**63 - 1


@dataclass(frozen=True, slots=True, order=True)
class EventCursor:
    """The position of a reader of all events: the transaction and the id of the last event read, in an epoch.

    Everything before `id` 1 of a transaction counts as read where `id` is 0. As text it is `epoch-xid-id`.
    """

    epoch: int
    xid: int = 0
    id: int = 0

    def __str__(self) -> str:
        return f"{self.epoch}-{self.xid}-{self.id}"

    @classmethod
    def parse(cls, text: str) -> EventCursor:
        """Read the text of a cursor; raise InvalidInput for any other text."""
        match = _CURSOR.fullmatch(text)
        if match is None or any(int(part) > _BIGINT_MAX for part in match.groups()):
            raise InvalidInput(
                "This is not a cursor of events.",
                kept="Nothing was read.",
                hint="Send one that came with events, unchanged, or none to begin with the newest.",
            )
        return cls(*map(int, match.groups()))


_TELLING = ("slug", "key", "title", "note", "reason", "question", "answer", "path")
"""Names of values in payloads that tell a reader what an event is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An entry of the audit log. `stream` is the task, mission or other subject to whose chain it belongs; its `cursor`
    is the text of the EventCursor from which a reader goes on after it.
    """

    id: int
    stream: UUID
    seq: int
    at: datetime
    kind: str
    actor: str
    payload: dict[str, Any]
    cursor: str

    @property
    def about(self) -> str:
        """The words of its payload that say what it is about, in a line."""
        words = (self.payload.get(name) for name in _TELLING)
        return " ".join(" — ".join(dict.fromkeys(str(word) for word in words if word)).split())


class EventEpochChanged(Stale):
    """The cursor is of another epoch: nothing tells which events of this database came after it."""

    code = "epoch_changed"


async def append_event(
    tx: Tx, *, stream: UUID, kind: str, actor: str, payload: Mapping[str, Any] | None = None
) -> None:
    """Append an event to `stream`. `payload` must be small: facts, not documents."""
    body = canonical_json(dict(payload or {}))
    if len(body.encode()) > EVENT_PAYLOAD_BYTES_MAX:
        raise InvariantBroken(f"the payload of event {kind} is larger than {EVENT_PAYLOAD_BYTES_MAX} bytes")
    _sql.defer(tx, "append_event", stream=stream, kind=kind, actor=actor, payload=body)


async def events_of(tx: Tx, stream: UUID) -> list[Event]:
    """Return every event of one stream, oldest first."""
    return [_event(row) for row in await _sql.all(tx, "events_of_stream", stream=stream)]


async def events_of_each(
    tx: Tx, streams: Collection[UUID], *, without: Collection[str] = ()
) -> dict[UUID, list[Event]]:
    """Return the events of each stream, oldest first, `without` the kinds that match one of these patterns."""
    events: dict[UUID, list[Event]] = {stream: [] for stream in streams}
    for row in await _sql.all(tx, "events_of_each", streams=list(streams), without=list(without)):
        events[row["stream"]].append(_event(row))
    return events


async def newest_events(
    tx: Tx,
    *,
    limit: int,
    streams: Collection[UUID] | None = None,
    before: EventCursor | None = None,
    before_id: int | None = None,
    kind: str | None = None,
    actor: str | None = None,
) -> list[Event]:
    """Return the newest `limit` events of all streams or of some, oldest first; or of those `before` a position.

    `before_id` is the event that a page of older ones ends before; `kind` and `actor` are how their names begin.
    """
    listed = None if streams is None else list(streams)
    bound = None if before is None else before.xid
    rows = await _sql.all(
        tx,
        "newest_events",
        streams=listed,
        before=bound,
        before_id=before_id,
        kind=kind,
        actor=actor,
        limit=limit,
    )
    return [_event(row) for row in rows]


async def current_cursor(tx: Tx) -> EventCursor:
    """Return the cursor from which `read_events_after` continues: no event can appear before it any more."""
    return EventCursor(**await _sql.one(tx, "current_cursor"))


async def read_events_after(tx: Tx, cursor: EventCursor, *, limit: int) -> tuple[list[Event], EventCursor]:
    """Return the next `limit` events after a cursor, in the order of transactions, and the cursor to continue from.

    None is omitted or repeated, in whatever order transactions commit: an event is returned once every
    transaction that began to write before its own has ended. Raises EventEpochChanged for a cursor of another epoch:
    the database was restored from a dump or an earlier state, or moved to another server.
    """
    if not (await _sql.one(tx, "knows_cursor", **asdict(cursor)))["known"]:
        raise EventEpochChanged(
            "The database was restored or moved to another server since; this cursor of events is no longer valid.",
            kept="Nothing was read.",
            hint="Read the newest events again, and go on from there.",
        )
    rows = await _sql.all(tx, "read_events_after", xid=cursor.xid, id=cursor.id, limit=limit)
    events = [_event(row) for row in rows]
    return events, EventCursor.parse(events[-1].cursor) if events else cursor


async def read_events_after_stored(
    tx: Tx, cursor: EventCursor, *, limit: int
) -> tuple[list[Event], EventCursor]:
    """Return the next events after a cursor that is stored in this database, and the cursor to continue from.

    It came with the events when the database was restored: what is left of its epoch comes first, then the epochs
    after it; the list may be empty before the present one is reached.
    """
    if cursor.epoch == (await current_cursor(tx)).epoch:
        rows = await _sql.all(tx, "read_events_after", xid=cursor.xid, id=cursor.id, limit=limit)
    else:
        rows = await _sql.all(tx, "events_of_epoch_after", **asdict(cursor), limit=limit)
        if not rows:
            row = await _sql.one(tx, "epoch_after", epoch=cursor.epoch, id=cursor.id)
            return [], EventCursor(row["epoch"])
    events = [_event(row) for row in rows]
    return events, EventCursor.parse(events[-1].cursor) if events else cursor


async def has_unsettled_events(tx: Tx) -> bool:
    """Return whether events are committed that `read_events_after` withholds until earlier transactions end."""
    return bool((await _sql.one(tx, "has_unsettled_events"))["unsettled"])


async def events_of_kind(tx: Tx, kind: str, *, after: int, limit: int) -> list[Event]:
    """Return the next `limit` events of one kind with ids above `after`, whatever their epoch."""
    return [_event(row) for row in await _sql.all(tx, "events_of_kind", kind=kind, after=after, limit=limit)]


def _event(row: DictRow) -> Event:
    return Event(cursor=str(EventCursor(row.pop("epoch"), row.pop("xid"), row["id"])), **row)


async def make_event_partitions(database: Database) -> int:
    """Create the partitions of this month and of some months ahead; return the number of new ones."""
    async with database.transaction() as tx:
        row = await _sql.one(tx, "make_event_partitions", months=_MONTHS_AHEAD)
    return int(row["made"])
