"""Saving: what was saved is there again, once, with the caller's transaction, in bulk as one by one."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from frasier.kernel.errors import InvalidInput
from frasier.memory import (
    Caller,
    EmbeddingSettings,
    ImportanceTier,
    MemoryKind,
    MemorySettings,
    NewMemory,
    Query,
    RecallRequest,
    agent_scope,
    open_engine,
    recall_by_words,
    recent_of_agent,
    save_memories,
    save_memory,
)
from frasier.memory.admission.admit import admit_and_save

AGENT = uuid4()


def task_memory(**fields):
    given = {
        "kind": MemoryKind.TASK,
        "scope": agent_scope(AGENT),
        "content": "Compared the storage engines.",
        "agent_id": AGENT,
    }
    return NewMemory(**given | fields)


async def rows(db, columns="*"):
    async with db.transaction() as tx:
        cursor = await tx.execute(f"select {columns} from memory_items order by num")
        return await cursor.fetchall()


async def test_a_saved_memory_comes_back_as_it_was_given(db):
    new = task_memory(
        title="Storage — “engines”",
        content="Compared the\tstorage engines.\n\nSQLite won: 日本語, ümläut, \U0001f980.",
        tags=("storage", 'a, "quoted" {tag}'),
        tier=ImportanceTier.IMPORTANT,
        importance=7,
        task_id=uuid4(),
        provenance={"mission": "m", "deep": {"list": [1, 2.5, None, True]}},
    )
    async with db.transaction() as tx:
        memory_id = await save_memory(tx, new)
    async with db.transaction() as tx:
        [memory] = await recent_of_agent(tx, AGENT, [MemoryKind.TASK], 5)
    assert memory.id == memory_id
    assert memory.access_count == 0
    assert memory.expires_at is None
    for name in ("kind", "scope", "title", "content", "tags", "tier", "importance", "agent_id", "task_id"):
        assert getattr(memory, name) == getattr(new, name), name
    assert memory.provenance == new.provenance


async def test_the_schema_knows_every_kind_and_tier(db):
    pairs = [(kind, ImportanceTier.CONSTITUTIONAL) for kind in MemoryKind]
    pairs += [(MemoryKind.TASK, tier) for tier in ImportanceTier]
    async with db.transaction() as tx:
        for at, (kind, tier) in enumerate(pairs):
            await save_memory(tx, task_memory(kind=kind, tier=tier, content=f"number {at}"), founder=True)
    assert [(row["kind"], row["tier"]) for row in await rows(db)] == pairs


async def test_what_a_failed_transaction_saved_is_gone(db):
    with pytest.raises(ZeroDivisionError):
        async with db.transaction() as tx:
            await save_memory(tx, task_memory())
            raise ZeroDivisionError
    async with db.transaction() as tx:
        assert await recall_by_words(tx, Query(text="storage engines", scopes=(agent_scope(AGENT),))) == []


async def test_the_same_again_reinforces_the_memory_that_is_there(db):
    async with db.transaction() as tx:
        first = await save_memory(tx, task_memory(importance=6))
    async with db.transaction() as tx:
        again = await save_memory(tx, task_memory(importance=3))
    [row] = await rows(db)
    assert again == first
    assert (row["access_count"], row["importance"]) == (1, 6)
    assert row["last_seen_at"] > row["created_at"]
    async with db.transaction() as tx:
        [found] = await recall_by_words(tx, Query(text="storage", scopes=(agent_scope(AGENT),)))
    assert found.memory.access_count == 1


async def test_the_same_with_more_weight_raises_the_memory_that_is_there(db):
    async with db.transaction() as tx:
        first = await save_memory(tx, task_memory(tier=ImportanceTier.TEMPORARY))
        again = await save_memory(tx, task_memory(tier=ImportanceTier.CRITICAL, importance=9), founder=True)
        last = await save_memory(tx, task_memory(tier=ImportanceTier.NORMAL))
    [row] = await rows(db)
    assert first == again == last
    assert (row["tier"], row["importance"], row["expires_at"]) == ("critical", 9, None)


@pytest.mark.parametrize(
    "change",
    [
        {"scope": "shared"},
        {"kind": MemoryKind.OBSERVATION},
        {"agent_id": None},
        {"content": "Compared the storage engines"},
    ],
)
async def test_what_differs_in_scope_kind_agent_or_content_is_another_memory(db, change):
    async with db.transaction() as tx:
        ids = [await save_memory(tx, task_memory()), await save_memory(tx, task_memory(**change))]
    assert len(set(ids)) == len(await rows(db)) == 2


@pytest.mark.parametrize("kind", [MemoryKind.CONVERSATION, MemoryKind.MARKER, MemoryKind.PASSAGE])
async def test_turns_markers_and_passages_may_repeat(db, kind):
    async with db.transaction() as tx:
        ids = await save_memories(tx, [task_memory(kind=kind)] * 2) + [
            await save_memory(tx, task_memory(kind=kind))
        ]
    assert len(set(ids)) == len(await rows(db)) == 3


@pytest.mark.parametrize("gone", ["archived_at = now()", "tier = 'deprecated'"])
async def test_saving_again_what_was_put_away_makes_it_findable(db, gone):
    async with db.transaction() as tx:
        old = await save_memory(tx, task_memory())
        await tx.execute(f"update memory_items set {gone}")
        new = await save_memory(tx, task_memory())
        [found] = await recall_by_words(tx, Query(text="storage", scopes=(agent_scope(AGENT),)))
    assert found.memory.id == new != old


async def test_saving_again_what_has_expired_makes_it_findable(db):
    temporary = task_memory(tier=ImportanceTier.TEMPORARY)
    query = Query(text="storage", scopes=(agent_scope(AGENT),))
    async with db.transaction() as tx:
        await save_memory(tx, temporary)
        [before] = await recall_by_words(tx, query)
        await tx.execute("update memory_items set expires_at = now() - interval '1 second'")
        expired = await recall_by_words(tx, query)
        await save_memory(tx, temporary)
        [after] = await recall_by_words(tx, query)
    assert expired == []
    assert after.memory.id == before.memory.id
    assert after.memory.expires_at == before.memory.expires_at


async def test_two_who_save_the_same_at_once_share_one_memory(db):
    async def save():
        async with db.transaction() as tx:
            return await save_memory(tx, task_memory())

    ids = await asyncio.gather(*(save() for _ in range(6)))
    [row] = await rows(db)
    assert set(ids) == {row["id"]}
    assert row["access_count"] == 5


async def test_bulk_saving_does_what_saving_one_by_one_does(db):
    kinds = [MemoryKind.PASSAGE, MemoryKind.LESSON, MemoryKind.TASK, MemoryKind.CONVERSATION]
    news = [
        task_memory(
            kind=kinds[at % 4],
            scope="mission:one",
            title=f"Chapter {at % 7}",
            content=f"Engine {at % 13} keeps {at % 5} pages of storage {'deeply ' * (at % 3)}cached.",
            tags=("cache",) * (at % 2),
            importance=at % 10 + 1,
            provenance={"at": at},
        )
        for at in range(60)
    ]
    async with db.transaction() as tx:
        one_by_one = [await save_memory(tx, new) for new in news]
        in_bulk = await save_memories(tx, [replace(new, scope="mission:two") for new in news])
    compared = ["kind", "title", "content", "tags", "tier", "importance", "agent_id", "provenance", "length"]
    compared += ["access_count", "indexed", "content_hash"]
    saved = await rows(db)
    one, two = ([r for r in saved if r["scope"] == scope] for scope in ("mission:one", "mission:two"))
    assert [[row[name] for name in compared] for row in one] == [
        [row[name] for name in compared] for row in two
    ]
    assert [len(row["term_keys"]) for row in one] == [len(row["term_keys"]) for row in two]
    place_one, place_two = ({row["id"]: at for at, row in enumerate(part)} for part in (one, two))
    assert [place_one[memory_id] for memory_id in one_by_one] == [
        place_two[memory_id] for memory_id in in_bulk
    ]
    async with db.transaction() as tx:
        found = [
            await recall_by_words(
                tx, Query(text="deeply cached engine 3", scopes=(f"mission:{n}",), limit=20)
            )
            for n in ("one", "two")
        ]
    assert [(hit.memory.content, hit.score) for hit in found[0]] == [
        (hit.memory.content, hit.score) for hit in found[1]
    ]
    assert found[0]


async def test_more_than_a_batch_is_saved_in_order_and_findable(db):
    news = [
        NewMemory(kind=MemoryKind.PASSAGE, scope="mission:m", content=f"Passage numero{at} of many.")
        for at in range(1_203)
    ]
    async with db.transaction() as tx:
        ids = await save_memories(tx, news)
    assert [row["id"] for row in await rows(db, "id, num")] == ids
    async with db.transaction() as tx:
        for at in (0, 499, 500, 1_202):
            [found] = await recall_by_words(tx, Query(text=f"numero{at}", scopes=("mission:m",)))
            assert found.memory.id == ids[at]


async def test_many_huge_memories_are_saved_in_order(db):
    news = [task_memory(content=f"huge{at} " + "lorem ipsum " * 8_000) for at in range(12)]
    async with db.transaction() as tx:
        ids = await save_memories(tx, news)
        [found] = await recall_by_words(tx, Query(text="huge11", scopes=(agent_scope(AGENT),)))
    assert [row["id"] for row in await rows(db, "id, num")] == ids
    assert found.memory.id == ids[11]


async def test_one_wrong_memory_refuses_the_whole_bulk(db):
    with pytest.raises(InvalidInput):
        async with db.transaction() as tx:
            await save_memories(tx, [task_memory(), task_memory(content="")])
    assert await rows(db) == []


async def test_nothing_to_save_saves_nothing(db):
    async with db.transaction() as tx:
        assert await save_memories(tx, []) == []


async def test_no_secret_reaches_the_database(db):
    key = "sk-live0123456789abcdefghij"
    async with db.transaction() as tx:
        await save_memory(
            tx, task_memory(content=f"Called the model with {key}.", provenance={"from": "log"})
        )
    [row] = await rows(db)
    assert key not in repr(row)
    assert row["provenance"] == {"from": "log", "redacted": 1, "redacted_in": ["content"]}


async def test_the_latest_of_an_agent_come_newest_first_and_only_of_the_kinds_asked_for(db):
    for content in ("first", "second", "third"):
        async with db.transaction() as tx:
            await save_memory(tx, task_memory(content=content))
            await save_memory(tx, task_memory(content=content, kind=MemoryKind.DECISION))
            await save_memory(tx, task_memory(content=content, agent_id=uuid4()))
    async with db.transaction() as tx:
        tasks = await recent_of_agent(tx, AGENT, [MemoryKind.TASK], 2)
        both = await recent_of_agent(tx, AGENT, [MemoryKind.TASK, MemoryKind.DECISION], 10)
    assert [memory.content for memory in tasks] == ["third", "second"]
    assert [memory.content for memory in both] == ["third", "third", "second", "second", "first", "first"]


PAST = datetime(2020, 1, 1, tzinfo=UTC)
ENDED = datetime(2021, 1, 1, tzinfo=UTC)
LATER = datetime(2990, 1, 1, tzinfo=UTC)
WINDOWS = {
    "without an end": ({}, None),
    "until later": ({"valid_until": LATER}, LATER),
    "until a time before it began": ({"valid_until": PAST - timedelta(days=1)}, ENDED),
}


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("way", ["saved", "gated"])
async def test_what_was_over_holds_again_when_it_is_said_again_whichever_way(db, way, window):
    given, until = WINDOWS[window]
    caller = Caller(name="writer", scopes=("shared",))

    async def save(**fields):
        new = NewMemory(
            kind=MemoryKind.DECISION, scope="shared", content="The ferry costs nine crowns.", **fields
        )
        async with db.transaction() as tx:
            return (
                await save_memory(tx, new) if way == "saved" else (await admit_and_save(tx, caller, new)).id
            )

    first = await save(valid_from=PAST, valid_until=ENDED)
    assert await save(**given) == first
    [row] = await rows(db, "access_count, valid_from, valid_until")
    assert (row["access_count"], row["valid_from"], row["valid_until"]) == (1, PAST, until)
    async with open_engine(db, MemorySettings(embedding=EmbeddingSettings(provider="none"))) as engine:
        answer = await engine.recall(caller, RecallRequest(text="ferry crowns"))
    assert [hit.memory.id for hit in answer.hits] == ([] if until == ENDED else [first])


@pytest.mark.parametrize("way", ["saved", "gated"])
async def test_what_still_holds_keeps_its_end_when_it_is_said_again(db, way):
    caller = Caller(name="writer", scopes=("shared",))
    new = NewMemory(kind=MemoryKind.DECISION, scope="shared", content="The ferry costs nine crowns.")
    async with db.transaction() as tx:
        await save_memory(tx, replace(new, valid_until=LATER))
        await (save_memory(tx, new) if way == "saved" else admit_and_save(tx, caller, new))
    [row] = await rows(db, "valid_until")
    assert row["valid_until"] == LATER
