"""Error responses: one table of HTTP statuses, and the form that the path has (see problems)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import Scope

from frasier.interfaces.advice import HttpRequests, Reader, error_facts
from frasier.interfaces.http.problems import PROBLEM_JSON, answers_plain, problem
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
from frasier.store import RequestRunning

# The first matching class decides.
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
_DEFECT_STATUS = 500

# Default values of Retry-After, in seconds.
_RATE_LIMIT_RETRY_S = 60
_DATABASE_RETRY_S = 1
_RUNNING_RETRY_S = 1


class HttpRefusal(Exception):
    """A request rejected with an HTTP status of its own, before any use case runs."""

    def __init__(self, status: int, error: FrasierError, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(error.message)
        self.status = status
        self.error = error
        self.headers = dict(headers or {})


def status_of(error: FrasierError) -> int:
    """Return the HTTP status of an error; 500 if its class has none."""
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), _DEFECT_STATUS)


def error_response(error: FrasierError, scope: Scope, *, status: int | None = None) -> JSONResponse:
    """Return the response to an error, worded for its reader. A wrong setting and a defect are a plain 500."""
    if isinstance(error, (ConfigurationError, InvariantBroken)):
        return defect_response(scope)
    return _response(error, scope, status or status_of(error), _retry_after(error))


def defect_response(scope: Scope) -> JSONResponse:
    """Return a 500 that discloses nothing about its cause."""
    error = InvariantBroken(
        "The server failed to handle this request.",
        kept="Everything committed before is kept.",
        hint="Look for the X-Request-Id of this response in the server's log.",
    )
    return _response(error, scope, _DEFECT_STATUS, {})


def _response(error: FrasierError, scope: Scope, status: int, headers: Mapping[str, str]) -> JSONResponse:
    state = scope.get("state", {})
    facts: dict[str, Any] = error_facts(error, HttpRequests(state.get("reader", Reader.MEMBER)))
    if answers_plain(scope):
        return JSONResponse({"error": facts}, status_code=status, headers=dict(headers))
    details = problem(facts, status=status, request_id=state.get("request_id", ""))
    return JSONResponse(details, status_code=status, headers=dict(headers), media_type=PROBLEM_JSON)


def _retry_after(error: FrasierError) -> dict[str, str]:
    if isinstance(error, RequestRunning):
        return {"Retry-After": str(_RUNNING_RETRY_S)}
    if isinstance(error, TooOften):
        return {"Retry-After": str(_RATE_LIMIT_RETRY_S)}
    if isinstance(error, ProviderError) and error.retry_after_s is not None:
        return {"Retry-After": str(max(1, math.ceil(error.retry_after_s)))}
    return {"Retry-After": str(_DATABASE_RETRY_S)} if isinstance(error, StoreError) else {}


async def on_frasier_error(request: Request, error: Exception) -> JSONResponse:
    """Return the response to an error of a use case."""
    if not isinstance(error, FrasierError):
        raise error
    return error_response(error, request.scope)


async def on_http_refusal(request: Request, error: Exception) -> JSONResponse:
    """Return the response to a request rejected before any use case ran."""
    if not isinstance(error, HttpRefusal):
        raise error
    response = error_response(error.error, request.scope, status=error.status)
    response.headers.update(error.headers)
    return response


async def on_routing_error(request: Request, error: Exception) -> JSONResponse:
    """Return the response to an unknown path (404) or a method that the path does not support (405)."""
    if not isinstance(error, HTTPException):
        raise error
    headers = dict(error.headers or {})
    if error.status_code == 405:
        failure: FrasierError = InvalidInput(
            "This path does not support this method.",
            kept="Nothing was changed.",
            hint=f"Use {headers.get('Allow', 'another one')}.",
        )
    else:
        failure = NotFound(
            "There is nothing at this path.",
            kept="Nothing was changed.",
            hint="GET /api/v1/openapi.json describes what there is.",
        )
    response = error_response(failure, request.scope, status=error.status_code)
    response.headers.update(headers)
    return response
