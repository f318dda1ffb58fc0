"""A session, and the limits of sessions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class SessionStatus(StrEnum):
    """How a session stands. Interrupted: its process fell silent without completing it."""

    ACTIVE = "active"
    COMPLETED = "completed"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRules:
    """Limits of a session: seconds, and deliveries that are remembered of it."""

    idle_s: float = 1_800.0
    """After so long without use what was sent counts as forgotten: all of it may be sent again."""

    silent_s: float = 90.0
    """After so long without a beat the process that serves a session counts as dead."""

    deliveries_max: int = 100


RULES = SessionRules()


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A conversation with an agent, and where its work stands.

    `owner` is the process that serves it (see process_owner). `recovered`: it had been given up and goes on.
    """

    id: str
    scope: str
    status: SessionStatus
    owner: str
    task: str
    last_action: str
    summary: str
    pending_work: str
    state: Mapping[str, Any]
    heartbeat_at: datetime
    active_at: datetime
    created_at: datetime
    updated_at: datetime
    recovered: bool = False
