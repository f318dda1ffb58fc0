"""Guarded and bounded requests for pages, which fail with a SourceError."""

from __future__ import annotations

from frasier.kernel.errors import SourceError
from frasier.kernel.text import shorten
from frasier.outbound import ExchangeFailed, ExchangeFailure
from frasier.outbound.http_client import HttpClient, HttpReply
from frasier.work.research.web.ip_addresses import AddressGuard
from frasier.work.research.web.pinned_transport import PinnedTransport

_CONNECT_S = 5.0


def make_client(guard: AddressGuard, user_agent: str) -> HttpClient:
    """Create a client whose every connection passes `guard`, without proxy, cookies and netrc."""
    return HttpClient(
        headers={
            "User-Agent": user_agent,
            "Accept": "text/html,text/markdown,text/plain,application/pdf;q=0.9,*/*;q=0.5",
            "Accept-Language": "en,*;q=0.5",
        },
        use_proxy=False,
        # A kept connection belongs to an address, and another name on that address must not inherit it.
        keep_connections=False,
        connect_s=_CONNECT_S,
        wrap_transport=lambda network: PinnedTransport(guard, network),
    )


async def get(
    client: HttpClient, url: str, *, bytes_max: dict[str, int], seconds: float, cut: bool = False
) -> HttpReply:
    """Send a GET; see HttpClient.send. Raises SourceError if no whole reply comes back."""
    try:
        return await client.send("GET", url, seconds=seconds, bytes_max=bytes_max, cut=cut)
    except ExchangeFailed as failed:
        raise _not_read(failed, url, seconds) from failed


def _not_read(failed: ExchangeFailed, url: str, seconds: float) -> SourceError:
    reason = shorten(failed.reason, 200)
    match failed.failure:
        case ExchangeFailure.TIMEOUT:
            return SourceError(
                f"{url} took longer than the {seconds:.3g} s that are allowed.",
                hint="FRASIER_WEB__TIMEOUT_S allows more.",
            )
        case ExchangeFailure.NOT_CONNECTED:
            return SourceError(f"{url} could not be reached: {reason}.")
        case ExchangeFailure.NOT_TRUSTED:
            return SourceError(
                f"{url} was not read: the certificate of its host is not trusted ({reason}).",
                hint="Where the host is the founder's own, SSL_CERT_FILE names a file with the certificates that are"
                " trusted, in the place of the system's.",
            )
        case ExchangeFailure.BROKEN_OFF:
            return SourceError(f"{url} could not be read: its host broke off the connection.")
        case ExchangeFailure.TOO_LARGE:
            return SourceError(
                f"{url} is larger than the {failed.bytes_max / 1_000_000:,.1f} MB that are allowed.",
                hint="FRASIER_WEB__MAX_PAGE_BYTES (of a PDF, FRASIER_WEB__MAX_PDF_BYTES) allows more.",
            )
        case ExchangeFailure.NOT_UNPACKED:
            return SourceError(f"{url} sent data that cannot be unpacked.")
