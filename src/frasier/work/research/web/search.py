"""What a search service is, and how one is asked over HTTP."""

from __future__ import annotations

import asyncio
import html
import json
import re
from dataclasses import dataclass
from typing import Any, Protocol

import httpx2

from frasier.kernel.boundary import forbid_open_transaction
from frasier.kernel.errors import (
    BadReply,
    ProviderRateLimited,
    ProviderRejected,
    ProviderTimeout,
    ProviderUnavailable,
    SourceError,
)
from frasier.kernel.text import shorten, strip_control
from frasier.work.research.web.retry_after import retry_after_s
from frasier.work.research.web.urls import normalise_url

_REPLY_BYTES_MAX = 4_000_000
_TITLE_CHARS_MAX = 300
_SNIPPET_CHARS_MAX = 1_000
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """One result. `url` is normalised; `title` and `snippet` are plain text from outside."""

    url: str
    title: str
    snippet: str


class SearchProvider(Protocol):
    """A search service. Raises a ProviderError and nothing else."""

    @property
    def name(self) -> str: ...

    async def search(self, query: str, count: int) -> tuple[SearchHit, ...]:
        """At most `count` results, best first, each address once."""
        ...

    async def aclose(self) -> None: ...


async def ask_json(
    client: httpx2.AsyncClient, url: str, *, provider: str, params: dict[str, str], seconds: float, hint: str
) -> Any:
    """The JSON that a search service answers. `hint` says what to do where it refuses the request."""
    forbid_open_transaction("a web search")
    try:
        async with asyncio.timeout(seconds), client.stream("GET", url, params=params) as response:
            _check_status(response, provider, hint)
            body = bytearray()
            async for part in response.aiter_bytes():
                body += part
                if len(body) > _REPLY_BYTES_MAX:
                    raise BadReply(f"{provider} answered more than can be read.", provider=provider)
        return json.loads(body)
    except (TimeoutError, httpx2.TimeoutException) as error:
        raise ProviderTimeout(
            f"{provider} did not answer within {seconds:g} s.", provider=provider
        ) from error
    except httpx2.TransportError as error:
        raise ProviderUnavailable(
            f"{provider} could not be reached ({type(error).__name__}).", provider=provider
        ) from error
    except (httpx2.DecodingError, ValueError) as error:
        raise BadReply(f"{provider} did not answer in JSON.", provider=provider, hint=hint) from error


def _check_status(response: httpx2.Response, provider: str, hint: str) -> None:
    status = response.status_code
    if status == 429:
        raise ProviderRateLimited(
            f"{provider} asks for a pause.", provider=provider, retry_after_s=retry_after_s(response.headers)
        )
    if status >= 500:
        raise ProviderUnavailable(f"{provider} answered {status}.", provider=provider)
    if status != 200:
        raise ProviderRejected(f"{provider} refused the search ({status}).", provider=provider, hint=hint)


def read_hits(results: Any, *, provider: str, snippet_key: str, count: int) -> tuple[SearchHit, ...]:
    """The usable ones of `results`, a list of objects with url, title and a snippet."""
    if not isinstance(results, list):
        raise BadReply(f"{provider} answered without a list of results.", provider=provider)
    hits: dict[str, SearchHit] = {}
    for result in results:
        if not isinstance(result, dict) or not isinstance(result.get("url"), str):
            continue
        try:
            url = normalise_url(result["url"])
        except SourceError:
            continue  # such an address could not be fetched either
        title = _plain(result.get("title"), _TITLE_CHARS_MAX) or url
        hit = SearchHit(url=url, title=title, snippet=_plain(result.get(snippet_key), _SNIPPET_CHARS_MAX))
        hits.setdefault(url, hit)
    return tuple(hits.values())[:count]


def _plain(value: Any, chars_max: int) -> str:
    """Text without markup, on one line."""
    text = html.unescape(_TAG.sub("", value)) if isinstance(value, str) else ""
    return shorten(" ".join(strip_control(text).split()), chars_max)
