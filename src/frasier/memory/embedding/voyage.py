"""Voyage's embeddings over its REST API, which tells queries and documents apart. Loading this module is slow."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import httpx2
from pydantic import SecretStr

from frasier.memory.embedding.failures import clean_reason, from_status, no_answer_in_time, unreachable
from frasier.memory.embedding.remote import TIMEOUT_S, InputType

_CONNECT_S = 10.0


class Voyage:
    """An Endpoint. With a `dimension` the model is asked for vectors of it."""

    def __init__(
        self, *, provider: str, base_url: str, model: str, api_key: SecretStr, dimension: int | None
    ) -> None:
        self._provider = provider
        self._model = model
        self._dimension = dimension
        self._key = api_key.get_secret_value()
        self._url = f"{base_url.rstrip('/')}/embeddings"
        self._client = httpx2.AsyncClient(timeout=httpx2.Timeout(TIMEOUT_S, connect=_CONNECT_S))

    @property
    def provider(self) -> str:
        return self._provider

    @property
    def model(self) -> str:
        return self._model

    async def ask(self, texts: Sequence[str], input_type: InputType) -> bytes:
        body: dict[str, Any] = {"model": self._model, "input": list(texts), "input_type": input_type}
        if self._dimension is not None:
            body["output_dimension"] = self._dimension
        headers = {"authorization": f"Bearer {self._key}"}
        try:
            response = await self._client.post(self._url, json=body, headers=headers)
        except httpx2.TimeoutException:
            raise no_answer_in_time(self._provider, self._model) from None
        except httpx2.HTTPError as error:
            # Not chained: the client's own error holds the request with its key.
            reason = clean_reason(str(error) or type(error).__name__, key=self._key)
            raise unreachable(self._provider, reason) from None
        if not response.is_success:
            raise from_status(
                response.status_code,
                clean_reason(_said(response), key=self._key),
                provider=self._provider,
                model=self._model,
                headers=response.headers,
            )
        return response.content

    async def close(self) -> None:
        await self._client.aclose()


def _said(response: httpx2.Response) -> str:
    """The server's own words: {"detail": …}, or the body as it is."""
    try:
        body = json.loads(response.content)
    except ValueError:
        return response.text
    said = body.get("detail") if isinstance(body, dict) else None
    return said if isinstance(said, str) else response.text
