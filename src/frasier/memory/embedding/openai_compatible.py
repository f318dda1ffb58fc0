"""Any server with OpenAI's embeddings: OpenAI, a router, or a local one. Loading this module is slow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import httpx2
import openai
from pydantic import SecretStr

from frasier.kernel.errors import BadReply, ProviderError
from frasier.memory.embedding.failures import clean_reason, from_status, no_answer_in_time, unreachable
from frasier.memory.embedding.remote import TIMEOUT_S, InputType

_CONNECT_S = 10.0


class OpenAICompatible:
    """An Endpoint. With a `dimension` the model is asked to shorten its vectors to it."""

    def __init__(
        self, *, provider: str, base_url: str, model: str, api_key: SecretStr | None, dimension: int | None
    ) -> None:
        self._provider = provider
        self._model = model
        self._dimension = dimension
        self._key = api_key.get_secret_value() if api_key else None
        # The client refuses to have no key, and would take another program's from the environment.
        self._client = openai.AsyncOpenAI(base_url=base_url, api_key=self._key or "none", max_retries=0)
        self._client.organization = None
        self._client.project = None

    @property
    def provider(self) -> str:
        return self._provider

    @property
    def model(self) -> str:
        return self._model

    async def ask(self, texts: Sequence[str], input_type: InputType) -> bytes:
        """OpenAI's models encode queries and documents alike, so `input_type` is not sent."""
        del input_type
        body: dict[str, Any] = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        if self._dimension is not None:
            body["dimensions"] = self._dimension
        timeout = httpx2.Timeout(TIMEOUT_S, connect=_CONNECT_S)
        try:
            response = await self._client.post(
                "/embeddings", cast_to=httpx2.Response, body=body, options={"timeout": timeout}
            )
        except openai.OpenAIError as error:
            # Not chained: the client's own error holds the request with its key.
            raise self._failure(error) from None
        return response.content

    async def close(self) -> None:
        await self._client.close()

    def _failure(self, error: openai.OpenAIError) -> ProviderError:
        if isinstance(error, openai.APIStatusError):
            said = error.body.get("message") if isinstance(error.body, dict) else error.body
            return from_status(
                error.status_code,
                clean_reason(said if isinstance(said, str) else error.message, key=self._key),
                provider=self._provider,
                model=self._model,
                headers=error.response.headers,
            )
        if isinstance(error, openai.APITimeoutError):
            return no_answer_in_time(self._provider, self._model)
        if isinstance(error, openai.APIConnectionError):
            cause = error.__cause__ or error
            return unreachable(
                self._provider, clean_reason(str(cause) or type(cause).__name__, key=self._key)
            )
        return BadReply(
            f"{self._provider} answered with something that holds no embeddings.",
            provider=self._provider,
            number="E001",
        )
