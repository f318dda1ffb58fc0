"""The services of the organisation, for callers who may use them."""

from __future__ import annotations

from frasier.interfaces.operations import OperationContext
from frasier.interfaces.services import Services
from frasier.kernel.errors import ConfigurationError


def founder_services(context: OperationContext, action: str) -> Services:
    """Return the services; raise NotAllowed unless the founder asks, ConfigurationError where none are served."""
    context.caller.require_founder(action)
    if context.services is None:
        raise ConfigurationError("The organisation is not served here.", hint="`frasier serve` serves it.")
    return context.services
