"""A rerank endpoint, as Cohere, Jina, Voyage and the local servers offer it: query and documents in, scores out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import httpx2

from frasier.kernel.boundary import forbid_open_transaction
from frasier.kernel.errors import BadReply, ProviderRejected, ProviderTimeout, ProviderUnavailable

_REJECTED = frozenset({400, 401, 403, 404, 422})


class RerankEndpoint:
    """POSTs {model, query, documents} to `url` and reads results[].index with relevance_score (or score)."""

    def __init__(
        self, url: str, *, model: str = "", api_key: str | None = None, timeout_s: float = 0.5
    ) -> None:
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._url = url
        self._model = model
        self._client = httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(timeout_s))

    async def judge(self, query: str, texts: Sequence[str]) -> list[float]:
        """One number a text, 0 to 1. Scores outside that range are logits and go through the sigmoid."""
        forbid_open_transaction("reranking")
        asked: dict[str, Any] = {"query": query, "documents": list(texts)}
        if self._model:
            asked["model"] = self._model
        try:
            reply = await self._client.post(self._url, json=asked)
        except httpx2.TimeoutException as error:
            raise ProviderTimeout("The rerank endpoint did not answer in time.", number="E003") from error
        except httpx2.HTTPError as error:
            raise ProviderUnavailable("The rerank endpoint does not answer.", number="E503") from error
        if reply.status_code in _REJECTED:
            raise ProviderRejected(
                f"The rerank endpoint refused the request ({reply.status_code}).", number="E051"
            )
        if reply.status_code != httpx2.codes.OK:
            raise ProviderUnavailable(f"The rerank endpoint answered {reply.status_code}.", number="E503")
        return _scores(reply, len(texts))

    async def close(self) -> None:
        await self._client.aclose()


def _scores(reply: httpx2.Response, count: int) -> list[float]:
    try:
        body = reply.json()
        rows = body.get("results") or body["data"]
        given = {int(row["index"]): float(row.get("relevance_score", row.get("score"))) for row in rows}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadReply("The rerank endpoint's answer cannot be read.", number="E040") from error
    if sorted(given) != list(range(count)) or not all(map(math.isfinite, given.values())):
        raise BadReply("The rerank endpoint did not judge every text once.", number="E040")
    scores = [given[at] for at in range(count)]
    if all(0 <= score <= 1 for score in scores):
        return scores
    return [1 / (1 + math.exp(-min(max(score, -50.0), 50.0))) for score in scores]
