"""A rerank endpoint, as offered by Cohere, Jina, Voyage and local servers: query and documents in, scores out."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from pydantic import SecretStr

from frasier.kernel.errors import BadReply, ProviderError, ProviderRejected, ProviderTimeout
from frasier.outbound import ServiceErrors
from frasier.outbound.http_client import HttpClient


class RerankEndpoint:
    """A reranker that POSTs {model, query, documents} to `url` and reads results[].index and relevance_score."""

    def __init__(
        self, url: str, *, model: str = "", api_key: SecretStr | None = None, timeout_s: float = 0.5
    ) -> None:
        self._url = url
        self._model = model
        self._timeout_s = timeout_s
        self._errors = _errors_of(api_key)
        self._client = HttpClient(
            headers={"Authorization": f"Bearer {api_key.get_secret_value()}"} if api_key else {}
        )

    async def judge(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return one score per text, 0 to 1. Scores outside that range are logits and go through the sigmoid."""
        content: dict[str, Any] = {"query": query, "documents": list(texts)}
        if self._model:
            content["model"] = self._model
        body = await self._client.ask(
            self._errors, "POST", self._url, seconds=self._timeout_s, content=content
        )
        return self._scores(body, len(texts))

    async def close(self) -> None:
        await self._client.close()

    def _scores(self, body: bytes, count: int) -> list[float]:
        try:
            reply = json.loads(body)
            rows = reply.get("results") or reply["data"]
            by_index = {
                int(row["index"]): float(row.get("relevance_score", row.get("score"))) for row in rows
            }
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            raise self._errors.bad_reply("a malformed list of scores") from None
        if sorted(by_index) != list(range(count)) or not all(map(math.isfinite, by_index.values())):
            raise self._errors.bad_reply("scores that do not match the texts")
        scores = [by_index[at] for at in range(count)]
        if all(0 <= score <= 1 for score in scores):
            return scores
        return [1 / (1 + math.exp(-min(max(score, -50.0), 50.0))) for score in scores]


def _errors_of(key: SecretStr | None) -> ServiceErrors:
    return ServiceErrors(
        name="The rerank endpoint",
        provider="rerank endpoint",
        key=key,
        kept="Memories are found and ranked without it.",
        hints={ProviderRejected: "Check FRASIER_MEMORY__RERANK__API_KEY, …MODEL and …URL."},
        address_hint="Check that it runs, and FRASIER_MEMORY__RERANK__URL.",
        numbers={
            ProviderError: "E503",
            ProviderTimeout: "E003",
            ProviderRejected: "E051",
            BadReply: "E040",
        },
    )
