"""The HTTP status of an error on the page."""

from __future__ import annotations

from frasier.kernel.errors import (
    FrasierError,
    InvalidInput,
    NotAllowed,
    NotFound,
    ProviderError,
    Refused,
    SourceError,
    StoreError,
)

# The first matching class decides.
_STATUSES: tuple[tuple[type[FrasierError], int], ...] = (
    (InvalidInput, 422),
    (SourceError, 422),
    (NotFound, 404),
    (NotAllowed, 403),
    (Refused, 409),
    (ProviderError, 502),
    (StoreError, 503),
)


def status_of(error: FrasierError) -> int:
    """Return the status of an error; 500 if its class has none."""
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), 500)
