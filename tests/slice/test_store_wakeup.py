"""Hints: they shorten a wait, and nothing depends on them."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from frasier.store import Connection, Database, NotifyListener, connect, notify


@asynccontextmanager
async def listening(board: Database, channel: str = "hints") -> AsyncIterator[NotifyListener]:
    async with NotifyListener(board.url, channel) as wakeup:
        async with asyncio.timeout(20):
            await wakeup.wait(60)  # as soon as it listens it looks once: what came before is not heard
        yield wakeup


async def listens(board: Database, *, but: int = 0) -> int:
    """The process id of the session that listens; waits until there is one other than `but`."""
    async with asyncio.timeout(20):
        while True:
            async with board.transaction() as tx:
                cursor = await tx.execute(
                    "select pid from pg_stat_activity where datname = current_database()"
                    " and query like 'listen %%' and state = 'idle' and pid <> %s",
                    (but,),
                )
                if row := await cursor.fetchone():
                    return row["pid"]


async def hint(board: Database, channel: str = "hints") -> None:
    async with board.transaction() as tx:
        await notify(tx, channel)


async def test_a_hint_ends_the_wait(board: Database) -> None:
    async with listening(board) as wakeup:
        waiting = asyncio.create_task(wakeup.wait(60))
        assert not (await asyncio.wait([waiting], timeout=0.05))[0], "without a hint it waits"
        await hint(board)
        assert (await asyncio.wait([waiting], timeout=20))[0] == {waiting}


async def test_a_hint_that_came_before_the_wait_is_not_lost_and_counts_once(board: Database) -> None:
    async with listening(board) as wakeup:
        await hint(board)
        async with asyncio.timeout(20):
            await wakeup.wait(60)
        started = time.monotonic()
        await wakeup.wait(0.05)
        assert time.monotonic() - started >= 0.04


async def test_without_a_hint_the_wait_lasts_its_time(board: Database) -> None:
    async with listening(board) as wakeup:
        await hint(board, "another channel")
        started = time.monotonic()
        await wakeup.wait(0.05)
        assert 0.04 <= time.monotonic() - started < 20


async def test_a_hint_that_is_rolled_back_wakes_nobody(board: Database) -> None:
    async with listening(board) as wakeup:
        try:
            async with board.transaction() as tx:
                await notify(tx, "hints")
                raise RuntimeError
        except RuntimeError:
            pass
        started = time.monotonic()
        await wakeup.wait(0.05)
        assert time.monotonic() - started >= 0.04


async def test_after_a_lost_connection_it_looks_once_and_listens_again(board: Database) -> None:
    async with listening(board) as wakeup:
        pid = await listens(board)
        async with board.transaction() as tx:
            await tx.execute("select pg_terminate_backend(%s)", (pid,))
        async with asyncio.timeout(20):
            await wakeup.wait(60)  # what may have been missed is looked for
            assert await listens(board, but=pid) != pid
            await hint(board)
            started = time.monotonic()
            await wakeup.wait(60)
        assert time.monotonic() - started < 20


async def test_where_nobody_can_be_heard_the_wait_just_lasts_its_time() -> None:
    async with NotifyListener("postgresql://nobody@127.0.0.1:1/none", "hints") as wakeup:
        started = time.monotonic()
        await wakeup.wait(0.05)
        assert time.monotonic() - started >= 0.04


async def open_connections(board: Database) -> int:
    """The sessions in the database; those that are just ending are waited for."""
    fewest = 1_000
    for _ in range(20):
        async with board.transaction() as tx:
            cursor = await tx.execute(
                "select count(*) as n from pg_stat_activity"
                " where datname = current_database() and backend_type = 'client backend'"
            )
            row = await cursor.fetchone()
        if row["n"] >= fewest:
            break
        fewest = row["n"]
        await asyncio.sleep(0.1)
    return fewest


@pytest.mark.parametrize("turns", range(10))
async def test_a_wait_that_is_over_at_any_moment_of_connecting_leaves_no_connection(
    board: Database, turns: int
) -> None:
    before = await open_connections(board)
    gc.collect()
    gc.disable()  # which would close what is left, sooner or later
    try:
        for _ in range(30):
            async with NotifyListener(board.url, "hints"):
                for _ in range(turns):
                    await asyncio.sleep(0 if turns < 5 else 0.001)
        assert await open_connections(board) <= before
    finally:
        gc.enable()


async def test_a_connection_that_is_cancelled_half_open_is_closed(board: Database) -> None:
    before = await open_connections(board)
    gc.collect()
    gc.disable()
    try:
        for _ in range(30):
            opening = asyncio.create_task(connect(board.url))
            await asyncio.sleep(0.001)
            opening.cancel()
            for ended in await asyncio.gather(opening, return_exceptions=True):
                if isinstance(ended, Connection):
                    await ended.close()
        assert await open_connections(board) <= before
    finally:
        gc.enable()


async def test_a_channel_may_have_any_name(board: Database) -> None:
    odd = 'odd "name"; drop table events'
    async with listening(board, odd) as wakeup:
        waiting = asyncio.create_task(wakeup.wait(60))
        await hint(board, odd)
        assert (await asyncio.wait([waiting], timeout=20))[0] == {waiting}


@pytest.mark.parametrize("turns", range(6))
async def test_a_wait_that_is_cancelled_as_its_hint_comes_is_cancelled(turns: int) -> None:
    async def wait_on() -> None:
        while True:
            await listener.wait(60)

    listener = NotifyListener("", "hints")
    waiting = asyncio.create_task(wait_on())
    await asyncio.sleep(0)
    listener._hint.set()
    for _ in range(turns):
        await asyncio.sleep(0)
    waiting.cancel()
    ended, _ = await asyncio.wait([waiting], timeout=5)
    waiting.cancel()
    assert ended, "the cancellation was lost"
