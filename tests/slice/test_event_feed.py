"""The feed of events: who follows it gets each event once, whatever happens to connections and servers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import psycopg
import pytest

from frasier.kernel.ids import new_id
from frasier.store import (
    Database,
    EventCursor,
    EventFeed,
    FeedBatch,
    Tx,
    append_event,
    current_cursor,
    event_feed,
    newest_events,
)
from frasier.store.events import has_unsettled_events

WAIT_S = 20
NEVER_S = 600.0


async def append(db: Database, *numbers: int, stream: UUID | None = None) -> None:
    async with db.transaction() as tx:
        for n in numbers:
            await append_event(tx, stream=stream or new_id(), kind="k", actor="a", payload={"n": n})


def numbers(batch: FeedBatch) -> list[int]:
    return [event.payload["n"] for event in batch.events]


async def next_batch(batches: AsyncIterator[FeedBatch]) -> FeedBatch:
    async with asyncio.timeout(WAIT_S):
        return await anext(batches)


async def read(batches: AsyncIterator[FeedBatch], count: int) -> list[int]:
    """Read until that many events have come; refuse a reload."""
    found: list[int] = []
    while len(found) < count:
        batch = await next_batch(batches)
        assert not batch.reload
        found += numbers(batch)
    return found


@asynccontextmanager
async def following(
    feed: EventFeed, after: EventCursor | None = None
) -> AsyncIterator[AsyncIterator[FeedBatch]]:
    """Subscribe, and pass the first batch, which says where it begins."""
    async with feed.subscribe(after) as batches:
        first = await next_batch(batches)
        assert not first.reload
        yield batches


@pytest.fixture
async def feed(db: Database) -> AsyncIterator[EventFeed]:
    """A feed that is woken by notifications only."""
    feed = EventFeed(db, poll_s=NEVER_S)
    yield feed
    await feed.close()


async def test_a_notification_brings_new_events_to_every_subscriber(db: Database, feed: EventFeed) -> None:
    await append(db, 0)
    async with following(feed) as one, following(feed) as two:
        await append(db, 1, 2)
        await append(db, 3)
        assert await read(one, 3) == [1, 2, 3]
        assert await read(two, 3) == [1, 2, 3]


async def test_what_was_notified_before_a_subscriber_joined_is_brought_at_once(
    db: Database, feed: EventFeed
) -> None:
    async with following(feed) as batches, feed.listen() as wakeup:
        await append(db, 1)
        for _ in range(3):
            await wakeup.wait(0.1)  # meanwhile the feed has looked, for nobody
        assert await read(batches, 1) == [1]


async def test_a_cursor_brings_what_came_after_it_first(db: Database, feed: EventFeed) -> None:
    await append(db, 1)
    async with db.transaction() as tx:
        after = EventCursor.parse((await newest_events(tx, limit=1))[0].cursor)
    await append(db, 2, 3)
    async with following(feed) as ahead, feed.subscribe(after) as behind:
        assert numbers(await next_batch(behind)) == [2, 3]
        await append(db, 4)
        assert await read(behind, 1) == [4]
        assert await read(ahead, 1) == [4]


async def test_each_event_has_the_cursor_to_go_on_from(db: Database, feed: EventFeed) -> None:
    async with following(feed) as batches:
        await append(db, 1, 2, 3)
        events = (await next_batch(batches)).events
    for event in events:
        async with feed.subscribe(EventCursor.parse(event.cursor)) as batches:
            assert numbers(await next_batch(batches)) == [n for n in (1, 2, 3) if n > event.payload["n"]]


async def test_an_event_that_an_earlier_transaction_withholds_comes_when_that_ends(
    db: Database, feed: EventFeed
) -> None:
    async with following(feed) as batches:
        async with db.transaction() as slow:
            await slow.execute(
                "select pg_current_xact_id()"
            )  # it writes no event, so its end notifies nobody
            await append(db, 1)
            reading = asyncio.create_task(read(batches, 1))
            assert not (await asyncio.wait([reading], timeout=0.1))[0]
        assert await reading == [1]


async def test_an_event_is_brought_though_what_withheld_it_ended_while_it_was_looked_for(
    db: Database, feed: EventFeed, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with following(feed) as batches, await psycopg.AsyncConnection.connect(db.url) as slow:
        await append(db, 1)
        assert await read(batches, 1) == [1]
        await slow.execute("select pg_current_xact_id()")

        async def end_first(tx: Tx) -> bool:
            await slow.rollback()
            return await has_unsettled_events(tx)

        monkeypatch.setattr(event_feed, "has_unsettled_events", end_first)
        await append(db, 2)
        assert await read(batches, 1) == [2]


async def test_a_subscriber_that_does_not_read_is_told_to_reload_and_goes_on(
    db: Database, feed: EventFeed
) -> None:
    async with following(feed) as slow, following(feed) as quick:
        reading = asyncio.create_task(read(slow, 1))
        await asyncio.wait([reading], timeout=0.1)  # it waits for the common reader
        await append(db, 9_000)
        assert [await reading, await read(quick, 1)] == [[9_000], [9_000]]
        for start in range(0, 1_200, 100):
            await append(db, *range(start, start + 100))
            await read(quick, 100)
        batch = await next_batch(slow)
        assert (batch.reload, batch.events) == (True, ())
        await append(db, 5_000)
        found: list[int] = []
        while 5_000 not in found:
            found += numbers(await next_batch(slow))
        assert found == sorted(set(found)), "each after the place to reload from, once"


async def test_a_cursor_of_another_epoch_is_answered_by_a_reload(db: Database, feed: EventFeed) -> None:
    async with db.transaction() as tx:
        now = await current_cursor(tx)
    for wrong in (
        EventCursor(now.epoch ^ 1, now.xid),
        EventCursor(now.epoch, now.xid + 1_000_000),  # a copy of the files from an earlier time
        EventCursor(now.epoch, now.xid - 1, 4_711),  # an event that is not here
    ):
        async with feed.subscribe(wrong) as batches:
            batch = await next_batch(batches)
            assert (batch.reload, batch.cursor.epoch) == (True, now.epoch)
            await append(db, 1)
            assert await read(batches, 1) == [1]


async def test_nothing_is_lost_when_the_listening_connection_is_cut(db: Database, feed: EventFeed) -> None:
    async with following(feed) as batches:
        await append(db, 1)
        assert await read(batches, 1) == [1]
        async with db.transaction() as tx:
            await tx.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and query like 'listen %%'"
            )
        await append(db, 2)
        assert await read(batches, 1) == [2], "it looks once when it listens again"


async def test_without_notifications_it_looks_now_and_then(db: Database, server) -> None:
    feed = EventFeed(db, direct_url=server.url("nobody", "nowhere"), poll_s=0.05)
    async with following(feed) as batches:
        await append(db, 1)
        assert await read(batches, 1) == [1]


async def test_it_reads_nothing_once_nobody_is_subscribed(db: Database, feed: EventFeed) -> None:
    async with following(feed):
        pass
    async with (
        asyncio.timeout(WAIT_S),
        await psycopg.AsyncConnection.connect(db.url, autocommit=True) as connection,
    ):
        while True:
            cursor = await connection.execute(
                "select count(*) from pg_stat_activity"
                " where datname = current_database() and query like 'listen %%'"
            )
            if await cursor.fetchone() == (0,):
                return
