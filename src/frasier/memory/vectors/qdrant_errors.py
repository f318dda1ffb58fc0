"""Translation of Qdrant's errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from frasier.kernel.errors import (
    BadReply,
    ProviderError,
    ProviderRateLimited,
    ProviderTimeout,
    ProviderUnavailable,
)
from frasier.outbound import KeyRefused, ServiceErrors

_ERRORS = ServiceErrors(
    name="Qdrant",
    provider="qdrant",
    kept="Memories are saved and found by their words; PostgreSQL holds everything but these vectors.",
    hints={
        ProviderError: "See Qdrant's log for the cause.",
        KeyRefused: "Check its API key.",
        BadReply: "Check its URL, and that its version is a recent one.",
    },
    address_hint="Check that it runs and that its URL is right.",
    numbers={ProviderError: "E041"},
)


@contextmanager
def qdrant_errors() -> Iterator[None]:
    """Translate Qdrant's errors to provider errors, without their texts, which quote the request."""
    try:
        yield
    except ResourceExhaustedResponse as error:
        raise _ERRORS.error(
            ProviderRateLimited, "Qdrant asks to slow down.", retry_after_s=error.retry_after_s
        ) from error
    except UnexpectedResponse as error:
        raise _ERRORS.from_status(error.status_code or 0, "", {}) from error
    except ResponseHandlingException as error:
        raise _failed(error.source) from error


def _failed(cause: Exception) -> ProviderError:
    if isinstance(cause, httpx.TimeoutException):
        return _ERRORS.error(ProviderTimeout, "Qdrant did not answer in time.")
    if isinstance(cause, httpx.TransportError):
        return _ERRORS.error(ProviderUnavailable, "Qdrant does not answer.", hint=_ERRORS.address_hint)
    return _ERRORS.error(BadReply, "The server that answers is not Qdrant, or an incompatible version.")
