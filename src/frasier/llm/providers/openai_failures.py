"""Translation of failures of OpenAI-compatible servers into the errors of the product, free of secrets.

They say whether the call may have been billed: only ProviderTimeout and BadReply leave that open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import openai
from pydantic import SecretStr

from frasier.kernel.errors import (
    BadReply,
    ProviderError,
    ProviderRateLimited,
    ProviderRejected,
    ProviderTimeout,
)
from frasier.llm.failure_advice import FAILURE_ADVICE
from frasier.outbound import ExchangeFailure, KeyRefused, ServiceErrors, reason_in
from frasier.outbound.http_client import failure_of

_OUT_OF_CREDIT = {"insufficient_quota", "insufficient_credits", "billing_hard_limit_reached"}


def errors_of(model: str, provider: str, key: SecretStr | None) -> ServiceErrors:
    """Return the errors of one model at one address."""
    return ServiceErrors(
        name=f"{model} at {provider}",
        provider=provider,
        key=key,
        hints={
            KeyRefused: "Check FRASIER_LLM__API_KEY.",
            ProviderRateLimited: FAILURE_ADVICE[ProviderRateLimited.code],
            ProviderTimeout: FAILURE_ADVICE[ProviderTimeout.code],
            BadReply: "Check that the base URL is that of an OpenAI-compatible API (it often ends in /v1).",
        },
        address_hint="Check the base URL and the network.",
    )


def from_exception(
    error: openai.OpenAIError, errors: ServiceErrors, *, model: str, seconds: float
) -> ProviderError:
    """Translate an error of the client, after a call of at most `seconds`."""
    if isinstance(error, openai.APIStatusError):
        code = error.code or (error.type if isinstance(error.type, str) else None)
        response = error.response
        return from_status(
            error.status_code,
            code,
            reason_in(response.content),
            errors,
            model=model,
            headers=response.headers,
        )
    if isinstance(error, openai.APIConnectionError):
        failed = failure_of(error.__cause__ or error)
        if failed.failure is ExchangeFailure.BROKEN_OFF:
            return errors.error(
                ProviderTimeout, f"{errors.name} broke the connection before it answered.", hint="Try again."
            )
        return errors.from_failure(failed, seconds=seconds)
    return errors.bad_reply("a malformed completion")


def from_status(
    status: int,
    code: str | None,
    reason: str,
    errors: ServiceErrors,
    *,
    model: str,
    headers: Mapping[str, str],
) -> ProviderError:
    """Translate an HTTP status, whether of the response itself or inside its body.

    A refused key, an account without credit and a rate limit are told of the provider, whichever model was asked: they
    stop every step for the same cause.
    """
    answered = errors.describe(status, reason)
    of_account = replace(errors, name=errors.provider)
    if status == 403:
        # It may concern this model or text rather than the key, so another model may still answer.
        return errors.error(
            ProviderRejected,
            f"The request was forbidden. {answered}",
            hint=f"Check what the key in FRASIER_LLM__API_KEY may be used for, and {model} in particular.",
        )
    if status == 402 or code in _OUT_OF_CREDIT:
        return errors.error(
            ProviderRejected,
            f"The account has no credit left. {of_account.describe(status, reason)}",
            hint=f"Add credit at {errors.provider}.",
        )
    if status == 404:
        return errors.error(
            ProviderRejected,
            f"Model {model} does not exist. {answered}",
            hint="Check FRASIER_LLM__T1_MODEL, …T2_MODEL and …T3_MODEL.",
        )
    error = errors.from_status(status, reason, headers)
    if isinstance(error, (KeyRefused, ProviderRateLimited)):
        return of_account.from_status(status, reason, headers)
    return error
