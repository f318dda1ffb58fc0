"""The failures of an external memory as errors of ours, with no secret in them."""

from __future__ import annotations

from pydantic import SecretStr

from frasier.kernel.errors import (
    BadReply,
    ProviderError,
    ProviderRateLimited,
    ProviderRejected,
    ProviderUnavailable,
)
from frasier.outbound import KeyRefused, ServiceErrors

_CHECK_ADDRESS = "Check the address and the dialect that are set for the external memory."


class NotStored(ProviderRejected):
    """The service is up, and did not store this one text."""


def errors_of(host: str, token: SecretStr, *, operation: str) -> ServiceErrors:
    """Return the errors of one kind of request to an external memory, such as "the health check"."""
    return ServiceErrors(
        name=f"The external memory at {host}",
        provider=host,
        asked=operation,
        key=token,
        credential="token",
        kept="The task is unchanged.",
        hints={
            ProviderError: "Try again.",
            ProviderRateLimited: "Try again later.",
            ProviderRejected: _CHECK_ADDRESS,
            BadReply: _CHECK_ADDRESS,
            KeyRefused: "Check the token that is set for the external memory.",
            NotStored: "It drops markers under 50 characters and those that end in a question mark:"
            " say more in the note.",
        },
        address_hint="Check that it runs, and the address that is set for it.",
    )


def unwell(errors: ServiceErrors, status: str) -> ProviderUnavailable:
    """Return the error for a service that reports that it is not well."""
    return errors.error(ProviderUnavailable, f"{errors.name} says of itself: {status}.")


def not_stored(errors: ServiceErrors) -> NotStored:
    """Return the error for a service that accepted the text and stored nothing."""
    return errors.error(NotStored, f"{errors.name} answered {errors.asked} and stored nothing.")
