"""Authentication by the bearer token of a request, verified each time, so that a revoked token fails at once."""

from __future__ import annotations

from starlette.requests import Request

from frasier.interfaces.http.error_responses import HttpRefusal
from frasier.interfaces.http.rate_limit import RateLimiter
from frasier.interfaces.operations import reader_of
from frasier.kernel.advice import Advice
from frasier.kernel.errors import NotAllowed, StoreError, TooOften
from frasier.memory import GET_TOKEN, Caller, MemoryEngine, verify_token

_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="frasier"'}


def bearer_token(request: Request) -> str | None:
    """Return the bearer token of a request, or None if there is no single, non-empty one."""
    headers = request.headers.getlist("authorization")
    scheme, _, token = headers[0].partition(" ") if len(headers) == 1 else ("", "", "")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


async def authenticate(request: Request, engine: MemoryEngine, limiter: RateLimiter) -> Caller:
    """Return the caller; raise HttpRefusal: 401 without a valid token, 429 for too many requests, 503 without a
    database.
    """
    token = bearer_token(request)
    if token is None:
        error = NotAllowed(
            "This needs a token.",
            kept="Nothing was read or written.",
            hint="Send Authorization: Bearer <token>.",
            advice=GET_TOKEN,
        )
        raise HttpRefusal(401, error, _CHALLENGE)
    try:
        caller = await engine.in_transaction(verify_token, token)
    except NotAllowed as error:
        invalid = {"WWW-Authenticate": f'{_CHALLENGE["WWW-Authenticate"]}, error="invalid_token"'}
        raise HttpRefusal(401, error, invalid) from None
    except StoreError:
        # Do not disclose the address of the database or the cause to an unauthenticated client.
        unavailable = StoreError(
            "The database does not answer.", hint="Try again.", advice=Advice("doctor.run", to="see more")
        )
        raise HttpRefusal(503, unavailable, {"Retry-After": "1"}) from None
    request.state.caller = caller.name
    request.state.reader = reader_of(caller)
    _count(request, limiter, caller)
    return caller


def _count(request: Request, limiter: RateLimiter, caller: Caller) -> None:
    rate = limiter.take(caller.name)
    request.state.rate_headers = rate.headers
    if rate.wait_s:
        error = TooOften(
            f"This token has made {rate.limit:,} requests within a minute.",
            kept="Nothing of this request was done.",
            hint="Send it again after the seconds of Retry-After; FRASIER_SERVER__REQUESTS_PER_MINUTE allows more.",
        )
        raise HttpRefusal(429, error, {"Retry-After": str(rate.wait_s)})
