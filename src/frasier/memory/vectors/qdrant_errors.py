"""What Qdrant answers when it fails, as our errors."""

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
    ProviderRejected,
    ProviderTimeout,
    ProviderUnavailable,
)

_KEPT = "Memories are saved and found by their words; PostgreSQL holds everything but these vectors."


@contextmanager
def qdrant_errors() -> Iterator[None]:
    """What Qdrant answers as one of our errors. Its own texts stay out: they quote the request."""
    try:
        yield
    except ResourceExhaustedResponse as error:
        raise ProviderRateLimited(
            "Qdrant asks to slow down.",
            provider="qdrant",
            retry_after_s=error.retry_after_s,
            kept=_KEPT,
            number="E041",
        ) from error
    except UnexpectedResponse as error:
        raise _refused(error.status_code or 0) from error
    except ResponseHandlingException as error:
        raise _failed(error.source) from error


def _failed(cause: Exception) -> ProviderError:
    if isinstance(cause, httpx.TimeoutException):
        return ProviderTimeout("Qdrant did not answer in time.", provider="qdrant", kept=_KEPT, number="E041")
    if isinstance(cause, httpx.TransportError):
        return ProviderUnavailable(
            "Qdrant does not answer.",
            provider="qdrant",
            kept=_KEPT,
            hint="Check that it runs and that its URL is right.",
            number="E041",
        )
    return BadReply(
        "What answers is no Qdrant, or one of another version.",
        provider="qdrant",
        kept=_KEPT,
        hint="Check its URL, and that its version is a recent one.",
        number="E041",
    )


def _refused(status: int) -> ProviderError:
    if status >= 500:
        return ProviderUnavailable(
            f"Qdrant failed with status {status}.",
            provider="qdrant",
            kept=_KEPT,
            hint="Its own log says why.",
            number="E041",
        )
    hint = "Check its API key." if status in {401, 403} else "Its own log says why."
    return ProviderRejected(
        f"Qdrant refused the request with status {status}.",
        provider="qdrant",
        kept=_KEPT,
        hint=hint,
        number="E041",
    )
