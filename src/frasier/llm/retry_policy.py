"""The retry policy of model calls: the wait before the next try."""

from __future__ import annotations

from collections.abc import Callable

from frasier.kernel.errors import ProviderError

_FIRST_S = 1.0
_LONGEST_S = 30.0
# A longer wait is not worth spending inside a run.
PATIENCE_S = 60.0


def wait_before_retry_s(error: ProviderError, *, failures: int, random: Callable[[], float]) -> float | None:
    """Return the seconds until the next try after `failures` failed ones, or None if another try cannot help.

    Full jitter over an exponential back-off, so that many workers do not return at once; never less than
    the server asked for.
    """
    if not error.retryable:
        return None
    server_wait_s = error.retry_after_s or 0.0
    if server_wait_s > PATIENCE_S:
        return None
    ceiling = min(_FIRST_S * 2.0 ** (failures - 1), _LONGEST_S)
    return max(random() * ceiling, server_wait_s)
