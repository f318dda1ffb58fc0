"""Everything works through PgBouncer in transaction mode, and what is missing for that is named at once."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from unittest.mock import patch

import psycopg
import pytest

from frasier.app import open_services
from frasier.kernel.errors import DatabaseUnreachable
from frasier.memory.vectors import index as vector_index
from frasier.settings import load_settings
from frasier.store import Connection, NotifyListener, check_direct, connect, notify
from slice.test_memory_vectors_conformance import Bench, axis
from support.cli import DEADLINE_S, FrasierProgram
from support.machine_speed import in_time
from support.outside_agents import SERVE, over_http, serving
from support.pooler import Pooler, advisory_locks, open_pooler

NAMED_WITHIN_S = 3.0
EXAMPLE = Path(__file__).parents[2] / "examples/embedded-databases"
QUIET = {"FRASIER_MEMORY__EMBEDDING__PROVIDER": "none"}


@pytest.fixture(scope="session")
def pooler(server) -> Iterator[Pooler]:
    with open_pooler(server) as pooler:
        yield pooler


@pytest.fixture
def url(pooler, database_name) -> str:
    """The test's database, through the pooler."""
    return pooler.url(database_name)


@pytest.fixture
def program(home, url) -> FrasierProgram:
    """The program with the pooler's address and nothing else set."""
    return FrasierProgram(home, url)


@pytest.fixture
def pooled(database_url, owner_url) -> dict[str, str]:
    """What is set besides that address."""
    return {
        "FRASIER_DATABASE__POOLED": "true",
        "FRASIER_DATABASE__DIRECT_URL": database_url,
        "FRASIER_DATABASE__OWNER_URL": owner_url,
        **QUIET,
    }


@pytest.fixture
def silent_port() -> Iterator[int]:
    """The port of somebody who takes connections and says nothing, as a pooler does whose server is down."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def set_environment(monkeypatch: pytest.MonkeyPatch, home: Path, url: str, more: Mapping[str, str]) -> None:
    for name, value in {"FRASIER_HOME": str(home), "FRASIER_DATABASE_URL": url, **more}.items():
        monkeypatch.setenv(name, value)


def test_doctor_and_db_status_are_in_order_through_a_pooler(program, pooled):
    document = program.json("doctor", **pooled)
    assert document["healthy"] is True
    status = program.json("db", "status", **pooled)
    assert (status["role"], status["pending"]) == ("frasier_app", [])


@pytest.mark.parametrize("command", [("db", "status"), ("say", "Hello."), ("db", "migrate"), ("status",)])
def test_a_pooler_that_nobody_named_is_the_stated_cause_with_the_settings(program, command):
    started = time.monotonic()
    shown = program(*command, code=8)
    assert in_time(time.monotonic() - started, NAMED_WITHIN_S)
    assert shown.out == ""
    assert "unsupported startup parameter: options" in shown.err
    assert "FRASIER_DATABASE__POOLED" in shown.err
    assert "FRASIER_DATABASE__DIRECT_URL" in shown.err


def test_doctor_names_a_pooler_that_nobody_named(program):
    started = time.monotonic()
    document = program.json("doctor", code=8)
    assert in_time(time.monotonic() - started, NAMED_WITHIN_S)
    [check] = [check for check in document["checks"] if check["name"] == "database"]
    assert "unsupported startup parameter: options" in check["found"]
    assert "FRASIER_DATABASE__POOLED" in check["hint"]


def test_a_pooler_that_swallows_what_is_set_for_a_session_is_found_out(home, server, database_name):
    with open_pooler(server, ignored="options") as pooler:
        program = FrasierProgram(home, pooler.url(database_name))
        refused = program.json("status", code=8)["error"]
    assert "pooler" in refused["message"]
    assert "FRASIER_DATABASE__POOLED" in refused["hint"]


@pytest.mark.parametrize(
    ("address", "cause", "advice"),
    [
        ({"password": "wrong"}, "authentication failed", "Correct the user and the password"),
        ({"database": "nothing"}, 'database "nothing" does not exist', "Create the database"),
        ({"more": "?sslmode=require"}, "does not support SSL", "Remove sslmode"),
    ],
)
def test_a_cause_that_stays_is_named_at_once(program, pooled, pooler, database_name, address, cause, advice):
    given = {"database": database_name, "password": "geheim", "more": ""} | address
    url = pooler.url(given["database"], password=given["password"]) + given["more"]
    started = time.monotonic()
    # Once: what a server refused, PgBouncer does not ask it again for 15 s, and leaves its clients waiting.
    refused = program.json("status", code=7, **pooled | {"FRASIER_DATABASE_URL": url})["error"]
    assert in_time(time.monotonic() - started, NAMED_WITHIN_S)
    assert cause in refused["message"]
    assert refused["hint"].startswith(advice)
    assert not {"wrong", "geheim"} & set(json.dumps(refused).replace(":", " ").split())


@pytest.mark.parametrize("command", [("db", "status"), ("status",), ("doctor",)])
def test_a_pooler_without_a_direct_address_is_refused_with_what_to_set(program, pooled, owner_url, command):
    del pooled["FRASIER_DATABASE__DIRECT_URL"]
    document = program.json(*command, code=8, **pooled)
    assert "FRASIER_DATABASE__DIRECT_URL" in json.dumps(document)
    assert "application's role" in json.dumps(document)


@pytest.mark.parametrize("command", [("db", "status"), ("status",)])
def test_a_direct_address_that_is_another_pooler_or_database_is_refused(
    program, pooled, url, server, command
):
    direct = "FRASIER_DATABASE__DIRECT_URL"
    refused = program.json(*command, code=8, **pooled | {direct: url})["error"]
    assert refused["message"].startswith(f"{direct} is the address of a pooler (127.0.0.1, port ")
    assert "POOLED" not in refused["hint"]
    refused = program.json(*command, code=8, **pooled | {direct: server.url("frasier_app")})["error"]
    assert direct in refused["message"]
    assert "another database" in refused["message"]


async def test_a_server_that_is_down_behind_a_pooler_is_told_at_once(silent_port):
    started = time.monotonic()
    silent = f"postgresql://frasier_app:geheim@127.0.0.1:{silent_port}/tea"
    with pytest.raises(DatabaseUnreachable, match="port 1 failed"):
        await check_direct(silent, "postgresql://frasier_app:geheim@127.0.0.1:1/tea")
    assert in_time(time.monotonic() - started, 1)


async def test_a_pooler_that_never_answers_is_told_with_its_address():
    timeout = psycopg.errors.ConnectionTimeout("connection timeout expired")  # the driver's own, after 5 s
    with (
        patch.object(Connection, "connect", side_effect=timeout),
        pytest.raises(DatabaseUnreachable) as caught,
    ):
        await connect("postgresql://frasier_app:geheim@127.0.0.1:6432/tea", pooled=True)
    assert "at 127.0.0.1, port 6432 within 2 s" in caught.value.message
    assert "Check whether the pooler there reaches its server" in caught.value.hint
    assert "geheim" not in json.dumps(caught.value.as_dict())


async def test_a_task_is_moved_over_http_through_a_pooler(program, pooled, pooler):
    told = {**pooled, "FRASIER_DATABASE__CONNECTIONS": "4"}
    run = asyncio.to_thread
    await run(program, "task", "board", "make", "kettle", **told)
    tokens = {
        who: (
            await run(program, "task", "member", "add", who, "--role", role, "--board", "kettle", **told)
        ).out.strip()
        for who, role in (("lia", "liaison"), ("anna", "pdsa"))
    }
    with serving(program, SERVE, environment=told) as [base]:
        async with over_http(base, tokens["lia"]) as lia, over_http(base, tokens["anna"]) as anna:
            fields = {"description": "A kettle that whistles.", "acceptance_criteria": ["It whistles."]}
            await lia("task_create", name="tea", title="A kettle", fields=fields)
            moved = await lia("task_move", task="tea", move="ready", fields={"depends_on_reviewed": True})
            [found] = (await anna("task_wait", board="kettle", timeout_s=60))["tasks"]
    assert found["task"] == "kettle/tea"
    assert moved["status"] == "ready"


async def listens(url: str) -> None:
    """Return once a session of the application's role listens."""
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        async with asyncio.timeout(DEADLINE_S):
            while True:
                cursor = await connection.execute(
                    "select from pg_stat_activity where query ilike 'listen %' and usename = 'frasier_app'"
                    " and datname = current_database() and state = 'idle'"
                )
                if cursor.rowcount:
                    return


