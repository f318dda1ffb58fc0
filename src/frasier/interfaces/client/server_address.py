"""The address and the token of a server as a client is given them, and the errors where no answer comes from there."""

from __future__ import annotations

from typing import Final

import httpx2

from frasier.kernel.errors import InvalidInput, ProviderError, ProviderTimeout, ProviderUnavailable

_API: Final = "/api/v1"
_NOT_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
_NO_ADDRESS = (httpx2.InvalidURL, httpx2.UnsupportedProtocol)


def server_address(url: str) -> str:
    """Return the address of the server alone: that of its API, as HTTP.md has it, is accepted too."""
    return url.strip().rstrip("/").removesuffix(_API)


def authorization(token: str) -> dict[str, str]:
    """Return the header that a token is sent in, without the line end of the file that it was read from.

    Raises InvalidInput for a text that cannot be a token.
    """
    token = token.strip()
    if not token or not token.isascii() or not token.isprintable():
        raise InvalidInput(
            "The token is empty." if not token else "The token has characters that no token has.",
            kept="Nothing was sent.",
            hint="Give it as it was shown when it was made: frasier_sk-…",
        )
    return {"Authorization": f"Bearer {token}"}


def no_answer(error: Exception, *, url: str, operation: str, reads: bool) -> ProviderError:
    """Return the error for a request that was not answered.

    `reads` says that the operation changes nothing, so that it may simply be asked again.
    """
    if isinstance(error, _NO_ADDRESS):
        return ProviderUnavailable(
            f"{url!r} is not the address of a server, so {operation} cannot be reached.",
            kept="Nothing was sent.",
            hint="Give it with its protocol and port, as http://127.0.0.1:8764.",
        )
    reason = str(error).rstrip(".") or type(error).__name__
    if isinstance(error, _NOT_SENT):
        return ProviderUnavailable(
            f"The server at {url} cannot be reached: {reason}.",
            kept="Nothing was sent.",
            hint="Check the address; `frasier serve` starts the server.",
        )
    kept = "Nothing was changed." if reads else "It is not known whether it was done."
    hint = "Ask again." if reads else "Read back what it changes, and repeat it only if it was not done."
    if isinstance(error, httpx2.TimeoutException):
        return ProviderTimeout(
            f"The server at {url} did not answer {operation} in time.", kept=kept, hint=hint
        )
    return ProviderUnavailable(
        f"The server at {url} cannot be reached for its answer to {operation}: {reason}.",
        kept=kept,
        hint=hint,
    )
