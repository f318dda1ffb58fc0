"""Settings of the HTTP servers of boards, memory, and MCP."""

from __future__ import annotations

import resource
from dataclasses import dataclass
from typing import Annotated, TypeAlias
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

USUAL_ADDRESS = "http://127.0.0.1:8764"
"""The address of the page where no other port is asked for."""

# File descriptors for everything else but the database: files, child processes, connections being closed.
_RESERVE = 128


def page_address(text: str) -> str:
    """Return an address of the page without a slash at its end; raise ValueError for what is no address of a page."""
    parts = urlsplit(text.strip())
    if (
        parts.scheme not in {"http", "https"}
        or not parts.hostname
        or parts.query
        or parts.fragment
        or "@" in text
    ):
        raise ValueError("it must be the address of a page, such as https://frasier.example.org")
    if not text.isascii() or any(char.isspace() for char in text.strip()):
        raise ValueError("it must not contain spaces or characters that are not ASCII")
    return text.strip().rstrip("/")


PageAddress: TypeAlias = Annotated[str, AfterValidator(page_address)]


class ServerSettings(BaseModel):
    """Limits of `frasier serve`, `memory serve` and `mcp --http`. When `connections` are open, a new one replaces the
    one that has been idle longest, or else one whose response has been left unread for 5 s. A connection that carries a
    request, or a stream that its client reads, is never closed for another. If the process may not open enough files
    for that many (`ulimit -n`), the limit is lower.

    A connection is closed when it is idle for `idle_s` seconds after a response, when the header of a request is not
    complete after `header_s` or its body after `body_s`, or when nothing of a response is read for `body_s`.

    `address` is where others reach the page, as links to it begin that are given away: with the name and the port that
    a proxy has, if there is one. Without it they begin with the address of this home's running page.

    A token may make `requests_per_minute` over HTTP to one server; what is more is refused until there is room again.
    """

    model_config = ConfigDict(frozen=True)

    address: PageAddress | None = None
    connections: int = Field(default=800, ge=8, le=100_000)
    idle_s: float = Field(default=75.0, gt=0, le=3_600)
    header_s: float = Field(default=20.0, gt=0, le=600)
    body_s: float = Field(default=30.0, gt=0, le=3_600)
    requests_per_minute: int = Field(default=12_000, ge=1, le=10_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """The limits in effect: at most `count` connections; the rest is as in ServerSettings."""

    count: int
    idle_s: float
    header_s: float
    body_s: float
    requests_per_minute: int = 12_000


def connection_limits(
    settings: ServerSettings | None = None, *, database_connections: int = 8
) -> ConnectionLimits:
    """Return the limits, reduced to the files that this process may open; raise its soft limit as needed."""
    settings = settings or ServerSettings()
    reserve = _RESERVE + database_connections
    files = _raise_file_limit(settings.connections + reserve)
    return ConnectionLimits(
        count=min(settings.connections, max(files - reserve, files // 4)),
        idle_s=settings.idle_s,
        header_s=settings.header_s,
        body_s=settings.body_s,
        requests_per_minute=settings.requests_per_minute,
    )


def _raise_file_limit(needed: int) -> int:
    """Raise the soft limit of open files to `needed`, or as near as allowed; return the new limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    if soft == unlimited or soft >= needed:
        return needed
    allowed = needed if hard == unlimited else min(needed, hard)
    if allowed > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max(allowed, soft)