async def test_the_services_listen_and_beat_past_the_pooler_as_the_application(
    home, url, pooled, database_url, monkeypatch
):
    set_environment(monkeypatch, home, url, pooled)
    async with open_services(load_settings()) as services:
        assert services.board.database.url == url
        assert services.board.direct_url == database_url
        async with NotifyListener(services.board.direct_url, "hints") as wakeup:
            await listens(database_url)
            async with services.board.database.transaction() as tx:
                await notify(tx, "hints")
            started = time.monotonic()
            await wakeup.wait(30)
            assert in_time(time.monotonic() - started, 10)


async def test_indexes_are_built_once_and_leave_nothing_in_the_pooled_connections(
    home, url, pooled, database_url, monkeypatch
):
    set_environment(monkeypatch, home, url, pooled)
    monkeypatch.setattr(vector_index, "INDEX_FROM", 20)
    async with open_services(load_settings()) as services:
        bench = Bench(services.board.database, services.memory._dependencies.store)
        space = await bench.space(state="active")
        await bench.put(space, await bench.memories(20), [axis(number % 8) for number in range(20)])
        await asyncio.gather(*(bench.store.prepare(services.board.database, space) for _ in range(3)))
        async with services.board.database.transaction() as tx:
            cursor = await tx.execute("select holder from store_leases where until > now()")
            assert await cursor.fetchall() == []
            cursor = await tx.execute(
                "select indisvalid from pg_index join pg_class on oid = indexrelid"
                " where starts_with(relname, 'memory_vectors_hnsw_')"
            )
            assert [row["indisvalid"] for row in await cursor.fetchall()] == [True]
    assert advisory_locks(database_url) == 0
    with psycopg.connect(url, autocommit=True, prepare_threshold=None) as connection:
        for _ in range(4):
            assert connection.execute("show statement_timeout").fetchone() == ("0",)
            assert connection.execute("show lock_timeout").fetchone() == ("0",)


def test_what_is_said_is_answered_through_a_pooler(program, pooled):
    assert program.json("say", "Hello.", **pooled)["answer"]


def test_two_workers_share_a_mission_through_a_pooler(program, pooled):
    with program.running("worker", **pooled), program.running("worker", **pooled):
        directive = (EXAMPLE / "directive.txt").read_text("utf-8")
        ran = program.json("run", directive, "--sources", str(EXAMPLE / "sources"), **pooled)
    assert ran["status"] == "delivered"
