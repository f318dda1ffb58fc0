"""The peer of every durable operation: a transaction that stores one row and nothing else."""

from __future__ import annotations

import psycopg

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
