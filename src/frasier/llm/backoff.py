"""How long to wait before a model is asked again."""

from __future__ import annotations

from collections.abc import Callable

from frasier.kernel.errors import ProviderError

_FIRST_S = 1.0
_LONGEST_S = 30.0
# A server that asks for more is not worth waiting for inside a run.
PATIENCE_S = 60.0


def wait_before_retry_s(error: ProviderError, *, failures: int, random: Callable[[], float]) -> float | None:
    """Seconds until the next try after `failures` failed ones, or None where a try now would be in vain.

    Full jitter over an exponential back-off, so that many workers don't come back at once; never less than
    the server asked for.
    """
    if not error.retryable:
        return None
    server_wait_s = error.retry_after_s or 0.0
    if server_wait_s > PATIENCE_S:
        return None
    ceiling = min(_FIRST_S * 2.0 ** (failures - 1), _LONGEST_S)
    return max(random() * ceiling, server_wait_s)
