"""The audit trail: append-only, each stream chained by hash. `sealing` seals and verifies it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from frasier.kernel.errors import InvariantBroken
from frasier.kernel.limits import EVENT_PAYLOAD_BYTES_MAX
from frasier.kernel.text import canonical_json
from frasier.store.deferred import Tx
from frasier.store.statements import Statements

_sql = Statements("frasier.store")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An entry of the audit trail. `stream` is the task, mission or other subject whose chain it is part of."""

    id: int
    stream: UUID
    seq: int
    at: datetime
    kind: str
    actor: str
    payload: dict[str, Any]


async def append_event(
    tx: Tx, *, stream: UUID, kind: str, actor: str, payload: Mapping[str, Any] | None = None
) -> None:
    """Append an event to `stream`. `payload` must be small: facts, not documents."""
    body = canonical_json(dict(payload or {}))
    if len(body.encode()) > EVENT_PAYLOAD_BYTES_MAX:
        raise InvariantBroken(f"the payload of event {kind} is larger than {EVENT_PAYLOAD_BYTES_MAX} bytes")
    _sql.defer(tx, "append_event", stream=stream, kind=kind, actor=actor, payload=body)


async def events_of(tx: Tx, stream: UUID) -> list[Event]:
    """Every event of one stream, oldest first."""
    return [Event(**row) for row in await _sql.all(tx, "events_of_stream", stream=stream)]


async def events_of_each(
    tx: Tx, streams: Collection[UUID], *, without: Collection[str] = ()
) -> dict[UUID, list[Event]]:
    """The events of each of some streams, oldest first, `without` kinds that are like one of these patterns."""
    found: dict[UUID, list[Event]] = {stream: [] for stream in streams}
    for row in await _sql.all(tx, "events_of_each", streams=list(streams), without=list(without)):
        found[row["stream"]].append(Event(**row))
    return found


async def events_of_kind(tx: Tx, kind: str, *, after: int, limit: int) -> list[Event]:
    """The next `limit` events of a kind with an id above `after`, oldest first."""
    return [Event(**row) for row in await _sql.all(tx, "events_of_kind", kind=kind, after=after, limit=limit)]


async def events_after(
    tx: Tx, after: int = 0, *, limit: int = 100, stream: UUID | None = None
) -> list[Event]:
    """The newest `limit` events with an id above `after`, oldest first.

    Ids are given out before commits: an event of a slow transaction can appear below one that was seen already.
    """
    if stream is None:
        rows = await _sql.all(tx, "newest_events", after=after, limit=limit)
    else:
        rows = await _sql.all(tx, "newest_events_of", after=after, limit=limit, stream=stream)
    return [Event(**row) for row in rows]
