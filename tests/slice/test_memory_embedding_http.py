"""Real HTTP: encoders behind OpenAI's and Voyage's API on loopback, and every way in which they fail."""

from __future__ import annotations

import time

import numpy as np
import pytest
from pydantic import SecretStr

from frasier.kernel.errors import (
    BadReply,
    ConfigurationError,
    ProviderTimeout,
    ProviderUnavailable,
)
from frasier.memory.embedding.factory import check_key, make_provider
from frasier.memory.embedding.types import TextToEncode
from frasier.memory.settings import EmbeddingSettings
from frasier.outbound import KeyRefused
from support.embedding_server import (
    EmbeddingServer,
    garbage,
    hanging,
    not_a_number,
    nothing_but_zeros,
    one_too_few,
    refusing,
    well,
)
from support.machine_speed import in_time
from support.model_server import key_digest

KEY = "sk-emb-0123456789abcdef"


@pytest.fixture
def encoders():
    with EmbeddingServer() as encoders:
        yield encoders


def choice(encoders, provider="openai", **more):
    given = {"model": "m", "base_url": encoders.base_url, "api_key": SecretStr(KEY), "query_timeout_s": 20.0}
    return EmbeddingSettings(provider=provider, **given | more)


@pytest.fixture(params=["openai", "voyage"])
async def provider(request, encoders):
    """The encoder without its breaker: what one call makes of each answer."""
    made = make_provider(choice(encoders, request.param))
    yield made._inner
    await made.close()


async def test_texts_become_vectors_in_their_order(encoders, provider):
    documents = [TextToEncode(text=f"text number {nth}", context=("before",)) for nth in range(70)]
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
    [parts] = await provider.encode([TextToEncode(text="many words " * 2_000)])
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
            await made.encode([TextToEncode(text="d")])
            assert encoders.log[-1].body["input_type"] == "document"
        await made.close()


@pytest.mark.parametrize(
    ("answer", "error", "number"),
    [
        (garbage(), BadReply, "E001"),
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
    for call in (
        provider.encode([TextToEncode(text="a"), TextToEncode(text="b")]),
        provider.encode_query("a"),
    ):
        with pytest.raises(error) as raised:
            await call
        assert type(raised.value) is error
        assert raised.value.number == number
        assert "127.0.0.1" in raised.value.message


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
        waited_s = time.perf_counter() - began
        assert waited_s > 0.25
        assert in_time(waited_s, 2)
    began = time.perf_counter()
    for _ in range(20):
        with pytest.raises(ProviderUnavailable):
            await made.encode_query("q")
    assert in_time((time.perf_counter() - began) / 20, 0.005)
    assert len(encoders.log) == 2
    await made.close()


async def test_a_local_server_needs_no_key(encoders):
    made = make_provider(choice(encoders, api_key=None))
    await made.encode_query("q")
    await made.close()
    assert "q" in encoders.texts
