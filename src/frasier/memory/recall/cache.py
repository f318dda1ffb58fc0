"""A cache of recent rankings, valid until somebody writes to the searched scopes."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from frasier.memory.recall.ranking import Ranked

LIFETIME_S = 60.0
ENTRIES_MAX = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedRanking:
    """A cached ranking. `seen` is the database snapshot from before the search: see changes.unchanged_since."""

    ranked: Ranked
    seen: str
    made_at: float


class RankingCache:
    """An LRU cache of rankings by query, in which an entry lives for a minute."""

    def __init__(self, *, now: Callable[[], float] = time.monotonic) -> None:
        self._entries: OrderedDict[Hashable, CachedRanking] = OrderedDict()
        self._now = now
        self._asking: dict[Hashable, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def alone(self, key: Hashable) -> AsyncIterator[None]:
        """Hold the lock of a key: of concurrent equal queries one searches, and the others use its result."""
        lock, asking = self._asking.get(key, (asyncio.Lock(), 0))
        self._asking[key] = (lock, asking + 1)
        try:
            async with lock:
                yield
        finally:
            _, asking = self._asking[key]
            if asking == 1:
                del self._asking[key]
            else:
                self._asking[key] = (lock, asking - 1)

    def get(self, key: Hashable) -> CachedRanking | None:
        entry = self._entries.get(key)
        if entry is None:
            return None
        if self._now() - entry.made_at > LIFETIME_S:
            del self._entries[key]
            return None
        self._entries.move_to_end(key)
        return entry

    def put(self, key: Hashable, ranked: Ranked, seen: str) -> None:
        self._entries[key] = CachedRanking(ranked=ranked, seen=seen, made_at=self._now())
        self._entries.move_to_end(key)
        while len(self._entries) > ENTRIES_MAX:
            self._entries.popitem(last=False)

    def drop(self, key: Hashable) -> None:
        self._entries.pop(key, None)
