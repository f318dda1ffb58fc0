"""Every way in which an outside brain fails a move, as one of our errors, with no secret in it."""

from __future__ import annotations

from dataclasses import dataclass

from frasier.kernel.errors import (
    BadReply,
    ProviderError,
    ProviderRateLimited,
    ProviderRejected,
    ProviderTimeout,
    ProviderUnavailable,
)
from frasier.kernel.text import shorten, strip_control
from frasier.kernel.wording import ended

_KEPT = "The task is unchanged."
_AGAIN = "Try again."
_CHECK_ADDRESS = "Check the address and the dialect that are set for the outside brain."

_QUOTE_CHARS = 200
_PIECE_CHARS = 8


class NotStored(ProviderRejected):
    """It is up, and kept nothing of this one text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Which brain is asked for what ("the health check"), and how long that may take."""

    brain: str
    what: str
    seconds: float


def no_answer_in_time(step: Step) -> ProviderTimeout:
    """The whole exchange took longer than it may, wherever it stuck."""
    return ProviderTimeout(
        f"The brain at {step.brain} did not answer {step.what} within {step.seconds:g} s.",
        provider=step.brain,
        kept=_KEPT,
        hint=_AGAIN,
    )


def unreachable(step: Step, reason: str) -> ProviderUnavailable:
    """No connection was made."""
    return ProviderUnavailable(
        f"The brain at {step.brain} cannot be reached: {ended(shorten(reason, _QUOTE_CHARS))}",
        provider=step.brain,
        kept=_KEPT,
        hint="Check that it runs, and the address that is set for it.",
    )


def broken_off(step: Step) -> ProviderUnavailable:
    """The connection broke, or did not speak HTTP. In which words is not told: they may be the server's."""
    return ProviderUnavailable(
        f"The brain at {step.brain} broke off the connection at {step.what}.",
        provider=step.brain,
        kept=_KEPT,
        hint=_AGAIN,
    )


def unwell(step: Step, status: str) -> ProviderUnavailable:
    """It answered that it is not well."""
    return ProviderUnavailable(
        f"The brain at {step.brain} says of itself: {status}.", provider=step.brain, kept=_KEPT, hint=_AGAIN
    )


def bad_reply(step: Step, what: str) -> BadReply:
    """It answered with `what` ("a redirect"), which its dialect does not promise."""
    return BadReply(
        f"The brain at {step.brain} answered {step.what} with {what}.",
        provider=step.brain,
        kept=_KEPT,
        hint=_CHECK_ADDRESS,
    )


def not_stored(step: Step) -> NotStored:
    """It took the text politely and kept nothing of it."""
    return NotStored(
        f"The brain at {step.brain} answered {step.what} and stored nothing.",
        provider=step.brain,
        kept=_KEPT,
        hint="It drops markers under 50 characters and those that end in a question mark: say more in the note.",
    )


def from_status(step: Step, status: int, *, said: str, retry_after_s: float | None) -> ProviderError:
    """Our error for a status that is no success; `said` is what the server says of it, fit to be shown."""
    told = f"The brain at {step.brain} answered {step.what} with {status}"
    because = f": {ended(said)}" if said else "."
    if status in {401, 403}:
        # Whatever it says of the token is better not repeated.
        return ProviderRejected(
            f"{told}: the token was refused.",
            provider=step.brain,
            kept=_KEPT,
            hint="Check the token that is set for the outside brain.",
        )
    if status == 429:
        return ProviderRateLimited(
            f"{told}: it asks for fewer requests.",
            provider=step.brain,
            retry_after_s=retry_after_s,
            kept=_KEPT,
            hint="Try again later." if retry_after_s is None else f"Try again in {retry_after_s:g} s.",
        )
    if status == 408 or status >= 500:
        return ProviderUnavailable(
            f"{told}{because}", provider=step.brain, retry_after_s=retry_after_s, kept=_KEPT, hint=_AGAIN
        )
    if 300 <= status < 400:
        return bad_reply(step, f"{status}, a redirect, which is not followed")
    return ProviderRejected(f"{told}{because}", provider=step.brain, kept=_KEPT, hint=_CHECK_ADDRESS)


def quotable(text: str, *, token: str) -> str:
    """What a server says, in one short line; nothing of it where it repeats a piece of the token."""
    pieces = {token[at : at + _PIECE_CHARS] for at in range(max(1, len(token) - _PIECE_CHARS + 1))} - {""}
    if any(piece in text for piece in pieces):
        return ""
    return shorten(" ".join(strip_control(text).split()), _QUOTE_CHARS)
