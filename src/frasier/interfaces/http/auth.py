"""Authentication by the bearer token of a request, verified each time, so that a revoked one fails at once."""

from __future__ import annotations

from starlette.requests import Request

from frasier.interfaces.http.error_responses import HttpRefusal
from frasier.kernel.advice import Advice
from frasier.kernel.errors import NotAllowed, StoreError
from frasier.memory import GET_TOKEN, Caller, MemoryEngine, verify_token

_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="frasier"'}


def bearer_token(request: Request) -> str | None:
    """The token that the request shows, or None where it shows nothing of the kind."""
    given = request.headers.getlist("authorization")
    scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


async def authenticate(request: Request, engine: MemoryEngine) -> Caller:
    """Return the caller; raise HttpRefusal (401) without a valid token."""
    token = bearer_token(request)
    if token is None:
        said = NotAllowed(
            "This needs a token.",
            kept="Nothing was read or written.",
            hint="Send Authorization: Bearer <token>.",
            advice=GET_TOKEN,
        )
        raise HttpRefusal(401, said, _CHALLENGE)
    try:
        caller = await engine.in_transaction(verify_token, token)
    except NotAllowed as refused:
        invalid = {"WWW-Authenticate": f'{_CHALLENGE["WWW-Authenticate"]}, error="invalid_token"'}
        raise HttpRefusal(401, refused, invalid) from None
    except StoreError:
        # Where the database is and why it does not answer is nothing for somebody who has not been let in.
        said_down = StoreError(
            "The database does not answer.", hint="Try again.", advice=Advice("doctor.run", to="see more")
        )
        raise HttpRefusal(503, said_down, {"Retry-After": "1"}) from None
    request.state.caller = caller.name
    return caller
