"""Session, its status, and its limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class SessionStatus(StrEnum):
    """The status of a session; interrupted means that its process died without completing it."""

    ACTIVE = "active"
    COMPLETED = "completed"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRules:
    """Limits of a session: timeouts in seconds, and the number of deliveries that are remembered."""

    idle_s: float = 1_800.0
    """After so long without use, earlier deliveries no longer count: everything may be sent again."""

    silent_s: float = 90.0
    """After so long without a heartbeat, the process that serves a session counts as dead."""

    deliveries_max: int = 100


RULES = SessionRules()


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A conversation with an agent, and the state of its work.

    `owner` is the process that serves it (see process_name). `recovered` is set when an interrupted session resumes.
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
    active_at: datetime
    created_at: datetime
    updated_at: datetime
    recovered: bool = False
