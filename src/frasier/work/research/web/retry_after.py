"""The Retry-After header (RFC 9110, 10.2.3)."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx2


def retry_after_s(headers: httpx2.Headers) -> float | None:
    """The seconds that a host asks us to wait, or None where it names none that can be understood."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        when = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max((when.astimezone(UTC) - datetime.now(UTC)).total_seconds(), 0.0)
