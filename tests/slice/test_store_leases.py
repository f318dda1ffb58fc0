"""Named leases: of many processes one does a job."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from frasier.store import Database, drop_lease, hold_lease, take_lease
from support.board import wait_for_lock


async def take(board: Database, holder: str, *, lease_s: float = 60.0) -> bool:
    async with board.transaction() as tx:
        return await take_lease(tx, "job", holder=holder, lease_s=lease_s)


async def test_one_holds_it_and_may_stay_and_others_may_not(board: Database) -> None:
    assert await take(board, "a")
    assert not await take(board, "b")
    assert await take(board, "a")
    async with board.transaction() as tx:
        assert await take_lease(tx, "other job", holder="b", lease_s=60)


async def test_a_lease_that_has_run_out_goes_to_the_next(board: Database) -> None:
    assert await take(board, "a", lease_s=-1)
    assert await take(board, "b")
    assert not await take(board, "a")


async def test_what_is_given_back_is_free_at_once_and_only_its_holder_gives_it_back(board: Database) -> None:
    assert await take(board, "a")
    async with board.transaction() as tx:
        await drop_lease(tx, "job", holder="b")
    assert not await take(board, "b")
    async with board.transaction() as tx:
        await drop_lease(tx, "job", holder="a")
    assert await take(board, "b")


async def test_of_many_that_ask_at_once_one_gets_it(board: Database) -> None:
    won = await asyncio.gather(*(take(board, f"h{n}") for n in range(10)))
    assert sorted(won) == [False] * 9 + [True]


async def test_whoever_waits_for_an_open_transaction_sees_its_end(board: Database) -> None:
    async with board.transaction() as tx:
        assert await take_lease(tx, "job", holder="a", lease_s=60)
        second = asyncio.create_task(take(board, "b"))
        await wait_for_lock(board)
    assert await second is False


async def test_a_lease_is_held_as_long_as_the_body_takes_and_is_free_after_it(board: Database) -> None:
    async with hold_lease(board, "job", lease_s=3) as leads:
        assert leads
        async with hold_lease(board, "job", lease_s=60) as another:
            assert not another
        first = await until(board)
        async with asyncio.timeout(20):
            while await until(board) == first:
                await asyncio.sleep(0.02)
    assert await take(board, "b")


async def test_a_body_that_fails_gives_its_lease_back(board: Database) -> None:
    with suppress(ZeroDivisionError):
        async with hold_lease(board, "job", lease_s=60):
            raise ZeroDivisionError
    assert await take(board, "b")


async def until(board: Database) -> object:
    async with board.transaction() as tx:
        cursor = await tx.execute("select until from store_leases where name = 'job'")
        row = await cursor.fetchone()
        assert row
        return row["until"]
