"""The feed of new events: one reader per process, woken by notifications, that serves any number of subscribers."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass

from frasier.kernel.errors import Stale, StoreError
from frasier.kernel.logging_setup import get_logger
from frasier.store.database import Database
from frasier.store.deferred import Tx
from frasier.store.events import (
    EVENTS_CHANNEL,
    Event,
    EventCursor,
    EventEpochChanged,
    current_cursor,
    has_unsettled_events,
    read_events_after,
)
from frasier.store.notify_listener import NotifyListener

log = get_logger()

FEED_POLL_S = 2.0
"""The time after which the feed looks without a notification: one may be lost with its connection."""

_PAGE = 500
_QUEUED_EVENTS_MAX = 1_000
# The time in which notifications are collected for one reading.
_PAUSE_S = 0.02
# Events are withheld while an earlier transaction runs, whose end notifies nobody: so it is asked for, ever less often.
_UNSETTLED_S_MAX = 0.25


@dataclass(frozen=True, slots=True)
class FeedBatch:
    """Events that a subscriber has not had, in order, and the cursor after them; the first batch may be empty.

    `reload` says that some cannot be delivered: the cursor was of another epoch, or the subscriber read too slowly. The
    subscriber must read everything anew, and gets what happens after `cursor`.
    """

    events: tuple[Event, ...]
    cursor: EventCursor
    reload: bool = False


class EventFeed:
    """The events of all transactions, for any number of subscribers in this process.

    One task reads them while anybody is subscribed. `direct_url` reaches the server past any pooler; the database's own
    by default.
    """

    def __init__(self, database: Database, *, direct_url: str = "", poll_s: float = FEED_POLL_S) -> None:
        self._database = database
        self._direct_url = direct_url or database.url
        self._poll_s = poll_s
        self._cursor: EventCursor | None = None
        self._joined = asyncio.Event()
        self._subscribers: set[_Subscriber] = set()
        self._users = 0
        self._reader: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def subscribe(self, after: EventCursor | None = None) -> AsyncIterator[AsyncIterator[FeedBatch]]:
        """Yield the batches of events after a cursor, by default of those that happen from now on, without an end."""
        subscriber = _Subscriber()
        self._users += 1
        if self._reader is None:
            self._reader = asyncio.create_task(self._follow(), name="event feed")
        try:
            async with aclosing(self._batches(subscriber, after)) as batches:
                yield batches
        finally:
            self._subscribers.discard(subscriber)
            self._users -= 1
            if self._users == 0:
                self._stop()

    def listen(self) -> NotifyListener:
        """Return a listener that each event wakes when it is committed.

        Readers in order get an event later where an earlier transaction runs on.
        """
        return NotifyListener(self._direct_url, EVENTS_CHANNEL)

    async def close(self) -> None:
        """Stop reading; a subscriber that is left waits until it is cancelled."""
        self._stop()
        await asyncio.gather(*self._ending, return_exceptions=True)

    def _stop(self) -> None:
        """Have the common reader end by itself: whoever was subscribed last may be cancelled again and again."""
        self._joined.clear()
        reader, self._reader, self._cursor = self._reader, None, None
        if reader is not None:
            self._ending.add(reader)
            reader.add_done_callback(self._ending.discard)
            reader.cancel()

    async def _batches(
        self, subscriber: _Subscriber, after: EventCursor | None
    ) -> AsyncGenerator[FeedBatch, None]:
        """Yield what the subscriber has missed, which it reads for itself, then what the common reader gives it."""
        if after is None:
            batch = FeedBatch((), await self._database.in_transaction(current_cursor))
        else:
            batch = await self._next(after)
        yield batch
        while not self._join(subscriber, batch.cursor):
            batch = await self._next(batch.cursor)
            if batch.events or batch.reload:
                yield batch
        while True:
            yield await subscriber.take()

    def _join(self, subscriber: _Subscriber, cursor: EventCursor) -> bool:
        """Have the common reader serve the subscriber, unless that reader is further on."""
        if self._cursor is None or self._cursor.epoch != cursor.epoch:
            self._restart(cursor)
        elif self._cursor > cursor:
            return False
        subscriber.cursor = cursor
        self._subscribers.add(subscriber)
        return True

    def _restart(self, cursor: EventCursor) -> None:
        """Go on from a cursor of the present epoch; whoever is subscribed must read everything anew."""
        self._cursor = cursor
        self._joined.set()
        for subscriber in self._subscribers:
            subscriber.put(FeedBatch((), cursor, reload=True))

    async def _next(self, cursor: EventCursor) -> FeedBatch:
        """Read a page after a cursor; one of another epoch is to be read anew."""
        try:
            events, cursor = await self._database.in_transaction(read_events_after, cursor, limit=_PAGE)
        except EventEpochChanged:
            return FeedBatch((), await self._database.in_transaction(current_cursor), reload=True)
        return FeedBatch(tuple(events), cursor)

    async def _follow(self) -> None:
        """Read until cancelled: once somebody joins, when notified, while events are withheld, and now and then."""
        unsettled_s = _PAUSE_S
        async with NotifyListener(self._direct_url, EVENTS_CHANNEL) as wakeup:
            await self._joined.wait()
            while True:
                wait_s = self._poll_s
                try:
                    events, unsettled = await self._advance()
                    if events == _PAGE:
                        continue
                    unsettled_s = (
                        min(2 * unsettled_s, _UNSETTLED_S_MAX) if unsettled and not events else _PAUSE_S
                    )
                    if unsettled:
                        wait_s = min(unsettled_s, wait_s)
                except (StoreError, Stale) as error:
                    log.info("event_feed.store_trouble", error=error.message)
                except Exception:
                    log.exception("event_feed.defect")
                await asyncio.sleep(_PAUSE_S)
                await wakeup.wait(wait_s)

    async def _advance(self) -> tuple[int, bool]:
        """Read a page for all subscribers; return the number of its events, and whether more are withheld."""
        if (before := self._cursor) is None:
            return 0, False  # it is ending
        try:
            events, cursor, unsettled = await self._database.in_transaction(_read_page, before)
        except EventEpochChanged:
            self._restart(await self._database.in_transaction(current_cursor))
            return 0, False
        if events and self._cursor is not None and self._cursor.epoch == before.epoch:
            self._cursor = cursor
            for subscriber in self._subscribers:
                subscriber.put(FeedBatch(tuple(events), cursor))
        return len(events), unsettled


async def _read_page(tx: Tx, cursor: EventCursor) -> tuple[list[Event], EventCursor, bool]:
    unsettled = await has_unsettled_events(tx)  # asked first: what withholds an event may end at any moment
    events, cursor = await read_events_after(tx, cursor, limit=_PAGE)
    return events, cursor, unsettled


def _cursor_of(event: Event) -> EventCursor:
    return EventCursor.parse(event.cursor)


class _Subscriber:
    """A bounded queue of batches. One that is full is emptied, and its reader told to read everything anew."""

    def __init__(self) -> None:
        self.cursor = EventCursor(0)
        self._batches: deque[FeedBatch] = deque()
        self._queued = 0
        self._fresh = asyncio.Event()

    def put(self, batch: FeedBatch) -> None:
        """Add a batch, without the events that the subscriber had read for itself when it joined."""
        if not batch.reload:
            if batch.cursor <= self.cursor:
                return
            fresh = batch.events[bisect_right(batch.events, self.cursor, key=_cursor_of) :]
            if len(fresh) < len(batch.events):
                batch = FeedBatch(fresh, batch.cursor)
            if self._queued and self._queued + len(batch.events) > _QUEUED_EVENTS_MAX:
                batch = FeedBatch((), batch.cursor, reload=True)
        if batch.reload:
            self._batches.clear()
            self._queued = 0
        self.cursor = batch.cursor
        self._batches.append(batch)
        self._queued += len(batch.events)
        self._fresh.set()

    async def take(self) -> FeedBatch:
        """Wait for the next batch, and remove it."""
        while not self._batches:
            self._fresh.clear()
            await self._fresh.wait()
        batch = self._batches.popleft()
        self._queued -= len(batch.events)
        return batch
