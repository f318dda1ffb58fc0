"""The interface of search services, and requests to them."""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass
from typing import Any, Protocol

from frasier.kernel.errors import SourceError
from frasier.kernel.text import shorten, strip_control
from frasier.outbound import ServiceErrors
from frasier.outbound.http_client import HttpClient
from frasier.work.research.web.urls import normalise_url

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
        """Return at most `count` results, best first, each address once."""
        ...

    async def aclose(self) -> None: ...


async def ask_json(
    client: HttpClient, errors: ServiceErrors, url: str, *, params: dict[str, str], seconds: float
) -> Any:
    """Request JSON from a search service. Raises one of the `errors`."""
    body = await client.ask(errors, "GET", url, params=params, seconds=seconds)
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise errors.bad_reply("a reply that is not JSON") from None


def read_hits(results: Any, errors: ServiceErrors, *, snippet_key: str, count: int) -> tuple[SearchHit, ...]:
    """Parse the usable `results`, a list of objects with url, title and a snippet."""
    if not isinstance(results, list):
        raise errors.bad_reply("JSON without a list of results")
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
    """Strip markup, and join the text into one line."""
    text = html.unescape(_TAG.sub("", value)) if isinstance(value, str) else ""
    return shorten(" ".join(strip_control(text).split()), chars_max)
