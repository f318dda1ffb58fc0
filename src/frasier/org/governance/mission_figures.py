"""The figures of missions that have ended, as their post-mortems have them; a slice above reads them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from frasier.store import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionMeasurements:
    """The figures of a mission by name, and the findings of its post-mortem, a line each."""

    mission: UUID
    title: str
    ended_at: datetime
    figures: Mapping[str, float]
    findings: tuple[str, ...] = field(default=())


ReadFigures: TypeAlias = Callable[[Tx, int], Awaitable[tuple[MissionMeasurements, ...]]]
"""Read the figures of that many missions which ended last, newest first."""
