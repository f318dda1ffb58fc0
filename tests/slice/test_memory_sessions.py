"""Sessions on the real database: opened, worked in, interrupted, resumed; never taken from who lives."""

from __future__ import annotations

import pytest

from frasier.kernel.errors import InvalidInput, NotAllowed, NotFound, Stale
from frasier.memory.access import Caller
from frasier.memory.sessions.lifecycle import (
    beat_sessions,
    complete_session,
    expire_sessions,
    list_sessions,
    open_session,
    read_session,
    recover_sessions,
    resume_session,
    update_session,
)
from frasier.memory.sessions.types import SessionStatus
from frasier.store import process_name

ME = Caller(name="me", scopes=("project:one", "shared"))
OTHER = Caller(name="other", scopes=("project:two",))
HERE = "here:1:1"
THERE = "there:2:2"


async def age(db, seconds, columns="heartbeat_at"):
    """Lets time pass for every session."""
    async with db.transaction() as tx:
        for column in columns.split():
            await tx.execute(f"update memory_sessions set {column} = {column} - interval '{seconds} seconds'")


async def opened(db, session_id="s", caller=ME, **given):
    async with db.transaction() as tx:
        return await open_session(tx, caller, session_id, **{"owner": HERE, **given})


async def test_a_new_session_gets_an_id_and_belongs_to_the_callers_first_scope(db):
    async with db.transaction() as tx:
        one = await open_session(tx, ME)
        two = await open_session(tx, ME, scope="shared")
    assert one.id != two.id
    assert (one.scope, two.scope) == ("project:one", "shared")
    assert (one.status, one.owner, one.recovered) == (SessionStatus.ACTIVE, process_name(), False)


async def test_opening_again_goes_on_with_the_same_session(db):
    await opened(db)
    async with db.transaction() as tx:
        await update_session(tx, ME, "s", task="T", owner=HERE)
    again = await opened(db)
    assert (again.task, again.recovered) == ("T", False)


@pytest.mark.parametrize("wrong", ["", " s", "a" * 129, "a/../b", "ä", "-a", "a\n", "a;drop table"])
async def test_what_cannot_be_an_id_is_refused(db, wrong):
    with pytest.raises(InvalidInput) as refused:
        await opened(db, wrong)
    assert refused.value.number == "E071"


async def test_a_session_of_a_foreign_scope_is_not_there(db):
    await opened(db)
    for use in (open_session, read_session, update_session, complete_session, resume_session):
        with pytest.raises(NotFound) as refused:
            async with db.transaction() as tx:
                await use(tx, OTHER, "s")
        assert refused.value.number == "E071", use
        assert refused.value.hint or refused.value.advice or refused.value.facts
    async with db.transaction() as tx:
        assert await list_sessions(tx, OTHER) == []
        assert (await read_session(tx, ME, "s")).status is SessionStatus.ACTIVE
    with pytest.raises(NotAllowed):
        await opened(db, "t", scope="project:two")


async def test_a_session_stays_in_its_scope(db):
    await opened(db)
    assert (await opened(db, scope="shared")).scope == "project:one"


@pytest.mark.parametrize("use", [read_session, update_session, complete_session, resume_session])
async def test_a_session_that_nobody_opened_is_not_there(db, use):
    with pytest.raises(NotFound) as refused:
        async with db.transaction() as tx:
            await use(tx, ME, "none")
    assert refused.value.number == "E071"


async def test_an_update_notes_what_is_given_and_leaves_the_rest(db):
    await opened(db)
    async with db.transaction() as tx:
        await update_session(
            tx, ME, "s", task="T", last_action="L", summary="S", pending_work="P", state={"a": [1, None]}
        )
    async with db.transaction() as tx:
        changed = await update_session(tx, ME, "s", last_action="M", pending_work="")
        read = await read_session(tx, ME, "s")
    assert (read.task, read.last_action, read.summary, read.pending_work) == ("T", "M", "S", "")
    assert read.state == {"a": [1, None]}
    assert changed == read
    assert read.updated_at > read.created_at


