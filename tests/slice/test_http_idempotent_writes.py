"""Idempotency keys of resources: a write is carried out once for each key, and it is known when that is unknown."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextvars import Context

import pytest

from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.kernel.errors import Stale
from frasier.kernel.ids import new_id
from frasier.memory import revoke_token
from frasier.store import (
    Database,
    IdempotentRequest,
    OutcomeUnknown,
    RequestRunning,
    StoredAnswer,
    purge_requests,
    run_once,
)
from frasier.store.sql_statements import Statements
from support.brain import MemoryApi, open_memory_api

FACT = {"content": "The kettle whistles at a hundred degrees."}
KEY = {"Idempotency-Key": "k1"}
REQUEST = IdempotentRequest(caller="token:tester", key="k1", digest=b"asked")
ANSWER = StoredAnswer(status=200, body={"b": 1, "a": 2})


@pytest.fixture
async def api(db: Database) -> AsyncIterator[MemoryApi]:
    async with open_memory_api(db, MEMORY_OPERATIONS) as opened:
        yield opened


async def note(tx: object, name: str) -> None:
    """Write something that a test can count."""
    await tx.execute("insert into store_leases (name, holder, until) values (%s, 'h', now())", (name,))  # type: ignore[attr-defined]


async def notes(db: Database) -> int:
    async with db.transaction() as tx:
        [row] = await (
            await tx.execute("select count(*) as number from store_leases where holder = 'h'")
        ).fetchall()
    return int(row["number"])


async def let_lease_end(db: Database) -> None:
    async with db.transaction() as tx:
        await tx.execute("update store_idempotency_keys set until = now() - interval '1 second'")


async def test_a_write_with_a_key_is_carried_out_once_and_answered_alike(api: MemoryApi) -> None:
    first = await api.post("memories", FACT, **KEY)
    again = await api.post("memories", FACT, **KEY)
    quoted = await api.post("memories", FACT, **{"Idempotency-Key": '"k1"'})
    assert first.status_code == again.status_code == quoted.status_code == 200
    assert first.content == again.content == quoted.content
    assert [one.headers.get("idempotency-replayed") for one in (first, again, quoted)] == [
        None,
        "true",
        "true",
    ]
    assert len(await api.stored()) == 1


async def test_a_key_means_one_request_of_one_caller(api: MemoryApi) -> None:
    await api.post("memories", FACT, **KEY)
    other = await api.post("memories", {"content": "A lid rattles when steam escapes."}, **KEY)
    assert (other.status_code, other.json()["code"]) == (422, "invalid_input")
    elsewhere = await api.client.post("/api/v1/memory/embeddings/retry", headers=KEY)
    assert elsewhere.status_code == 422
    another = await api.caller("another", "shared")
    assert (await api.post("memories", FACT, **KEY, **another)).headers.get("idempotency-replayed") is None


async def test_whoever_is_given_the_name_of_a_revoked_token_is_not_given_its_answers(api: MemoryApi) -> None:
    first = await api.caller("quay", "team:quay")
    saved = await api.post("memories", FACT, **KEY, **first)
    assert saved.json()["data"]["action"] == "created"
    async with api.db.transaction() as tx:
        await revoke_token(tx, "quay")
    second = await api.caller("quay", "team:lamp")
    other = await api.post("memories", FACT, **KEY, **second)
    assert (other.status_code, other.json()["code"]) == (422, "invalid_input")
    assert saved.json()["data"]["id"] not in other.text


@pytest.mark.parametrize("key", ["", " ", "k" * 201, "schlüssel", '"'])
async def test_what_is_no_key_is_refused(api: MemoryApi, key: str) -> None:
    sent = key.encode() if not key.isascii() else key
    if key == '"':
        assert (await api.post("memories", FACT, **{"Idempotency-Key": key})).status_code == 200
        return
    refused = await api.client.post("/api/v1/memories", json=FACT, headers=[("Idempotency-Key", sent)])
    assert refused.status_code == 422
    assert await api.stored() == []


async def test_a_refused_request_can_be_made_again_under_its_key(api: MemoryApi) -> None:
    memory = (await api.post("memories", FACT)).json()["data"]["id"]
    undoing = f"memories/{memory}/revert"
    assert (await api.post(undoing, {"version": 7}, **KEY)).status_code in {404, 422}
    await api.client.patch(f"/api/v1/memories/{memory}", json={"title": "Kettles"})
    assert (await api.post(undoing, {"version": 1}, **KEY)).status_code == 200


async def test_reading_takes_no_notice_of_a_key(api: MemoryApi) -> None:
    assert (await api.post("memories/search", {"query": "kettle"}, **KEY)).status_code == 200
    assert (await api.post("memories/search", {"query": "lid"}, **KEY)).status_code == 200


async def test_the_same_at_the_same_time_is_carried_out_once(db: Database) -> None:
    began, go_on = asyncio.Event(), asyncio.Event()

    async def run() -> StoredAnswer:
        began.set()
        await go_on.wait()
        await db.in_transaction(note, "once")
        return ANSWER

    first = asyncio.create_task(run_once(db.in_transaction, REQUEST, run))
    await began.wait()
    with pytest.raises(RequestRunning):
        await run_once(db.in_transaction, REQUEST, run)
    go_on.set()
    assert not (await first).repeated
    again = await run_once(db.in_transaction, REQUEST, run)
    assert (again.repeated, again.body) == (True, ANSWER.body)
    assert await notes(db) == 1


class Crash(BaseException):
    """The end of the process."""


async def crashing(db: Database, *, after_writing: bool) -> None:
    """Begin the request as a process that then ends."""
    sql = Statements("frasier.store")
    attempt = new_id()
    async with db.transaction() as tx:
        await sql.one(
            tx,
            "begin_request",
            caller=REQUEST.caller,
            key=REQUEST.key,
            digest=REQUEST.digest,
            attempt=attempt,
            lease_s=60.0,
            kept_s=60.0,
        )
    if after_writing:
        async with db.transaction() as tx:
            await note(tx, "crashed")
            sql.defer(tx, "mark_request_written", caller=REQUEST.caller, key=REQUEST.key, attempt=attempt)
    await let_lease_end(db)


async def writing(db: Database) -> StoredAnswer:
    await db.in_transaction(note, "written")
    return ANSWER


async def test_a_request_that_crashed_before_it_wrote_is_carried_out(db: Database) -> None:
    await crashing(db, after_writing=False)
    assert not (await run_once(db.in_transaction, REQUEST, lambda: writing(db))).repeated
    assert await notes(db) == 1


async def test_a_request_that_crashed_after_it_wrote_is_not_done_twice(db: Database) -> None:
    await crashing(db, after_writing=True)
    with pytest.raises(OutcomeUnknown) as refused:
        await run_once(db.in_transaction, REQUEST, lambda: writing(db))
    assert "Read back" in refused.value.hint
    assert await notes(db) == 1


async def test_an_attempt_that_was_taken_for_crashed_writes_nothing_any_more(db: Database) -> None:
    async def other_process() -> None:
        await let_lease_end(db)
        assert not (await run_once(db.in_transaction, REQUEST, lambda: writing(db))).repeated

    async def slow() -> StoredAnswer:
        await asyncio.create_task(other_process(), context=Context())
        await db.in_transaction(note, "too late")
        return ANSWER

    with pytest.raises(Stale):
        await run_once(db.in_transaction, REQUEST, slow)
    assert await notes(db) == 1


async def test_a_failure_after_a_write_is_told_as_an_unknown_outcome(db: Database) -> None:
    async def half() -> StoredAnswer:
        await db.in_transaction(note, "half")
        raise Crash

    with pytest.raises(Crash):
        await run_once(db.in_transaction, REQUEST, half)
    with pytest.raises(OutcomeUnknown):
        await run_once(db.in_transaction, REQUEST, lambda: writing(db))
    assert await notes(db) == 1


async def test_reading_transactions_mark_nothing(db: Database) -> None:
    async def reads() -> StoredAnswer:
        await notes(db)
        raise Crash

    with pytest.raises(Crash):
        await run_once(db.in_transaction, REQUEST, reads)
    assert not (await run_once(db.in_transaction, REQUEST, lambda: writing(db))).repeated


async def test_a_task_that_outlives_its_request_marks_nothing(db: Database) -> None:
    later = asyncio.Event()

    async def background() -> None:
        await later.wait()
        await db.in_transaction(note, "later")

    tasks: list[asyncio.Task[None]] = []

    async def starts() -> StoredAnswer:
        tasks.append(asyncio.create_task(background()))
        return ANSWER

    await run_once(db.in_transaction, REQUEST, starts)
    async with db.transaction() as tx:
        await tx.execute("delete from store_idempotency_keys")
    later.set()
    await asyncio.gather(*tasks)
    assert await notes(db) == 1


async def test_an_answer_that_is_not_kept_is_known_to_have_been_given(db: Database) -> None:
    first = await run_once(db.in_transaction, REQUEST, lambda: writing(db), keeps_body=False)
    again = await run_once(db.in_transaction, REQUEST, lambda: writing(db), keeps_body=False)
    assert (first.body, again.body, again.repeated) == (ANSWER.body, None, True)


async def test_after_a_day_a_key_is_new(db: Database) -> None:
    await run_once(db.in_transaction, REQUEST, lambda: writing(db))
    async with db.transaction() as tx:
        await tx.execute("delete from store_leases")
        await tx.execute("update store_idempotency_keys set began_at = now() - interval '25 hours'")
    assert not (await run_once(db.in_transaction, REQUEST, lambda: writing(db))).repeated
    async with db.transaction() as tx:
        await tx.execute("update store_idempotency_keys set began_at = now() - interval '25 hours'")
    await purge_requests(db)
    async with db.transaction() as tx:
        assert await (await tx.execute("select 1 from store_idempotency_keys")).fetchall() == []
