"""Migrations on fresh databases, and what the application's role may not do afterwards."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from importlib.resources import files

import psycopg
import pytest

from frasier.kernel.errors import DatabaseUnreachable, SchemaMismatch, StoreError
from frasier.kernel.ids import new_id
from frasier.memory import MemoryKind, NewMemory, save_memory
from frasier.memory.access import Caller
from frasier.memory.admission.admit import admit_and_save
from frasier.store import Database, append_event, condition_of, migrate
from frasier.store import migrate as migrate_function
from frasier.store.audit_seal import seal_events
from frasier.store.embedded import EmbeddedServer
from frasier.store.migration_runner import Migration, known_migrations

NAMES = [migration.name for migration in known_migrations()]


@pytest.fixture
def empty_database(server: EmbeddedServer) -> Iterator[str]:
    name = f"e_{new_id().hex}"
    server.create_database(name)
    yield name
    server.drop_database(name)


def know(monkeypatch: pytest.MonkeyPatch, migrations: list[Migration]) -> None:
    """Makes the program one with other migrations."""
    monkeypatch.setattr(sys.modules["frasier.store.migration_runner"], "known_migrations", lambda: migrations)


def tables(url: str) -> set[str]:
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'"
        )
        return {row[0] for row in rows.fetchall()}


def test_the_files_are_numbered_without_a_gap_and_named_by_their_slice() -> None:
    assert [int(name[:4]) for name in NAMES] == list(range(1, len(NAMES) + 1))
    assert all(name[4] == "_" and name.endswith(".sql") for name in NAMES)


async def test_everything_is_applied_once_and_then_nothing(
    server: EmbeddedServer, empty_database: str
) -> None:
    url = server.url("frasier_owner", empty_database)
    assert await migrate(url) == NAMES
    assert await migrate(url) == []


async def test_two_runners_at_once_apply_everything_once(server: EmbeddedServer, empty_database: str) -> None:
    url = server.url("frasier_owner", empty_database)
    applied = await asyncio.gather(*(migrate(url) for _ in range(3)))
    assert sorted(applied) == [[], [], NAMES]


async def test_a_changed_file_is_refused_and_nothing_is_done(
    server: EmbeddedServer, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = server.url("frasier_owner", empty_database)
    first, second, *rest = known_migrations()
    know(monkeypatch, [first, second])
    await migrate(url)
    know(monkeypatch, [first, Migration(second.name, second.source + "\n-- a comment"), *rest])
    with pytest.raises(SchemaMismatch, match="was applied with other contents") as caught:
        await migrate(url)
    assert caught.value.hint or caught.value.advice or caught.value.facts
    assert not any(name.startswith("workflow_") for name in tables(url))


async def test_the_words_of_memories_that_were_deleted_before_are_deleted_too(
    server: EmbeddedServer, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = server.url("frasier_owner", empty_database)
    migrations = known_migrations()
    know(monkeypatch, [migration for migration in migrations if migration.name < "0044"])
    await migrate(url)
    with psycopg.connect(url) as connection:
        connection.execute(
            "insert into memory_admissions (id, action, scope, similarity, reason, content)"
            " values (gen_random_uuid(), 'reinforced', 'shared', 1, 'the same', 'Marguerite lives at 5 Heath Row.')"
        )
    know(monkeypatch, migrations)
    await migrate(url)
    with psycopg.connect(url) as connection:
        assert connection.execute("select content from memory_admissions").fetchall() == []


async def test_memories_that_were_saved_before_occasions_counted_are_told_apart_by_them(
    server: EmbeddedServer, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = server.url("frasier_owner", empty_database)
    migrations = known_migrations()
    know(monkeypatch, [migration for migration in migrations if migration.name < "0048"])
    await migrate(url)
    occasions = (
        {"speaker": "Zoë"},
        {"occurred_at": datetime(2026, 3, 2, 9, 0, 0, 250, tzinfo=timezone(timedelta(hours=1)))},
        {"occurred_at": datetime(987, 3, 2, tzinfo=UTC), "speaker": "Ann"},
        {},
    )
    alice, bob = (Caller(name=name, scopes=("shared",)) for name in ("alice", "bob"))
    saved = [
        NewMemory(
            kind=MemoryKind.OBSERVATION, scope="shared", content=f"I take ferry {number}: äh, ⛴.", **occasion
        )
        for number, occasion in enumerate(occasions)
    ]
    async with Database(server.url("frasier_app", empty_database)) as database:
        async with database.transaction() as tx:
            ids = [(await admit_and_save(tx, alice, new)).id for new in saved]
        with psycopg.connect(url) as connection:
            connection.execute("update memory_items set content_hash = sha256(convert_to(content, 'UTF8'))")
        know(monkeypatch, migrations)
        await migrate(url)
        for new, memory_id in zip(saved, ids, strict=True):
            async with database.transaction() as tx:
                again = await save_memory(tx, new)
                without = await admit_and_save(
                    tx, bob, replace(new, occurred_at=None, speaker=None, importance=9)
                )
            assert again == memory_id
            assert (without.id == memory_id) is (new is saved[-1])
        with psycopg.connect(url) as connection:
            assert connection.execute("select count(*) from memory_items").fetchall() == [(7,)]


async def test_two_rows_of_one_memory_do_not_stop_the_migration(
    server: EmbeddedServer, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = server.url("frasier_owner", empty_database)
    migrations = known_migrations()
    know(monkeypatch, [migration for migration in migrations if migration.name < "0048"])
    await migrate(url)
    new = NewMemory(kind=MemoryKind.OBSERVATION, scope="shared", content="I take the ferry.", speaker="Ann")
    async with Database(server.url("frasier_app", empty_database)) as database:
        for form in ("'another form'", "content"):
            async with database.transaction() as tx:
                memory_id = await save_memory(tx, new)
            with psycopg.connect(url) as connection:
                text = (
                    f"update memory_items set content_hash = sha256(convert_to({form}, 'UTF8')) where id = %s"
                )
                connection.execute(text.encode(), [memory_id])
        know(monkeypatch, migrations)
        await migrate(url)
        async with database.transaction() as tx:
            assert await save_memory(tx, new) == memory_id


async def test_a_database_of_an_earlier_development_version_is_refused(
    server: EmbeddedServer, empty_database: str
) -> None:
    url = server.url("frasier_owner", empty_database)
    with psycopg.connect(url) as connection:
        connection.execute(DEVELOPMENT)
    with pytest.raises(SchemaMismatch, match="made by an earlier development version") as caught:
        await migrate(url)
    assert caught.value.kept == "Nothing was changed."
    assert "FRASIER_HOME" in caught.value.hint
    assert tables(url) == {"store_migrations"}
    condition = await condition_of(url)
    assert condition.development


DEVELOPMENT = """
create table store_migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now());
insert into store_migrations values ('0001_store.sql', 'of before'), ('0002_llm.sql', 'of before'),
    ('0008_memory_engine.sql', 'of before')
