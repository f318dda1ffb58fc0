"""robots.txt (RFC 9309): fetched once for each origin, with limits of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from weakref import WeakValueDictionary

from protego import Protego

from frasier.kernel.errors import SourceError
from frasier.outbound.http_client import HttpReply

AskRobots = Callable[[str], Awaitable[HttpReply]]
"""A function that fetches a robots.txt, following redirects. Raises SourceError."""

_KEPT_S = 24 * 3_600.0  # RFC 9309, 2.4
_FAILURE_KEPT_S = 600.0
_ORIGINS_MAX = 1_000
_PAUSE_S_MAX = 10.0
_UNASKED = "FRASIER_WEB__RESPECT_ROBOTS=false reads without asking, which is for hosts that are one's own."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rules:
    """The rules of a host. `failure` says why there are none, in which case nothing may be read."""

    parsed: Protego
    until: float
    failure: str = ""
    hint: str = ""


class Robots:
    """The rules of hosts for `agent`: the pages that may be read, and how fast."""

    def __init__(self, ask: AskRobots, *, agent: str, clock: Callable[[], float]) -> None:
        self._ask = ask
        self._agent = agent
        self._clock = clock
        self._rules: dict[str, _Rules] = {}
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def pause_s(self, origin: str, url: str) -> float:
        """Return the pause that the host of `url` asks for, at most ten seconds.

        `origin` is the scheme, host and port of `url`. Raises SourceError if the page may not be read.
        """
        rules = await self._rules_of(origin)
        if rules.failure:
            raise SourceError(
                f"{url} is not read, because its host does not tell what may be: {rules.failure}",
                hint=rules.hint,
            )
        if not rules.parsed.can_fetch(url, self._agent):
            raise SourceError(f"{url} is not read: the robots.txt of its host forbids it.", hint=_UNASKED)
        return min(rules.parsed.crawl_delay(self._agent) or 0.0, _PAUSE_S_MAX)

    async def _rules_of(self, origin: str) -> _Rules:
        lock = self._asking.setdefault(origin, asyncio.Lock())
        async with lock:
            rules = self._rules.pop(origin, None)
            if rules is None or rules.until <= self._clock():
                rules = await self._fetch(origin)
            self._rules[origin] = rules  # the last place belongs to the one used last
            if len(self._rules) > _ORIGINS_MAX:
                del self._rules[next(iter(self._rules))]
            return rules

    async def _fetch(self, origin: str) -> _Rules:
        try:
            answer = await self._ask(f"{origin}/robots.txt")
        except SourceError as error:
            return self._unknown(error.message, error.hint)
        if answer.status == 200:
            parsed = await asyncio.to_thread(Protego.parse, answer.body.decode("utf-8", "replace"))
            return _Rules(parsed=parsed, until=self._clock() + _KEPT_S)
        if 400 <= answer.status < 500 and answer.status != 429:  # there are no rules; 429 says "not now"
            return _Rules(parsed=Protego(), until=self._clock() + _KEPT_S)
        return self._unknown(f"{answer.url} answered {answer.status}.", _UNASKED)

    def _unknown(self, failure: str, hint: str) -> _Rules:
        return _Rules(parsed=Protego(), until=self._clock() + _FAILURE_KEPT_S, failure=failure, hint=hint)
