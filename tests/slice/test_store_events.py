"""The audit log: chains, seals, and every way of tampering with them that we could think of."""

from __future__ import annotations

import asyncio
import random
import shutil
import stat
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import dict_row

from frasier.kernel.errors import InvalidInput, InvariantBroken
from frasier.kernel.ids import new_id
from frasier.kernel.limits import EVENT_PAYLOAD_BYTES_MAX
from frasier.memory.save import save_directive
from frasier.store import (
    AuditVerification,
    Database,
    EventCursor,
    SealKey,
    append_event,
    current_cursor,
    enqueue_effect,
    events_of,
    events_of_kind,
    make_event_partitions,
    migrate,
    newest_events,
)
from frasier.store.address import place_of
from frasier.store.audit_seal import seal_audit_log, seal_events, verify_audit_log, verify_events
from frasier.store.embedded import EmbeddedServer
from frasier.store.events import EventEpochChanged, read_events_after
from support.board import wait_for_lock
from support.cli_states import completed_mission
from support.database_copies import run_restore
from support.scratch import SCRATCH

KEY = b"k" * 32


@pytest.fixture
def other_server() -> Iterator[EmbeddedServer]:
    """Another cluster, whose transaction ids are lower than those of the tests' own."""
    root = Path(tempfile.mkdtemp(prefix="frasier-other-", dir=SCRATCH))
    root.chmod(0o755)
    other = EmbeddedServer(root / "pg", settings={"fsync": "off"})
    other.start()
    yield other
    other.stop()
    other.release()
    shutil.rmtree(root, ignore_errors=True)


def restore_dump(server: EmbeddedServer, name: str, other: EmbeddedServer) -> None:
    """Dump a database, and restore it under its name on another server."""
    other.create_database(name)
    run_restore(server.url("postgres", name), other.url("postgres", name))


async def append(db: Database, stream: UUID, kind: str = "it.happened", **payload) -> None:
    async with db.transaction() as tx:
        await append_event(tx, stream=stream, kind=kind, actor="tester", payload=payload)


async def seal(db: Database, key: bytes = KEY) -> int:
    async with db.transaction() as tx:
        made = await seal_events(tx, key)
    return made.heads if made else 0


async def verify(db: Database, key: bytes = KEY, **how):
    async with db.transaction() as tx:
        return await verify_events(tx, key, **how)


class TestAppending:
    async def test_a_stream_is_read_back_in_order(self, board: Database) -> None:
        stream = new_id()
        for n in range(3):
            await append(board, stream, n=n, text="ünïcode \n “quoted”", deep={"a": [1, 2.5, None, True]})
        async with board.transaction() as tx:
            events = await events_of(tx, stream)
        assert [(event.seq, event.payload["n"]) for event in events] == [(1, 0), (2, 1), (3, 2)]
        assert events[0].payload["deep"] == {"a": [1, 2.5, None, True]}
        assert events[0].at <= events[1].at <= events[2].at
        assert events[0].id < events[1].id < events[2].id

    async def test_what_is_rolled_back_leaves_no_gap_in_the_chain(self, board: Database) -> None:
        stream = new_id()
        await append(board, stream)
        with pytest.raises(RuntimeError):
            async with board.transaction() as tx:
                await append_event(tx, stream=stream, kind="k", actor="a")
                raise RuntimeError
        await append(board, stream)
        async with board.transaction() as tx:
            assert [event.seq for event in await events_of(tx, stream)] == [1, 2]

    async def test_many_writers_of_one_stream_make_one_chain(self, board: Database) -> None:
        stream = new_id()
        await asyncio.gather(*(append(board, stream, n=n) for n in range(40)))
        async with board.transaction() as tx:
            events = await events_of(tx, stream)
        assert [event.seq for event in events] == list(range(1, 41))
        assert sorted(event.payload["n"] for event in events) == list(range(40))
        assert (await verify(board)).problems == ()

    async def test_writers_of_different_streams_do_not_wait_for_each_other(self, board: Database) -> None:
        mine, other = new_id(), new_id()
        async with board.transaction() as tx:
            await append_event(tx, stream=mine, kind="k", actor="a")
            async with asyncio.timeout(10):
                await append(board, other)
            assert await events_of(tx, other), "it is committed, while mine is not"

    async def test_a_payload_must_be_small(self, board: Database) -> None:
        with pytest.raises(InvariantBroken, match="larger than"):
            await append(board, new_id(), text="x" * EVENT_PAYLOAD_BYTES_MAX)

    @pytest.mark.parametrize(("kind", "actor"), [("", "a"), ("k", "")])
    async def test_nothing_happens_without_a_name_or_an_actor(
        self, board: Database, kind: str, actor: str
    ) -> None:
        with pytest.raises(psycopg.errors.CheckViolation):
            async with board.transaction() as tx:
                await append_event(tx, stream=new_id(), kind=kind, actor=actor)

    async def test_the_newest_events_of_all_and_of_one_stream(self, db: Database) -> None:
        one, two = new_id(), new_id()
        for n in range(4):
            await append(db, one if n % 2 else two, n=n)
        async with db.transaction() as tx:
            everything = await newest_events(tx, limit=100)
            newest = await newest_events(tx, limit=2)
            of_one = await newest_events(tx, limit=1, streams=[one])
        assert [event.payload["n"] for event in everything] == [0, 1, 2, 3]
        assert [event.payload["n"] for event in newest] == [2, 3]
        assert [event.payload["n"] for event in of_one] == [3]


