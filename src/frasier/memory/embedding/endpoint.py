"""An encoder behind HTTP, with OpenAI's or Voyage's API. Loading this module is slow."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Literal

from pydantic import SecretStr

from frasier.kernel.errors import ProviderError, ProviderRateLimited, ProviderRejected, ProviderTimeout
from frasier.memory.embedding.types import TextRefused
from frasier.outbound import KeyRefused, ServiceErrors
from frasier.outbound.http_client import HttpClient

TIMEOUT_S = 30.0


class InputType(StrEnum):
    """The role of a text; some encoders encode documents and queries differently."""

    DOCUMENT = "document"
    QUERY = "query"


class Endpoint:
    """One model at one address. With a `dimension` the model is asked for vectors of that size.

    OpenAI's models encode queries and documents alike; Voyage gets the input type. The queue needs to know the cause of
    a failure: a TextRefused or a BadReply may be about one text, every other error is about the provider.
    """

    def __init__(
        self,
        api: Literal["openai", "voyage"],
        *,
        provider: str,
        base_url: str,
        model: str,
        api_key: SecretStr | None,
        dimension: int | None,
    ) -> None:
        self.provider = provider
        self.model = model
        self._api = api
        self._dimension = dimension
        self._url = f"{base_url.rstrip('/')}/embeddings"
        self._errors = _errors_of(provider, model, api_key)
        self._client = HttpClient(
            headers={"Authorization": f"Bearer {api_key.get_secret_value()}"} if api_key else {}
        )

    async def ask(self, texts: Sequence[str], input_type: InputType) -> bytes:
        """Return the body of the reply. Raises a ProviderError that never contains the key."""
        content: dict[str, Any] = {"model": self.model, "input": list(texts)}
        if self._api == "voyage":
            content["input_type"] = input_type
        else:
            content["encoding_format"] = "float"
        if self._dimension is not None:
            content["output_dimension" if self._api == "voyage" else "dimensions"] = self._dimension
        return await self._client.ask(self._errors, "POST", self._url, seconds=TIMEOUT_S, content=content)

    def prepare(self) -> None:
        """Create what the first request needs; see HttpClient.prepare."""
        self._client.prepare()

    async def close(self) -> None:
        await self._client.close()


def _errors_of(provider: str, model: str, key: SecretStr | None) -> ServiceErrors:
    return ServiceErrors(
        name=f"{model} at {provider}",
        provider=provider,
        key=key,
        credential="key for the embeddings",
        kept="Memories are saved and found by their words; their vectors follow.",
        hints={
            KeyRefused: f"Check the key that is set for the embeddings at {provider}.",
            ProviderRejected: "Check the model and the base URL that are set for the embeddings.",
            TextRefused: "",
            ProviderRateLimited: "It will be retried later.",
            ProviderTimeout: "Until it answers, memories are found by their words.",
        },
        address_hint="Check the network and the base URL that is set for the embeddings.",
        numbers={
            ProviderError: "E001",
            ProviderTimeout: "E003",
            ProviderRateLimited: "E053",
            KeyRefused: "E051",
        },
        rejections=dict.fromkeys((400, 413, 422), TextRefused),
    )
