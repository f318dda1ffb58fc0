"""Duration of one transition with its event, its marker and an effect, beside a bare durable commit."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from uuid import UUID

import psycopg

from bench.board import add_ready_tasks
from bench.commits import commit_once, prepare_commits, sync_ms
from bench.figures import Figure, at_most, durable_p95, p50, p95
from bench.round_trips import count_round_trips
from bench.sizes import Sizes
from bench.timing import timed
from bench.workspace import Workspace
from frasier.kernel.ids import new_id
from frasier.kernel.text import digest
from frasier.store import Database, Tx, enqueue_effect
from frasier.workflow import POLICY, Actor, ActorKind, Task, claim, move

_WORKER = Actor(ActorKind.WORKER, "bench")
_P95_MS_MAX = 10
_ROUND_TRIPS_MAX = 4
_WARM_UP = 10  # statements are prepared after a few uses


@dataclass(slots=True)
class _Samples:
    """Durations in milliseconds, measured in turn, so that noise of the machine affects all of them alike."""

    statement: list[float] = field(default_factory=list)
    commit: list[float] = field(default_factory=list)
    deliver: list[float] = field(default_factory=list)
    approve: list[float] = field(default_factory=list)


def measure_transitions(workspace: Workspace, sizes: Sizes) -> list[Figure]:
    """Measure the duration and the round trips of transitions."""
    with workspace.database() as urls:
        prepare_commits(urls.owner)
        samples = asyncio.run(_collect_samples(urls.app, sizes.moves))
        round_trips = asyncio.run(_count_round_trips(urls.app))
    return [*_figures(samples, sync_ms(workspace, samples.commit)), _round_trips_figure(round_trips)]


def _figures(samples: _Samples, sync: float) -> list[Figure]:
    moves, commits = samples.deliver + samples.approve, samples.commit
    return [
        *durable_p95(
            "transition with marker, event and effect, p95",
            moves,
            limit=_P95_MS_MAX,
            sync_ms=sync,
            detail=f"a bare commit: p50 {p50(commits):.2f} ms, p95 {p95(commits):.2f} ms",
        ),
        Figure(
            what="transition with marker, event and effect, p50",
            value=p50(moves),
            unit="ms",
            detail=f"deliver {p50(samples.deliver):.2f} ms, approve {p50(samples.approve):.2f} ms; one autocommitted "
            f"insert on a connection of its own {p50(samples.statement):.2f} ms",
        ),
        Figure(
            what="transition against a bare durable commit, p95 to p95",
            value=p95(moves) / p95(commits),
            unit="×",
            detail=f"{len(moves)} moves, in turn with as many bare commits",
        ),
        Figure(
            what="transition against a bare durable commit, p50 to p50",
            value=p50(moves) / p50(commits),
            unit="×",
            detail="less disturbed by other programs than p95",
        ),
    ]


def _round_trips_figure(counts: list[int]) -> Figure:
    deliver, approve, commit = counts
    return Figure(
        what="round trips of a transition",
        value=max(deliver, approve),
        unit="",
        target=at_most(_ROUND_TRIPS_MAX),
        detail=f"deliver {deliver}, approve {approve}; a bare commit {commit}",
    )


async def _count_round_trips(url: str) -> list[int]:
    """Return the round trips of deliver, approve and a bare commit."""
    async with Database(url, connections=1) as database:
        [task] = await _active_tasks(database, 1)
        return [
            await count_round_trips(database, operation)
            for operation in (_deliver(database, task), _approve(database, task.id), commit_once(database))
        ]


async def _collect_samples(url: str, count: int) -> _Samples:
    samples = _Samples()
    async with (
        Database(url, connections=2) as database,
        await psycopg.AsyncConnection.connect(url, autocommit=True) as single,
    ):
        tasks = await _active_tasks(database, count + _WARM_UP)
        for number, task in enumerate(tasks):
            if number == _WARM_UP:
                samples = _Samples()
            samples.statement.append(await timed(single.execute("insert into bench_commits (n) values (1)")))
            samples.commit.append(await timed(commit_once(database)))
            samples.deliver.append(await timed(_deliver(database, task)))
            samples.commit.append(await timed(commit_once(database)))
            samples.approve.append(await timed(_approve(database, task.id)))
    return samples


async def _active_tasks(database: Database, count: int) -> list[Task]:
    """Create and claim tasks, which is not measured."""
    await add_ready_tasks(database, count, process="mission_step")
    tasks: list[Task] = []
    while len(tasks) < count:
        async with database.transaction() as tx:
            tasks += await claim(tx, worker="bench", names=["mission_step"], lease_s=3600, limit=50)
    return tasks


async def _deliver(database: Database, task: Task) -> None:
    fields = {"deliverable_id": str(new_id()), "result_digest": digest(task.title), "result_size": 4_000}
    async with database.transaction() as tx:
        await move(tx, task.id, "deliver", actor=_WORKER, attempt=task.attempt, fields=fields)
        await _announce(tx, task.id, "delivered")


async def _approve(database: Database, task_id: UUID) -> None:
    reason = {"reason": "30 of 30 lines are cited, from 6 of 6 sources."}
    async with database.transaction() as tx:
        await move(tx, task_id, "approve", actor=POLICY, fields=reason)
        await _announce(tx, task_id, "approved")


async def _announce(tx: Tx, task_id: UUID, what: str) -> None:
    await enqueue_effect(
        tx,
        kind="announce",
        key=f"{what}:{task_id}",
        stream=task_id,
        payload={"task": str(task_id), "what": what},
    )
