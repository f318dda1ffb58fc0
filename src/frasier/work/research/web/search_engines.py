"""The search services that a setting can choose: Brave and SearXNG."""

from __future__ import annotations

from pydantic import SecretStr

from frasier.kernel.errors import BadReply, ConfigurationError, ProviderRejected
from frasier.kernel.text import shorten
from frasier.outbound import ServiceErrors
from frasier.outbound.http_client import HttpClient
from frasier.work.research.web.search import SearchHit, SearchProvider, ask_json, read_hits
from frasier.work.research.web.settings import WebSettings

_BRAVE_URL = "https://api.search.brave.com/res/v1/web/search"
_BRAVE_COUNT_MAX = 20
_QUERY_CHARS_MAX = 400  # Brave's bound; SearXNG passes queries on to engines with similar ones
_QUERY_WORDS_MAX = 50


class BraveSearch:
    """The Brave Search API. `url` is its web search endpoint."""

    name = "brave"

    def __init__(self, *, key: SecretStr, url: str, user_agent: str, seconds: float) -> None:
        self._url = url or _BRAVE_URL
        self._seconds = seconds
        self._errors = _errors_of(self.name, "Check FRASIER_WEB__SEARCH_KEY.", key)
        self._client = HttpClient(
            headers={"X-Subscription-Token": key.get_secret_value(), "User-Agent": user_agent}
        )

    async def search(self, query: str, count: int) -> tuple[SearchHit, ...]:
        count = max(1, min(count, _BRAVE_COUNT_MAX))
        reply = await ask_json(
            self._client,
            self._errors,
            self._url,
            params={"q": _bounded(query), "count": str(count)},
            seconds=self._seconds,
        )
        web = reply.get("web", {}) if isinstance(reply, dict) else None  # left out without a match
        results = web.get("results", []) if isinstance(web, dict) else None
        return read_hits(results, self._errors, snippet_key="description", count=count)

    async def aclose(self) -> None:
        await self._client.close()


class SearxngSearch:
    """A SearXNG instance of the founder's choice. `url` is its address, which may be on a private network."""

    name = "searxng"

    def __init__(self, *, url: str, user_agent: str, seconds: float) -> None:
        self._url = url.rstrip("/") + "/search"
        self._seconds = seconds
        hint = 'SearXNG answers in JSON only where "json" is among search.formats in its settings.yml.'
        self._errors = _errors_of(self.name, hint)
        self._client = HttpClient(headers={"User-Agent": user_agent})

    async def search(self, query: str, count: int) -> tuple[SearchHit, ...]:
        reply = await ask_json(
            self._client,
            self._errors,
            self._url,
            params={"q": _bounded(query), "format": "json"},
            seconds=self._seconds,
        )
        results = reply.get("results") if isinstance(reply, dict) else None
        return read_hits(results, self._errors, snippet_key="content", count=max(1, count))

    async def aclose(self) -> None:
        await self._client.close()


def search_provider(settings: WebSettings) -> SearchProvider | None:
    """Create the search service of the settings, if any. Raises ConfigurationError for a missing setting."""
    match settings.search:
        case "none":
            return None
        case "brave":
            if settings.search_key is None or not settings.search_key.get_secret_value():
                raise ConfigurationError("Brave search needs a key.", hint="Set FRASIER_WEB__SEARCH_KEY.")
            return BraveSearch(
                key=settings.search_key,
                url=settings.search_url,
                user_agent=settings.user_agent,
                seconds=settings.timeout_s,
            )
        case "searxng":
            if not settings.search_url.startswith(("http://", "https://")):
                raise ConfigurationError(
                    "SearXNG search needs the address of an instance.",
                    hint="Set FRASIER_WEB__SEARCH_URL, such as https://searx.example.org",
                )
            return SearxngSearch(
                url=settings.search_url, user_agent=settings.user_agent, seconds=settings.timeout_s
            )


def _errors_of(name: str, hint: str, key: SecretStr | None = None) -> ServiceErrors:
    return ServiceErrors(
        name=name,
        provider=name,
        asked="the search",
        key=key,
        hints={ProviderRejected: hint, BadReply: hint},
        address_hint="Check FRASIER_WEB__SEARCH_URL and the network.",
    )


def _bounded(query: str) -> str:
    return shorten(" ".join(query.split()[:_QUERY_WORDS_MAX]), _QUERY_CHARS_MAX)
