"""Many sessions write while many readers follow: each event reaches each reader once, also across a restart."""

from __future__ import annotations

import asyncio
import random
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from frasier.kernel.errors import StoreError
from frasier.kernel.ids import new_id
from frasier.store import Database, EventCursor, EventFeed, Tx, append_event, current_cursor, migrate
from frasier.store.embedded import EmbeddedServer
from support.scratch import SCRATCH

SESSIONS = 16
FINISH_S = 240


@pytest.fixture
def own_server() -> Iterator[EmbeddedServer]:
    """A server that a test may restart."""
    root = Path(tempfile.mkdtemp(prefix="frasier-feed-", dir=SCRATCH))
    root.chmod(0o755)
    server = EmbeddedServer(root / "pg", settings={"fsync": "off"})
    server.start()
    server.create_database("feed")
    yield server
    server.stop()
    server.release()
    shutil.rmtree(root, ignore_errors=True)


@dataclass(slots=True)
class Reader:
    """A reader that goes away now and then and comes back with the cursor that it had last."""

    feed: EventFeed
    cursor: EventCursor
    chance: random.Random
    read: list[int] = field(default_factory=list)

    async def follow(self) -> None:
        while True:
            try:
                async with self.feed.subscribe(self.cursor) as batches:
                    async for batch in batches:
                        if batch.reload:
                            assert batch.cursor.epoch == self.cursor.epoch, "the epoch stays"
                            break  # it was too slow: it reads on from its own cursor
                        self.read += [event.id for event in batch.events]
                        self.cursor = batch.cursor
                        if self.chance.random() < 0.05:
                            break
            except StoreError:
                await asyncio.sleep(0.05)


async def write(db: Database, count: int, chance: random.Random) -> None:
    """Append that many events, a few in each transaction, through an outage of the server."""
    streams, left = [new_id() for _ in range(3)], count
    while left > 0:
        some = min(left, chance.randint(1, 4))
        try:
            async with db.transaction() as tx:
                for _ in range(some):
                    await append_event(tx, stream=chance.choice(streams), kind="k", actor="a")
                    if chance.random() < 0.3:
                        await tx.flush_deferred()
                        await asyncio.sleep(0)
        except StoreError:
            await asyncio.sleep(0.05)
        else:
            left -= some


async def all_events(tx: Tx) -> list[int]:
    cursor = await tx.execute("select id from events order by id")
    return [row["id"] for row in await cursor.fetchall()]


@pytest.mark.parametrize(("events", "readers"), [(800, 20), pytest.param(10_000, 50, marks=pytest.mark.slow)])
async def test_no_reader_loses_an_event_or_gets_one_twice(
    own_server: EmbeddedServer, events: int, readers: int
) -> None:
    await migrate(own_server.url("frasier_owner", "feed"))
    url = own_server.url("frasier_app", "feed")
    async with Database(url, connections=SESSIONS) as writing, Database(url, connections=8) as reading:
        feed = EventFeed(reading)
        start = await reading.in_transaction(current_cursor)
        following = [Reader(feed, start, random.Random(n)) for n in range(readers)]
        tasks = [asyncio.create_task(reader.follow()) for reader in following]
        per_session = events // SESSIONS // 2
        for half in range(2):
            await asyncio.gather(
                *(write(writing, per_session, random.Random(100 * half + n)) for n in range(SESSIONS)),
                *([_restart(own_server)] if half else []),
            )
        expected = await writing.in_transaction(all_events)
        assert len(expected) >= per_session * SESSIONS * 2
        async with asyncio.timeout(FINISH_S):
            while any(len(reader.read) < len(expected) for reader in following):
                done, _ = await asyncio.wait(tasks, timeout=0.05)
                assert not done
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await feed.close()
    for reader in following:
        assert sorted(reader.read) == expected


async def _restart(server: EmbeddedServer) -> None:
    await asyncio.to_thread(server.stop)
    await asyncio.to_thread(server.start)