async def test_an_update_keeps_no_secret_and_nothing_that_cannot_be_stored(db):
    key = "sk-live0123456789abcdefghij"
    await opened(db)
    async with db.transaction() as tx:
        await update_session(
            tx,
            ME,
            "s",
            task=f"use {key}",
            summary="nul \0, bell \a, half \ud800",
            state={"note": key, "password": "hunter2hunter2", "deep": [{"x": "\0"}]},
        )
        cursor = await tx.execute("select * from memory_sessions")
        [row] = await cursor.fetchall()
    assert key not in repr(row)
    assert "hunter2hunter2" not in repr(row)
    assert row["summary"] == "nul , bell , half "
    assert row["state"]["deep"] == [{"x": ""}]


@pytest.mark.parametrize(
    "given",
    [
        {"task": "x" * 10_001},
        {"state": {"x": "y" * 70_000}},
        {"state": {"x": float("nan")}},
        {"state": {"x": object()}},
        {"state": ["no object"]},
    ],
)
async def test_what_is_too_much_or_no_json_is_refused_and_nothing_changes(db, given):
    before = await opened(db)
    with pytest.raises(InvalidInput):
        async with db.transaction() as tx:
            await update_session(tx, ME, "s", **given)
    async with db.transaction() as tx:
        assert await read_session(tx, ME, "s") == before


async def test_a_completed_session_takes_no_more_notes_until_it_is_taken_up_again(db):
    await opened(db)
    async with db.transaction() as tx:
        await update_session(tx, ME, "s", pending_work="P")
        assert (await complete_session(tx, ME, "s")).status is SessionStatus.COMPLETED
        assert (await complete_session(tx, ME, "s")).status is SessionStatus.COMPLETED
    with pytest.raises(Stale) as refused:
        async with db.transaction() as tx:
            await update_session(tx, ME, "s", task="T")
    assert refused.value.number == "E070"
    assert (await opened(db)).status is SessionStatus.ACTIVE


async def test_fault_35_only_sessions_whose_process_fell_silent_are_interrupted(db):
    await opened(db, "dead")
    await age(db, 91)
    await opened(db, "alive", owner=THERE)
    await opened(db, "done")
    async with db.transaction() as tx:
        await complete_session(tx, ME, "done")
    await age(db, 60)
    async with db.transaction() as tx:
        assert await beat_sessions(tx, ["alive"], THERE) == {"alive"}
    await age(db, 31)
    async with db.transaction() as tx:
        assert await recover_sessions(tx) == ["dead"]
        assert await recover_sessions(tx) == []
        statuses = {one.id: one.status for one in await list_sessions(tx, ME)}
    assert statuses == {
        "dead": SessionStatus.INTERRUPTED,
        "alive": SessionStatus.ACTIVE,
        "done": SessionStatus.COMPLETED,
    }


async def test_fault_35_a_session_that_is_being_used_this_moment_is_not_interrupted(db):
    await opened(db)
    await age(db, 600)
    async with db.transaction() as using:
        await open_session(using, ME, "s", owner=HERE)
        async with db.transaction() as tx:
            assert await recover_sessions(tx) == []
    async with db.transaction() as tx:
        assert await recover_sessions(tx) == []


async def test_fault_28_every_silent_session_is_recovered_not_only_the_first_of_them(db):
    async with db.transaction() as tx:
        for at in range(120):
            await open_session(tx, ME, f"s{at}", owner=HERE)
    await age(db, 600)
    async with db.transaction() as tx:
        assert len(await recover_sessions(tx)) == 120


async def test_a_beat_keeps_only_what_is_still_the_owners(db):
    await opened(db, "mine")
    await opened(db, "taken", owner=THERE)
    await opened(db, "done")
    async with db.transaction() as tx:
        await complete_session(tx, ME, "done")
        assert await beat_sessions(tx, ["mine", "taken", "done", "none"], HERE) == {"mine"}


