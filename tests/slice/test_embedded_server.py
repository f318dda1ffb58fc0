"""The embedded PostgreSQL: shared by real processes that are really killed."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from frasier.kernel.errors import DatabaseUnreachable
from frasier.store.embedded import EmbeddedServer
from frasier.store.embedded.locks import is_held
from support.embedded_client import EmbeddedClient
from support.embedded_places import (
    FAST,
    client,
    initdb_in,
    open_place,
    prepared_root,
    query,
    wait_until,
)


@pytest.fixture
def place() -> Iterator[Path]:
    with open_place() as directory:
        yield directory


@pytest.fixture(scope="module")
def prepared() -> Iterator[Path]:
    with prepared_root() as directory:
        yield directory


@pytest.fixture
def root(prepared: Path) -> Iterator[Path]:
    """The directory of a server; each test finds it stopped."""
    yield prepared
    EmbeddedServer(prepared).stop()


# Starting, sharing, stopping


def test_a_cold_start_serves_a_database_with_pgvector_and_two_plain_roles(place: Path) -> None:
    with EmbeddedServer(place / "pg", settings=FAST) as server:
        assert query(server.url(), "select '[1,2]'::vector <-> '[1,3]'::vector, current_user") == [
            (1.0, "frasier_app")
        ]
        query(server.url("frasier_owner"), "create table mine (id int)")
        for role in ("frasier_app", "frasier_owner"):
            for forbidden in ("create database more", "create role more"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    query(server.url(role), forbidden)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            query(server.url(), "create table theirs (id int)")
        assert stat.S_IMODE((place / "pg/run").stat().st_mode) == 0o700
        assert stat.S_IMODE((place / "pg/run/.s.PGSQL.5432").stat().st_mode) == 0o700
    assert not server.running
    assert server.pid is None


def test_the_log_of_a_server_that_runs_for_months_keeps_one_older_and_goes_on(root: Path) -> None:
    log, older = root / "server.log", root / "server.log.1"
    with EmbeddedServer(root, settings=FAST) as server:
        log.write_bytes(b"an old line\n" * 500_000)
        server.ensure()
        assert older.read_bytes().count(b"an old line") == 500_000
        assert stat.S_IMODE(older.stat().st_mode) == 0o600
        query(server.url(), "do $$ begin raise warning 'the kettle leaks'; end $$")
        wait_until(lambda: b"the kettle leaks" in log.read_bytes())
        assert log.stat().st_size < 10_000
        server.ensure()
        assert older.read_bytes().count(b"an old line") == 500_000


def test_starting_twice_is_starting_once(root: Path) -> None:
    server = EmbeddedServer(root, settings=FAST)
    server.start()
    first = server.pid
    server.start()
    assert server.pid == first
    server.release()
    server.release()
    assert not server.running


def test_the_second_process_attaches_and_the_last_one_out_stops(root: Path) -> None:
    with client(root) as first, client(root) as second:
        pid = first.do("start")["pid"]
        assert second.do("start")["pid"] == pid
        assert first.do("release")["running"]
        assert not second.do("release")["running"]


def test_a_release_may_leave_the_server_running_for_the_next_one(root: Path) -> None:
    server = EmbeddedServer(root, settings=FAST)
    server.start()
    server.release(stop_if_last=False)
    assert server.running
    with EmbeddedServer(root):
        pass
    assert not server.running


def test_four_processes_at_once_on_a_fresh_directory_share_one_server(place: Path) -> None:
    with ExitStack() as stack:
        clients = [stack.enter_context(client(place / "pg")) for _ in range(4)]
        for one in clients:
            one.tell("start")
        assert len({one.answer()["pid"] for one in clients}) == 1
        assert [one.do("release")["running"] for one in clients] == [True, True, True, False]


def test_stop_cuts_off_whoever_uses_it_and_ensure_brings_it_back(root: Path) -> None:
    with client(root) as user:
        first = user.do("start")
        with psycopg.connect(first["url"]) as connection:
            EmbeddedServer(root).stop()
            with pytest.raises(psycopg.OperationalError):
                connection.execute("select 1")
        assert not EmbeddedServer(root).running
        again = user.do("ensure")
        assert again["running"]
        assert again["pid"] != first["pid"]
        assert not user.do("release")["running"]


def test_threads_that_start_and_ensure_at_once_get_one_server(root: Path) -> None:
    server = EmbeddedServer(root, settings=FAST)
    seen: list[int | None] = []

    def use() -> None:
        server.ensure()
        seen.append(server.pid)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 4
    assert len(set(seen)) == 1
    server.release()
    assert not server.running


def test_a_forked_child_cannot_end_its_parents_use(root: Path) -> None:
    with client(root) as parent, client(root) as other:
        parent.do("start")
        assert parent.do("fork")["running"]
        other.do("start")
        assert other.do("release")["running"], "the parent's use was lost"
        assert not parent.do("release")["running"]


# What kills it


def test_a_killed_client_counts_no_more(root: Path) -> None:
    with client(root) as victim, client(root) as survivor:
        pid = victim.do("start")["pid"]
        victim.kill()
        assert survivor.do("start")["pid"] == pid
        assert not survivor.do("release")["running"]


def test_a_killed_server_comes_back_with_every_committed_row(root: Path) -> None:
    durable = {**FAST, "synchronous_commit": "on"}
    with EmbeddedClient(root, durable) as user:
        started = user.do("start")
        query(started["url"], "create table if not exists kept (id int); insert into kept values (7)")
        os.kill(started["pid"], signal.SIGKILL)
        with EmbeddedServer(root, settings=FAST) as server:
            assert server.pid != started["pid"]
            assert (7,) in query(server.url("postgres"), "select id from kept")


def test_ensure_restarts_a_server_that_was_killed_under_its_user(root: Path) -> None:
    with EmbeddedServer(root, settings=FAST) as server:
        killed = server.pid
        assert killed
        server.ensure()
        assert server.pid == killed
        os.kill(killed, signal.SIGKILL)
        server.ensure()
        assert server.pid not in {None, killed}
        assert query(server.url(), "select 1") == [(1,)]


def test_files_that_name_a_living_stranger_neither_stop_the_start_nor_harm_the_stranger(root: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, text=True) as stranger:
        (root / "data/postmaster.pid").write_text(
            f"{stranger.pid}\n{root / 'data'}\n1\n5432\n{root / 'run'}\n\n  1 2\n"
        )
        (root / "run/.s.PGSQL.5432.lock").write_text(f"{stranger.pid}\n")
        with socket.socket(socket.AF_UNIX) as abandoned:
            abandoned.bind(str(root / "run/.s.PGSQL.5432"))
        server = EmbeddedServer(root, settings=FAST)
        assert server.pid is None
        server.stop()
        assert stranger.poll() is None
        with server:
            assert server.pid not in {None, stranger.pid}
            assert query(server.url(), "select 1") == [(1,)]
        assert stranger.poll() is None
        stranger.communicate("\n")


def test_an_interrupted_initdb_is_awaited_cleaned_up_and_done_again(place: Path) -> None:
    root = place / "pg"
    (root / "data.new-1/base").mkdir(parents=True)
    (root / "data.new-1/PG_VERSION").write_text("18\n")
    with client(root) as victim:
        victim.tell("start")
        wait_until(lambda: initdb_in(root))
        orphan = initdb_in(root)
        assert orphan
        os.kill(orphan, signal.SIGSTOP)
        try:
            victim.kill()
            assert is_held(root / "start.lock"), "the next start would meet an initdb that still writes"
        finally:
            os.kill(orphan, signal.SIGCONT)
    assert not (root / "data").exists()
    with EmbeddedServer(root, settings=FAST) as server:
        assert query(server.url(), "select 1") == [(1,)]
    assert not list(root.glob("data.new-*"))


def test_a_start_that_fails_quotes_the_servers_log_and_leaves_no_user_behind(root: Path) -> None:
    broken = EmbeddedServer(root, settings={**FAST, "shared_bufers": "1"})
    with pytest.raises(DatabaseUnreachable, match="unrecognized configuration parameter"):
        broken.start()
    with EmbeddedServer(root, settings={**FAST, "work_mem": "3MB", "application_name": "it''s \\"}) as server:
        assert query(server.url(), "show work_mem") == [("3MB",)]
        assert query(server.url(), "show application_name") == [("it''s \\",)]
    assert not server.running
