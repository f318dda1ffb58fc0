"""Rate at which 16 sessions in several processes claim, or claim and complete, tasks; none is claimed twice."""

from __future__ import annotations

import asyncio
import multiprocessing
import statistics
from dataclasses import dataclass, field
from queue import Empty
from typing import TYPE_CHECKING, Self

from bench.board import add_ready_tasks
from bench.commits import prepare_commits
from bench.figures import Figure, at_least, at_most, spread
from bench.sessions import PROCESS, Job, Order, OrderResult, run_orders
from bench.sizes import Sizes
from bench.workspace import Workspace
from frasier.store import Database

SESSIONS = 16
PROCESSES = 2
_CLAIM_LIMIT = 8  # the limit of a worker with default settings
_END_S_MAX = 10.0


if TYPE_CHECKING:
    from multiprocessing.queues import Queue


@dataclass(slots=True)
class _Rates:
    """Operations per second of each round."""

    commits: list[float] = field(default_factory=list)
    claims: list[float] = field(default_factory=list)
    batch_claims: list[float] = field(default_factory=list)
    completions: list[float] = field(default_factory=list)
    claimed: int = 0
    twice: int = 0


class _SessionPool:
    """Processes with sessions, which all run the same order at the same time."""

    def __init__(self, url: str) -> None:
        context = multiprocessing.get_context("spawn")
        self._orders: list[Queue[Order | None]] = [context.Queue() for _ in range(PROCESSES)]
        self._results: Queue[OrderResult | str] = context.Queue()
        names = [f"bench-{number}" for number in range(SESSIONS)]
        self._start = context.Barrier(PROCESSES)  # must outlive this method: the processes use it
        self._processes = [
            context.Process(
                target=run_orders,
                args=(url, tuple(names[number::PROCESSES]), orders, self._start, self._results),
                daemon=True,
            )
            for number, orders in enumerate(self._orders)
        ]

    def __enter__(self) -> Self:
        for process in self._processes:
            process.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        for orders in self._orders:
            orders.put(None)
        for process in self._processes:
            process.join(_END_S_MAX)
            process.kill()

    def run(self, order: Order) -> list[OrderResult]:
        """Run the order in every process and return their results; raise RuntimeError if one fails."""
        for orders in self._orders:
            orders.put(order)
        results: list[OrderResult] = []
        for _ in self._processes:
            result = self._next_result()
            if isinstance(result, str):
                raise RuntimeError(f"a session ended with {result}")  # noqa: TRY004  a string is the report of a failure
            results.append(result)
        return results

    def _next_result(self) -> OrderResult | str:
        while True:
            try:
                return self._results.get(timeout=1.0)
            except Empty:
                if dead := [process for process in self._processes if not process.is_alive()]:
                    return f"exit code {dead[0].exitcode}"


def measure_claims(workspace: Workspace, sizes: Sizes) -> list[Figure]:
    """Measure the rates of claims, completions and bare commits."""
    rates = _Rates()
    with workspace.database() as urls:
        prepare_commits(urls.owner)
        with _SessionPool(urls.app) as pool:
            for _ in range(sizes.rounds):
                _run_round(pool, urls.app, sizes.claims, rates)
    return _figures(rates)


def _figures(rates: _Rates) -> list[Figure]:
    commits = statistics.median(rates.commits)
    return [
        _rate_figure("claims a second, one at a time", rates.claims, 1_000, commits),
        _rate_figure("claim + complete a second, two commits each", rates.completions, 500, commits),
        _rate_figure(f"claims a second, up to {_CLAIM_LIMIT} at a time", rates.batch_claims, None, commits),
        Figure(
            what="tasks claimed twice",
            value=rates.twice,
            unit="",
            target=at_most(0),
            detail=f"of {rates.claimed:,} claims by {SESSIONS} sessions in {PROCESSES} processes",
        ),
        Figure(
            what="bare durable commits a second, same sessions",
            value=commits,
            unit="/s",
            detail=spread(rates.commits, "/s", 0),
        ),
    ]


def _rate_figure(what: str, rates: list[float], limit: float | None, commits: float) -> Figure:
    rate = statistics.median(rates)
    return Figure(
        what=what,
        value=rate,
        unit="/s",
        target=None if limit is None else at_least(limit),
        detail=f"{spread(rates, '/s', 0)}; {rate / commits:.2f} of the bare commits",
    )


def _run_round(pool: _SessionPool, url: str, count: int, rates: _Rates) -> None:
    """Run every job once, in turn, so that noise of the machine affects all of them alike."""
    results = pool.run(Order(job=Job.COMMIT, commits=max(count // SESSIONS, 1)))
    rates.commits.append(sum(result.commits for result in results) / _elapsed_s(results))
    for job, claim_limit, rates_of_job in (
        (Job.CLAIM, 1, rates.claims),
        (Job.CLAIM_AND_COMPLETE, 1, rates.completions),
        (Job.CLAIM, _CLAIM_LIMIT, rates.batch_claims),
    ):
        asyncio.run(_add_tasks(url, count))
        results = pool.run(Order(job=job, claim_limit=claim_limit))
        claimed = [task_id for result in results for task_id in result.claimed]
        assert len(set(claimed)) == count, f"{count} tasks were ready, {len(set(claimed))} were claimed"
        rates.claimed += len(claimed)
        rates.twice += len(claimed) - len(set(claimed))
        rates_of_job.append(count / _elapsed_s(results))


async def _add_tasks(url: str, count: int) -> None:
    async with Database(url) as database:
        await add_ready_tasks(database, count, process=PROCESS)


def _elapsed_s(results: list[OrderResult]) -> float:
    return max(result.ended for result in results) - min(result.started for result in results)
