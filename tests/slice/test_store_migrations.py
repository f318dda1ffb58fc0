"""Migrations on fresh databases, and what the application's role may not do afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import psycopg
import pytest

from frasier.kernel.errors import DatabaseUnreachable, SchemaMismatch, StoreError
from frasier.kernel.ids import new_id
from frasier.store import Database, append_event, known_migrations, migrate, seal_events
from frasier.store import migrate as migrate_function
from frasier.store.embedded import EmbeddedServer
from frasier.store.migrate import Migration

NAMES = [migration.name for migration in known_migrations()]


@pytest.fixture
def empty_database(server: EmbeddedServer) -> Iterator[str]:
    name = f"e_{new_id().hex}"
    server.create_database(name)
    yield name
    server.drop_database(name)


def know(monkeypatch: pytest.MonkeyPatch, migrations: list[Migration]) -> None:
    """Makes the program one with other migrations."""
    import sys

    monkeypatch.setattr(sys.modules["frasier.store.migrate"], "known_migrations", lambda: migrations)


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
    first, *rest = known_migrations()
    know(monkeypatch, [first])
    await migrate(url)
    know(monkeypatch, [Migration(first.name, first.sql + "\n-- a comment"), *rest])
    with pytest.raises(SchemaMismatch, match="was applied with other contents") as caught:
        await migrate(url)
    assert caught.value.hint
    assert not any(name.startswith("workflow_") for name in tables(url))


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


async def test_a_migration_that_fails_leaves_nothing_of_any(
    server: EmbeddedServer, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = server.url("frasier_owner", empty_database)
    know(
        monkeypatch,
        [*known_migrations(), Migration("9999_broken.sql", "create table x (id int); select 1/0;")],
    )
    with pytest.raises(StoreError, match=r"9999_broken\.sql failed: division by zero") as caught:
        await migrate(url)
    assert caught.value.kept == "Nothing was changed."
    assert tables(url) == set()


async def test_a_later_migration_is_added_to_what_is_there(
    server: EmbeddedServer, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = server.url("frasier_owner", empty_database)
    first, second, *_ = known_migrations()
    know(monkeypatch, [first])
    assert await migrate(url) == [first.name]
    know(monkeypatch, [first, second])
    assert await migrate(url) == [second.name]


BOARD_BEFORE_0011 = """
insert into memory_tokens (id, name, token_hash, scopes) values
    ('00000000-0000-7000-8000-000000000001', 'anna', sha256('anna'), '{shared}');
insert into workflow_members (name, roles) values ('token:anna', '{pdsa}');
insert into workflow_tasks (id, process, slug, title, group_id, status, role, claimable, outcome, ended_at,
                            result_digest, result_size) values
    ('00000000-0000-7000-8000-00000000000a', 'pdsa_task', 'done', 't', gen_random_uuid(), 'complete', 'liaison', false,
     'completed', now(), 'd', 1),
    ('00000000-0000-7000-8000-00000000000b', 'pdsa_task', 'reopened', 't', gen_random_uuid(), 'rework', 'dev', true,
     null, null, null, null),
    ('00000000-0000-7000-8000-00000000000c', 'pdsa_task', 'needs-both', 't', gen_random_uuid(), 'ready', 'pdsa', true,
     null, null, null, null);
insert into workflow_dependencies (task_id, depends_on, kind, satisfied) values
    ('00000000-0000-7000-8000-00000000000c', '00000000-0000-7000-8000-00000000000a', 'blocks', true),
    ('00000000-0000-7000-8000-00000000000c', '00000000-0000-7000-8000-00000000000b', 'blocks', true);
"""


async def test_members_keep_their_tokens_and_what_was_reopened_is_waited_for(
    server: EmbeddedServer, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = server.url("frasier_owner", empty_database)
    every = known_migrations()
    know(monkeypatch, every[:10])
    await migrate(url)
    with psycopg.connect(url) as connection:
        connection.execute(BOARD_BEFORE_0011)
    know(monkeypatch, every)
    assert "0011_workflow_gates.sql" in await migrate(url)
    with psycopg.connect(url) as connection:
        kept = "select count(*) from workflow_members m join memory_v_tokens k on k.id = m.token_id"
        assert connection.execute(kept).fetchone() == (1,)
        waits = "select slug from workflow_tasks where pending_deps > 0 and not ready order by slug"
        assert connection.execute(waits).fetchall() == [("needs-both",)]
        still = "select pending_deps from workflow_tasks where slug = 'needs-both'"
        assert connection.execute(still).fetchone() == (1,)


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
async def test_the_application_cannot_touch_the_trail(board: Database, statement: str) -> None:
    async with board.transaction() as tx:
        await append_event(tx, stream=new_id(), kind="k", actor="a")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        async with board.transaction() as tx:
            await tx.execute(statement)


async def test_a_temporary_table_cannot_stand_in_for_the_trail(board: Database) -> None:
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


async def test_a_temporary_type_cannot_run_with_the_rights_of_the_trail(database_url: str) -> None:
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


async def test_a_function_of_the_same_name_cannot_run_with_the_rights_of_the_trail(
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
