"""Translation of the failures of an outside service into the errors of the product, free of secrets.

400 about the key, 401, 403     KeyRefused
408, 504, 522, 524              ProviderTimeout
429                             ProviderRateLimited, with the requested wait
3xx, other 4xx                  ProviderRejected, or what `rejections` names
other 5xx                       ProviderUnavailable, with the wait that is asked for
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import SecretStr

from frasier.kernel.errors import (
    BadReply,
    ProviderError,
    ProviderRateLimited,
    ProviderRejected,
    ProviderTimeout,
    ProviderUnavailable,
)
from frasier.kernel.humanize import ended
from frasier.kernel.text import shorten
from frasier.outbound.exchange_failure import ExchangeFailed, ExchangeFailure
from frasier.outbound.retry_after import retry_after_s

# A gateway gave up waiting: the service behind it may have done what it was asked.
_GATEWAY_TIMEOUTS = {408, 504, 522, 524}
# Some refuse a key with 400, as Gemini does.
_ABOUT_THE_KEY = re.compile(
    r"\bapi[ _]?key\b.{0,40}\b(?:invalid|not valid|incorrect)\b|\bAPI_KEY_INVALID\b", re.IGNORECASE
)
_REASON_FIELDS = ("error", "message", "detail", "reason")
_REASON_CHARS = 200
_KEY_PIECE_CHARS = 8

_Error = TypeVar("_Error", bound=ProviderError)


class KeyRefused(ProviderRejected):
    """A key that is wrong, or not allowed for this request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceErrors:
    """The errors of one service, in its own terms.

    `name` begins a sentence ("m1 at example.org"), `asked` names the request ("the health check"), `credential`
    the kind of key. `kept` stands in every error. `hints` and `numbers` are by class of error; the nearest
    class counts. `address_hint` replaces them if the address is to blame.
    `rejections` names a narrower error for some statuses. `key` is never shown.
    """

    name: str
    provider: str
    asked: str = ""
    key: SecretStr | None = None
    credential: str = "key"
    kept: str = ""
    hints: Mapping[type[ProviderError], str] = field(default_factory=dict)
    address_hint: str = ""
    numbers: Mapping[type[ProviderError], str] = field(default_factory=dict)
    rejections: Mapping[int, type[ProviderRejected]] = field(default_factory=dict)

    def error(
        self, kind: type[_Error], message: str, *, hint: str = "", retry_after_s: float | None = None
    ) -> _Error:
        """Build an error of this service; text of the service may enter `message` only through `quote`."""
        return kind(
            message,
            provider=self.provider,
            retry_after_s=retry_after_s,
            kept=self.kept,
            hint=hint or _nearest(kind, self.hints),
            number=_nearest(kind, self.numbers),
        )

    def bad_reply(self, what: str) -> BadReply:
        """Build the error for a reply that breaks the protocol with `what` ("a malformed list")."""
        return self.error(BadReply, f"{self._answered} with {what}.")

    def from_status(self, status: int, reason: str, headers: Mapping[str, str]) -> ProviderError:
        """Build the error for an unsuccessful status; `reason` is the explanation of the service, of any length.

        `headers` have lower-case names or are case-insensitive.
        """
        answered = self.describe(status, reason)
        if status in {401, 403} or (status == 400 and _ABOUT_THE_KEY.search(reason)):
            return self.error(KeyRefused, f"The {self.credential} was refused. {answered}")
        if status in _GATEWAY_TIMEOUTS:
            return self.error(ProviderTimeout, f"{self.name} did not answer in time. {answered}")
        wait_s = retry_after_s(headers)
        if status == 429:
            pause = "" if wait_s is None else f" and a pause of {wait_s:g} s"
            message = f"{self.name} asked for fewer calls{pause}{_because(self.quote(reason))}"
            return self.error(ProviderRateLimited, message, retry_after_s=wait_s)
        if status >= 500:
            return self.error(ProviderUnavailable, answered, retry_after_s=wait_s)
        if 300 <= status < 400:
            message = f"{self._answered} with {status}, a redirect, which is not followed."
            return self.error(ProviderRejected, message, hint=self.address_hint)
        return self.error(
            self.rejections.get(status, ProviderRejected), f"The request was refused. {answered}"
        )

    def from_failure(self, failed: ExchangeFailed, *, seconds: float) -> ProviderError:
        """Build the error for an exchange, bounded by `seconds`, without a whole reply."""
        match failed.failure:
            case ExchangeFailure.TIMEOUT:
                request = f" {self.asked}" if self.asked else ""
                return self.error(
                    ProviderTimeout, f"{self.name} did not answer{request} within {seconds:g} s."
                )
            case ExchangeFailure.NOT_CONNECTED | ExchangeFailure.NOT_TRUSTED:
                message = f"{self.name} cannot be reached{_because(self.quote(failed.reason))}"
                return self.error(ProviderUnavailable, message, hint=self.address_hint)
            case ExchangeFailure.BROKEN_OFF:
                return self.error(ProviderUnavailable, f"{self.name} broke off the connection.")
            case ExchangeFailure.TOO_LARGE:
                return self.bad_reply(f"more than {failed.bytes_max:,} bytes")
            case ExchangeFailure.NOT_UNPACKED:
                return self.bad_reply("data that cannot be unpacked")

    def describe(self, status: int, reason: str) -> str:
        """Format a status and the explanation of the service as a sentence."""
        return f"{self._answered} with {status}{_because(self.quote(reason))}"

    def quote(self, text: str) -> str:
        """Quote a service on one short line, without secrets.

        Empty if the text repeats a piece of the key.
        """
        from frasier.kernel.redaction import REDACTED, redact_error  # noqa: PLC0415 (slow)

        if key := self.key.get_secret_value() if self.key else "":
            text = text.replace(key, REDACTED)
            starts = range(len(key) - _KEY_PIECE_CHARS + 1)
            if any(key[at : at + _KEY_PIECE_CHARS] in text for at in starts):
                return ""
        return shorten(" ".join(redact_error(text).split()), _REASON_CHARS)

    @property
    def _answered(self) -> str:
        return f"{self.name} answered {self.asked}".rstrip()


def reason_in(body: bytes) -> str:
    """Extract the message from the body of an error reply: from JSON of a usual shape or plain text; empty for HTML."""
    try:
        content: Any = json.loads(body)
    except (ValueError, RecursionError):
        text = body.decode("utf-8", "replace").strip()
        return "" if text.startswith("<") else text
    while isinstance(content, dict):
        content = next((content[name] for name in _REASON_FIELDS if content.get(name)), "")
    return content if isinstance(content, str) else ""


def _because(reason: str) -> str:
    return f": {ended(reason)}" if reason else "."


def _nearest(kind: type[ProviderError], words: Mapping[type[ProviderError], str]) -> str:
    return next((words[each] for each in kind.__mro__ if each in words), "")
