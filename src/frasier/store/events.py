"""The audit log: append-only, each stream chained by hash. `sealing` seals and verifies it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from frasier.kernel.errors import InvariantBroken, Stale
from frasier.kernel.limits import EVENT_PAYLOAD_BYTES_MAX
from frasier.kernel.text import canonical_json
from frasier.store.database import Database
from frasier.store.deferred import Tx
from frasier.store.sql_statements import Statements

_sql = Statements("frasier.store")

_MONTHS_AHEAD = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An entry of the audit log. `stream` is the task, mission or other subject to whose chain it belongs."""

    id: int
    stream: UUID
    seq: int
    at: datetime
    kind: str
    actor: str
    payload: dict[str, Any]


@dataclass(frozen=True, slots=True)
class EventPosition:
    """The position of a reader of all events: a transaction of the epoch, and the last id read of it."""

    epoch: int
    xid: int = 0
    id: int = 0


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
    return [Event(**row) for row in await _sql.all(tx, "events_of_stream", stream=stream)]


async def events_of_each(
    tx: Tx, streams: Collection[UUID], *, without: Collection[str] = ()
) -> dict[UUID, list[Event]]:
    """Return the events of each stream, oldest first, `without` the kinds that match one of these patterns."""
    events: dict[UUID, list[Event]] = {stream: [] for stream in streams}
    for row in await _sql.all(tx, "events_of_each", streams=list(streams), without=list(without)):
        events[row["stream"]].append(Event(**row))
    return events


async def newest_events(
    tx: Tx,
    *,
    limit: int,
    streams: Collection[UUID] | None = None,
    before: EventPosition | None = None,
    before_id: int | None = None,
) -> list[Event]:
    """Return the newest `limit` events of all streams or of some, oldest first.

    Or of those `before` a position, or older than the event with an id.
    """
    listed = None if streams is None else list(streams)
    bound = None if before is None else before.xid
    rows = await _sql.all(tx, "newest_events", streams=listed, before=bound, before_id=before_id, limit=limit)
    return [Event(**row) for row in rows]


async def current_place(tx: Tx) -> EventPosition:
    """Return the position from which `events_since` continues: no event can appear before it any more."""
    return EventPosition(**await _sql.one(tx, "current_place"))


async def events_since(tx: Tx, place: EventPosition, *, limit: int) -> tuple[list[Event], EventPosition]:
    """Return the next `limit` events after a position, in the order of transactions, and the position to continue from.

    None is omitted or repeated, in whatever order transactions commit: an event is returned once every
    transaction that began to write before its own has ended. Raises Stale for a position of another epoch: the
    database was restored into another cluster, where nothing tells which events came after that position.
    """
    if place.epoch != (await current_place(tx)).epoch:
        raise Stale(
            "The database was restored into another server since; this position in its events is no longer valid.",
            hint="Read the newest events again, and go on from there.",
        )
    rows = await _sql.all(tx, "events_since", xid=place.xid, id=place.id, limit=limit)
    for row in rows:
        place = EventPosition(place.epoch, row.pop("xid"), row["id"])
    return [Event(**row) for row in rows], place


async def events_of_kind(tx: Tx, kind: str, *, after: int, limit: int) -> list[Event]:
    """Return the next `limit` events of one kind with ids above `after`, whatever their epoch."""
    return [Event(**row) for row in await _sql.all(tx, "events_of_kind", kind=kind, after=after, limit=limit)]


async def make_event_partitions(database: Database) -> int:
    """Create the partitions of this month and of some months ahead; return the number of new ones."""
    async with database.transaction() as tx:
        row = await _sql.one(tx, "make_event_partitions", months=_MONTHS_AHEAD)
    return int(row["made"])
