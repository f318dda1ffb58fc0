"""The one function that every statement takes the time from, and its offset in a test database."""

from __future__ import annotations

from datetime import timedelta

import psycopg
import pytest

from frasier.kernel.ids import new_id
from frasier.store import Database, append_event, enqueue_effect, events_of, take_lease
from support.database_clock import offset_clock

WEEKS = timedelta(weeks=3)


async def test_weeks_pass_for_statements_defaults_and_functions(db: Database, owner_url: str) -> None:
    stream = new_id()
    offset_clock(owner_url, timedelta(0))
    async with db.transaction() as tx:
        assert await take_lease(tx, "job", holder="anna", lease_s=3600)
        await append_event(tx, stream=stream, kind="k", actor="a")
    with psycopg.connect(owner_url) as owner:
        owner.execute("select offset_test_clock(%s)", (WEEKS,))
    async with db.transaction() as tx:
        assert await take_lease(tx, "job", holder="ben", lease_s=3600), "the lease has run out"
        await append_event(tx, stream=stream, kind="k", actor="a")
        await enqueue_effect(tx, kind="announce", key="k", stream=stream, payload={})
        cursor = await tx.execute(
            "select created_at - now() as ahead, run_after = created_at as due from store_effects"
        )
        assert await cursor.fetchone() == {"ahead": WEEKS, "due": True}
        first, second = await events_of(tx, stream)
    assert second.at - first.at > WEEKS


async def test_a_statement_that_was_prepared_before_takes_the_new_time(db: Database, owner_url: str) -> None:
    times = []
    with psycopg.connect(db.url, autocommit=True) as session:
        for offset in (timedelta(0), WEEKS):
            offset_clock(owner_url, offset)
            for _ in range(2):
                row = session.execute("select frasier_now() - now(), frasier_clock() - now()", prepare=True)
                times.append(row.fetchone())
    assert [ahead for ahead, _ in times] == [timedelta(0)] * 2 + [WEEKS] * 2
    assert all(timedelta(0) <= moment - ahead < timedelta(minutes=1) for ahead, moment in times)


async def test_no_other_database_can_be_offset(db: Database, owner_url: str) -> None:
    with psycopg.connect(owner_url, autocommit=True) as owner:
        with pytest.raises(psycopg.errors.RaiseException, match="not marked as a test database"):
            owner.execute("select offset_test_clock('1 day')")
        async with db.transaction() as tx:
            await append_event(tx, stream=new_id(), kind="k", actor="a")
        with pytest.raises(psycopg.errors.RaiseException, match="cannot become a test database"):
            owner.execute("select mark_test_database()")


@pytest.mark.parametrize(
    "statement",
    [
        "select mark_test_database()",
        "select offset_test_clock('1 day')",
        "insert into store_test_databases default values",
        "create or replace function frasier_now() returns timestamptz language sql stable return now() + interval '1 day'",
    ],
)
async def test_the_application_cannot_offset_the_clock(db: Database, owner_url: str, statement: str) -> None:
    with psycopg.connect(owner_url) as owner:
        if "offset" in statement:
            owner.execute("select mark_test_database()")
    with psycopg.connect(db.url) as session, pytest.raises(psycopg.errors.InsufficientPrivilege):
        session.execute(statement)


async def test_the_time_costs_no_call(db: Database) -> None:
    """PostgreSQL puts the function's body in its place, so that an index is read as with now() itself."""
    with psycopg.connect(db.url) as session:
        plan = session.execute(
            "explain (verbose, costs off) select id from workflow_tasks where ready and run_after <= frasier_now()"
        ).fetchall()
    text = "\n".join(row[0] for row in plan)
    assert "frasier_now" not in text
    assert "run_after <= now()" in text
