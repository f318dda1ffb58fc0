"""Limits on requests that apply before a caller is authenticated."""

from __future__ import annotations

from dataclasses import dataclass

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
BODY_BYTES_MAX = 1_000_000
REQUESTS_PER_MINUTE = 12_000


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRules:
    """The limits on requests to one server.

    `hosts` are the names under which the server may be addressed, `origins` the other sites whose pages may call it
    (scheme://host:port). A body has at most `body_bytes_max` bytes and must arrive within `body_s` seconds. A token may
    make `requests_per_minute`.
    """

    hosts: frozenset[str] = LOOPBACK_NAMES
    origins: frozenset[str] = frozenset()
    body_bytes_max: int = BODY_BYTES_MAX
    body_s: float = 30.0
    requests_per_minute: int = REQUESTS_PER_MINUTE
