"""Factory of the configured encoder; the configuration is checked before anything is sent."""

from __future__ import annotations

import asyncio
from typing import Literal
from urllib.parse import urlsplit

from pydantic import SecretStr

from frasier.kernel.errors import ConfigurationError, FrasierError, ProviderError
from frasier.memory.embedding.local import LocalEncoder
from frasier.memory.embedding.resilient_provider import Breaker
from frasier.memory.embedding.types import EmbeddingProvider
from frasier.memory.settings import EmbeddingSettings
from frasier.outbound import KeyRefused

_DEFAULT_URLS = {"openai": "https://api.openai.com/v1", "voyage": "https://api.voyageai.com/v1"}
_DEFAULT_MODELS = {"openai": "text-embedding-3-small", "voyage": "voyage-4"}

_CHECK_S = 3.0
# The first query after a while loads the model, on a busy machine slowly.
_LOCAL_QUERY_S = 15.0


def make_provider(settings: EmbeddingSettings) -> Breaker | None:
    """Return the chosen encoder behind a Breaker, or None for "none". Nothing is loaded or called yet.

    Raises ConfigurationError (E004) if a key or an address is missing or malformed.
    """
    if settings.provider == "none":
        return None
    if settings.provider == "local":
        encoder = LocalEncoder(
            model_path=settings.model_path, threads=settings.threads, idle_s=settings.release_after_s
        )
        return Breaker(encoder, query_timeout_s=_LOCAL_QUERY_S)
    return _remote(settings, settings.provider)


async def check_key(provider: EmbeddingProvider) -> str:
    """Call a provider that needs a key once: "" if it answers, else a warning for people.

    Raises ConfigurationError (E050) only if it refuses the key. A provider that is offline, slow or broken is no
    reason to stop: memories are found by their words meanwhile.
    """
    try:
        async with asyncio.timeout(_CHECK_S):
            await provider.encode_query("Is the key good?")
    except KeyRefused as error:
        raise ConfigurationError(
            error.message,
            number="E050",
            kept="Nothing was changed.",
            hint="Set FRASIER_MEMORY__EMBEDDING__API_KEY to a key that the provider accepts, or"
            " FRASIER_MEMORY__EMBEDDING__PROVIDER to local, which needs none.",
        ) from None
    except TimeoutError:
        return f"The embedding provider did not answer within {_CHECK_S:g} s."
    except ProviderError as error:
        return error.message
    return ""


def _remote(settings: EmbeddingSettings, api: Literal["openai", "voyage"]) -> Breaker:
    # The client is slow to load, and other encoders do not need it.
    from frasier.memory.embedding.endpoint import Endpoint
    from frasier.memory.embedding.http_encoder import RemoteEncoder

    base_url = settings.base_url or _DEFAULT_URLS[api]
    host = _host(base_url)
    key = _checked_key(settings.api_key)
    if key is None and api == "voyage":
        raise _wrong("Voyage needs a key.")
    if key is None and not settings.base_url:
        raise _wrong("OpenAI needs a key.")
    endpoint = Endpoint(
        api,
        provider=host,
        base_url=base_url,
        model=settings.model or _DEFAULT_MODELS[api],
        api_key=key,
        dimension=settings.dimension,
    )
    encoder = RemoteEncoder(endpoint, dimension=settings.dimension)
    return Breaker(encoder, query_timeout_s=settings.query_timeout_s, prepare=endpoint.prepare)


def _host(base_url: str) -> str:
    """Return host and port, as the name of the provider, without the user info."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise _wrong("The base URL is malformed.") from None
    if parts.scheme not in {"http", "https"} or not host:
        raise _wrong("The base URL must begin with http:// or https:// and name a host.")
    return f"{host}:{port}" if port else host


def _checked_key(key: SecretStr | None) -> SecretStr | None:
    """Return the key, stripped; refuse one with a space or an accent, which the HTTP client would quote in an error."""
    text = key.get_secret_value().strip() if key else ""
    if not text.isascii() or not all(character.isprintable() and character != " " for character in text):
        raise _wrong("The key contains characters that no key has.")
    return SecretStr(text) if text else None


def _wrong(what: str) -> FrasierError:
    return ConfigurationError(
        f"The encoder for the memory cannot be used. {what}",
        number="E004",
        hint="Set the key, or choose the local encoder, which needs none.",
    )
