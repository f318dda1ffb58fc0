"""Moments as they come in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, TypeAlias

from pydantic import AfterValidator

_LEAST = datetime.min.replace(tzinfo=UTC) + timedelta(days=1)
_MOST = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)


def _readable(moment: datetime) -> datetime:
    """The moment in UTC. At the very ends of the calendar one could be stored that cannot be read again."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if not _LEAST <= aware <= _MOST:
        raise ValueError("this is beyond the calendar")
    return aware.astimezone(UTC)


Moment: TypeAlias = Annotated[datetime, AfterValidator(_readable)]
"""A date and time; without a zone it is UTC."""
