"""The deliverable of a share link, for whoever has its secret: without a token, and nothing else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from frasier.interfaces.operations import as_json
from frasier.interfaces.services import Services
from frasier.kernel.errors import NotFound
from frasier.overview import read_shared

_HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}


def shared_deliverable(services: Services | None) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint that reads the deliverable of the secret in its path."""

    async def read(request: Request) -> Response:
        if services is None:
            raise NotFound("Nothing is shared here.")
        shared = await services.in_transaction(read_shared, request.path_params["secret"])
        return JSONResponse(as_json(shared), headers=_HEADERS)

    return read
