"""A bare durable commit, the baseline of every durable operation: a transaction that stores one row."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg

from bench.figures import p50
from bench.machine import fsync_ms
from bench.workspace import Workspace
from frasier.store import Database


def prepare_commits(owner_url: str) -> None:
    """Makes the table that the bare commits go to."""
    with psycopg.connect(owner_url) as connection:
        connection.execute("create table bench_commits (n integer not null)")
        connection.execute("grant insert on bench_commits to frasier_app")


async def commit_once(database: Database) -> None:
    """One bare durable commit, over the same pool and by the same steps as everything that the product stores."""
    async with database.transaction() as tx:
        await tx.execute("insert into bench_commits (n) values (1)")


def sync_ms(workspace: Workspace, commits: Sequence[float]) -> float:
    """Milliseconds that the disk takes for a sync, at most what these bare commits took, each of which holds one."""
    return min(p50(fsync_ms(workspace.directory)), p50(commits))
