"""The fetcher of web pages: only offered, public and allowed ones, politely and within bounds."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self
from urllib.parse import urljoin

import httpx2

from frasier.kernel.errors import SourceError
from frasier.kernel.transaction_guard import forbid_open_transaction
from frasier.outbound import retry_after_s
from frasier.outbound.http_client import HttpReply
from frasier.work.research.documents.parser_process import ParserProcess
from frasier.work.research.documents.types import DocumentLimits
from frasier.work.research.web.host_throttle import Politeness
from frasier.work.research.web.http_request import get, make_client
from frasier.work.research.web.ip_addresses import AddressGuard, Resolver, resolve_host
from frasier.work.research.web.page import WebPage, read_page
from frasier.work.research.web.robots import Robots
from frasier.work.research.web.settings import WebSettings
from frasier.work.research.web.url_allowlist import UrlLedger
from frasier.work.research.web.urls import normalise_url

_ROBOTS_BYTES_MAX = 512_000  # RFC 9309 wants at least 500 KiB to be read
_ROBOTS_SECONDS_MAX = 5.0
_RETRY_AFTER_S_MAX = 30.0
_SECONDS_MIN = 0.01  # the rest of an exhausted budget: too little to connect, enough to report it
_DEFAULT_PORTS = {"http": 80, "https": 443}


class Fetcher:
    """A fetcher of pages. Share one among all runs of a process, so that politeness holds for each host. Close it.

    `resolver`, `clock` and `sleep` are for tests.
    """

    def __init__(
        self,
        settings: WebSettings,
        *,
        resolver: Resolver = resolve_host,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._settings = settings
        self._guard = AddressGuard(settings.allow_private_hosts, resolver)
        self._client = make_client(self._guard, settings.user_agent)
        self._politeness = Politeness(clock=clock, sleep=sleep)
        self._sleep = sleep
        agent = settings.user_agent.partition("/")[0]
        self._robots = Robots(self._ask_robots, agent=agent, clock=clock)
        self._limits = DocumentLimits()
        self._parsers = ParserProcess(self._limits)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._client.close()
        await asyncio.to_thread(self._parsers.close)

    async def fetch(self, url: str, ledger: UrlLedger) -> WebPage:
        """Fetch the page at `url`, which `ledger` must hold; the page's own links are then added to it.

        Raises SourceError with the reason if it is not read.
        """
        forbid_open_transaction("a web fetch")
        url = normalise_url(url)
        if not ledger.may_fetch(url):
            raise SourceError(
                f"{url} is refused: neither the directive, nor a search, nor a page that was read offered it."
            )
        answer = await self._follow(url)
        page = await read_page(url, answer, limits=self._limits, parsers=self._parsers)
        # A page from outside may not send us into the founder's own network.
        inside = self._is_named(page.final_url)
        links = (link for link in page.links if inside or not self._is_named(link))
        ledger.allow(links, f"link of {page.final_url}")
        return page

    async def resolve(self, url: str) -> bytes:
        """Request `url` without parsing the reply. Raises SourceError with the reason if it fails."""
        forbid_open_transaction("a web fetch")
        return (await self._follow(normalise_url(url))).body

    async def _follow(self, url: str) -> HttpReply:
        """Follow redirects to the reply; each is checked like the first address."""
        seconds = self._settings.timeout_s
        seen = {url}
        while True:
            await self._check_host(url)
            pause_s = self._settings.min_delay_s_per_host
            if self._settings.respect_robots:
                pause_s = max(pause_s, await self._robots.pause_s(_origin(url), url))
            answer, took_s = await self._get_politely(url, pause_s, seconds)
            seconds = max(seconds - took_s, _SECONDS_MIN)
            if answer.location is None:
                return _checked(answer)
            url = self._next_url(url, answer.location, seen)

    def _next_url(self, url: str, location: str, seen: set[str]) -> str:
        target = normalise_url(urljoin(url, location))
        if target in seen:
            raise SourceError(f"{url} redirects in a circle.")
        if len(seen) > self._settings.max_redirects:
            raise SourceError(
                f"{url} redirects once more than the {self._settings.max_redirects} times allowed.",
                hint="FRASIER_WEB__MAX_REDIRECTS allows more.",
            )
        if self._is_named(target) and not self._is_named(url):
            raise SourceError(f"{url} redirects to {target} on a private network, which is refused.")
        seen.add(target)
        return target

    async def _get_politely(self, url: str, pause_s: float, seconds: float) -> tuple[HttpReply, float]:
        """Return the reply and the seconds on the network. One retry if the host says when."""
        limits = {"": self._settings.max_page_bytes, "application/pdf": self._settings.max_pdf_bytes}
        took_s = 0.0
        for last_try in (False, True):
            async with self._politeness.turn(_origin(url), pause_s):
                started = time.monotonic()
                answer = await get(
                    self._client, url, bytes_max=limits, seconds=max(seconds - took_s, _SECONDS_MIN)
                )
                took_s += time.monotonic() - started
                wait_s = retry_after_s(answer.headers) if answer.status in {429, 503} else None
                if last_try or wait_s is None or wait_s > _RETRY_AFTER_S_MAX:
                    break
                await self._sleep(wait_s)  # within the turn: no other request to this host meanwhile
        return answer, took_s

    async def _ask_robots(self, url: str) -> HttpReply:
        seconds = min(self._settings.timeout_s, _ROBOTS_SECONDS_MAX)
        limit = {"": _ROBOTS_BYTES_MAX}
        seen = {url}
        while True:
            async with self._politeness.turn(_origin(url), self._settings.min_delay_s_per_host):
                started = time.monotonic()
                answer = await get(self._client, url, bytes_max=limit, seconds=seconds, cut=True)
                seconds = max(seconds - (time.monotonic() - started), _SECONDS_MIN)
            if answer.location is None:
                return answer
            url = self._next_url(url, answer.location, seen)

    async def _check_host(self, url: str) -> None:
        """Refuse a forbidden host before any request. (The transport checks again when it connects.)"""
        parsed = httpx2.URL(url)
        try:
            async with asyncio.timeout(self._settings.timeout_s):
                await self._guard.addresses(*_host_and_port(parsed))
        except TimeoutError as error:
            raise SourceError(f"{url} could not be reached: its name took too long to resolve.") from error

    def _is_named(self, url: str) -> bool:
        return self._guard.is_named(*_host_and_port(httpx2.URL(url)))


def _host_and_port(url: httpx2.URL) -> tuple[str, int]:
    return url.raw_host.decode("ascii"), url.port or _DEFAULT_PORTS[url.scheme]


def _origin(url: str) -> str:
    return str(httpx2.URL(url).copy_with(raw_path=b"/")).rstrip("/")


def _checked(answer: HttpReply) -> HttpReply:
    if answer.status == 429 or answer.status >= 500:
        raise SourceError(f"{answer.url} answered {answer.status}.", hint="It may be readable later.")
    if answer.status != 200:
        raise SourceError(f"{answer.url} answered {answer.status}.")
    return answer
