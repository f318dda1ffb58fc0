"""The pool and its transactions, against a server that is there, that goes, and that never was."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from bench.round_trips import count_round_trips
from psycopg.sql import SQL, Identifier

from frasier.kernel.errors import (
    ConfigurationError,
    DatabaseUnreachable,
    InvariantBroken,
    LeaseLost,
    Stale,
    StoreError,
)
from frasier.kernel.ids import new_id
from frasier.kernel.transaction_guard import forbid_open_transaction
from frasier.store import Database, Tx, append_event, connection, events_of, take_lease
from frasier.store.embedded.paths import ServerLayout
from support.machine_speed import in_time

NOBODY = "postgresql://app:geheim@127.0.0.1:1/none"


async def ask(tx, statement: str, parameters=None):
    row = await (await tx.execute(statement, parameters)).fetchone()
    return next(iter(row.values())) if row else None


async def count_leases(db: Database) -> int:
    async with db.transaction() as tx:
        return await ask(tx, "select count(*) from store_leases")


async def sleeps(url: str) -> None:
    """Returns once some session runs pg_sleep."""
    async with asyncio.timeout(10), await psycopg.AsyncConnection.connect(url, autocommit=True) as other:
        while True:
            cursor = await other.execute(
                "select from pg_stat_activity where state = 'active' and query like 'select pg_sleep%'"
                " and datname = current_database() and wait_event = 'PgSleep'"
            )
            if cursor.rowcount:
                return


class TestUnreachable:
    async def test_nobody_there_is_told_at_once_and_without_the_password(self) -> None:
        started = time.monotonic()
        with pytest.raises(DatabaseUnreachable) as caught:
            await Database(NOBODY).open()
        assert in_time(time.monotonic() - started, 5)
        assert "geheim" not in str(caught.value.as_dict())
        assert caught.value.hint or caught.value.advice or caught.value.facts

    @pytest.mark.parametrize(
        "root",
        ["/nowhere/.frasier/postgres", "/var/lib/frasier/0123456789ab", f"/nowhere/{'long/' * 20}postgres"],
    )
    async def test_an_embedded_server_that_does_not_run_is_advised_to_be_started(self, root: str) -> None:
        with pytest.raises(DatabaseUnreachable, match="No such file") as caught:
            await Database(ServerLayout(root=Path(root)).conninfo("none")).open()
        assert [advice.action for advice in caught.value.advice] == ["database.start"]

    async def test_a_server_of_ones_own_that_does_not_run_is_not(self, tmp_path: Path) -> None:
        with pytest.raises(DatabaseUnreachable, match="No such file") as caught:
            await Database(f"host={tmp_path} dbname=none").open()
        assert "Check FRASIER_DATABASE_URL" in caught.value.hint
        assert [advice.action for advice in caught.value.advice] == ["doctor.run"]

    async def test_a_wrong_database_name_is_told(self, database_url: str) -> None:
        with pytest.raises(DatabaseUnreachable, match="does not exist"):
            await Database(database_url.replace("/t_", "/no_")).open()

    async def test_an_old_server_is_refused_at_once(
        self, database_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connection, "_POSTGRES_MIN", 99)
        with pytest.raises(ConfigurationError, match="too old"):
            await Database(database_url).open()

    async def test_a_pool_that_waited_in_vain_names_the_cause(
        self, maker: psycopg.Connection, database_name: str, database_url: str
    ) -> None:
        async with Database(database_url) as database:
            database._pool.timeout = 0.2
            maker.execute(SQL("alter database {} allow_connections false").format(Identifier(database_name)))
            cut = "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s"
            maker.execute(cut, [database_name])
            with pytest.raises(DatabaseUnreachable, match="not currently accepting connections"):
                async with database.transaction():
                    pass

    async def test_a_pool_in_which_all_are_busy_is_not_taken_for_a_server_that_is_gone(
        self, database_url: str
    ) -> None:
        async with Database(database_url, connections=1) as database:
            database._pool.timeout = 0.1
            async with database.transaction():
                waiting = asyncio.create_task(database.transaction().__aenter__())
                with pytest.raises(DatabaseUnreachable, match="All 1 connections of this process") as caught:
                    await waiting
        assert "FRASIER_DATABASE__CONNECTIONS" in caught.value.hint

    async def test_settings_that_stand_in_the_address_hold_beside_ours(self, database_url: str) -> None:
        async with (
            Database(f"{database_url}&options=-csearch_path%3Dfamous") as database,
            database.transaction() as tx,
        ):
            assert await ask(tx, "show search_path") == "famous"
            assert await ask(tx, "show timezone") == "UTC"

    async def test_a_closed_pool_is_told(self, database_url: str) -> None:
        database = await Database(database_url).open()
        await database.close()
        with pytest.raises(DatabaseUnreachable):
            async with database.transaction():
                pass

    async def test_connections_that_were_cut_while_idle_are_replaced_unseen(self, database_url: str) -> None:
        async with Database(database_url, connections=5) as database:
            together = asyncio.Barrier(5)

            async def use(meet: asyncio.Barrier) -> None:
                async with database.transaction() as tx:
                    await tx.execute("select 1")
                    await meet.wait()

            await asyncio.gather(*(use(together) for _ in range(5)))
            with psycopg.connect(database_url, autocommit=True) as other:
                cut = other.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity"
                    " where datname = current_database() and pid <> pg_backend_pid()"
                    " and backend_type = 'client backend'"
                )
                assert cut.rowcount >= 5
            # Found one by one, with the pool's own pauses in between, they would take far longer.
            began = time.monotonic()
            await use(asyncio.Barrier(1))
            assert in_time(time.monotonic() - began, 4)
            await asyncio.gather(*(use(together) for _ in range(5)))

    async def test_a_connection_cut_in_the_middle_is_unreachable_and_nothing_is_stored(
        self, board: Database
    ) -> None:
        with pytest.raises(DatabaseUnreachable):
            async with board.transaction() as tx:
                await take_lease(tx, "cut", holder="a", lease_s=60)
                pid = await ask(tx, "select pg_backend_pid()")
                async with board.transaction() as other:
                    await other.execute("select pg_terminate_backend(%s)", (pid,))
                await tx.execute("select 1")
        assert await count_leases(board) == 0

    async def test_a_lost_connection_is_not_taken_for_a_commit_even_where_the_body_ignores_it(
        self, board: Database
    ) -> None:
        with pytest.raises(DatabaseUnreachable):
            async with board.transaction() as tx:
                await take_lease(tx, "cut", holder="a", lease_s=60)
                pid = await ask(tx, "select pg_backend_pid()")
                async with board.transaction() as other:
                    await other.execute("select pg_terminate_backend(%s)", (pid,))
                with suppress(psycopg.OperationalError):
                    await tx.execute("select 1")
        assert await count_leases(board) == 0

    async def test_an_idle_transaction_that_the_server_cuts_off_is_unreachable(self, board: Database) -> None:
        with pytest.raises(DatabaseUnreachable):
            async with board.transaction() as tx:
                await tx.execute("set local idle_in_transaction_session_timeout = '20ms'")
                await asyncio.sleep(0.3)
                await tx.execute("select 1")


class TestTransactions:
    async def test_the_body_is_committed_at_its_end(self, board: Database) -> None:
        async with board.transaction() as tx:
            await take_lease(tx, "a", holder="h", lease_s=60)
        assert await count_leases(board) == 1

    async def test_an_error_of_the_body_undoes_all_of_it(self, board: Database) -> None:
        with pytest.raises(ZeroDivisionError):
            async with board.transaction() as tx:
                await take_lease(tx, "a", holder="h", lease_s=60)
                raise ZeroDivisionError
        assert await count_leases(board) == 0

    async def test_a_cancelled_body_is_undone_and_the_connection_lives_on(self, board: Database) -> None:
        async with Database(board.url, connections=1) as database:

            async def slow() -> None:
                async with database.transaction() as tx:
                    await take_lease(tx, "a", holder="h", lease_s=60)
                    await tx.execute("select pg_sleep(60)")

            task = asyncio.create_task(slow())
            await sleeps(board.url)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await count_leases(database) == 0

    async def test_a_swallowed_error_of_a_statement_is_not_taken_for_a_commit(self, board: Database) -> None:
        with pytest.raises(InvariantBroken, match="swallowed"):
            async with board.transaction() as tx:
                await take_lease(tx, "a", holder="h", lease_s=60)
                with suppress(psycopg.errors.DivisionByZero):
                    await tx.execute("select 1/0")
        assert await count_leases(board) == 0

    async def test_a_savepoint_confines_an_error(self, board: Database) -> None:
        async with board.transaction() as tx:
            await take_lease(tx, "a", holder="h", lease_s=60)
            with pytest.raises(psycopg.errors.DivisionByZero):
                async with tx.transaction():
                    await take_lease(tx, "b", holder="h", lease_s=60)
                    await tx.execute("select 1/0")
        assert await count_leases(board) == 1

    async def test_a_circle_of_waiting_is_stale(self, board: Database) -> None:
        async with board.transaction() as tx:
            for name in ("one", "two"):
                await take_lease(tx, name, holder="h", lease_s=60)
        met = asyncio.Barrier(2)

        async def lock(*names: str) -> None:
            async with board.transaction() as tx:
                for name in names:
                    await tx.execute("update store_leases set holder = 'x' where name = %s", (name,))
                    if name == names[0]:
                        await met.wait()

        ends = await asyncio.gather(lock("one", "two"), lock("two", "one"), return_exceptions=True)
        assert sorted(type(end).__name__ for end in ends) == ["NoneType", "Stale"]
        assert all(end is None or isinstance(end, Stale) for end in ends)

    async def test_a_time_out_of_the_server_is_an_error_of_the_store(self, board: Database) -> None:
        with pytest.raises(StoreError) as caught:
            async with board.transaction() as tx:
                await tx.execute("set local statement_timeout = '10ms'")
                await tx.execute("select pg_sleep(10)")
        assert not isinstance(caught.value, DatabaseUnreachable)
        assert "statement timeout" in caught.value.message

    async def test_a_broken_constraint_is_our_defect_and_stays_what_it_is(self, board: Database) -> None:
        with pytest.raises(psycopg.errors.NotNullViolation):
            async with board.transaction() as tx:
                await tx.execute("insert into store_leases (name) values ('x')")

    async def test_the_network_is_forbidden_inside_and_allowed_after(self, board: Database) -> None:
        forbid_open_transaction("a call")
        with pytest.raises(InvariantBroken, match="a call was tried while a transaction is open"):
            async with board.transaction():
                forbid_open_transaction("a call")
        forbid_open_transaction("a call")

    async def test_another_task_may_use_the_network_meanwhile(self, board: Database) -> None:
        inside, outside = asyncio.Event(), asyncio.Event()

        async def transact() -> None:
            async with board.transaction():
                inside.set()
                await outside.wait()

        async def call() -> str:
            await inside.wait()
            forbid_open_transaction("a call")
            outside.set()
            return "called"

        assert await asyncio.gather(transact(), call()) == [None, "called"]

    async def test_sessions_speak_utc_and_never_compile(self, board: Database) -> None:
        async with board.transaction() as tx:
            assert await ask(tx, "show timezone") == "UTC"
            assert await ask(tx, "show jit") == "off"
            assert await ask(tx, "show idle_in_transaction_session_timeout") == "1min"

    async def test_more_callers_than_connections_take_turns(self, board: Database) -> None:
        async with Database(board.url, connections=2) as database:

            async def use(name: str) -> None:
                async with database.transaction() as tx:
                    await take_lease(tx, name, holder="h", lease_s=60)

            await asyncio.gather(*(use(f"n{n}") for n in range(20)))
            assert await count_leases(database) == 20


class TestRoundTrips:
    """Each step of `Database.transaction` waits once for PostgreSQL: BEGIN, the settings if there are any, COMMIT."""

    @pytest.mark.parametrize("settings", [None, {"work_mem": "3MB"}])
    @pytest.mark.parametrize("pooled", [False, True])
    async def test_an_empty_transaction_takes_two_and_one_for_its_settings(
        self, board: Database, pooled: bool, settings: dict[str, str] | None
    ) -> None:
        async def transact() -> None:
            async with database.transaction(settings):
                pass

        async with Database(board.url, connections=1, pooled=pooled) as database:
            assert await count_round_trips(database, transact()) == 2 + bool(pooled or settings)

    async def test_deferred_calls_travel_with_the_commit(self, board: Database) -> None:
        async def transact() -> None:
            async with database.transaction() as tx:
                await tx.execute("select 1")
                for kind in ("first", "second", "third"):
                    await append_event(tx, stream=new_id(), kind=kind, actor="a")

        async with Database(board.url, connections=1) as database:
            assert await count_round_trips(database, transact()) == 3

    async def test_deferred_calls_take_one_before_a_statement(self, board: Database) -> None:
        async def transact() -> None:
            async with database.transaction() as tx:
                for kind in ("first", "second", "third"):
                    await append_event(tx, stream=new_id(), kind=kind, actor="a")
                await tx.execute("select 1")

        async with Database(board.url, connections=1) as database:
            assert await count_round_trips(database, transact()) == 4


class TestDeferred:
    """Deferred calls go out with the next statement, or with COMMIT; never after an end that is not a commit."""

    @pytest.fixture(autouse=True)
    def _fresh_stream(self) -> None:
        self.stream = new_id()

    async def append(self, tx: Tx, kind: str) -> None:
        await append_event(tx, stream=self.stream, kind=kind, actor="a")

    async def kinds(self, db: Database) -> list[str]:
        async with db.transaction() as tx:
            return [event.kind for event in await events_of(tx, self.stream)]

    async def test_it_is_there_for_the_next_statement_and_after_the_commit(self, board: Database) -> None:
        async with board.transaction() as tx:
            await self.append(tx, "first")
            await self.append(tx, "second")
            assert tx.has_deferred
            assert len(await events_of(tx, self.stream)) == 2
            await self.append(tx, "third")
        assert await self.kinds(board) == ["first", "second", "third"]

    async def test_it_is_there_for_what_is_read_through_a_cursor_of_the_server_or_copied(
        self, board: Database
    ) -> None:
        async with board.transaction() as tx:
            await self.append(tx, "first")
            async with tx.cursor(name="trail") as cursor:
                await cursor.execute("select kind from events where stream = %s", (self.stream,))
                assert await cursor.fetchall() == [{"kind": "first"}]
            await self.append(tx, "second")
            copied = "copy (select kind from events where stream = %s order by seq) to stdout"
            async with tx.cursor() as cursor, cursor.copy(copied, (self.stream,)) as copy:
                assert [row async for row in copy.rows()] == [("first",), ("second",)]
            assert not tx.has_deferred

    async def test_more_than_one_statement_takes_keep_their_order(self, board: Database) -> None:
        wanted = [f"number-{n}" for n in range(21)]
        async with board.transaction() as tx:
            for kind in wanted:
                await self.append(tx, kind)
        assert await self.kinds(board) == wanted

    async def test_a_body_that_raises_leaves_none_of_it_to_whoever_comes_next(
        self, database_url: str
    ) -> None:
        async with Database(database_url, connections=1) as db:
            with pytest.raises(RuntimeError):
                async with db.transaction() as tx:
                    await self.append(tx, "given up")
                    raise RuntimeError
            async with db.transaction() as tx:
                assert not tx.has_deferred
            assert await self.kinds(db) == []

    async def test_a_savepoint_gives_up_what_was_asked_for_in_it_and_nothing_else(
        self, board: Database
    ) -> None:
        async with board.transaction() as tx:
            await self.append(tx, "before")
            with suppress(RuntimeError):
                async with tx.transaction():
                    await self.append(tx, "given up")
                    raise RuntimeError
            async with tx.transaction():
                await self.append(tx, "within")
            async with tx.transaction(force_rollback=True):
                await self.append(tx, "tried")
        assert await self.kinds(board) == ["before", "within"]

    async def test_what_it_refuses_takes_the_commit_with_it(self, board: Database) -> None:
        with pytest.raises(psycopg.errors.CheckViolation):
            async with board.transaction() as tx:
                await take_lease(tx, "n", holder="h", lease_s=60)
                await self.append(tx, "")
        assert await count_leases(board) == 0

    async def test_what_could_not_be_sent_takes_the_commit_with_it_even_where_the_body_ignores_it(
        self, board: Database
    ) -> None:
        with pytest.raises(InvariantBroken, match="swallowed"):
            async with board.transaction() as tx:
                await take_lease(tx, "n", holder="h", lease_s=60)
                await self.append(tx, "half \0 a text")
                await self.append(tx, "behind it")
                with suppress(psycopg.DataError):
                    await tx.execute("select 1")
        assert await count_leases(board) == 0

    async def test_what_could_not_be_sent_in_a_savepoint_is_given_up_with_it(self, board: Database) -> None:
        async with board.transaction() as tx:
            with suppress(psycopg.DataError):
                async with tx.transaction():
                    await self.append(tx, "half \0 a text")
            await self.append(tx, "goes on")
        assert await self.kinds(board) == ["goes on"]

    async def test_only_a_call_can_be_deferred(self, board: Database) -> None:
        with pytest.raises(InvariantBroken, match="only"):
            async with board.transaction() as tx:
                tx.defer("delete from store_leases", {})


class TestPooled:
    """What works behind a pooler in transaction mode: nothing outlives a transaction on its session."""

    @pytest.fixture
    async def pooled(self, board: Database):
        async with Database(board.url, connections=1, pooled=True) as database:
            yield database

    async def test_settings_are_local_to_the_transaction(self, pooled: Database) -> None:
        async with pooled.transaction() as tx:
            assert await ask(tx, "show timezone") == "UTC"
            assert await ask(tx, "show jit") == "off"
            assert await ask(tx, "show idle_in_transaction_session_timeout") == "1min"
            await tx.execute("commit")
            assert await ask(tx, "show idle_in_transaction_session_timeout") == "0"
            await tx.execute("begin")

    async def test_settings_of_one_transaction_come_on_top_and_end_with_it(self, pooled: Database) -> None:
        async with pooled.transaction({"work_mem": "3MB", "jit": "on", "frasier.odd": "it's \\ %s"}) as tx:
            assert await ask(tx, "show work_mem") == "3MB"
            assert await ask(tx, "show jit") == "on"
            assert await ask(tx, "show timezone") == "UTC"
            assert await ask(tx, "show frasier.odd") == "it's \\ %s"
        async with pooled.transaction() as tx:
            assert await ask(tx, "show work_mem") != "3MB"
            assert await ask(tx, "show jit") == "off"

    async def test_nothing_is_prepared_on_the_server(self, pooled: Database) -> None:
        for _ in range(12):
            async with pooled.transaction() as tx:
                await take_lease(tx, "a", holder="h", lease_s=60)
        async with pooled.transaction() as tx:
            assert await ask(tx, "select count(*) from pg_prepared_statements") == 0

    async def test_it_leaves_no_lock_behind(self, pooled: Database) -> None:
        from frasier.workflow import FOUNDER, hold
        from support.board import claim_one, complete, create_steps

        tasks = await create_steps(pooled, {"a": "", "b": "a"})
        await complete(pooled, await claim_one(pooled))
        async with pooled.transaction() as tx:
            await hold(tx, tasks["a"].group_id, held=True, actor=FOUNDER)
        async with pooled.transaction() as tx:
            assert await ask(tx, "select count(*) from pg_locks where locktype = 'advisory'") == 0


@pytest.mark.parametrize("turns", range(12))
async def test_a_task_that_is_cancelled_while_its_connection_arrives_ends(
    database_url: str, turns: int, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("psycopg.pool"), "handlers", [caplog.handler])

    async def stay() -> None:
        async with database.transaction():
            await asyncio.Event().wait()

    async with Database(database_url, connections=1) as database:
        async with database.transaction():
            waiting = asyncio.create_task(stay())
            while not database._pool.get_stats().get("requests_waiting"):
                await asyncio.sleep(0)
        for _ in range(turns):
            await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait({waiting}, timeout=5)
        ended = waiting.cancelled()
        waiting.cancel()
    assert ended, "it was asked to end, and stayed"
    assert not caplog.records, "it gave its connection back with the transaction open"


@pytest.mark.parametrize(
    ("state", "kind", "message"),
    [
        ("FR001", Stale, "tea was changed by somebody else first."),
        ("FR002", LeaseLost, "Attempt 2 of tea does not hold the task any more."),
    ],
)
async def test_a_refusal_of_a_function_is_worded_from_the_facts_that_it_raises(db, state, kind, message):
    with pytest.raises(kind) as refused:
        async with db.transaction() as tx:
            await tx.execute(
                "do $$ begin raise exception using errcode = '"
                + state
                + """', message = 'refused', detail = '{"task": "tea", "attempt": 2}'; end $$"""
            )
    assert refused.value.message == message
    assert refused.value.facts == {"task": "tea", "attempt": 2}