class Reader:
    """Reads from a place on, as `frasier events tail --follow` does."""

    def __init__(self, db: Database) -> None:
        self.db, self.read = db, list[int]()
        self.place: EventCursor | None = None

    async def go_on(self, limit: int = 100) -> list[int]:
        async with self.db.transaction() as tx:
            beginning = EventCursor((await current_cursor(tx)).epoch)
            events, self.place = await read_events_after(tx, self.place or beginning, limit=limit)
        found = [event.payload["n"] for event in events]
        self.read += found
        return found


class TestReading:
    async def test_a_transaction_that_takes_its_id_first_and_commits_last_is_read(self, db: Database) -> None:
        reader = Reader(db)
        async with db.transaction() as slow:
            await append_event(slow, stream=new_id(), kind="k", actor="a", payload={"n": 1})
            await slow.flush_deferred()
            await append(db, new_id(), n=2)  # a higher id, committed first
            assert await reader.go_on() == [], "one with a lower id may still come"
            async with db.transaction() as tx:
                assert [event.payload["n"] for event in await newest_events(tx, limit=9)] == [2]
                place = await current_cursor(tx)
                assert await newest_events(tx, limit=9, before=place) == []
        assert await reader.go_on() == [1, 2]
        assert await reader.go_on() == []
        late = Reader(db)
        late.place = place
        assert await late.go_on() == [1, 2], "who began meanwhile reads both"

    @pytest.mark.parametrize("seed", range(5))
    async def test_every_event_is_read_once_however_transactions_overlap(
        self, db: Database, seed: int
    ) -> None:
        chance = random.Random(seed)
        reader, ends, writing = Reader(db), list[asyncio.Event](), list[asyncio.Task[None]]()

        async def write(n: int, written: asyncio.Event, end: asyncio.Event) -> None:
            async with db.transaction() as tx:
                for part in range(2):
                    await append_event(tx, stream=new_id(), kind="k", actor="a", payload={"n": 2 * n + part})
                await tx.flush_deferred()
                written.set()
                await end.wait()

        for n in range(12):
            written, end = asyncio.Event(), asyncio.Event()
            writing.append(asyncio.create_task(write(n, written, end)))
            ends.append(end)
            await written.wait()
            while len(ends) > 4 or (ends and chance.random() < 0.4):
                chosen = chance.randrange(len(ends))
                ends.pop(chosen).set()
                await asyncio.sleep(0)
                await reader.go_on(limit=chance.randint(1, 5))
        for end in ends:
            end.set()
        await asyncio.gather(*writing)
        while await reader.go_on(limit=3):
            pass
        assert sorted(reader.read) == list(range(24))

    async def test_a_dump_restored_into_another_cluster_begins_a_new_epoch(
        self, db: Database, server: EmbeddedServer, database_name: str, other_server: EmbeddedServer
    ) -> None:
        before, after = new_id(), new_id()
        reader = Reader(db)
        for n in range(3):
            await append(db, before, n=n)
        assert await reader.go_on() == [0, 1, 2]
        restore_dump(server, database_name, other_server)
        async with Database(other_server.url("frasier_app", database_name)) as restored:
            reader.db = restored
            for _ in range(2):  # refused for good, not only until the next event
                with pytest.raises(EventEpochChanged, match="restored or moved to another server"):
                    await reader.go_on()
                await append(restored, after, n=3)
            async with restored.transaction() as tx:
                place = await current_cursor(tx)
                newest = await newest_events(tx, limit=9, before=place)
                of_kind = await events_of_kind(tx, "it.happened", after=0, limit=9)
            assert [event.payload["n"] for event in newest] == [0, 1, 2, 3, 3], (
                "read again, with none left out"
            )
            assert of_kind == newest
            reader.place = place
            await append(restored, before, n=4)
            assert await reader.go_on() == [4]
            assert (await verify(restored)).problems == ()

    async def test_a_dump_restored_beside_the_database_begins_a_new_epoch(
        self, db: Database, server: EmbeddedServer, database_name: str
    ) -> None:
        reader = Reader(db)
        await append(db, new_id(), n=0)
        copy = f"{database_name}_copy"
        server.create_database(copy)
        run_restore(server.url("postgres", database_name), server.url("postgres", copy))
        async with Database(server.url("frasier_app", copy)) as restored:
            await append(restored, new_id(), n=1)
            await append(db, new_id(), n=2)
            assert await reader.go_on() == [0, 2]
            reader.db = restored
            with pytest.raises(EventEpochChanged):
                await reader.go_on()

    async def test_a_dump_of_a_database_in_use_is_restored_whole(
        self, db: Database, server: EmbeddedServer, database_name: str, tmp_path: Path
    ) -> None:
        """pg_restore checks rows without a search path, so that a rule must name what it calls with its schema."""
        async with db.transaction() as tx:
            await completed_mission(tx, tmp_path)
            await enqueue_effect(tx, kind="post", key="k", stream=new_id(), payload={})
            await save_directive(tx, "State prices in EUR.", provenance={})
        copy = f"{database_name}_copy"
        server.create_database(copy)
        run_restore(server.url("postgres", database_name), server.url("postgres", copy))
        counts = []
        for name in (database_name, copy):
            with psycopg.connect(server.url("postgres", name)) as connection:
                rows = connection.execute(
                    "select conname::text from pg_constraint where contype = 'c' and convalidated order by conname"
                ).fetchall()
                for table in ("workflow_tasks", "memory_items", "store_effects"):
                    rows += connection.execute(f"select count(*) from {table}".encode()).fetchall()
                counts.append(rows)
        assert counts[0] == counts[1]
        assert all(row[0] > 0 for row in counts[0][-3:])

    async def test_a_recovery_to_an_earlier_moment_begins_a_new_epoch(
        self, other_server: EmbeddedServer
    ) -> None:
        other_server.create_database("recovered")
        await migrate(other_server.url("frasier_owner", "recovered"))
        async with Database(other_server.url("frasier_app", "recovered")) as db:
            place = await db.in_transaction(current_cursor)
        with psycopg.connect(other_server.url("postgres", "postgres"), autocommit=True) as connection:
            connection.execute("alter system set restore_command = 'false'")
        other_server.stop()
        (other_server._layout.data / "recovery.signal").touch()
        other_server.start()
        with psycopg.connect(other_server.url("postgres", "postgres"), autocommit=True) as connection:
            while connection.execute("select pg_is_in_recovery()").fetchone() == (True,):
                pass  # until then it answers readers of what it has recovered so far
        async with Database(other_server.url("frasier_app", "recovered")) as db:
            with pytest.raises(EventEpochChanged):
                await db.in_transaction(read_events_after, place, limit=1)

    async def test_a_cursor_of_what_is_not_here_is_refused(self, db: Database) -> None:
        """A server that was set back to an earlier moment by its files gives the same transaction ids again."""
        await append(db, new_id(), n=0)
        async with db.transaction() as tx:
            place = await current_cursor(tx)
            (event,) = await newest_events(tx, limit=1)
            last = EventCursor.parse(event.cursor)
            for cursor in (
                EventCursor(place.epoch, place.xid + 1_000_000),
                EventCursor(place.epoch, last.xid, event.id + 1),
            ):
                with pytest.raises(EventEpochChanged):
                    await read_events_after(tx, cursor, limit=1)
            assert await read_events_after(tx, last, limit=1) == ([], last)

    @pytest.mark.parametrize(
        "text", ["", "1-2", "1-2-3-4", "-1-2-3", "1-2-x", "1-2-9999999999999999999", "1-2-3\n", "１-2-3"]
    )
    def test_what_is_no_cursor_is_refused(self, text: str) -> None:
        with pytest.raises(InvalidInput):
            EventCursor.parse(text)

    def test_a_cursor_is_written_and_read(self) -> None:
        cursor = EventCursor(2**63 - 1, 12, 3)
        assert EventCursor.parse(str(cursor)) == cursor

    async def test_a_month_without_a_partition_gets_one_when_an_event_needs_it(
        self, db: Database, server: EmbeddedServer, database_name: str
    ) -> None:
        with psycopg.connect(server.url("frasier_owner", database_name)) as owner:
            owner.execute("select mark_test_database()")
            owner.execute("select offset_test_clock('400 days')")
        stream = new_id()
        await append(db, stream, n=1)
        await append(db, stream, n=2)
        async with db.transaction() as tx:
            cursor = await tx.execute(
                "select count(distinct tableoid)::int as partitions, count(*)::int as events,"
                " bool_and(tableoid::regclass::text = 'events_' || to_char(at, 'YYYY_MM')) as right from events"
            )
            assert await cursor.fetchone() == {"partitions": 1, "events": 2, "right": True}
        assert (await verify(db)).problems == ()
        assert await make_event_partitions(db) == 2, "the months after it"
        assert await make_event_partitions(db) == 0

    async def test_the_application_cannot_touch_a_partition(self, db: Database) -> None:
        await append(db, new_id(), n=1)
        async with db.transaction() as tx:
            cursor = await tx.execute("select min(tableoid)::regclass::text as name from events")
            partition = (await cursor.fetchone())["name"]
        for statement in (
            f"delete from {partition}",
            f"insert into {partition} select * from events",
            f"drop table {partition}",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                async with db.transaction() as tx:
                    await tx.execute(statement)


class TestSealing:
    async def test_a_seal_covers_everything_committed_and_the_next_only_what_is_new(
        self, db: Database
    ) -> None:
        first, second = new_id(), new_id()
        for stream in (first, first, second):
            await append(db, stream)
        assert await seal(db) == 2, "two chains have grown"
        assert await seal(db) == 0
        await append(db, first)
        assert await seal(db) == 1
        found = await verify(db)
        assert (found.events, found.seals, found.sealed_events, found.problems) == (4, 2, 4, ())

    async def test_nothing_to_seal_makes_no_seal(self, db: Database) -> None:
        assert await seal(db) == 0
        found = await verify(db)
        assert (found.events, found.seals, found.sealed_events, found.problems) == (0, 0, 0, ())

    async def test_a_transaction_that_commits_after_a_newer_one_was_sealed_is_in_the_next_seal(
        self, db: Database
    ) -> None:
        early, late, shared = new_id(), new_id(), new_id()
        await append(db, shared)
        async with db.transaction() as slow:
            await append_event(slow, stream=early, kind="k", actor="a")
            await append_event(slow, stream=shared, kind="k", actor="a")
            await slow.flush_deferred()
            await append(db, late)  # a higher id, committed first
            assert await seal(db) == 1, "only what is committed and not being written"
            found = await verify(db)
            assert (found.events, found.sealed_events, found.problems) == (2, 1, ())
        assert await seal(db) == 2
        found = await verify(db)
        assert (found.events, found.sealed_events, found.problems) == (4, 4, ())

    async def test_two_sealers_at_once_make_one_chain_of_seals(self, db: Database) -> None:
        for _ in range(5):
            await append(db, new_id())
        async with db.transaction() as tx:
            sealed = await seal_events(tx, KEY)
            assert sealed
            assert sealed.heads == 5
            await append(db, new_id())
            second = asyncio.create_task(seal(db))
            await wait_for_lock(db)
        assert await second == 1
        assert (await verify(db)).problems == ()

    async def test_a_seal_that_is_rolled_back_leaves_everything_unsealed(self, db: Database) -> None:
        await append(db, new_id())
        with pytest.raises(RuntimeError):
            async with db.transaction() as tx:
                await seal_events(tx, KEY)
                raise RuntimeError
        assert await seal(db) == 1

    async def test_a_busy_trail_is_sealed_to_the_end(self, db: Database, tmp_path: Path) -> None:
        async with db.transaction() as tx:
            await tx.execute(
                "select count(append_event(gen_random_uuid(), 'k', 'a', '{}')) from generate_series(1, 2500)"
            )
        key = SealKey(tmp_path / "seal.key")
        assert await seal_audit_log(db, key) == 2_500
        assert await seal_audit_log(db, key) == 0
        found = await verify_audit_log(db, key)
        assert (found.events, found.seals, found.sealed_events, found.problems) == (2_500, 3, 2_500, ())

    async def test_the_trail_moves_to_another_server_with_its_tables(
        self, db: Database, server: EmbeddedServer
    ) -> None:
        """A copy of the rows is all that it takes: no transaction number of the old server matters."""
        stream = new_id()
        await append(db, stream)
        await seal(db)
        await append(db, stream)
        name = f"copy_{new_id().hex}"
        server.create_database(name, template="frasier_template")
        try:
            await copy_trail(db.url, server.url("postgres", name))
            async with Database(server.url("frasier_app", name)) as copy:
                await append(copy, new_id())
                assert await seal(copy) == 2
                found = await verify(copy)
                assert (found.events, found.sealed_events, found.problems) == (3, 3, ())
        finally:
            server.drop_database(name)


async def copy_trail(from_url: str, to_url: str) -> None:
    async with (
        await psycopg.AsyncConnection.connect(from_url) as source,
        await psycopg.AsyncConnection.connect(to_url) as target,
    ):
        for table in ("store_event_streams", "events", "store_event_seals"):
            async with (
                source.cursor() as reading,
                target.cursor() as writing,
                reading.copy(f"copy (select * from {table}) to stdout") as rows,
                writing.copy(f"copy {table} from stdin") as into,
            ):
                async for row in rows:
                    await into.write(row)
        for table in ("events", "store_event_seals"):
            await target.execute(
                f"select setval(pg_get_serial_sequence('{table}', 'id'), (select max(id) from {table}))"
            )


@dataclass(frozen=True)
class Trail:
    """Three streams of four events; two seals cover the first three of each."""

    url: str
    streams: list[UUID]

    async def tampered(self, *statements: str, key: bytes = KEY, **parameters: Any) -> AuditVerification:
        """What verification finds after `statements`, made by somebody with every right; then all is as before."""
        async with await psycopg.AsyncConnection.connect(self.url, row_factory=dict_row) as root:
            await root.execute("set local session_replication_role = replica")  # no trigger stands in the way
            for statement in statements:
                assert (await root.execute(statement, parameters)).rowcount != 0, statement
            found = await verify_events(root, key)
            await root.rollback()
        return found


@pytest.fixture(scope="module")
async def trail(server: EmbeddedServer) -> AsyncIterator[Trail]:
    name = f"trail_{new_id().hex}"
    server.create_database(name, template="frasier_template")
    streams = [new_id() for _ in range(3)]
    async with Database(server.url("frasier_app", name)) as db:
        for round_ in range(4):
            for n, stream in enumerate(streams):
                await append(db, stream, round=round_, n=n)
            if round_ in {0, 2}:
                await seal(db)
    yield Trail(server.url("postgres", name), streams)
    server.drop_database(name)


class TestTampering:
    """Somebody with every right in the database, but without the key."""

    async def test_untouched_it_verifies(self, trail: Trail) -> None:
        found = await trail.tampered()
        assert (found.events, found.seals, found.sealed_events, found.problems) == (12, 2, 9, ())

    @pytest.mark.parametrize("seq", [1, 2, 4])
    @pytest.mark.parametrize(
        "change",
        [
            """payload = payload || '{"n": 99}'""",
            "actor = 'somebody else'",
            "kind = 'it.never.happened'",
            "at = at + interval '1 microsecond'",
            "hash = sha256(hash)",
        ],
    )
    async def test_a_changed_event_is_found(self, trail: Trail, change: str, seq: int) -> None:
        found = await trail.tampered(
            f"update events set {change} where stream = %(stream)s and seq = %(seq)s",
            stream=trail.streams[1],
            seq=seq,
        )
        assert f"event {seq} of {trail.streams[1]} was changed" in " ".join(found.problems)

    async def test_text_moved_from_one_field_to_the_next_is_found(self, trail: Trail) -> None:
        stream = new_id()
        added = r"select append_event(%(stream)s, e'task\nfail', 'worker', '{}')"
        assert (await trail.tampered(added, stream=stream)).problems == ()
        moved = r"update events set kind = 'task', actor = e'fail\nworker' where stream = %(stream)s"
        assert (await trail.tampered(added, moved, stream=stream)).problems

    @pytest.mark.parametrize("seq", [1, 2, 3])
    async def test_an_event_removed_from_the_middle_is_found(self, trail: Trail, seq: int) -> None:
        found = await trail.tampered(
            "delete from events where stream = %(stream)s and seq = %(seq)s", stream=trail.streams[0], seq=seq
        )
        assert any("predecessor removed" in problem for problem in found.problems)

    async def test_a_removed_newest_event_is_found(self, trail: Trail) -> None:
        newest = "delete from events where stream = %(stream)s and seq = 4"
        found = await trail.tampered(newest, stream=trail.streams[2])
        assert found.problems == (f"the newest events of {trail.streams[2]} are missing or not chained",)

    async def test_a_removed_stream_is_found(self, trail: Trail) -> None:
        found = await trail.tampered(
            "delete from events where stream = %(stream)s",
            "delete from store_event_streams where stream = %(stream)s",
            stream=trail.streams[2],
        )
        assert f"event 3 of {trail.streams[2]} is not the one that seal 2 covers" in found.problems

    async def test_a_removed_head_is_found(self, trail: Trail) -> None:
        found = await trail.tampered(
            "delete from store_event_streams where stream = %(stream)s", stream=trail.streams[0]
        )
        assert found.problems

    @pytest.mark.parametrize("seq", [1, 2, 3])
    async def test_a_forged_chain_is_found_once_it_was_sealed(self, trail: Trail, seq: int) -> None:
        """The forger recomputes every hash after the forged event, and the head; only the seal gives them away."""
        found = await trail.tampered(
            "update events set payload = payload || '{\"forged\": true}' where stream = %(stream)s and seq = %(seq)s",
            "select set_config('forger.stream', %(stream)s::text, true)",
            REHASH,
            stream=trail.streams[0],
            seq=seq,
        )
        assert any(f"of {trail.streams[0]} is not the one that seal" in problem for problem in found.problems)
        assert not any("was changed" in problem for problem in found.problems), (
            "the chain itself is sound again"
        )

    async def test_what_is_not_sealed_yet_is_only_as_safe_as_its_chain(self, trail: Trail) -> None:
        found = await trail.tampered(
            "update events set payload = '{}' where stream = %(stream)s and seq = 4",
            "select set_config('forger.stream', %(stream)s::text, true)",
            REHASH,
            stream=trail.streams[0],
        )
        assert found.problems == ()
        assert found.events - found.sealed_events == 3, "and it is told how many those are"

    async def test_a_function_that_lies_about_digests_changes_nothing(self, trail: Trail) -> None:
        found = await trail.tampered(
            "update events set actor = 'somebody else' where stream = %(stream)s and seq = 1",
            """
            create or replace function event_digest(previous bytea, stream uuid, seq integer, at timestamptz,
                kind text, actor text, payload jsonb) returns bytea language sql stable as $$
                select e.hash from events e where e.stream = event_digest.stream and e.seq = event_digest.seq $$
            """,
            stream=trail.streams[0],
        )
        assert f"event 1 of {trail.streams[0]} was changed" in found.problems[0]

    @pytest.mark.parametrize("seal_id", [1, 2])
    async def test_a_removed_seal_is_found(self, trail: Trail, seal_id: int) -> None:
        found = await trail.tampered("delete from store_event_seals where id = %(id)s", id=seal_id)
        assert any("seal" in problem for problem in found.problems)

    @pytest.mark.parametrize(
        "change",
        [
            "mac = sha256(mac)",
            "sealed_at = sealed_at - interval '1 hour'",
            "seqs[1] = seqs[1] + 1",
            "hashes[1] = sha256(hashes[1])",
            "streams[1] = gen_random_uuid()",
        ],
    )
    async def test_a_changed_seal_is_found(self, trail: Trail, change: str) -> None:
        found = await trail.tampered(f"update store_event_seals set {change} where id = 1")
        assert any("seal 1 was not made with this key" in problem for problem in found.problems)

    async def test_another_key_verifies_nothing(self, trail: Trail) -> None:
        found = await trail.tampered(key=b"another key")
        assert len(found.problems) == 2
        assert all("was not made with this key" in problem for problem in found.problems)

    async def test_a_thousand_broken_events_are_told_in_a_few_lines(self, trail: Trail) -> None:
        found = await trail.tampered(
            "select count(append_event(%(stream)s, 'k', 'a', '{}')) from generate_series(1, 300)",
            "update events set actor = 'x' where stream = %(stream)s",
            stream=new_id(),
        )
        assert found.events == 312
        assert len(found.problems) == 20

    async def test_seals_cut_off_with_everything_under_them_are_found_by_what_was_noted(
        self, db: Database, server: EmbeddedServer, database_name: str, tmp_path: Path
    ) -> None:
        """The one who forges everything since the last seal but one, consistently, and removes the last seal."""
        key = SealKey(tmp_path / "seal.key")
        stream = new_id()
        for n in range(2):
            await append(db, stream, n=n)
            await seal_audit_log(db, key)
        with psycopg.connect(server.url("postgres", database_name)) as root:
            root.execute("set local session_replication_role = replica")
            root.execute("delete from store_event_seals where id = 2")
            root.execute("delete from events where seq = 2")
            root.execute(
                "update store_event_streams set seq = 1, sealed_seq = 1, hash = (select hash from events)"
            )
        assert (await verify(db, key.read())).problems == (), "the database alone cannot know"
        assert (await verify_audit_log(db, key)).problems == (
            "the newest seal that was made with this key is missing",
        )


REHASH = """
    do $$ declare before bytea := ''; forged uuid := current_setting('forger.stream')::uuid; row events; begin
        for row in select * from events where stream = forged order by seq loop
            before := event_digest(before, row.stream, row.seq, row.at, row.kind, row.actor, row.payload);
            update events set hash = before where id = row.id;
        end loop;
        update store_event_streams set hash = before where stream = forged;
    end $$
"""


class TestPlace:
    async def test_a_database_is_one_place_by_every_address_of_it(self, database_url: str) -> None:
        parts = conninfo_to_dict(database_url)
        short = {name: parts[name] for name in ("host", "dbname")}
        addresses = [
            database_url,
            make_conninfo(**short, user="frasier_app"),
            make_conninfo(**short, port="5432", user="frasier_owner", password="x"),
        ]
        assert len({await self.place(address) for address in addresses}) == 1

    async def test_two_databases_are_two_places(self, server: EmbeddedServer, database_url: str) -> None:
        assert await self.place(database_url) != await self.place(server.url("frasier_app"))

    async def test_of_several_hosts_all_are_one_place(self, database_url: str) -> None:
        parts = conninfo_to_dict(database_url)
        several = make_conninfo(database_url, host=f"/nowhere,{parts['host']}", port="5432,5432")
        assert (await self.place(several)).startswith("/nowhere,")

    @staticmethod
    async def place(address: str) -> str:
        async with await psycopg.AsyncConnection.connect(address) as connection:
            return place_of(address, connection)


class TestSealKey:
    def test_it_is_made_once_and_only_its_owner_reads_it(self, tmp_path: Path) -> None:
        key = SealKey(tmp_path / "deep" / "seal.key")
        made = key.read()
        assert len(made) == 32
        assert key.read() == SealKey(key.path).read() == made
        assert stat.S_IMODE(key.path.stat().st_mode) == 0o600
        assert [path.name for path in key.path.parent.iterdir()] == ["seal.key"]

    async def test_processes_that_make_it_at_once_agree(self, tmp_path: Path) -> None:
        keys = await asyncio.gather(
            *(asyncio.to_thread(SealKey(tmp_path / "seal.key").read) for _ in range(16))
        )
        assert len(set(keys)) == 1

    def test_the_newest_seal_is_noted_beside_it(self, tmp_path: Path) -> None:
        key, here, there = SealKey(tmp_path / "seal.key"), "a place", "another place"
        assert key.newest_noted(here) is None
        key.read()
        key.note_newest(here, b"one")
        key.note_newest(here, b"two")
        assert key.newest_noted(here) == b"two"
        assert key.newest_noted(there) is None
        assert [path.name[:15] for path in sorted(tmp_path.iterdir())] == ["seal.key", "seal.key.newest"]
