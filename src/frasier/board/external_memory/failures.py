"""Every way in which an outside brain fails a move, as one of our errors, with no secret in it."""

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

_CHECK_ADDRESS = "Check the address and the dialect that are set for the outside brain."


class NotStored(ProviderRejected):
    """It is up, and kept nothing of this one text."""


def errors_of(brain: str, token: SecretStr, *, asked: str) -> ServiceErrors:
    """The errors of a brain that is asked for one thing ("the health check")."""
    return ServiceErrors(
        name=f"The brain at {brain}",
        provider=brain,
        asked=asked,
        key=token,
        credential="token",
        kept="The task is unchanged.",
        hints={
            ProviderError: "Try again.",
            ProviderRateLimited: "Try again later.",
            ProviderRejected: _CHECK_ADDRESS,
            BadReply: _CHECK_ADDRESS,
            KeyRefused: "Check the token that is set for the outside brain.",
            NotStored: "It drops markers under 50 characters and those that end in a question mark:"
            " say more in the note.",
        },
        address_hint="Check that it runs, and the address that is set for it.",
    )


def unwell(errors: ServiceErrors, status: str) -> ProviderUnavailable:
    """It answered that it is not well."""
    return errors.error(ProviderUnavailable, f"{errors.name} says of itself: {status}.")


def not_stored(errors: ServiceErrors) -> NotStored:
    """It took the text politely and kept nothing of it."""
    return errors.error(NotStored, f"{errors.name} answered {errors.asked} and stored nothing.")
