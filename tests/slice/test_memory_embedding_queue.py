"""The queue of vectors: saved at once, encoded later, whatever becomes of the provider, the worker or the text."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from pydantic import SecretStr

from frasier.kernel import fault_points
from frasier.kernel.errors import InvariantBroken
from frasier.memory import (
    VECTORS,
    ImportanceTier,
    MemoryKind,
    MemorySettings,
    NewMemory,
    save_memories,
    upkeep,
)
from frasier.memory.embedding.factory import make_provider
from frasier.memory.embedding.local import LocalEncoder
from frasier.memory.embedding.queue import embed_due
from frasier.memory.embedding.resilient_provider import Breaker
from frasier.memory.embedding.spaces import owe_missing, owe_vectors, settle_space
from frasier.memory.embedding.status import embedding_status, retry_failed
from frasier.memory.embedding.types import RETRY_MIN
from frasier.memory.save import replace_content
from frasier.memory.settings import EmbeddingSettings
from frasier.memory.vectors.postgres import PgVectorStore
from frasier.memory.vectors.states import states_of
from frasier.memory.vectors.types import SpaceRef
from support.embedding_server import (
    EmbeddingServer,
    dropping,
    failing_on,
    garbage,
    hanging,
    refusing,
    well,
)
from support.memory_client import WordVectors, open_memory_client

STORE = PgVectorStore()
SCOPE = "shared"


@pytest.fixture
def encoders():
    with EmbeddingServer() as server:
        yield server


@pytest.fixture
async def provider(encoders, db):
    """A remote encoder behind its breaker, which does not really wait; its space is open."""
    made = make_provider(
        EmbeddingSettings(
            provider="openai", model="m", base_url=encoders.base_url, api_key=SecretStr("sk-x"), dimension=8
        )
    )

    async def at_once(_seconds):
        await asyncio.sleep(0)

    made._sleep = at_once
    await settle_space(db, made)
    yield made
    await made.close()


async def save(db, *contents, **fields):
    given = {"kind": MemoryKind.OBSERVATION, "scope": SCOPE} | fields
    async with db.transaction() as tx:
        return await save_memories(tx, [NewMemory(content=content, **given) for content in contents])


async def fetch(db, sql, *parameters):
    async with db.transaction() as tx:
        return await (await tx.execute(sql, parameters)).fetchall()


async def change(db, sql, *parameters):
    async with db.transaction() as tx:
        await tx.execute(sql, parameters)


async def status(db):
    async with db.transaction() as tx:
        return await embedding_status(tx)


async def with_vectors(db):
    rows = await fetch(
        db,
        "select distinct content from memory_items join memory_vectors on num = memory_num order by content",
    )
    return [row["content"] for row in rows]


async def nearest(db, provider, text):
    query = await provider.encode_query(text)
    async with db.transaction() as tx:
        current = await embedding_status(tx)
    hits = await STORE.search(
        db,
        SpaceRef(id=current.active.id, dimension=len(query.vector)),
        query.vector,
        scopes=[SCOPE],
        kinds=list(MemoryKind),
        limit=1,
    )
    async with db.transaction() as tx:
        rows = await tx.execute("select content from memory_items where num = %s", (hits[0].memory_num,))
        return (await rows.fetchone())["content"]


async def due_now(db):
    await change(db, "update memory_embedding_jobs set next_try_at = now()")


async def test_what_was_saved_gets_its_vectors_and_is_found_by_them(db, provider, encoders):
    await save(db, *(f"number {nth}" for nth in range(40)), "the kettle is red")
    assert (await status(db)).pending == 41
    assert encoders.texts == [], "saving asks nobody"
    done = await embed_due(db, provider, STORE)
    assert (done.embedded, done.failed, done.stopped) == (41, 0, "")
    assert len(await with_vectors(db)) == 41
    current = await status(db)
    assert (current.pending, current.retry, current.failed, current.oldest_s) == (0, 0, 0, 0.0)
    assert await nearest(db, provider, "the kettle is red") == "the kettle is red"


async def test_no_more_than_asked_are_done_in_one_round(db, provider):
    await save(db, *(f"number {nth}" for nth in range(10)))
    assert (await embed_due(db, provider, STORE, limit=7, batch=3)).embedded == 7
    assert (await embed_due(db, provider, STORE, limit=7, batch=3)).embedded == 3
    assert (await embed_due(db, provider, STORE, limit=7, batch=3)).embedded == 0


async def test_title_speaker_and_date_are_encoded_with_the_content(db, provider, encoders):
    await save(
        db,
        "I adopted a cat.",
        title="Pets",
        speaker="Ada",
        occurred_at=datetime(2023, 5, 8, tzinfo=UTC),
    )
    await embed_due(db, provider, STORE)
    assert encoders.texts == ["Pets\n[8 May 2023] Ada: I adopted a cat."]


async def test_markers_and_what_is_put_away_get_no_vectors(db, provider, encoders):
    await save(db, "a marker", kind=MemoryKind.MARKER)
    await save(db, "archived", "deprecated", "kept")
    await change(db, "update memory_items set archived_at = now() where content = 'archived'")
    await change(db, "update memory_items set tier = 'deprecated' where content = 'deprecated'")
    nums = [row["num"] for row in await fetch(db, "select num from memory_items")]
    async with db.transaction() as tx:
        await owe_vectors(tx, nums)
        await owe_missing(tx)
    await embed_due(db, provider, STORE)
    assert encoders.texts == ["kept"]
    assert (await status(db)).pending == 0


async def test_a_long_memory_has_several_vectors_and_a_shorter_one_after_it_fewer(db, provider):
    [memory_id] = await save(db, "long words " * 2_000)
    await embed_due(db, provider, STORE)
    assert len(await fetch(db, "select part from memory_vectors")) == 3
    await rewrite(db, memory_id, "short")
    await embed_due(db, provider, STORE)
    assert len(await fetch(db, "select part from memory_vectors")) == 1


async def rewrite(db, memory_id, content):
    new = NewMemory(kind=MemoryKind.OBSERVATION, scope=SCOPE, content=content)
    async with db.transaction() as tx:
        await replace_content(tx, memory_id, new, reason="it says something else")


async def test_fault_07_a_changed_text_loses_its_stale_vector_at_once(db, provider):
    [memory_id] = await save(db, "the kettle is red")
    await embed_due(db, provider, STORE)
    await rewrite(db, memory_id, "a bicycle with two bells")
    assert await with_vectors(db) == []
    await embed_due(db, provider, STORE)
    assert await nearest(db, provider, "bicycle bells") == "a bicycle with two bells"


async def test_fault_07_a_text_that_changes_while_it_is_encoded_never_gets_the_old_vector(
    db, provider, encoders
):
    [memory_id] = await save(db, "the kettle is red")
    inner = provider._inner.encode

    async def slowly(documents):
        encoded = await inner(documents)
        provider._inner.encode = inner
        await rewrite(db, memory_id, "a bicycle with two bells")
        return encoded

    provider._inner.encode = slowly
    await embed_due(db, provider, STORE, limit=1)
    assert await with_vectors(db) == []
    assert (await status(db)).pending == 1
    await embed_due(db, provider, STORE)
    assert encoders.texts == ["the kettle is red", "a bicycle with two bells"]
    assert await with_vectors(db) == ["a bicycle with two bells"]


async def test_a_memory_that_is_deleted_or_put_away_while_it_is_encoded_leaves_nothing(db, provider):
    gone, archived = await save(db, "gone", "archived")
    inner = provider._inner.encode

    async def slowly(documents):
        await change(db, "delete from memory_items where id = %s", gone)
        await change(db, "update memory_items set archived_at = now() where id = %s", archived)
        return await inner(documents)

    provider._inner.encode = slowly
    assert (await embed_due(db, provider, STORE)).embedded == 0
    assert await with_vectors(db) == []
    assert (await status(db)).pending == 0


async def test_a_crash_before_the_commit_leaves_the_job_and_no_half_of_it(db, provider, monkeypatch):
    await save(db, "the kettle is red")
    monkeypatch.setattr(fault_points, "_armed", fault_points._read_setting("vectors.before_commit:raise"))
    with pytest.raises(InvariantBroken):
        await embed_due(db, provider, STORE)
    assert await with_vectors(db) == []
    assert (await status(db)).pending == 1
    assert (await embed_due(db, provider, STORE)).embedded == 0, "it is still claimed"
    await due_now(db)
    assert (await embed_due(db, provider, STORE)).embedded == 1
    assert (await status(db)).pending == 0


async def test_a_crash_between_claim_and_write_leaves_the_job(db, provider):
    await save(db, "the kettle is red")
    inner = provider._inner.encode

    async def killed(documents):
        raise KeyboardInterrupt

    provider._inner.encode = killed
    with pytest.raises(KeyboardInterrupt):
        await embed_due(db, provider, STORE)
    provider._inner.encode = inner
    [job] = await fetch(db, "select attempts, failed, next_try_at - now() as wait from memory_embedding_jobs")
    assert (job["attempts"], job["failed"]) == (0, False)
    assert 0 < job["wait"].total_seconds() <= 300
    await due_now(db)
    assert (await embed_due(db, provider, STORE)).embedded == 1


async def test_two_workers_share_the_work(db, provider, encoders):
    await save(db, *(f"number {nth}" for nth in range(60)))
    counts = await asyncio.gather(*(embed_due(db, provider, STORE, batch=5) for _ in range(3)))
    assert sum(count.embedded for count in counts) == 60
    assert sorted(encoders.texts) == sorted(f"number {nth}" for nth in range(60)), "nothing is encoded twice"


@pytest.mark.parametrize(
    "trouble",
    [refusing(500), refusing(429), refusing(401), refusing(404), dropping(), garbage(), well(dimension=9)],
)
async def test_vectors_arrive_once_the_provider_is_back_and_no_text_is_blamed(
    db, provider, encoders, trouble
):
    await save(db, "first", "second", "third")
    encoders.answer = trouble
    stopped = await embed_due(db, provider, STORE)
    assert (stopped.embedded, stopped.failed) == (0, 0)
    current = await status(db)
    assert (current.pending, current.retry, current.failed) == (3, 0, 0)
    assert current.reason == stopped.stopped != ""
    encoders.answer = well()
    provider._circuit._probe_at = 0.0  # the cool-down is over
    assert (await embed_due(db, provider, STORE)).embedded == 3
    assert (await status(db)).reason == ""


async def test_while_the_circuit_is_open_a_round_asks_nobody(db, provider, encoders):
    await save(db, "first", "second")
    encoders.answer = refusing(503)
    await embed_due(db, provider, STORE)
    asked = len(encoders.log)
    stopped = await embed_due(db, provider, STORE)
    assert "left alone" in stopped.stopped
    assert len(encoders.log) == asked == 4


async def test_for_somebody_who_waits_nothing_is_tried_again(db, provider, encoders):
    await save(db, "first", "second")
    encoders.answer = failing_on("first", well(), refusing(429))
    stopped = await embed_due(db, provider.without_retries(), STORE)
    assert stopped.stopped
    assert len(encoders.log) == 2, "a look whether it is there, and one try"
    assert (await status(db)).pending == 2
    encoders.answer = well()
    assert (await embed_due(db, provider.without_retries(), STORE)).embedded == 2


async def test_a_server_that_hangs_costs_its_time_out_and_nothing_is_lost(
    db, provider, encoders, monkeypatch
):
    monkeypatch.setattr("frasier.memory.embedding.endpoint.TIMEOUT_S", 0.05)
    await save(db, "first")
    encoders.answer = hanging()
    assert "did not answer" in (await embed_due(db, provider, STORE)).stopped
    assert (await status(db)).pending == 1


@pytest.mark.parametrize("bad", [refusing(400, "I choke on this"), garbage()])
async def test_one_poisonous_text_holds_up_no_other(db, provider, encoders, bad):
    encoders.answer = failing_on("poison", well(), bad)
    await save(db, "first", "the poison", "third")
    count = await embed_due(db, provider, STORE)
    assert (count.embedded, count.failed, count.stopped) == (2, 1, "")
    assert await with_vectors(db) == ["first", "third"]
    current = await status(db)
    assert (current.pending, current.retry, current.failed) == (0, 1, 0)
    assert current.reason


async def test_a_text_that_fails_is_tried_again_after_1_5_and_15_minutes_and_then_given_up(
    db, provider, encoders
):
    encoders.answer = failing_on("poison", well(), refusing(400, "I choke on this"))
    await save(db, "the poison")
    waits = []
    for _ in range(len(RETRY_MIN)):
        assert (await embed_due(db, provider, STORE)).failed == 1
        [job] = await fetch(
            db,
            "select failed, extract(epoch from next_try_at - now())::float8 as wait from memory_embedding_jobs",
        )
        assert not job["failed"]
        waits.append(round(job["wait"] / 60))
        assert (await embed_due(db, provider, STORE)).failed == 0, "it is not due yet"
        await due_now(db)
    assert waits == [1, 5, 15]
    assert (await embed_due(db, provider, STORE)).failed == 1
    current = await status(db)
    assert (current.pending, current.retry, current.failed) == (0, 0, 1)
    assert "I choke on this" in current.reason
    await due_now(db)
    assert (await embed_due(db, provider, STORE)).failed == 0, "it is given up"


async def test_what_was_given_up_can_be_tried_again_by_hand(db, provider, encoders):
    await save(db, "the poison")
    await save(db, "the poison of another", scope="mission:other")
    await change(db, "update memory_embedding_jobs set failed = true, attempts = 4")
    async with db.transaction() as tx:
        assert await retry_failed(tx, "mission:other") == 1
    assert (await embed_due(db, provider, STORE)).embedded == 1
    async with db.transaction() as tx:
        assert await retry_failed(tx) == 1
    assert (await embed_due(db, provider, STORE)).embedded == 1
    assert len(await with_vectors(db)) == 2


async def test_a_text_that_was_given_up_gets_a_new_chance_when_it_changes(db, provider, encoders):
    [memory_id] = await save(db, "the poison")
    await change(db, "update memory_embedding_jobs set failed = true, attempts = 4")
    await rewrite(db, memory_id, "harmless")
    assert (await embed_due(db, provider, STORE)).embedded == 1


async def test_whoever_waits_for_more_than_a_day_is_worth_an_alert(db, provider):
    await save(db, "old")
    assert not (await status(db)).overdue
    await change(db, "update memory_embedding_jobs set created_at = now() - interval '25 hours'")
    current = await status(db)
    assert current.overdue
    assert current.oldest_s == pytest.approx(25 * 3_600, abs=60)
    await change(db, "update memory_embedding_jobs set failed = true")
    assert not (await status(db)).overdue, "what is given up waits no longer"


async def test_a_memory_whose_job_was_lost_is_owed_again(db, provider):
    await save(db, "first", "second")
    await embed_due(db, provider, STORE)
    await save(db, "third")
    await change(db, "delete from memory_embedding_jobs")
    async with db.transaction() as tx:
        assert await owe_missing(tx) == 1
        assert await owe_missing(tx) == 0
    assert (await embed_due(db, provider, STORE)).embedded == 1


async def test_what_was_saved_while_the_space_was_opened_gets_its_vector_in_the_first_rounds(db):
    """It saw no space to owe a vector to, and whoever opened the space did not see it."""
    async with open_memory_client(db, MemorySettings(), provider=Breaker(WordVectors())) as memory_client:
        [job] = [run for name, _, run in upkeep(memory_client.engine) if name == VECTORS]
        await job()
        await memory_client.save("The kettle whistles at the boil.")
        await change(db, "delete from memory_embedding_jobs")
        for _ in range(2):
            await job()
        assert len(await memory_client.rows("select memory_num from memory_vectors")) == 1


async def test_a_round_inside_a_transaction_is_a_defect(db, provider):
    async with db.transaction():
        with pytest.raises(InvariantBroken, match="transaction"):
            await embed_due(db, provider, STORE)


async def test_the_turns_before_are_the_context_of_a_turn(db, provider):
    turns = {"kind": MemoryKind.CONVERSATION, "thread": "session-1"}
    await save(db, "one", "two", "three", "four", speaker="Ada", **turns)
    await save(db, "of another thread", kind=MemoryKind.CONVERSATION, thread="session-2")
    await save(db, "of none")
    await change(db, "update memory_items set archived_at = now() where content = 'two'")
    seen = {}
    inner = provider._inner.encode

    async def watched(documents):
        seen.update({document.text: document.context for document in documents})
        return await inner(documents)

    provider._inner.encode = watched
    await embed_due(db, provider, STORE)
    assert seen == {
        "Ada: one": (),
        "Ada: three": ("Ada: one",),
        "Ada: four": ("Ada: one", "Ada: three"),
        "of another thread": (),
        "of none": (),
    }


async def test_the_local_encoder_leaves_vectors_and_token_states(db):
    encoder = LocalEncoder(threads=1)
    space = await settle_space(db, encoder)
    assert len(space.projection) == 384 * 128 * 4
    assert not encoder.loaded, "opening a space needs no model"
    await save(db, "Ada adopted two kittens.", "Quarterly revenue rose by 4 per cent.", agent_id=uuid4())
    await save(db, "Always answer in English.", tier=ImportanceTier.IMPORTANT)
    assert (await embed_due(db, encoder, STORE)).embedded == 3
    assert await nearest(db, encoder, "cats") == "Ada adopted two kittens."
    async with db.transaction() as tx:
        rows = await (await tx.execute("select num from memory_items order by num")).fetchall()
        states = await states_of(tx, space.id, [row["num"] for row in rows])
    assert [len(states[row["num"]][0]) for row in rows] == [128 * 5, 128 * 5, 128 * 3]
    await encoder.close()


async def test_in_bounded_time_short_texts_are_made_step_by_step_and_the_rest_is_given_back(
    db, provider, encoders
):
    await save(db, "a long text. " * 1_000, *(f"a short text, number {nth}. " * 60 for nth in range(8)))
    steps = iter([True, True, True, False])  # before the claim, and before each of its groups
    done = await embed_due(db, provider, STORE, batch=8, in_time=lambda: next(steps, False))
    assert (done.embedded, done.stopped) == (4, ""), "two groups of two"
    assert {len(text) > 4_000 for text in encoders.texts} == {False}
    assert (await status(db)).pending == 5
    assert (await embed_due(db, provider, STORE)).embedded == 5, "nothing is claimed any more"


async def test_only_what_is_named_is_made_whatever_is_due_before_it(db, provider, encoders):
    await save(db, *(f"number {nth}" for nth in range(40)))
    [wanted] = await save(db, "the kettle is red")
    assert (await embed_due(db, provider, STORE, limit=1, only=[wanted])).embedded == 1
    assert encoders.texts == ["the kettle is red"]
    assert (await embed_due(db, provider, STORE, limit=1, only=[wanted, uuid4()])).embedded == 0
    assert (await status(db)).pending == 40


async def test_whoever_is_cancelled_gives_back_what_it_claimed(db, encoders):
    begun, forever = asyncio.Event(), asyncio.Event()

    async def hang():
        begun.set()
        await forever.wait()

    encoder = Breaker(WordVectors())
    await settle_space(db, encoder)
    await save(db, "number one", "number two")
    making = asyncio.create_task(embed_due(db, WordVectors(watch=hang), STORE))
    await begun.wait()
    assert (await embed_due(db, encoder, STORE)).embedded == 0, "it is claimed"
    making.cancel()
    with pytest.raises(asyncio.CancelledError):
        await making
    assert (await embed_due(db, encoder, STORE)).embedded == 2
