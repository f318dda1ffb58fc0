"""The rate limit of each token: a bucket that holds a minute's requests and is refilled steadily.

Each server process counts its own requests.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

_BUCKETS_MAX = 10_000
_WINDOW_S = 60.0


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RateState:
    """The requests left to a caller after one, and in how many seconds the next one is allowed."""

    limit: int
    left: int
    full_in_s: int
    wait_s: int

    @property
    def headers(self) -> Mapping[str, str]:
        """The RateLimit headers of the IETF draft."""
        return {
            "RateLimit-Policy": f'"token";q={self.limit};w={_WINDOW_S:.0f}',
            "RateLimit": f'"token";r={self.left};t={self.full_in_s}',
        }


class RateLimiter:
    """The requests that each caller has left; `per_minute` at once, and as many again in a minute."""

    def __init__(self, per_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = per_minute
        self._rate = per_minute / _WINDOW_S
        self._clock = clock
        self._buckets: dict[str, _Bucket] = {}

    def take(self, caller: str) -> RateState:
        """Count a request of a caller; one that is too early, with a wait, is not counted."""
        now = self._clock()
        bucket = self._buckets.get(caller)
        if bucket is None:
            self._make_room(now)
            bucket = self._buckets[caller] = _Bucket(left=float(self._limit), at=now)
        bucket.left = min(float(self._limit), bucket.left + (now - bucket.at) * self._rate)
        bucket.at = now
        allowed = bucket.left >= 1.0
        if allowed:
            bucket.left -= 1.0
        return RateState(
            limit=self._limit,
            left=int(bucket.left),
            full_in_s=math.ceil((self._limit - bucket.left) / self._rate),
            wait_s=0 if allowed else max(1, math.ceil((1.0 - bucket.left) / self._rate)),
        )

    def _make_room(self, now: float) -> None:
        """Forget the buckets that are full again, once there are many."""
        if len(self._buckets) >= _BUCKETS_MAX:
            self._buckets = {
                caller: bucket
                for caller, bucket in self._buckets.items()
                if bucket.left + (now - bucket.at) * self._rate < self._limit
            }
