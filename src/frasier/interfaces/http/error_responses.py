"""Errors on the wire: one JSON shape, and one table of statuses."""

from __future__ import annotations

import math
from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from frasier.interfaces.advice import HttpRequests, error_facts
from frasier.kernel.errors import (
    AllProvidersFailed,
    ConfigurationError,
    FrasierError,
    InvalidInput,
    InvariantBroken,
    NotAllowed,
    NotFound,
    ProviderError,
    ProviderRateLimited,
    ProviderTimeout,
    ProviderUnavailable,
    Refused,
    SourceError,
    StoreError,
    TooOften,
)

# The first that fits counts.
_STATUSES: tuple[tuple[type[FrasierError], int], ...] = (
    (InvalidInput, 422),
    (NotFound, 404),
    (NotAllowed, 403),
    (TooOften, 429),
    (Refused, 409),
    (ProviderTimeout, 504),
    (ProviderUnavailable, 503),
    (ProviderRateLimited, 503),
    (AllProvidersFailed, 503),
    (ProviderError, 502),
    (SourceError, 422),
    (StoreError, 503),
)
_DEFECT = 500

# For how long a client stays away where nothing tells better.
_TOO_OFTEN_S = 60
_STORE_S = 1


class HttpRefusal(Exception):
    """A request that is refused with a status of its own, before any use case saw it."""

    def __init__(self, status: int, error: FrasierError, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(error.message)
        self.status = status
        self.error = error
        self.headers = dict(headers or {})


def status_of(error: FrasierError) -> int:
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), _DEFECT)


def refusal_response(error: FrasierError, *, status: int | None = None) -> JSONResponse:
    """The error as every interface shows it. Of a setting or a defect of ours a client learns only that it is one."""
    if isinstance(error, (ConfigurationError, InvariantBroken)):
        return defect_response()
    return JSONResponse(
        {"error": error_facts(error, HttpRequests())},
        status_code=status or status_of(error),
        headers=_retry_after(error),
    )


def defect_response() -> JSONResponse:
    shown = InvariantBroken(
        "The server failed at this request.",
        kept="Everything committed before is kept.",
        hint="The server's log says where; X-Request-Id names the request.",
    )
    return JSONResponse({"error": error_facts(shown, HttpRequests())}, status_code=_DEFECT)


def _retry_after(error: FrasierError) -> dict[str, str]:
    if isinstance(error, TooOften):
        return {"Retry-After": str(_TOO_OFTEN_S)}
    if isinstance(error, ProviderError) and error.retry_after_s is not None:
        return {"Retry-After": str(max(1, math.ceil(error.retry_after_s)))}
    return {"Retry-After": str(_STORE_S)} if isinstance(error, StoreError) else {}


async def on_refused(_request: Request, error: Exception) -> JSONResponse:
    """Answer the refusal of a use case."""
    if not isinstance(error, FrasierError):
        raise error
    return refusal_response(error)


async def on_http_refusal(_request: Request, error: Exception) -> JSONResponse:
    """Answer a request refused before any use case."""
    if not isinstance(error, HttpRefusal):
        raise error
    response = refusal_response(error.error, status=error.status)
    response.headers.update(error.headers)
    return response


async def on_no_route(_request: Request, error: Exception) -> JSONResponse:
    """No such path, or not with this method."""
    if not isinstance(error, HTTPException):
        raise error
    headers = dict(error.headers or {})
    if error.status_code == 405:
        said: FrasierError = InvalidInput(
            "This path is not used with this method.", hint=f"Use {headers.get('Allow', 'another one')}."
        )
    else:
        said = NotFound(
            "There is nothing at this path.",
            hint="The API is at /api/v1/health, query, contribute, memory and tools.",
        )
    response = refusal_response(said, status=error.status_code)
    response.headers.update(headers)
    return response
