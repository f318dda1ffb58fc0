"""The causes of failures by keys: what stops several steps alike has one key, however differently each step says it."""

from __future__ import annotations

from frasier.kernel.errors import (
    AllProvidersFailed,
    BudgetExceeded,
    ConfigurationError,
    FrasierError,
    ProviderRateLimited,
    ProviderTimeout,
    ProviderUnavailable,
)
from frasier.outbound import KeyRefused


def cause_key_of(error: FrasierError) -> str:
    """Return the key of what caused an error; empty if it concerns this one request.

    The messages of one cause differ: they name the cost of a call, or for how long a service is left alone.
    """
    match error:
        case BudgetExceeded():
            return f"budget:{error.facts['scope']}:{error.facts['key']}"
        case ConfigurationError():
            return f"setting:{error.message}"
        case KeyRefused():
            return f"key:{error.provider}"
        case ProviderUnavailable() | ProviderTimeout() | ProviderRateLimited():
            return f"service:{error.provider}"
        case AllProvidersFailed():
            keys = {cause_key_of(cause) for cause in error.causes}
            return "" if "" in keys else "+".join(sorted(keys))
    return ""
