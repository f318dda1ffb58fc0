"""The engine with an embedding provider that fails in every way: nothing is lost, and the answer says what it lacks."""

from __future__ import annotations

from contextlib import asynccontextmanager

import pytest
from pydantic import SecretStr

from frasier.memory import (
    Arm,
    Caller,
    EmbeddingSettings,
    MemoryEngine,
    MemoryKind,
    MemorySettings,
    NewMemory,
    RecallRequest,
    open_engine,
)
from support.embedding_server import (
    EmbeddingServer,
    dropping,
    garbage,
    hanging,
    not_a_number,
    nothing_but_zeros,
    one_too_few,
    refusing,
    well,
)

CALLER = Caller(name="tester", scopes=("shared",))
OUTAGES = {
    "refuses the key": refusing(401),
    "is out of order": refusing(500),
    "limits the rate": refusing(429, retry_after="60"),
    "hangs": hanging(),
    "drops the connection": dropping(),
    "sends garbage": garbage(),
    "sends another dimension": well(dimension=5),
    "sends what is no number": not_a_number(),
    "sends nothing but zeros": nothing_but_zeros(),
    "sends too few": one_too_few(),
}


@pytest.fixture
def encoders():
    with EmbeddingServer() as encoders:
        yield encoders


@asynccontextmanager
async def engine_on(db, encoders, model="m", dimension=8, query_timeout_s=20.0):
    settings = MemorySettings(
        embedding=EmbeddingSettings(
            provider="openai",
            model=model,
            base_url=encoders.base_url,
            api_key=SecretStr("sk-emb-0123456789abcdef"),
            dimension=dimension,
            query_timeout_s=query_timeout_s,
        )
    )
    async with open_engine(db, settings, encode_saves=False) as engine:
        yield engine


def note(content):
    return NewMemory(kind=MemoryKind.OBSERVATION, scope="shared", content=content)


def asked(text):
    return RecallRequest(text=text, cached=False)


async def contents(engine: MemoryEngine, text: str) -> list[str]:
    return [hit.memory.content for hit in (await engine.recall(CALLER, asked(text))).hits]


@pytest.mark.parametrize("outage", OUTAGES)
async def test_while_the_provider_fails_a_save_succeeds_and_is_found_by_its_words(db, encoders, outage):
    encoders.answer = OUTAGES[outage]
    query_timeout_s = 0.3 if outage == "hangs" else 20.0
    async with engine_on(db, encoders, query_timeout_s=query_timeout_s) as engine:
        saved = await engine.save(CALLER, note("The harbour crane was repaired on Tuesday."))
        if outage != "hangs":  # a background encode waits for half a minute, which nobody here has
            await engine.embed_due()
        answer = await engine.recall(CALLER, asked("who repaired the harbour crane?"))
    assert [hit.memory.id for hit in answer.hits] == [saved.id]
    assert Arm.VECTOR not in answer.hits[0].ranks
    assert "by words only" in answer.degraded
    assert "sk-emb" not in answer.degraded


@pytest.mark.parametrize("outage", ["refuses the key", "is out of order", "sends garbage"])
async def test_after_the_outage_the_vectors_arrive_and_the_answer_is_whole(db, encoders, outage):
    encoders.answer = OUTAGES[outage]
    async with engine_on(db, encoders) as engine:
        await engine.save(CALLER, note("The harbour crane was repaired on Tuesday."))
        assert await engine.embed_due() == 0
    encoders.answer = well()
    async with engine_on(db, encoders) as engine:
        await engine.retry_embeddings(CALLER)
        assert await engine.embed_due() == 1
        answer = await engine.recall(CALLER, asked("harbour crane"))
    assert answer.degraded == ""
    assert Arm.VECTOR in answer.hits[0].ranks


async def test_while_another_model_takes_over_no_vector_meets_one_of_the_other(db, encoders):
    async with engine_on(db, encoders) as engine:
        await engine.save(CALLER, note("The harbour crane was repaired on Tuesday."))
        assert await engine.embed_due() == 1
    encoders.answer = well(dimension=6, salt="other")
    async with engine_on(db, encoders, model="other", dimension=6) as engine:
        before = await engine.recall(CALLER, asked("harbour crane"))
        assert Arm.VECTOR not in before.hits[0].ranks
        assert "other" in before.degraded
        while await engine.embed_due():
            pass
        after = await engine.recall(CALLER, asked("harbour crane"))
    assert after.degraded == ""
    assert Arm.VECTOR in after.hits[0].ranks


async def test_the_same_provider_with_fewer_dimensions_is_another_model(db, encoders):
    async with engine_on(db, encoders) as engine:
        await engine.save(CALLER, note("The harbour crane was repaired on Tuesday."))
        await engine.embed_due()
    encoders.answer = well(dimension=5)
    async with engine_on(db, encoders, dimension=5) as engine:
        answer = await engine.recall(CALLER, asked("harbour crane"))
    assert answer.hits
    assert answer.degraded
    assert Arm.VECTOR not in answer.hits[0].ranks


async def test_health_tells_what_is_owed_and_why(db, encoders):
    encoders.answer = OUTAGES["refuses the key"]
    async with engine_on(db, encoders) as engine:
        await engine.save(CALLER, note("The harbour crane was repaired on Tuesday."))
        await engine.embed_due()
        health = await engine.health()
    assert health.pending + health.retry + health.failed == 1
    assert any("key" in trouble for trouble in health.trouble)
