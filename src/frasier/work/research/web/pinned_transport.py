"""A transport that connects to the checked address, so that DNS cannot change in between."""

from __future__ import annotations

import httpx2

from frasier.work.research.web.ip_addresses import AddressGuard

_ADDRESSES_TRIED_MAX = 3
_DEFAULT_PORTS = {"http": 80, "https": 443}


class PinnedTransport(httpx2.AsyncBaseTransport):
    """A transport that resolves and checks the host of every request, and sends it to an address instead of a name.

    The Host header and the name that TLS verifies stay those of the URL. No request passes by it.
    """

    def __init__(self, guard: AddressGuard, inner: httpx2.AsyncBaseTransport) -> None:
        self._guard = guard
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        host = request.url.raw_host.decode("ascii")
        port = request.url.port or _DEFAULT_PORTS[request.url.scheme]
        addresses = await self._guard.addresses(host, port)
        failure: httpx2.TransportError | None = None
        for address in addresses[:_ADDRESSES_TRIED_MAX]:
            pinned = httpx2.Request(
                request.method,
                request.url.copy_with(host=address),
                headers=request.headers,
                stream=request.stream,
                extensions={**request.extensions, "sni_hostname": host},
            )
            try:
                return await self._inner.handle_async_request(pinned)
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                failure = error
        assert failure is not None  # the guard gives at least one address
        raise failure

    async def aclose(self) -> None:
        await self._inner.aclose()
