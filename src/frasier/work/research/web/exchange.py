"""One bounded request: so many bytes, so many seconds, no redirect followed, no cookie kept."""

from __future__ import annotations

import asyncio
import re
import ssl
from dataclasses import dataclass, replace
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx2

from frasier.kernel.errors import SourceError
from frasier.kernel.text import shorten
from frasier.work.research.web.addresses import AddressGuard
from frasier.work.research.web.transport import PinnedTransport

_CONNECT_TIMEOUT_S = 5.0
_ENCODINGS = {"", "identity", "gzip", "x-gzip", "deflate"}
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{2,40})", re.IGNORECASE)
_REDIRECTS = {301, 302, 303, 307, 308}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a host answered. `body` is unpacked, and empty for a redirect."""

    url: str
    status: int
    headers: httpx2.Headers
    body: bytes

    @property
    def location(self) -> str | None:
        """Where the host sends us instead."""
        return self.headers.get("location") if self.status in _REDIRECTS else None

    @property
    def content_type(self) -> str:
        """The media type without parameters, in lower case; empty where the host names none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str | None:
        """The encoding that the host names."""
        found = _CHARSET.search(self.headers.get("content-type", ""))
        return found[1] if found else None


def make_client(guard: AddressGuard, user_agent: str) -> httpx2.AsyncClient:
    """A client whose every connection passes `guard`. It knows no proxy, no cookies and no netrc."""
    inner = httpx2.AsyncHTTPTransport(
        verify=httpx2.create_ssl_context(),
        trust_env=False,
        # A kept connection belongs to an address, and another name on that address must not inherit it.
        limits=httpx2.Limits(max_connections=20, max_keepalive_connections=0),
    )
    return httpx2.AsyncClient(
        transport=PinnedTransport(guard, inner),
        headers={
            "User-Agent": user_agent,
            "Accept": "text/html,text/markdown,text/plain,application/pdf;q=0.9,*/*;q=0.5",
            "Accept-Encoding": "gzip, deflate",
            "Accept-Language": "en,*;q=0.5",
        },
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        follow_redirects=False,
        trust_env=False,
    )


async def get(
    client: httpx2.AsyncClient, url: str, *, bytes_max: dict[str, int], seconds: float, cut: bool = False
) -> Answer:
    """The answer to one GET.

    `bytes_max` bounds the unpacked body by content type, with "" for all that are not named. `seconds` bounds
    the whole exchange. With `cut`, a longer body is cut instead of refused. Raises SourceError.
    """
    try:
        async with (
            asyncio.timeout(seconds),
            client.stream(
                "GET", url, timeout=httpx2.Timeout(seconds, connect=min(seconds, _CONNECT_TIMEOUT_S))
            ) as response,
        ):
            answer = Answer(url=url, status=response.status_code, headers=response.headers, body=b"")
            if answer.location is not None:
                return answer
            limit = bytes_max.get(answer.content_type, bytes_max[""])
            return replace(answer, body=await _read_body(response, url, bytes_max=limit, cut=cut))
    except (TimeoutError, httpx2.TimeoutException) as error:
        raise SourceError(
            f"{url} took longer than the {seconds:.3g} s that are allowed.",
            hint="FRASIER_WEB__TIMEOUT_S allows more.",
        ) from error
    except httpx2.DecodingError as error:
        raise SourceError(f"{url} sent data that cannot be unpacked.") from error
    except (httpx2.TransportError, httpx2.InvalidURL) as error:
        if (unknown := _unknown_certificate(error)) is not None:
            raise _not_trusted(url, unknown) from error
        raise SourceError(
            f"{url} could not be reached: {shorten(str(error) or type(error).__name__, 200)}."
        ) from error


async def _read_body(response: httpx2.Response, url: str, *, bytes_max: int, cut: bool) -> bytes:
    encodings = {part.strip().lower() for part in response.headers.get("content-encoding", "").split(",")}
    if not encodings <= _ENCODINGS:
        raise SourceError(f"{url} sent data that cannot be unpacked.")
    declared = response.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > bytes_max and not cut:
        raise _too_large(url, bytes_max)
    body = bytearray()
    async for part in response.aiter_bytes():
        body += part
        # What follows the end of packed data never shows in the body, hence the second bound.
        if len(body) > bytes_max or response.num_bytes_downloaded > 2 * bytes_max:
            if not cut:
                raise _too_large(url, bytes_max)
            break
    return bytes(body[:bytes_max])


def _too_large(url: str, bytes_max: int) -> SourceError:
    return SourceError(
        f"{url} is larger than the {bytes_max / 1_000_000:,.1f} MB that are allowed.",
        hint="FRASIER_WEB__MAX_PAGE_BYTES (of a PDF, FRASIER_WEB__MAX_PDF_BYTES) allows more.",
    )


def _unknown_certificate(error: BaseException) -> ssl.SSLCertVerificationError | None:
    """What was wrong with a server's certificate, where that is behind `error`."""
    at: BaseException | None = error
    while at is not None and not isinstance(at, ssl.SSLCertVerificationError):
        at = at.__cause__ or at.__context__
    return at


def _not_trusted(url: str, error: ssl.SSLCertVerificationError) -> SourceError:
    return SourceError(
        f"{url} was not read: the certificate of its host is not trusted ({error.verify_message.rstrip('.')}).",
        hint="Where the host is the founder's own, SSL_CERT_FILE names a file with the certificates that are trusted,"
        " in the place of the system's.",
    )
