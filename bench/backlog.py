"""How long a claim takes when the board is large and most of it waits or is over."""

from __future__ import annotations

import asyncio
import time

from bench.board import add_backlog
from bench.commits import commit_once, prepare_commits
from bench.figures import Figure, at_most, p50, p95
from bench.ground import Ground
from bench.sizes import Sizes
from frasier.store import Database
from frasier.workflow import claim

_WARM_UP = 10


def measure_backlog(ground: Ground, sizes: Sizes) -> list[Figure]:
    with ground.database() as urls:
        prepare_commits(urls.owner)
        ready, edges = add_backlog(urls.owner, sizes.backlog)
        claims, commits = asyncio.run(_take(urls.app, min(sizes.backlog_claims, ready - _WARM_UP)))
    return [
        Figure(
            what=f"claim at {sizes.backlog:,} tasks, p95",
            value=p95(claims),
            unit="ms",
            target=at_most(5),
            detail=f"p50 {p50(claims):.2f} ms, n = {len(claims)}; a bare commit: p50 {p50(commits):.2f} ms, "
            f"p95 {p95(commits):.2f} ms; {ready:,} ready, {edges:,} edges; claims include event and marker",
        )
    ]


async def _take(url: str, count: int) -> tuple[list[float], list[float]]:
    claims: list[float] = []
    commits: list[float] = []
    async with Database(url, connections=2) as database:
        for _ in range(count + _WARM_UP):
            started = time.perf_counter()
            await commit_once(database)
            between = time.perf_counter()
            async with database.transaction() as tx:
                taken = await claim(tx, worker="bench", names=["mission_step"], lease_s=3600)
            claims.append((time.perf_counter() - between) * 1000)
            commits.append((between - started) * 1000)
            assert len(taken) == 1, "the board has ready tasks, but none was found"
    return claims[_WARM_UP:], commits[_WARM_UP:]
