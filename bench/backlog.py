"""Duration of a claim when the board is large and most of its tasks wait or have ended."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from bench.board import add_backlog, add_ready_tasks
from bench.commits import commit_once, prepare_commits
from bench.figures import Figure, at_most, p50, p95
from bench.sizes import Sizes
from bench.timing import timed
from bench.workspace import Workspace
from frasier.store import Database
from frasier.workflow import claim

_WARM_UP = 10


@dataclass(slots=True)
class _Samples:
    """Durations in milliseconds, measured in turn, so that noise of the machine affects all of them alike."""

    commit: list[float] = field(default_factory=list)
    small: list[float] = field(default_factory=list)
    large: list[float] = field(default_factory=list)


def measure_backlog(workspace: Workspace, sizes: Sizes) -> list[Figure]:
    """Measure a claim on a board with a large backlog, and on one without."""
    with workspace.database() as large, workspace.database() as small:
        prepare_commits(large.owner)
        ready, edges = add_backlog(large.owner, sizes.backlog)
        count = min(sizes.backlog_claims, ready - _WARM_UP)
        samples = asyncio.run(_collect_samples(large.app, small.app, count))
    commits, claims = samples.commit, samples.large
    return [
        Figure(
            what=f"claim at {sizes.backlog:,} tasks, p95",
            value=p95(claims),
            unit="ms",
            target=at_most(5),
            detail=f"p50 {p50(claims):.2f} ms, n = {count}; a bare commit: p50 {p50(commits):.2f} ms, "
            f"p95 {p95(commits):.2f} ms; {ready:,} ready, {edges:,} edges; with event and marker",
        ),
        Figure(
            what=f"claim at {sizes.backlog:,} tasks against one without a backlog",
            value=p50(claims) / p50(samples.small),
            unit="×",
            detail=f"p50 to p50; there p50 {p50(samples.small):.2f} ms, p95 {p95(samples.small):.2f} ms",
        ),
    ]


async def _collect_samples(large_url: str, small_url: str, count: int) -> _Samples:
    samples = _Samples()
    async with Database(large_url, connections=2) as large, Database(small_url, connections=2) as small:
        await add_ready_tasks(small, count + _WARM_UP, process="mission_step")
        for number in range(count + _WARM_UP):
            if number == _WARM_UP:
                samples = _Samples()
            samples.commit.append(await timed(commit_once(large)))
            samples.small.append(await timed(_claim_one(small)))
            samples.large.append(await timed(_claim_one(large)))
    return samples


async def _claim_one(database: Database) -> None:
    async with database.transaction() as tx:
        claimed = await claim(tx, worker="bench", names=["mission_step"], lease_s=3600)
    assert len(claimed) == 1, "the board has ready tasks, but none was found"
