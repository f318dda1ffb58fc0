"""Date and time parameters of requests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, TypeAlias

from pydantic import AfterValidator

# At the very ends of the calendar a time could be stored that cannot be read again.
_EARLIEST = datetime.min.replace(tzinfo=UTC) + timedelta(days=1)
_LATEST = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)


def _to_utc(value: datetime) -> datetime:
    """Return the time in UTC; raise ValueError if it is outside of the supported range."""
    aware = value if value.tzinfo else value.replace(tzinfo=UTC)
    if not _EARLIEST <= aware <= _LATEST:
        raise ValueError("this is outside of the supported range of dates")
    return aware.astimezone(UTC)


UtcDatetime: TypeAlias = Annotated[datetime, AfterValidator(_to_utc)]
"""A date and time; without a zone it is UTC."""
