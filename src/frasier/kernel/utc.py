"""Points in time with their zone."""

from __future__ import annotations

from datetime import UTC, datetime


def in_utc(moment: datetime) -> datetime:
    """Return a time in UTC. One without a time zone is taken as UTC, like every time in the database."""
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
