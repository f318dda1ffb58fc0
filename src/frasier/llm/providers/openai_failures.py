"""Every way in which an OpenAI-compatible server fails, as one of our errors, with no secret in it.

What matters most is whether the call may have been billed: only ProviderTimeout and BadReply leave that open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime

import httpx2
import openai

from frasier.kernel.errors import (
    BadReply,
    ProviderError,
    ProviderRateLimited,
    ProviderRejected,
    ProviderTimeout,
    ProviderUnavailable,
)
from frasier.kernel.text import shorten, strip_control
from frasier.llm.providers.retry_after import retry_after_s
from frasier.llm.types import KeyRefused

_REASON_CHARS = 200
_KEY_LIKE = re.compile(r"\b(?:sk|pk|key|gsk|xai)-[\w*.…-]{4,}", re.IGNORECASE)
# The connection was never made, so nothing was asked.
_NOT_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.UnsupportedProtocol)
# A gateway gave up waiting: the model behind it may have run.
_GATEWAY_TIMEOUTS = {408, 504, 522, 524}
_OUT_OF_CREDIT = {"insufficient_quota", "insufficient_credits", "billing_hard_limit_reached"}


def clean_reason(text: str, *, key: str | None) -> str:
    """What a server said, fit to be shown: one short line without the key or anything that looks like one."""
    if key:
        text = text.replace(key, "***")
    text = _KEY_LIKE.sub("***", " ".join(strip_control(text).split()))
    return shorten(text, _REASON_CHARS)


def from_exception(error: openai.OpenAIError, *, provider: str, model: str, key: str | None) -> ProviderError:
    """Our error for one of the client's."""
    if isinstance(error, openai.APIStatusError):
        code = error.code or (error.type if isinstance(error.type, str) else None)
        reason = clean_reason(_said(error), key=key)
        headers = error.response.headers
        return from_status(error.status_code, code, reason, provider=provider, model=model, headers=headers)
    if isinstance(error, openai.APIConnectionError):
        cause = error.__cause__
        if isinstance(cause, _NOT_SENT):
            reason = clean_reason(str(cause) or type(cause).__name__, key=key)
            return ProviderUnavailable(
                f"{provider} cannot be reached: {reason}",
                provider=provider,
                hint="Check the base URL and the network.",
            )
        if isinstance(error, openai.APITimeoutError):
            return no_answer_in_time(provider, model)
        return ProviderTimeout(f"{provider} broke the connection before it answered.", provider=provider)
    return BadReply(f"{provider} answered with something that is no completion.", provider=provider)


def _said(error: openai.APIStatusError) -> str:
    """The server's own words, out of the shapes in which servers put them."""
    body = error.body.get("message") if isinstance(error.body, dict) else error.body
    return body if isinstance(body, str) else error.message


def no_answer_in_time(provider: str, model: str) -> ProviderTimeout:
    """The error of a call that nobody waits for any more."""
    return ProviderTimeout(
        f"{model} at {provider} did not answer in time.",
        provider=provider,
        hint="Raise FRASIER_LLM__TIMEOUT_S where the model is slow.",
    )


def from_status(
    status: int, code: str | None, reason: str, *, provider: str, model: str, headers: Mapping[str, str]
) -> ProviderError:
    """Our error for an HTTP status, whether it came as the response's own or inside its body."""
    said = f"{provider} said {status}: {reason}"
    if status == 401:
        return KeyRefused(
            f"The key was refused. {said}", provider=provider, hint="Check FRASIER_LLM__API_KEY."
        )
    if status == 403:
        # About this model or this text as often as about the key, so another model may still answer.
        return ProviderRejected(
            f"The request was forbidden. {said}",
            provider=provider,
            hint=f"Check what the key in FRASIER_LLM__API_KEY may be used for, and {model} in particular.",
        )
    if status == 402 or code in _OUT_OF_CREDIT:
        return ProviderRejected(
            f"The account has no credit left. {said}", provider=provider, hint=f"Add credit at {provider}."
        )
    if status == 404:
        return ProviderRejected(
            f"Model {model} is not there. {said}",
            provider=provider,
            hint="Check FRASIER_LLM__T1_MODEL, …T2_MODEL and …T3_MODEL.",
        )
    if status in _GATEWAY_TIMEOUTS:
        return ProviderTimeout(f"{model} did not answer in time. {said}", provider=provider)
    wait_s = retry_after_s(headers, now=datetime.now(UTC))
    if status == 429:
        return ProviderRateLimited(
            f"{provider} asked for fewer calls: {reason}", provider=provider, retry_after_s=wait_s
        )
    if status >= 500:
        return ProviderUnavailable(said, provider=provider, retry_after_s=wait_s)
    return ProviderRejected(f"The request was refused. {said}", provider=provider)
