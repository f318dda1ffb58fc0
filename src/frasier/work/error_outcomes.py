"""The outcome of a run that an error ended."""

from __future__ import annotations

from frasier.kernel.errors import (
    AllProvidersFailed,
    BadReply,
    BudgetExceeded,
    CapabilityRefused,
    ConfigurationError,
    FrasierError,
    InvalidInput,
    ProviderError,
    ProviderRejected,
    RehearsalFailed,
)
from frasier.llm import UNUSABLE_REPLIES_MAX
from frasier.work.failure_causes import cause_key_of, is_outage
from frasier.work.run_outcomes import NeedsFounder, RetryLater, RunOutcome, WaitOut


def outcome_of_error(error: FrasierError) -> RunOutcome:
    """Translate an error of a run into an outcome: retry later, wait for a service, or ask the founder with
    the true reason.
    """
    key = cause_key_of(error)
    match error:
        case BudgetExceeded() | ConfigurationError() | InvalidInput():
            return NeedsFounder(
                error.message,
                error.hint or "change the setting, then continue",
                error.advice,
                cause_key=key,
            )
        case CapabilityRefused():
            return NeedsFounder(error.message, error.hint, error.advice, cause_key=key)
        case ProviderRejected():
            return NeedsFounder(
                error.message,
                error.hint or "check the model's key and name, then continue",
                error.advice,
                cause_key=key,
            )
        case AllProvidersFailed(in_vain=True) if all(
            isinstance(one, RehearsalFailed) for one in error.causes
        ):
            return NeedsFounder(error.message, error.hint, cause_key=key)
        case AllProvidersFailed(in_vain=True):
            again = f"; as things stand that pays for up to {UNUSABLE_REPLIES_MAX} more replies"
            paid = any(isinstance(cause, BadReply) for cause in error.causes)
            return NeedsFounder(
                error.message, f"{error.hint} Then continue{again if paid else ''}", cause_key=key
            )
        case _ if is_outage(error):
            after_s = error.retry_after_s if isinstance(error, ProviderError) else None
            return WaitOut(error.message, after_s=after_s, action=error.hint, cause_key=key)
        case ProviderError(retryable=True) | BadReply() | AllProvidersFailed():
            return RetryLater(error.message, after_s=error.retry_after_s, action=error.hint, cause_key=key)
        case _:
            return RetryLater(f"{error.code}: {error.message}")
