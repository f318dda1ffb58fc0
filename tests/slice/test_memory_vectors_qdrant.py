"""A Qdrant over HTTP: how its answers and its absence are told, and what it is asked."""

import asyncio
import json
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest

from frasier.kernel.errors import (
    BadReply,
    InvariantBroken,
    ProviderRateLimited,
    ProviderRejected,
    ProviderUnavailable,
)
from frasier.memory.types import MemoryKind
from frasier.memory.vectors.qdrant import QdrantStore
from frasier.memory.vectors.qdrant_factory import open_qdrant
from frasier.memory.vectors.types import SpaceRef, VectorEntry
from slice.test_memory_vectors_conformance import EVERY_KIND, WIDTH, Bench, axis

SPACE = SpaceRef(id=7, dimension=WIDTH)


@asynccontextmanager
async def answering(answer):
    """An HTTP server on this machine: `answer(method, path, body)` gives status and result. Yields its URL."""

    async def serve(reader, writer):
        while head := await reader.readuntil(b"\r\n\r\n"):
            lines = head.decode().split("\r\n")
            method, path, _ = lines[0].split(" ")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            status, result = answer(method, path.partition("?")[0], json.loads(body or b"{}"))
            text = json.dumps({"result": result, "status": "ok", "time": 0.0}).encode()
            retry = "Retry-After: 3\r\n" if status == 429 else ""
            writer.write(
                f"HTTP/1.1 {status} Told\r\nContent-Type: application/json\r\n{retry}"
                f"Content-Length: {len(text)}\r\n\r\n".encode()
                + text
            )
            await writer.drain()

    async def connected(reader, writer):
        try:
            await serve(reader, writer)
        except asyncio.IncompleteReadError:
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


@asynccontextmanager
async def store_at(url, **named):
    store = open_qdrant(url, **named)
    try:
        yield store
    finally:
        await store.close()


async def search(store, space=SPACE):
    return await store.search(None, space, axis(0), scopes=["shared"], kinds=EVERY_KIND, limit=3)


def entry(num=1, part=0):
    return VectorEntry(
        memory_num=num, memory_id=uuid4(), scope="shared", kind=MemoryKind.TASK, part=part, vector=axis(part)
    )


@pytest.mark.parametrize(
    ("status", "error", "hint"),
    [
        (401, ProviderRejected, "API key"),
        (403, ProviderRejected, "API key"),
        (400, ProviderRejected, "log"),
        (500, ProviderUnavailable, "log"),
        (503, ProviderUnavailable, "log"),
    ],
)
async def test_a_refusal_is_told_with_what_to_do_and_without_the_key(status, error, hint):
    async with (
        answering(lambda *_: (status, "secret-of-theirs")) as url,
        store_at(url, api_key=None) as store,
    ):
        with pytest.raises(error) as failed:
            await search(store)
        assert failed.value.number == "E041"
        assert hint in failed.value.hint
        assert "secret" not in str(failed.value.as_dict())
        assert not (await store.check(None)).ok


async def test_what_is_no_qdrant_is_told_apart_from_none():
    async with answering(lambda *_: (200, "It works!")) as url, store_at(url) as store:
        with pytest.raises(BadReply) as failed:
            await search(store)
        assert failed.value.number == "E041"


async def test_being_asked_to_slow_down_is_passed_on():
    async with answering(lambda *_: (429, None)) as url, store_at(url) as store:
        with pytest.raises(ProviderRateLimited) as failed:
            await search(store)
        assert failed.value.retry_after_s == 3


async def test_a_qdrant_that_is_not_there_is_told():
    async with store_at("http://127.0.0.1:1") as store:
        with pytest.raises(ProviderUnavailable) as failed:
            await store.upsert(None, SPACE, [entry()])
        assert failed.value.number == "E041"
        assert (await store.check(None)).detail == "Qdrant does not answer."