"""


async def test_a_schema_of_a_newer_program_is_refused(
    server: EmbeddedServer, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = server.url("frasier_owner", empty_database)
    first = known_migrations()[0]
    know(monkeypatch, [first, Migration("9999_future.sql", "create table future_things (id int)")])
    await migrate(url)
    know(monkeypatch, [first])
    with pytest.raises(SchemaMismatch, match=r"9999_future\.sql, which this program does not know"):
        await migrate(url)


async def test_a_migration_that_fails_leaves_nothing_of_itself_and_those_before_it(
    server: EmbeddedServer, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = server.url("frasier_owner", empty_database)
    broken = Migration("9999_broken.sql", "create table x (id int); select 1/0;")
    know(monkeypatch, [*known_migrations(), broken])
    with pytest.raises(StoreError, match=r"9999_broken\.sql failed: division by zero") as caught:
        await migrate(url)
    assert caught.value.kept == "Every migration before it is applied; nothing of this one is."
    assert "work_sources" in tables(url)
    assert "x" not in tables(url)
    know(monkeypatch, [*known_migrations(), Migration(broken.name, "create table x (id int)")])
    assert await migrate(url) == [broken.name]


async def test_an_extension_that_the_owner_may_not_create_is_left_to_an_administrator(
    server: EmbeddedServer, empty_database: str
) -> None:
    with psycopg.connect(server.url("postgres", empty_database)) as connection:
        connection.execute("drop extension vector")
    with pytest.raises(StoreError, match="permission denied to create extension") as caught:
        await migrate(server.url("frasier_owner", empty_database))
    assert "`create extension vector`" in caught.value.hint
    assert "must own the database" not in caught.value.hint


async def test_a_later_migration_is_added_to_what_is_there(
    server: EmbeddedServer, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = server.url("frasier_owner", empty_database)
    first, second, *_ = known_migrations()
    know(monkeypatch, [first])
    assert await migrate(url) == [first.name]
    know(monkeypatch, [first, second])
    assert await migrate(url) == [second.name]


async def test_a_statement_of_a_migration_has_a_time_limit(
    server: EmbeddedServer, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = server.url("frasier_owner", empty_database)
    monkeypatch.setattr(sys.modules["frasier.store.migration_runner"], "STATEMENT_TIMEOUT", "50ms")
    know(monkeypatch, [Migration("0001_slow.sql", "select pg_sleep(60)")])
    with pytest.raises(
        StoreError, match=r"0001_slow\.sql failed: canceling statement due to statement timeout"
    ):
        await migrate(url)


async def test_a_migration_without_a_transaction_runs_what_none_allows(
    server: EmbeddedServer, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = server.url("frasier_owner", empty_database)
    first = known_migrations()[0]
    index = "create index concurrently if not exists lease_holders on store_leases (holder)"
    know(monkeypatch, [first, Migration("0002_index.sql", index)])
    with pytest.raises(StoreError, match="cannot run inside a transaction block"):
        await migrate(url)
    know(monkeypatch, [first, Migration("0002_index.sql", f"-- no-transaction\n{index}")])
    # Those who wait for their turn hold no snapshot, for whose end the index would wait.
    applied = await asyncio.gather(*(migrate(url) for _ in range(3)))
    assert sorted(applied) == [[], [], ["0002_index.sql"]]


async def test_a_function_is_changed_by_a_migration_that_runs_its_file_again(
    server: EmbeddedServer, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = server.url("frasier_owner", empty_database)
    first = known_migrations()[0]
    texts = {"functions/answer.sql": function_of(41), **first.functions}
    monkeypatch.setattr(sys.modules["frasier.store.migration_runner"], "_text", texts.__getitem__)
    run = "\\ir functions/answer.sql\n"
    know(monkeypatch, [first, Migration("0002_answer.sql", run)])
    await migrate(url)
    texts["functions/answer.sql"] = function_of(42)
    know(monkeypatch, [first, Migration("0002_answer.sql", run)])
    with pytest.raises(SchemaMismatch, match=r"functions/answer\.sql was applied with other contents"):
        await migrate(url)
    know(monkeypatch, [first, Migration("0002_answer.sql", run), Migration("0003_answer.sql", run)])
    assert await migrate(url) == ["0003_answer.sql"]
    assert await migrate(url) == []
    with psycopg.connect(url) as connection:
        assert connection.execute("select answer()").fetchone() == (42,)


def function_of(number: int) -> str:
    return f"create or replace function answer() returns integer language sql return {number};\n"


def test_every_function_file_is_run_by_a_migration_and_holds_functions_only() -> None:
    run = {name for migration in known_migrations() for name in migration.functions}
    folder = files("frasier.store").joinpath("migrations", "functions")
    texts = {f"functions/{entry.name}": entry.read_text("utf-8") for entry in folder.iterdir()}
    assert run == texts.keys()
    begins = re.compile(
        r"^(?!--|create or replace function |\s|\)|returns |language |end |\$\$|declare$|begin$|$)",
        re.MULTILINE,
    )
    assert {name: found.group() for name, text in texts.items() if (found := begins.search(text))} == {}
    assert [m.name for m in known_migrations() if re.search(r"(?i)create\b.*\bfunction", m.source)] == []


async def test_nobody_there_is_told_as_such() -> None:
    with pytest.raises(DatabaseUnreachable):
        await migrate_function("postgresql://owner:geheim@127.0.0.1:1/none")


@pytest.mark.parametrize(
    "statement",
    [
        "update events set actor = 'x'",
        "delete from events",
        "truncate events",
        "insert into events values (default, gen_random_uuid(), 1, now(), 'k', 'a', '{}', '')",
        "update store_event_streams set seq = seq + 1",
        "delete from store_event_streams",
        "insert into store_event_streams (stream, seq, hash) values (gen_random_uuid(), 1, sha256(''))",
        "delete from store_event_seals",
        "update store_event_seals set mac = ''",
        "truncate store_event_seals",
        "insert into store_migrations (name, sha256) values ('x', 'y')",
        "update store_migrations set sha256 = ''",
        "delete from store_migrations",
        "alter table events disable trigger all",
        "drop table events",
        "create or replace function append_event(uuid, text, text, jsonb) returns bigint language sql as 'select 1'",
        "set session_replication_role = replica",
    ],
)
async def test_the_application_cannot_touch_the_audit_log(board: Database, statement: str) -> None:
    async with board.transaction() as tx:
        await append_event(tx, stream=new_id(), kind="k", actor="a")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        async with board.transaction() as tx:
            await tx.execute(statement)


async def test_a_temporary_table_cannot_stand_in_for_the_audit_log(board: Database) -> None:
    stream = new_id()
    async with board.transaction() as tx:
        try:
            await tx.execute("create temporary table events (like events) on commit drop")
        except psycopg.errors.InsufficientPrivilege:  # an administrator may forbid temporary tables
            pytest.skip("this role makes no temporary tables")
        await append_event(tx, stream=stream, kind="k", actor="a")
        cursor = await tx.execute("select count(*) as n from public.events where stream = %s", (stream,))
        assert (await cursor.fetchone())["n"] == 1


STANDS_IN = """
create function pg_temp.note_rights(value pg_catalog.timestamptz) returns boolean language plpgsql as $$
begin
    execute 'alter table public.events disable trigger all';
    return true;
