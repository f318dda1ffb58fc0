"""A bounded HTTP client: a time from connection to last byte, a size, and no redirects.

Loading this module is slow: it loads the HTTP library.
"""

from __future__ import annotations

import asyncio
import json
import re
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx2

from frasier.kernel.errors import ConfigurationError
from frasier.kernel.transaction_guard import forbid_open_transaction
from frasier.outbound.exchange_failure import ExchangeFailed, ExchangeFailure
from frasier.outbound.service_errors import ServiceErrors, reason_in

REPLY_BYTES_MAX = 8 * 2**20

_CONNECT_S = 10.0
_ENCODINGS = {"", "identity", "gzip", "x-gzip", "deflate"}
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{2,40})", re.IGNORECASE)
_OF_THE_TRANSFER = {"content-encoding", "content-length", "transfer-encoding"}
_REDIRECTS = {301, 302, 303, 307, 308}
# No connection was made, so nothing was sent.
_NOT_CONNECTED = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.UnsupportedProtocol,
    httpx2.ProxyError,
    httpx2.InvalidURL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpReply:
    """A reply of any status. `body` is unpacked, and empty for a redirect."""

    url: str
    status: int
    headers: httpx2.Headers
    body: bytes

    @property
    def location(self) -> str | None:
        """The address that the host redirects to."""
        return self.headers.get("location") if self.status in _REDIRECTS else None

    @property
    def content_type(self) -> str:
        """The media type without parameters, in lower case; empty where the host names none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str | None:
        """The charset that the host declares."""
        match = _CHARSET.search(self.headers.get("content-type", ""))
        return match[1] if match else None


class HttpClient:
    """A client that keeps no cookies and follows no redirect. Close it.

    `headers` go with every request. With `use_proxy` the environment's proxy is used, which then sees the key. Without
    `keep_connections` each request makes its own. `wrap_transport` may put a guard before the network. Raises
    ConfigurationError for a header that cannot be sent, because the library would quote it.
    """

    def __init__(
        self,
        *,
        headers: Mapping[str, str] | None = None,
        use_proxy: bool = True,
        keep_connections: bool = True,
        connect_s: float = _CONNECT_S,
        wrap_transport: Callable[[httpx2.AsyncBaseTransport], httpx2.AsyncBaseTransport] | None = None,
    ) -> None:
        self._headers = {"Accept-Encoding": "gzip, deflate"} | dict(headers or {})
        for name, value in self._headers.items():
            if not (value.isascii() and value.isprintable()):
                raise ConfigurationError(
                    f"The header {name} of an outside service holds characters that cannot be sent.",
                    hint="Check the key that is set for it; it may have been copied wrongly.",
                )
        self._use_proxy = use_proxy
        self._limits = httpx2.Limits(
            max_connections=100, max_keepalive_connections=20 if keep_connections else 0
        )
        self._connect_s = connect_s
        self._wrap_transport = wrap_transport

    @cached_property
    def _client(self) -> httpx2.AsyncClient:
        """The client, created at the first request: reading the certificates takes longer than most commands."""
        transport = self._wrap_transport and self._wrap_transport(
            httpx2.AsyncHTTPTransport(verify=_trusted(), trust_env=False, limits=self._limits)
        )
        return httpx2.AsyncClient(
            transport=transport,
            verify=_trusted(),
            limits=self._limits,
            headers=self._headers,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            follow_redirects=False,
            trust_env=self._use_proxy,
        )

    def prepare(self) -> None:
        """Create what the first request needs, so that no bound of time includes it."""
        _ = self._client

    async def close(self) -> None:
        """End the connections."""
        if "_client" in self.__dict__:
            await self._client.aclose()

    async def ask(
        self,
        errors: ServiceErrors,
        method: str,
        url: str,
        *,
        seconds: float,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, str] | None = None,
        content: Any = None,
    ) -> bytes:
        """Send one request to a service of JSON, and return the body of a success.

        `content` is sent as JSON. Raises one of the `errors` where no success comes back.
        """
        try:
            reply = await self.send(
                method,
                url,
                seconds=seconds,
                headers={"Accept": "application/json"} | dict(headers or {}),
                params=params,
                content=content,
            )
        except ExchangeFailed as failed:
            raise errors.from_failure(failed, seconds=seconds) from None
        if 200 <= reply.status < 300:
            return reply.body
        raise errors.from_status(reply.status, reason_in(reply.body), reply.headers)

    async def send(
        self,
        method: str,
        url: str,
        *,
        seconds: float,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, str] | None = None,
        content: Any = None,
        bytes_max: Mapping[str, int] | None = None,
        cut: bool = False,
    ) -> HttpReply:
        """Send one request, and return the reply of any status. Raises ExchangeFailed where none comes back whole.

        `seconds` bounds the whole exchange. `content` is sent as JSON, bytes of JSON as they are. `bytes_max` bounds
        the unpacked body by content type, with "" for all that are not named; a longer body is refused, or with `cut`
        cut.
        """
        forbid_open_transaction("a request to an outside service")
        # In ASCII, so that no character can fail to be encoded.
        body = content if content is None or isinstance(content, bytes) else json.dumps(content).encode()
        sent = dict(headers or {}) | ({"Content-Type": "application/json"} if body else {})
        client = self._client  # created before the time starts
        try:
            # The client's own limits are for each read, so a server that drips would never reach them.
            async with (
                asyncio.timeout(seconds),
                client.stream(
                    method,
                    url,
                    headers=sent,
                    params=params,
                    content=body,
                    timeout=httpx2.Timeout(seconds, connect=min(seconds, self._connect_s)),
                ) as response,
            ):
                reply = HttpReply(url=url, status=response.status_code, headers=response.headers, body=b"")
                if reply.location is not None:
                    return reply
                limits = bytes_max or {"": REPLY_BYTES_MAX}
                limit = limits.get(reply.content_type, limits[""])
                return replace(reply, body=await _read_body(response, bytes_max=limit, cut=cut))
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            # Not chained: the library's own errors hold the request with its key, and words of the server.
            raise failure_of(error) from None


class BoundedClient(httpx2.AsyncClient):
    """A client with the same bounds for a library that speaks HTTP by itself; the time bounds each read only.

    A reply within REPLY_BYTES_MAX is read whole before the library sees it; else ExchangeFailed is raised.
    """

    def __init__(self) -> None:
        super().__init__(
            verify=_trusted(),
            headers={"Accept-Encoding": "gzip, deflate"},
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            follow_redirects=False,
        )

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        response = await super().send(request, **options | {"stream": True})
        try:
            body = await _read_body(response, bytes_max=REPLY_BYTES_MAX)
        finally:
            await response.aclose()
        headers = [
            (name, value) for name, value in response.headers.multi_items() if name not in _OF_THE_TRANSFER
        ]
        return httpx2.Response(response.status_code, headers=headers, content=body, request=request)


def failure_of(error: BaseException) -> ExchangeFailed:
    """Classify an error of the HTTP library."""
    if isinstance(error, ExchangeFailed):
        return error
    if (untrusted := _untrusted(error)) is not None:
        return ExchangeFailed(ExchangeFailure.NOT_TRUSTED, untrusted.verify_message.rstrip("."))
    if isinstance(error, _NOT_CONNECTED):
        return ExchangeFailed(ExchangeFailure.NOT_CONNECTED, str(error) or type(error).__name__)
    if isinstance(error, (TimeoutError, httpx2.TimeoutException)):
        return ExchangeFailed(ExchangeFailure.TIMEOUT)
    if isinstance(error, httpx2.DecodingError):
        return ExchangeFailed(ExchangeFailure.NOT_UNPACKED)
    return ExchangeFailed(ExchangeFailure.BROKEN_OFF)


async def _read_body(response: httpx2.Response, *, bytes_max: int, cut: bool = False) -> bytes:
    encodings = {part.strip().lower() for part in response.headers.get("content-encoding", "").split(",")}
    if not encodings <= _ENCODINGS:
        raise ExchangeFailed(ExchangeFailure.NOT_UNPACKED)
    too_large = ExchangeFailed(ExchangeFailure.TOO_LARGE, bytes_max=bytes_max)
    declared = response.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > bytes_max and not cut:
        raise too_large
    body = bytearray()
    async for part in response.aiter_bytes():
        body += part
        # What follows the end of packed data never shows in the body, hence the second bound.
        if len(body) > bytes_max or response.num_bytes_downloaded > 2 * bytes_max:
            if not cut:
                raise too_large
            break
    return bytes(body[:bytes_max])


def _untrusted(error: BaseException) -> ssl.SSLCertVerificationError | None:
    """Return the certificate error that caused `error`, if any."""
    at: BaseException | None = error
    while at is not None and not isinstance(at, ssl.SSLCertVerificationError):
        at = at.__cause__ or at.__context__
    return at


@cache
def _trusted() -> ssl.SSLContext:
    """The TLS context, cached because reading the trusted certificates takes longer than most requests."""
    return httpx2.create_ssl_context()
