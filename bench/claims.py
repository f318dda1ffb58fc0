"""Tasks per second that 16 sessions claim, or claim and complete, in several processes; none twice."""

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
from bench.sessions import PROCESS, Done, Job, Order, work_orders
from bench.sizes import Sizes
from bench.workspace import Workspace
from frasier.store import Database

SESSIONS = 16
PROCESSES = 2
_AT_ONCE = 3  # what a worker with the default settings asks for
_END_S_MAX = 10.0


if TYPE_CHECKING:
    from multiprocessing.queues import Queue


@dataclass(slots=True)
class _Rates:
    """Operations a second of each round."""

    commits: list[float] = field(default_factory=list)
    claims: list[float] = field(default_factory=list)
    claims_at_once: list[float] = field(default_factory=list)
    completions: list[float] = field(default_factory=list)
    claimed: int = 0
    twice: int = 0


class _Crew:
    """The processes with their sessions, all of which carry out the same order at the same time."""

    def __init__(self, url: str) -> None:
        started = multiprocessing.get_context("spawn")
        self._orders: list[Queue[Order | None]] = [started.Queue() for _ in range(PROCESSES)]
        self._results: Queue[Done | str] = started.Queue()
        names = [f"bench-{number}" for number in range(SESSIONS)]
        self._start = started.Barrier(PROCESSES)  # kept, because with us it would go
        self._processes = [
            started.Process(
                target=work_orders,
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

    def carry_out(self, order: Order) -> list[Done]:
        """What each process did; raises where one of them failed."""
        for orders in self._orders:
            orders.put(order)
        done: list[Done] = []
        for _ in self._processes:
            said = self._next_result()
            if isinstance(said, str):
                raise RuntimeError(f"a session ended with {said}")  # noqa: TRY004  the type tells of a failure
            done.append(said)
        return done

    def _next_result(self) -> Done | str:
        while True:
            try:
                return self._results.get(timeout=1.0)
            except Empty:
                if dead := [process for process in self._processes if not process.is_alive()]:
                    return f"exit code {dead[0].exitcode}"


def measure_claims(workspace: Workspace, sizes: Sizes) -> list[Figure]:
    rates = _Rates()
    with workspace.database() as urls:
        prepare_commits(urls.owner)
        with _Crew(urls.app) as crew:
            for _ in range(sizes.rounds):
                _round(crew, urls.app, sizes.claims, rates)
    return _figures(rates)


def _figures(rates: _Rates) -> list[Figure]:
    commits = statistics.median(rates.commits)
    return [
        _rate("claims a second, one at a time", rates.claims, 1_000, commits),
        _rate("claim + complete a second, two commits each", rates.completions, 500, commits),
        _rate(f"claims a second, up to {_AT_ONCE} at a time", rates.claims_at_once, None, commits),
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


def _rate(what: str, rates: list[float], limit: float | None, commits: float) -> Figure:
    rate = statistics.median(rates)
    return Figure(
        what=what,
        value=rate,
        unit="/s",
        target=None if limit is None else at_least(limit),
        detail=f"{spread(rates, '/s', 0)}; {rate / commits:.2f} of the bare commits",
    )


def _round(crew: _Crew, url: str, count: int, rates: _Rates) -> None:
    """One of each in turn, so that a noisy minute of the machine meets all of them."""
    done = crew.carry_out(Order(job=Job.COMMIT, commits=max(count // SESSIONS, 1)))
    rates.commits.append(sum(each.commits for each in done) / _seconds(done))
    for job, at_once, found in (
        (Job.CLAIM, 1, rates.claims),
        (Job.CLAIM_AND_COMPLETE, 1, rates.completions),
        (Job.CLAIM, _AT_ONCE, rates.claims_at_once),
    ):
        asyncio.run(_make(url, count))
        done = crew.carry_out(Order(job=job, at_once=at_once))
        claimed = [task_id for each in done for task_id in each.claimed]
        assert len(set(claimed)) == count, f"{count} tasks were ready, {len(set(claimed))} were claimed"
        rates.claimed += len(claimed)
        rates.twice += len(claimed) - len(set(claimed))
        found.append(count / _seconds(done))


async def _make(url: str, count: int) -> None:
    async with Database(url) as database:
        await add_ready_tasks(database, count, process=PROCESS)


def _seconds(done: list[Done]) -> float:
    return max(each.ended for each in done) - min(each.started for each in done)
