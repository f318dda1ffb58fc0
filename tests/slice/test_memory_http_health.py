"""Health: found out by writing and searching, seen by nobody else, and true when something is broken."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from support.brain import open_memory_api


@pytest.fixture
def fresh(monkeypatch):
    """Each look is a new one."""
    monkeypatch.setattr("frasier.interfaces.http.health._MAX_AGE_S", -1.0)


async def test_whoever_is_not_let_in_learns_only_the_status(brain):
    answered = await brain.get("health", Authorization="")
    assert (answered.status_code, answered.json()) == (200, {"status": "ok"})


async def test_whoever_is_let_in_learns_what_works_and_how_fast(brain):
    shown = (await brain.get("health")).json()
    assert shown["status"] == "ok"
    assert set(shown["parts"]) == {"database", "write", "search", "embedding"}
    for part in shown["parts"].values():
        assert part["works"]
        assert part["ms"] >= 0


async def test_a_wrong_token_is_told_so(brain):
    assert (await brain.get("health", Authorization="Bearer wrong")).status_code == 401


async def test_a_probe_leaves_nothing_and_is_seen_by_nobody(brain, fresh):
    for _ in range(3):
        assert (await brain.get("health")).status_code == 200
    async with brain.db.transaction() as tx:
        for table in ("memory_items", "memory_terms", "memory_changes", "memory_embedding_jobs"):
            cursor = await tx.execute(f"select count(*) as rows from {table}")
            assert (await cursor.fetchone())["rows"] == 0, table


async def test_a_memory_that_cannot_be_written_is_down_and_says_that_searching_works(
    brain, fresh, server, database_name
):
    with psycopg.connect(server.url("frasier_owner", database_name), autocommit=True) as owner:
        owner.execute("revoke insert on memory_items from frasier_app")
    answered = await brain.get("health")
    shown = answered.json()
    assert answered.status_code == 503
    assert shown["status"] == "down"
    assert not shown["parts"]["write"]["works"]
    assert shown["parts"]["search"]["works"]
    assert shown["reason"] == "write: failed (InsufficientPrivilege)"


async def test_a_database_that_does_not_answer_is_down_without_a_word_on_where_it_is(db):
    async with open_memory_api(db) as brain:
        await brain.db.close()
        bare = await brain.get("health", Authorization="")
        let_in = await brain.get("health")
        asked = await brain.post("query", {"query": "x"})
    assert (bare.status_code, bare.json()) == (503, {"status": "down"})
    assert (let_in.status_code, let_in.json()) == (503, {"status": "down"})
    assert asked.status_code == 503
    assert asked.headers["retry-after"] == "1"
    assert asked.json()["error"]["code"] == "store_error"


async def test_a_database_that_hangs_is_down_before_whoever_asks_gives_up(brain, monkeypatch):
    monkeypatch.setattr("frasier.interfaces.http.health._TIMEOUT_S", 0.2)
    async with brain.db.transaction() as blocking:
        await blocking.execute("lock table memory_items in access exclusive mode")
        answered = await asyncio.wait_for(brain.get("health"), 5)
        assert answered.status_code == 503
        assert "did not answer" in answered.json()["parts"]["write"]["detail"]


async def test_what_is_missing_of_the_vectors_is_degraded_and_goes_on(brain, monkeypatch):
    known = await brain.engine.health()

    async def troubled():
        import dataclasses

        return dataclasses.replace(known, trouble=("the encoder refuses its key",))

    monkeypatch.setattr(brain.engine, "health", troubled)
    answered = await brain.get("health")
    assert answered.status_code == 200
    assert answered.json()["status"] == "degraded"
    assert answered.json()["reason"] == "embedding: the encoder refuses its key"


async def test_many_who_ask_at_once_are_one_look(brain, monkeypatch):
    looks = 0
    real = brain.engine.health

    async def counted():
        nonlocal looks
        looks += 1
        return await real()

    monkeypatch.setattr(brain.engine, "health", counted)
    answers = await asyncio.gather(*(brain.get("health", Authorization="") for _ in range(30)))
    assert {answer.status_code for answer in answers} == {200}
    assert looks == 1
