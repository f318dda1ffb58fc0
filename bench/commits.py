"""Bare durable commits, the baseline of every durable operation: transactions that store one row."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg

from bench.figures import p50
from bench.machine import fsync_ms
from bench.workspace import Workspace
from frasier.store import Database


def prepare_commits(owner_url: str) -> None:
    """Create the table of the bare commits."""
    with psycopg.connect(owner_url) as connection:
        connection.execute("create table bench_commits (n integer not null)")
        connection.execute("grant insert on bench_commits to frasier_app")


async def commit_once(database: Database) -> None:
    """Make one bare durable commit, over the pool and the transaction that the product uses."""
    async with database.transaction() as tx:
        await tx.execute("insert into bench_commits (n) values (1)")


def sync_ms(workspace: Workspace, commits: Sequence[float]) -> float:
    """Return the milliseconds of a sync of the disk; at most those of a bare commit, which contains one."""
    return min(p50(fsync_ms(workspace.directory)), p50(commits))
