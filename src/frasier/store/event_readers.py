"""Readers of all events by name, with a stored cursor each: what one has read it is not given again."""

from __future__ import annotations

from dataclasses import asdict

from frasier.store.deferred import Tx
from frasier.store.events import EventCursor
from frasier.store.sql_statements import Statements

_sql = Statements("frasier.store")


async def reader_cursor(tx: Tx, name: str) -> EventCursor:
    """Return how far a reader has come; one that is new begins with the events from now on."""
    await _sql.run(tx, "begin_reader", name=name)
    return EventCursor(**await _sql.one(tx, "reader_cursor", name=name))


async def advance_reader(tx: Tx, name: str, cursor: EventCursor) -> None:
    """Store how far a reader has come."""
    await _sql.run(tx, "advance_reader", name=name, **asdict(cursor))