end $$;
create domain pg_temp.timestamptz as pg_catalog.timestamptz check (pg_temp.note_rights(value));
create domain pg_temp.int8 as pg_catalog.int8 check (value is null);
create domain pg_temp.uuid as pg_catalog.uuid check (value is null);
create domain pg_temp.bytea as pg_catalog.bytea check (value is null);
"""


async def test_a_temporary_type_cannot_run_with_the_rights_of_the_audit_log(database_url: str) -> None:
    """A session of its own: a function that was called before has found its types already."""
    stream = new_id()
    with psycopg.connect(database_url, autocommit=True) as session:
        try:
            session.execute(STANDS_IN)
        except psycopg.errors.InsufficientPrivilege:  # an administrator may forbid temporary objects
            pytest.skip("this role makes no temporary types")
        session.execute("select append_event(%s, 'k', 'a', '{}')", (stream,))
    with psycopg.connect(database_url) as session:
        off = "select count(*) from pg_trigger where tgrelid = 'events'::regclass and tgenabled = 'D'"
        assert session.execute(off).fetchone() == (0,)
        kept = session.execute("select count(*) from events where stream = %s", (stream,))
        assert kept.fetchone() == (1,)


async def test_a_function_of_the_same_name_cannot_run_with_the_rights_of_the_audit_log(
    server: EmbeddedServer, database_name: str, database_url: str
) -> None:
    """Where everybody may make functions in the schema, as in databases that are older than PostgreSQL 15."""
    with psycopg.connect(server.url("frasier_owner", database_name)) as owner:
        owner.execute("grant create on schema public to frasier_app")
    with psycopg.connect(database_url, autocommit=True) as session:
        session.execute(
            "create function event_digest(text, uuid, integer, timestamptz, text, text, jsonb) returns bytea"
            " language sql as 'select null::bytea'"
        )
        session.execute("select append_event(gen_random_uuid(), 'k', 'a', '{}')")


async def test_even_the_owner_is_kept_from_slips(
    db: Database, server: EmbeddedServer, database_name: str
) -> None:
    async with db.transaction() as tx:
        await append_event(tx, stream=new_id(), kind="k", actor="a")
    async with db.transaction() as tx:
        sealed = await seal_events(tx, b"key")
        assert sealed
        assert sealed.heads == 1
    slips = ("update events set actor = 'x'", "delete from events", "truncate events",
             "update store_event_seals set mac = ''", "delete from store_event_seals", "truncate store_event_seals")  # fmt: skip
    for slip in slips:
        with (
            psycopg.connect(server.url("frasier_owner", database_name)) as owner,
            pytest.raises(psycopg.errors.RaiseException, match="append-only"),
        ):
            owner.execute(slip)
