"""One bounded exchange: so many seconds from the connection to the last byte, so many bytes, no redirect followed.

Loading this module is slow: it loads the HTTP client.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import httpx2

from frasier.workflow.remote.failures import Step, bad_reply, broken_off, no_answer_in_time, unreachable

ANSWER_BYTES_MAX = 1_048_576

_SECONDS = re.compile(r"\d{1,6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a server answered, whatever its status says."""

    status: int
    body: bytes
    retry_after_s: float | None


async def exchange(
    step: Step, method: str, url: str, *, headers: Mapping[str, str], body: bytes | None = None
) -> Answer:
    """Sends one request and reads the whole answer within the step's time; raises a ProviderError where it cannot.

    The connection is made anew: moves are rare, and one that was kept and had died would refuse a move. No proxy
    and no netrc of the environment is used, as either would see or replace the token.
    """
    trust = _trust()
    try:
        # The client's own limits are for each read, so a server that drips would never reach them.
        async with (
            asyncio.timeout(step.seconds),
            httpx2.AsyncClient(verify=trust, trust_env=False, timeout=None) as client,
            client.stream(
                method,
                url,
                headers={**headers, "Accept": "application/json", "Accept-Encoding": "identity"},
                content=body,
                follow_redirects=False,
            ) as response,
        ):
            return Answer(
                status=response.status_code,
                body=await _read(step, response),
                retry_after_s=_seconds(response.headers.get("retry-after", "")),
            )
    # Not chained: the client's own errors hold the request with its token, and words of the server.
    except (TimeoutError, httpx2.TimeoutException):
        raise no_answer_in_time(step) from None
    except httpx2.ConnectError as error:
        raise unreachable(step, str(error) or "it refuses the connection") from None
    except (httpx2.HTTPError, OSError):
        raise broken_off(step) from None


async def _read(step: Step, response: httpx2.Response) -> bytes:
    """The body as it was sent. A packed one was not asked for, and could be unpacked to any size."""
    if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise bad_reply(step, "a packed body, which was not asked for")
    body = bytearray()
    async for piece in response.aiter_raw():
        body += piece
        if len(body) > ANSWER_BYTES_MAX:
            raise bad_reply(step, f"more than {ANSWER_BYTES_MAX:,} bytes")
    return bytes(body)


def _seconds(header: str) -> float | None:
    return float(header) if _SECONDS.fullmatch(header) else None


@cache
def _trust() -> ssl.SSLContext:
    """Reading the trusted certificates takes longer than most requests."""
    return httpx2.create_ssl_context()