async def test_a_new_collection_has_an_index_on_everything_that_a_search_narrows_by():
    asked = []

    def answer(method, path, body):
        asked.append((method, path, body))
        if path.endswith(("/points", "/points/delete", "/index")):
            return 200, {"operation_id": 1, "status": "completed"}
        return 200, {"exists": False} if path.endswith("/exists") else True

    async with answering(answer) as url, store_at(url) as store:
        await store.upsert(None, SPACE, [entry()])
    assert ("PUT", "/collections/frasier_7", {"vectors": {"size": WIDTH, "distance": "Cosine"}}) in asked
    fields = {body["field_name"] for _, path, body in asked if path == "/collections/frasier_7/index"}
    assert fields == {"scope", "kind", "agent_id", "memory_num"}


async def test_a_collection_that_was_removed_from_outside_is_made_again():
    there = {"exists": True}

    def answer(method, path, body):
        if path.endswith("/exists"):
            return 200, dict(there)
        if path.endswith("/query/groups"):
            return (200, {"groups": []}) if there["exists"] else (404, None)
        return 200, True

    async with answering(answer) as url, store_at(url) as store:
        assert await search(store) == []
        there["exists"] = False
        with pytest.raises(ProviderRejected):
            await search(store)
        assert await search(store) == []


async def test_nothing_is_asked_of_it_while_a_transaction_is_open(db):
    async with store_at(":memory:") as store, db.transaction() as tx:
        for given in (None, tx):
            with pytest.raises(InvariantBroken):
                await store.search(given, SPACE, axis(0), scopes=["shared"], kinds=EVERY_KIND, limit=1)
            with pytest.raises(InvariantBroken):
                await store.upsert(given, SPACE, [entry()])


async def test_it_joins_no_transaction(db):
    async with store_at(":memory:") as store:
        async with db.transaction() as tx:
            pass
        with pytest.raises(InvariantBroken):
            await store.delete(tx, [1])


async def test_the_collection_of_a_space_that_is_retired_or_gone_is_removed(db):
    async with store_at(":memory:") as store:
        bench = Bench(db, store)
        space, other = await bench.space("one"), await bench.space("two")
        [memory] = await bench.memories()
        for each in (space, other):
            await bench.put(each, [memory], [axis(0)])
        for change in ("update memory_spaces set state = 'retired'", "delete from memory_spaces"):
            async with db.transaction() as tx:
                await tx.execute(f"{change} where id = %s", (space.id,))
            await store.prepare(db, space)
            assert await bench.count(space) == 0
            assert await bench.find(space, axis(0)) == []
        assert await bench.count(other) == 1


async def test_many_parts_are_sent_in_several_requests_and_all_are_kept(db):
    async with store_at(":memory:") as store:
        entries = [entry(num, part) for num in range(1, 301) for part in range(4)]
        await store.upsert(None, SPACE, entries)
        assert (await store.stats(None, SPACE)).count == 1_200
        assert len(await search(store)) == 3


async def test_it_says_of_which_memories_it_holds_vectors_in_pages(db):
    async with store_at(":memory:") as store:
        assert await store.spaces() == []
        assert await store.held(7, after=0, limit=10) == []
        await store.upsert(None, SPACE, [entry(num, part) for num in (9, 3, 5, 70_000) for part in range(2)])
        assert await store.spaces() == [7]
        assert await store.held(7, after=0, limit=100) == [3, 5, 9, 70_000]
        assert await store.held(7, after=0, limit=3) == [3, 5]
        assert await store.held(7, after=5, limit=3) == [9, 70_000]
        assert await store.held(7, after=70_000, limit=3) == []
        await store.drop_space(7)
        await store.drop_space(7)
        assert await store.spaces() == []


async def test_what_another_database_keeps_there_is_left_alone(db):
    async with store_at(":memory:") as store:
        other = QdrantStore(url=":memory:", api_key=None, prefix="frasier_test")
        other._client = store._client
        await other.upsert(None, SPACE, [entry(1, 0)])
        await store.delete(None, [1])
        assert await store.spaces() == []
        assert (await other.stats(None, SPACE)).count == 1