async def test_an_interrupted_session_is_resumed_where_it_was_left(db):
    await opened(db)
    async with db.transaction() as tx:
        await update_session(tx, ME, "s", task="T", pending_work="P", state={"step": 3}, owner=HERE)
    await age(db, 91)
    async with db.transaction() as tx:
        await recover_sessions(tx)
    async with db.transaction() as tx:
        session = await resume_session(tx, ME, "s", owner=THERE)
    assert session.recovered
    assert (session.status, session.owner) == (SessionStatus.ACTIVE, THERE)
    assert (session.task, session.pending_work, session.state) == ("T", "P", {"step": 3})
    async with db.transaction() as tx:
        assert await recover_sessions(tx) == []
        assert await beat_sessions(tx, ["s"], HERE) == frozenset()
        assert await beat_sessions(tx, ["s"], THERE) == {"s"}


async def test_opening_an_interrupted_session_tells_that_it_was_recovered(db):
    await opened(db)
    await age(db, 91)
    async with db.transaction() as tx:
        await recover_sessions(tx)
    session = await opened(db, owner=THERE)
    assert (session.recovered, session.owner, session.status) == (True, THERE, SessionStatus.ACTIVE)


async def test_fault_35_a_session_that_another_process_serves_is_not_taken_from_it(db):
    await opened(db)
    await age(db, 60)
    with pytest.raises(Stale) as refused:
        async with db.transaction() as tx:
            await resume_session(tx, ME, "s", owner=THERE)
    assert refused.value.number == "E072"
    beside = await opened(db, owner=THERE)
    assert beside.owner == HERE
    async with db.transaction() as tx:
        assert (await update_session(tx, ME, "s", task="T", owner=THERE)).owner == HERE
    async with db.transaction() as tx:
        assert (await resume_session(tx, ME, "s", owner=THERE, force=True)).owner == THERE


async def test_using_a_session_from_beside_is_no_beat_of_its_owner(db):
    await opened(db)
    await age(db, 60)
    await opened(db, owner=THERE)
    await age(db, 31)
    async with db.transaction() as tx:
        assert await recover_sessions(tx) == ["s"]


async def test_a_session_of_a_process_of_this_machine_that_ended_is_resumed_at_once(db):
    place, pid, _start = process_name().rsplit(":", 2)
    await opened(db, owner=f"{place}:{pid}:1")
    async with db.transaction() as tx:
        assert (await resume_session(tx, ME, "s")).owner == process_name()


async def test_whoever_uses_a_session_of_a_silent_process_serves_it(db):
    await opened(db)
    await age(db, 91)
    assert (await opened(db, owner=THERE)).owner == THERE


async def test_sessions_are_listed_by_their_last_use_and_status(db):
    for name in ("a", "b", "c"):
        await opened(db, name)
        await age(db, 10, "active_at")
    await opened(db, "a")
    async with db.transaction() as tx:
        await complete_session(tx, ME, "b")
        assert [one.id for one in await list_sessions(tx, ME)] == ["a", "c", "b"]
        assert [one.id for one in await list_sessions(tx, ME, limit=1)] == ["a"]
        assert [one.id for one in await list_sessions(tx, ME, status=SessionStatus.COMPLETED)] == ["b"]
    for limit in (0, 101):
        with pytest.raises(InvalidInput):
            async with db.transaction() as tx:
                await list_sessions(tx, ME, limit=limit)


async def test_old_sessions_are_forgotten_only_when_their_work_was_done(db):
    for name in ("done", "left"):
        await opened(db, name)
    async with db.transaction() as tx:
        await complete_session(tx, ME, "done")
        assert await expire_sessions(tx) == (0, 0)
    await age(db, 31 * 86_400, "active_at heartbeat_at")
    async with db.transaction() as tx:
        await recover_sessions(tx)
        assert await expire_sessions(tx) == (0, 1)
        assert [one.id for one in await list_sessions(tx, ME)] == ["left"]
