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

_SERVICE = "service:"


def is_outage(error: FrasierError) -> bool:
    """Return whether a service is down, overloaded or left alone, so that no call can have been billed.

    A timeout is none: the call may have been billed, and the founder can give the model more time.
    """
    match error:
        case ProviderUnavailable() | ProviderRateLimited():
            return True
        case AllProvidersFailed(in_vain=False):
            return bool(error.causes) and all(map(is_outage, error.causes))
    return False


def services_of(cause_key: str) -> tuple[str, ...]:
    """Return the services that a cause is about; empty where it is about something else, too."""
    services = tuple(key.removeprefix(_SERVICE) for key in cause_key.split("+") if key.startswith(_SERVICE))
    return services if len(services) == len(cause_key.split("+")) else ()


def cause_key_of(error: FrasierError) -> str:
    """Return the key of what caused an error; empty if it concerns this one request.

    The messages of one cause differ: they name the cost of a call, or for how long a service is left alone.
    """
    match error:
        case BudgetExceeded():
            kind = "budget" if error.facts.get("unit") == "usd" else "cap"
            return f"{kind}:{error.facts['scope']}:{error.facts['key']}"
        case ConfigurationError():
            return f"setting:{error.message}"
        case KeyRefused():
            return f"key:{error.provider}"
        case ProviderUnavailable() | ProviderTimeout() | ProviderRateLimited():
            return f"{_SERVICE}{error.provider}"
        case AllProvidersFailed():
            keys = {cause_key_of(cause) for cause in error.causes}
            return "" if "" in keys else "+".join(sorted(keys))
    return ""
