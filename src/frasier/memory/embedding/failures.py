"""Every way in which a provider of vectors fails, as one of our errors, with no secret in it.

What matters to the queue is whose fault it was: a TextRefused and a BadReply may be about one text, everything
else is about the provider, and no text is to blame for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from frasier.kernel.errors import (
    ProviderError,
    ProviderRateLimited,
    ProviderRejected,
    ProviderTimeout,
    ProviderUnavailable,
)
from frasier.kernel.redaction import redact_error
from frasier.kernel.text import shorten

_REASON_CHARS = 200
_KEY_LIKE = re.compile(r"\b(?:sk|pk|pa|key|voy|gsk|xai)[-_][\w*.…-]{4,}|(?<=Bearer )\S+", re.IGNORECASE)
# Some refuse a key with 400, as Gemini does.
_ABOUT_THE_KEY = re.compile(
    r"\bapi[ _]?key\b.{0,40}\b(?:invalid|not valid|incorrect)\b|\bAPI_KEY_INVALID\b", re.IGNORECASE
)
_TIMEOUTS = {408, 504, 522, 524}
_ABOUT_THE_TEXT = {400, 413, 422}


class KeyRefused(ProviderRejected):
    """The key is wrong, or may not be used for this."""


class TextRefused(ProviderRejected):
    """The request itself was refused, most likely for the text in it."""


def clean_reason(text: str, *, key: str | None) -> str:
    """What a server said, fit to be shown: one short line without the key or anything that looks like one."""
    if key:
        text = text.replace(key, "***")
    return shorten(" ".join(redact_error(text).split()), _REASON_CHARS)


def from_status(
    status: int, reason: str, *, provider: str, model: str, headers: Mapping[str, str]
) -> ProviderError:
    """Our error for an HTTP status; `reason` is clean already, `headers` are in lower case."""
    said = f"{provider} said {status}: {reason}"
    if status in {401, 403} or (status == 400 and _ABOUT_THE_KEY.search(reason)):
        return KeyRefused(
            f"The key for the embeddings was refused. {said}",
            provider=provider,
            number="E051",
            kept="Memories are saved and found by their words; their vectors follow.",
            hint=f"Check the key that is set for the embeddings at {provider}.",
        )
    if status in _ABOUT_THE_TEXT:
        return TextRefused(f"A text was refused. {said}", provider=provider, number="E001")
    if status in _TIMEOUTS:
        return no_answer_in_time(provider, model)
    if status == 429:
        return ProviderRateLimited(
            f"{provider} asked for fewer calls: {reason}",
            provider=provider,
            retry_after_s=_seconds(headers.get("retry-after")),
            number="E053",
            hint="It is asked again later.",
        )
    if status >= 500:
        wait_s = _seconds(headers.get("retry-after"))
        return ProviderUnavailable(said, provider=provider, retry_after_s=wait_s, number="E001")
    return ProviderRejected(
        f"The embedding model {model} cannot be used. {said}",
        provider=provider,
        number="E001",
        hint="Check the model and the base URL that are set for the embeddings.",
    )


def no_answer_in_time(provider: str, model: str) -> ProviderTimeout:
    """The error of a call that nobody waits for any more."""
    return ProviderTimeout(
        f"{model} at {provider} did not answer in time.",
        provider=provider,
        number="E003",
        hint="Until it answers, memories are found by their words.",
    )


def unreachable(provider: str, reason: str) -> ProviderUnavailable:
    """The error of a connection that was not made, or broke."""
    return ProviderUnavailable(
        f"{provider} cannot be reached: {reason}",
        provider=provider,
        number="E001",
        hint="Check the network and the base URL that is set for the embeddings.",
    )


def _seconds(header: str | None) -> float | None:
    if header is None or not re.fullmatch(r"\d{1,6}(?:\.\d{1,6})?", header.strip()):
        return None
    return float(header)
