"""The clock of a test database, which can be set while a program works with it."""

from __future__ import annotations

from datetime import timedelta

import psycopg


def offset_clock(owner_url: str, offset: timedelta) -> None:
    """Offset the time of every statement in a database, which must be empty the first time."""
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("select mark_test_database() where not exists (select from store_test_databases)")
        owner.execute("select offset_test_clock(%s)", (offset,))
