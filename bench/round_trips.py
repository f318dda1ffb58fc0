"""Number of round trips of an operation: how often it waits for PostgreSQL."""

from __future__ import annotations

from collections.abc import Awaitable
from itertools import pairwise
from tempfile import TemporaryFile

from psycopg.pq import Trace

from frasier.store import Database


async def count_round_trips(database: Database, operation: Awaitable[object]) -> int:
    """Count the round trips of an operation on `database`, whose pool must have a single connection.

    libpq traces every message, with F (to PostgreSQL) or B (back); each change from F to B is one round trip.
    """
    async with database.transaction() as connection:
        pass
    with TemporaryFile() as trace:
        connection.pgconn.trace(trace.fileno())
        connection.pgconn.set_trace_flags(Trace.SUPPRESS_TIMESTAMPS)
        try:
            await operation
        finally:
            connection.pgconn.untrace()
        trace.seek(0)
        directions = [line[:1] for line in trace if line[:2] in {b"F\t", b"B\t"}]
    return sum(pair == (b"F", b"B") for pair in pairwise(directions))
