"""The wait that a response asks for, in any of its six spellings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_NUMBER = re.compile(r"\d{1,15}(?:\.\d{1,9})?", re.ASCII)
_DURATION = re.compile(
    r"(?:(\d{1,9})h)?(?:(\d{1,9})m(?!s))?(?:(\d{1,9}(?:\.\d{1,9})?)s)?(?:(\d{1,9}(?:\.\d{1,9})?)ms)?",
    re.ASCII,
)
_RESET_HEADERS = ("x-ratelimit-reset-requests", "x-ratelimit-reset-tokens", "x-ratelimit-reset")
_EPOCH_FROM_S = 1_000_000_000  # a larger number of seconds is a moment, not a duration
_EPOCH_FROM_MS = _EPOCH_FROM_S * 1_000
# A longer wait is a server's mistake, and would postpone a task indefinitely.
_LONGEST_S = 30 * 86_400.0


def retry_after_s(headers: Mapping[str, str], *, now: datetime | None = None) -> float | None:
    """Seconds to wait from `now`, as the response's `headers` (lower case) say; None if they give no valid wait.

    `Retry-After` in seconds or as a date (RFC 9110, 10.2.3) and `retry-after-ms` come before the reset headers, of
    which the longest counts: a duration ("6m0s"), seconds, or a Unix time in seconds or milliseconds. At most 30 days.
    """
    seconds = _stated_s(headers, now or datetime.now(UTC))
    return None if seconds is None else min(max(seconds, 0.0), _LONGEST_S)


def _stated_s(headers: Mapping[str, str], now: datetime) -> float | None:
    if (milliseconds := _number(headers.get("retry-after-ms", ""))) is not None:
        return milliseconds / 1_000
    if stated := headers.get("retry-after", ""):
        seconds = _number(stated)
        return seconds if seconds is not None else _until(stated, now)
    resets = [_reset_s(headers[name], now) for name in _RESET_HEADERS if name in headers]
    return max((reset for reset in resets if reset is not None), default=None)


def _number(text: str) -> float | None:
    return float(text) if _NUMBER.fullmatch(text.strip()) else None


def _until(http_date: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(http_date)
    except (ValueError, TypeError, IndexError, OverflowError):  # the parser raises each of these for garbage
        return None
    return (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds()


def _reset_s(text: str, now: datetime) -> float | None:
    number = _number(text)
    if number is not None:
        if number >= _EPOCH_FROM_MS:
            number /= 1_000
        return max(number - now.timestamp(), 0.0) if number >= _EPOCH_FROM_S else number
    parts = _DURATION.fullmatch(text.strip())
    if parts is None or not any(parts.groups()):
        return None
    hours, minutes, seconds, milliseconds = (float(part or 0) for part in parts.groups())
    return hours * 3_600 + minutes * 60 + seconds + milliseconds / 1_000
