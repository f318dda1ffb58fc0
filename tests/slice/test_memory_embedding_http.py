"""Real HTTP: encoders behind OpenAI's and Voyage's API on loopback, and every way in which they fail."""

from __future__ import annotations

import asyncio
import socket
import time

import numpy as np
import pytest
from pydantic import SecretStr

from frasier.kernel.errors import (
    BadReply,
    ConfigurationError,
    InvariantBroken,
    ProviderRateLimited,
    ProviderRejected,
    ProviderTimeout,
    ProviderUnavailable,
)
from frasier.memory.embedding import (
    Document,
    EmbeddingChoice,
    KeyRefused,
    TextRefused,
    check_key,
    make_provider,
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
from support.model_server import key_digest

KEY = "sk-emb-0123456789abcdef"


@pytest.fixture
def encoders():
    with EmbeddingServer() as encoders:
        yield encoders


def choice(encoders, provider="openai", **more):
    given = {"model": "m", "base_url": encoders.base_url, "api_key": SecretStr(KEY), "query_timeout_s": 20.0}
    return EmbeddingChoice(provider=provider, **given | more)


@pytest.fixture(params=["openai", "voyage"])
async def provider(request, encoders):
    """The encoder without its breaker: what one call makes of each answer."""
    made = make_provider(choice(encoders, request.param))
    yield made._inner
    await made.close()


async def test_texts_become_vectors_in_their_order(encoders, provider):
    documents = [Document(text=f"text number {nth}", context=("before",)) for nth in range(70)]
    encoded = await provider.encode(documents)
    assert [len(parts) for parts in encoded] == [1] * 70
    again = await provider.encode(documents[69:])
    assert np.allclose(encoded[69][0].vector, again[0][0].vector)
    assert encoded[0][0].states is None
    assert encoders.texts[1:71] == [document.text for document in documents], "read without their context"
    assert {request.key_sha256 for request in encoders.log} == {key_digest(KEY)}
    assert max(len(body["input"]) for body in encoders.bodies) <= 32


async def test_the_dimension_is_asked_for_once_and_then_known(encoders, provider):
    assert (await provider.identity()).dimension == 8
    await provider.identity()
    assert len(encoders.log) == 1


async def test_a_long_text_is_sent_in_parts(encoders, provider):
    [parts] = await provider.encode([Document(text="many words " * 2_000)])
    assert len(parts) == 3
    assert "".join(encoders.texts[1:]) == "many words " * 2_000


async def test_each_api_is_asked_in_its_own_words(encoders):
    for name, expected in {
        "openai": {"encoding_format": "float", "dimensions": 8},
        "voyage": {"input_type": "query", "output_dimension": 8},
    }.items():
        made = make_provider(choice(encoders, name, dimension=8))
        await made.encode_query("q")
        assert encoders.log[-1].body == {"model": "m", "input": ["q"]} | expected
        assert encoders.log[-1].path == "/v1/embeddings"
        if name == "voyage":
            await made.encode([Document(text="d")])
            assert encoders.log[-1].body["input_type"] == "document"
        await made.close()


@pytest.mark.parametrize(
    ("answer", "error", "number"),
    [
        (refusing(400, "too long"), TextRefused, "E001"),
        (refusing(401, "bad key"), KeyRefused, "E051"),
        (refusing(403, "not yours"), KeyRefused, "E051"),
        (refusing(404, "no such model"), ProviderRejected, "E001"),
        (refusing(422, "what?"), TextRefused, "E001"),
        (refusing(429, "slow down", retry_after="3"), ProviderRateLimited, "E053"),
        (refusing(500), ProviderUnavailable, "E001"),
        (refusing(503), ProviderUnavailable, "E001"),
        (dropping(), ProviderUnavailable, "E001"),
        (garbage(), BadReply, "E001"),
        (garbage(""), BadReply, "E001"),
        (garbage('{"data": []}'), BadReply, "E001"),
        (not_a_number(), BadReply, "E001"),
        (nothing_but_zeros(), BadReply, "E001"),
        (one_too_few(), BadReply, "E001"),
        (well(dimension=9), BadReply, "E002"),
    ],
)
async def test_every_failure_is_one_of_our_errors(encoders, provider, answer, error, number):
    await provider.identity()
    encoders.answer = answer
    for call in (provider.encode([Document(text="a"), Document(text="b")]), provider.encode_query("a")):
        with pytest.raises(error) as raised:
            await call
        assert type(raised.value) is error
        assert raised.value.number == number
        assert "127.0.0.1" in raised.value.message
    assert getattr(raised.value, "retry_after_s", None) == (3.0 if error is ProviderRateLimited else None)


async def test_a_server_that_hangs_is_given_up(encoders, provider, monkeypatch):
    await provider.identity()
    monkeypatch.setattr("frasier.memory.embedding.remote.TIMEOUT_S", 0.1)
    encoders.answer = hanging()
    with pytest.raises(ProviderTimeout) as raised:
        await provider.encode([Document(text="a")])
    assert raised.value.number == "E003"


@pytest.mark.parametrize("name", ["openai", "voyage"])
async def test_nobody_at_the_address_is_unavailable(name):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    made = make_provider(
        EmbeddingChoice(provider=name, base_url=address, api_key=SecretStr(KEY), dimension=8, model="m")
    )
    with pytest.raises(ProviderUnavailable, match="cannot be reached"):
        await made.encode_query("q")
    await made.close()


@pytest.mark.parametrize("name", ["openai", "voyage"])
async def test_fault_38_an_error_that_repeats_the_key_is_shown_without_it(encoders, name):
    encoders.answer = refusing(401, f"Incorrect API key provided: {KEY}")
    made = make_provider(choice(encoders, name, dimension=8))
    with pytest.raises(KeyRefused) as raised:
        await made.encode_query("q")
    chain = [raised.value, raised.value.__cause__]
    assert KEY not in repr([error and error.as_dict() for error in chain])
    assert raised.value.__cause__ is None
    with pytest.raises(ConfigurationError) as stopped:
        await check_key(made)
    assert stopped.value.number == "E050"
    assert KEY not in str(stopped.value.as_dict())
    await made.close()


@pytest.mark.parametrize("answer", [refusing(429), refusing(500), hanging(), garbage()])
async def test_a_provider_that_is_out_of_order_does_not_stop_the_start(encoders, answer):
    encoders.answer = answer
    made = make_provider(choice(encoders, dimension=8, query_timeout_s=0.3))
    assert await check_key(made)
    await made.close()


async def test_a_query_to_a_hanging_server_waits_as_set_and_after_two_not_at_all(encoders):
    made = make_provider(choice(encoders, dimension=8, query_timeout_s=0.3))
    encoders.answer = hanging()
    for _ in range(2):
        began = time.perf_counter()
        with pytest.raises(ProviderTimeout):
            await made.encode_query("q")
        assert 0.25 < time.perf_counter() - began < 2.0
    began = time.perf_counter()
    for _ in range(20):
        with pytest.raises(ProviderUnavailable):
            await made.encode_query("q")
    assert (time.perf_counter() - began) / 20 < 0.005
    assert len(encoders.log) == 2
    await made.close()


async def test_a_local_server_needs_no_key(encoders):
    made = make_provider(choice(encoders, api_key=None))
    await made.encode_query("q")
    await made.close()
    assert "q" in encoders.texts


async def test_nothing_is_asked_while_a_transaction_is_open(encoders, provider, db):
    async with db.transaction():
        with pytest.raises(InvariantBroken, match="transaction"):
            await provider.encode_query("q")
    assert encoders.log == []


async def test_a_call_that_nobody_waits_for_any_more_is_cut_off(encoders, provider):
    encoders.answer = hanging()
    call = asyncio.create_task(provider.encode_query("q"))
    await asyncio.sleep(0.05)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    encoders.answer = well()
    assert (await provider.encode_query("q")).vector.shape == (8,)
