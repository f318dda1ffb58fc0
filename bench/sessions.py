"""One process of several: concurrent sessions that repeat one operation until nothing is left.

A module of its own, because every started process imports it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from threading import BrokenBarrierError
from typing import TYPE_CHECKING
from uuid import UUID

from bench.commits import commit_once
from frasier.kernel.text import digest
from frasier.store import Database
from frasier.workflow import Actor, ActorKind, claim, move

if TYPE_CHECKING:
    from multiprocessing.queues import Queue
    from multiprocessing.synchronize import Barrier

PROCESS = "planning"
"""The process of the tasks: it is the one that a worker ends by itself, in one move after its claim."""

_START_S_MAX = 60.0
_RESULT = digest("a plan")


class Job(StrEnum):
    """What a session does over and over."""

    COMMIT = "commit"
    CLAIM = "claim"
    CLAIM_AND_COMPLETE = "claim and complete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """`commits` is how many bare commits each session makes (COMMIT only), `at_once` how many tasks one claim may
    take.
    """

    job: Job
    commits: int = 0
    at_once: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What one process did, between two readings of the machine's monotonic clock."""

    started: float
    ended: float
    commits: int
    claimed: tuple[UUID, ...]


def work_orders(
    url: str, names: tuple[str, ...], orders: Queue[Order | None], start: Barrier, results: Queue[Done | str]
) -> None:
    """The body of a started process: does every order together with the other processes, until there is None."""
    try:
        asyncio.run(_work(url, names, orders, start, results))
    except BrokenBarrierError:
        return  # another process failed, and said so
    except Exception as error:  # noqa: BLE001  whatever it was, the parent must hear of it and not wait for ever
        start.abort()
        results.put(repr(error))


async def _work(
    url: str, names: tuple[str, ...], orders: Queue[Order | None], start: Barrier, results: Queue[Done | str]
) -> None:
    async with Database(url, connections=len(names)) as database:
        while (order := await asyncio.to_thread(orders.get)) is not None:
            connected = asyncio.Barrier(len(names))
            await asyncio.gather(*(_connect(database, connected) for _ in names))
            await asyncio.to_thread(start.wait, _START_S_MAX)
            started = time.monotonic()
            claimed = await asyncio.gather(*(_session(database, order, name) for name in names))
            results.put(
                Done(
                    started=started,
                    ended=time.monotonic(),
                    commits=order.commits * len(names),
                    claimed=tuple(task_id for each in claimed for task_id in each),
                )
            )


async def _connect(database: Database, connected: asyncio.Barrier) -> None:
    """Holds a transaction until every session has one: so the pool opens all connections before the clock runs."""
    async with database.transaction():
        await connected.wait()


async def _session(database: Database, order: Order, name: str) -> Sequence[UUID]:
    if order.job is Job.COMMIT:
        for _ in range(order.commits):
            await commit_once(database)
        return ()
    actor = Actor(ActorKind.WORKER, name)
    claimed: list[UUID] = []
    while True:
        async with database.transaction() as tx:
            tasks = await claim(tx, worker=name, names=[PROCESS], lease_s=600, limit=order.at_once)
        if not tasks:
            return claimed
        claimed += [task.id for task in tasks]
        if order.job is Job.CLAIM_AND_COMPLETE:
            for task in tasks:
                async with database.transaction() as tx:
                    await move(
                        tx,
                        task.id,
                        "finish",
                        actor=actor,
                        attempt=task.attempt,
                        fields={"result_digest": _RESULT, "result_size": 2_000},
                    )
