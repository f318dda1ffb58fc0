"""Which encoder is used, what a wrong setting says, and what the check before the start makes of a failure."""

from __future__ import annotations

import asyncio

import pytest
from pydantic import SecretStr

from frasier.kernel.errors import (
    BadReply,
    ConfigurationError,
    ProviderRateLimited,
    ProviderTimeout,
    ProviderUnavailable,
)
from frasier.memory.embedding.factory import check_key, make_provider
from frasier.memory.settings import EmbeddingSettings
from frasier.outbound import KeyRefused

KEY = SecretStr("sk-0123456789abcdef")


class Failing:
    def __init__(self, error=None):
        self.error = error

    async def encode_query(self, text):
        if self.error:
            raise self.error


async def test_none_is_nothing_and_local_is_the_packaged_model_without_loading_it():
    assert make_provider(EmbeddingSettings(provider="none")) is None
    provider = make_provider(EmbeddingSettings())
    identity = await provider.identity()
    assert (identity.provider, identity.dimension) == ("local", 384)
    assert identity.model.startswith("all-MiniLM-L6-v2-int8:")
    assert not provider._inner.loaded
    await provider.close()


@pytest.mark.parametrize(
    ("choice", "provider", "model"),
    [
        (EmbeddingSettings(provider="openai", api_key=KEY), "api.openai.com", "text-embedding-3-small"),
        (EmbeddingSettings(provider="voyage", api_key=KEY), "api.voyageai.com", "voyage-4"),
        (EmbeddingSettings(provider="openai", base_url="http://box:8080/v1", model="e5"), "box:8080", "e5"),
        (
            EmbeddingSettings(provider="openai", base_url="https://me:pass@box/v1", model="e5"),
            "box",
            "e5",
        ),
    ],
)
async def test_a_remote_space_is_named_after_host_and_model(choice, provider, model):
    made = make_provider(choice.model_copy(update={"dimension": 64}))
    identity = await made.identity()
    assert (identity.provider, identity.model, identity.dimension) == (provider, model, 64)
    await made.close()


@pytest.mark.parametrize(
    "choice",
    [
        EmbeddingSettings(provider="openai"),
        EmbeddingSettings(provider="voyage"),
        EmbeddingSettings(provider="voyage", api_key=SecretStr("  ")),
        EmbeddingSettings(provider="openai", api_key=SecretStr("sk-secret\nvalue")),
        EmbeddingSettings(provider="openai", api_key=SecretStr("sk-secrét")),
        EmbeddingSettings(provider="openai", api_key=KEY, base_url="ftp://box/v1"),
        EmbeddingSettings(provider="openai", api_key=KEY, base_url="box/v1"),
        EmbeddingSettings(provider="openai", api_key=KEY, base_url="http://box:port/v1"),
        EmbeddingSettings(provider="openai", api_key=KEY, base_url="http://[::1/v1"),
    ],
)
def test_fault_38_a_setting_that_cannot_work_is_refused_without_showing_the_key(choice):
    with pytest.raises(ConfigurationError) as raised:
        make_provider(choice)
    assert raised.value.number == "E004"
    assert "secr" not in str(raised.value.as_dict())


async def test_a_key_that_was_refused_is_an_error_of_the_settings():
    refused = Failing(KeyRefused("p said 401", hint="Check the key."))
    with pytest.raises(ConfigurationError) as raised:
        await check_key(refused)
    assert raised.value.number == "E050"
    assert "EMBEDDING__API_KEY" in raised.value.hint


@pytest.mark.parametrize("error", [ProviderTimeout, ProviderRateLimited, ProviderUnavailable, BadReply])
async def test_a_provider_that_does_not_answer_is_only_a_warning(error):
    assert await check_key(Failing(error("not today"))) == "not today"


async def test_a_provider_that_answers_gives_no_warning():
    assert await check_key(Failing()) == ""


async def test_the_check_gives_up_in_time(monkeypatch):
    class Hanging:
        async def encode_query(self, text):
            await asyncio.Event().wait()

    monkeypatch.setattr("frasier.memory.embedding.factory._CHECK_S", 0.01)
    assert "did not answer" in await check_key(Hanging())
