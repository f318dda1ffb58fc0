"""One of several benchmark processes: concurrent sessions that repeat one operation until no task is left.

It is a separate module because every spawned process imports it.
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
"""The process of the tasks: the one that a worker can complete alone, in one move after its claim."""

_START_S_MAX = 60.0
_RESULT = digest("a plan")


class Job(StrEnum):
    """The operation that a session repeats."""

    COMMIT = "commit"
    CLAIM = "claim"
    CLAIM_AND_COMPLETE = "claim and complete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """An order to all processes.

    `commits` is the number of bare commits of each session (COMMIT only), `claim_limit` the most tasks of one claim.
    """

    job: Job
    commits: int = 0
    claim_limit: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderResult:
    """The work of one process, between two readings of the machine's monotonic clock."""

    started: float
    ended: float
    commits: int
    claimed: tuple[UUID, ...]


def run_orders(
    url: str,
    names: tuple[str, ...],
    orders: Queue[Order | None],
    start: Barrier,
    results: Queue[OrderResult | str],
) -> None:
    """Run orders together with the other processes until None arrives: the body of a spawned process."""
    try:
        asyncio.run(_run_orders(url, names, orders, start, results))
    except BrokenBarrierError:
        return  # another process failed and reported it
    except Exception as error:  # noqa: BLE001  the parent must get a result and not wait forever
        start.abort()
        results.put(repr(error))


async def _run_orders(
    url: str,
    names: tuple[str, ...],
    orders: Queue[Order | None],
    start: Barrier,
    results: Queue[OrderResult | str],
) -> None:
    async with Database(url, connections=len(names)) as database:
        while (order := await asyncio.to_thread(orders.get)) is not None:
            connected = asyncio.Barrier(len(names))
            await asyncio.gather(*(_hold_connection(database, connected) for _ in names))
            await asyncio.to_thread(start.wait, _START_S_MAX)
            started = time.monotonic()
            claimed = await asyncio.gather(*(_session(database, order, name) for name in names))
            results.put(
                OrderResult(
                    started=started,
                    ended=time.monotonic(),
                    commits=order.commits * len(names),
                    claimed=tuple(task_id for ids in claimed for task_id in ids),
                )
            )


async def _hold_connection(database: Database, connected: asyncio.Barrier) -> None:
    """Hold a transaction until every session has one, so that the pool opens all connections before the measurement."""
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
            tasks = await claim(tx, worker=name, names=[PROCESS], lease_s=600, limit=order.claim_limit)
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
