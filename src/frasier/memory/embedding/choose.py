"""Which encoder is used: as it was chosen, checked before anything is sent."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import SecretStr

from frasier.kernel.errors import ConfigurationError, FrasierError, ProviderError
from frasier.memory.embedding.breaker import Breaker
from frasier.memory.embedding.local import LocalEncoder
from frasier.memory.embedding.types import EmbeddingProvider
from frasier.outbound import KeyRefused

ProviderName = Literal["local", "openai", "voyage", "none"]

_DEFAULT_URLS = {"openai": "https://api.openai.com/v1", "voyage": "https://api.voyageai.com/v1"}
_DEFAULT_MODELS = {"openai": "text-embedding-3-small", "voyage": "voyage-4"}

_CHECK_S = 3.0
# The first query after a while loads the model, on a busy machine slowly.
_LOCAL_QUERY_S = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingChoice:
    """An encoder as the settings name it; what is empty is the provider's default.

    `openai` is any server with OpenAI's embeddings, at `base_url`. `model_path` is a folder for `local`. A query
    waits at most `query_timeout_s` for a remote provider; the local one is let go after `release_after_s` idle.
    """

    provider: ProviderName = "local"
    model: str = ""
    base_url: str = ""
    api_key: SecretStr | None = None
    dimension: int | None = None
    model_path: Path | None = None
    threads: int = 2
    query_timeout_s: float = 2.0
    release_after_s: float = 300.0


def make_provider(choice: EmbeddingChoice) -> Breaker | None:
    """The chosen encoder behind a Breaker, or None for "none". Nothing is loaded and nobody is asked yet.

    Raises ConfigurationError (E004) where a key or an address is missing or cannot be one.
    """
    if choice.provider == "none":
        return None
    if choice.provider == "local":
        encoder = LocalEncoder(
            model_path=choice.model_path, threads=choice.threads, idle_s=choice.release_after_s
        )
        return Breaker(encoder, query_timeout_s=_LOCAL_QUERY_S)
    return Breaker(_remote(choice, choice.provider), query_timeout_s=choice.query_timeout_s)


async def check_key(provider: EmbeddingProvider) -> str:
    """Asks once whether a provider that wants a key answers: "" where it does, else a warning for a person.

    Raises ConfigurationError (E050) only where it refused the key. Whoever is offline, slow or out of order today
    is no reason to stop: memories are found by their words meanwhile.
    """
    try:
        async with asyncio.timeout(_CHECK_S):
            await provider.encode_query("Is the key good?")
    except KeyRefused as error:
        raise ConfigurationError(
            error.message,
            number="E050",
            kept="Nothing was changed.",
            hint="Set FRASIER_MEMORY__EMBEDDING__API_KEY to a key that the provider takes, or"
            " FRASIER_MEMORY__EMBEDDING__PROVIDER to local, which needs none.",
        ) from None
    except TimeoutError:
        return f"The embeddings' provider did not answer within {_CHECK_S:g} s."
    except ProviderError as error:
        return error.message
    return ""


def _remote(choice: EmbeddingChoice, api: Literal["openai", "voyage"]) -> EmbeddingProvider:
    # The client takes long to load, and whoever uses another encoder needs none.
    from frasier.memory.embedding.endpoint import Endpoint
    from frasier.memory.embedding.remote import RemoteEncoder

    base_url = choice.base_url or _DEFAULT_URLS[api]
    host = _host(base_url)
    key = _checked_key(choice.api_key)
    if key is None and api == "voyage":
        raise _wrong("Voyage needs a key.")
    if key is None and not choice.base_url:
        raise _wrong("OpenAI needs a key.")
    endpoint = Endpoint(
        api,
        provider=host,
        base_url=base_url,
        model=choice.model or _DEFAULT_MODELS[api],
        api_key=key,
        dimension=choice.dimension,
    )
    return RemoteEncoder(endpoint, dimension=choice.dimension)


def _host(base_url: str) -> str:
    """Host and port, as the name of the provider; what stands before an @ is left out."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise _wrong("The base URL is not one.") from None
    if parts.scheme not in {"http", "https"} or not host:
        raise _wrong("The base URL must begin with http:// or https:// and name a host.")
    return f"{host}:{port}" if port else host


def _checked_key(key: SecretStr | None) -> SecretStr | None:
    """A key with a blank or an accent in it was copied wrongly, and would stand in the error of the HTTP client."""
    text = key.get_secret_value().strip() if key else ""
    if not text.isascii() or not all(character.isprintable() and character != " " for character in text):
        raise _wrong("The key holds characters that no key has.")
    return SecretStr(text) if text else None


def _wrong(what: str) -> FrasierError:
    return ConfigurationError(
        f"The encoder for the memory cannot be used. {what}",
        number="E004",
        hint="Set the key, or choose the local encoder, which needs none.",
    )
