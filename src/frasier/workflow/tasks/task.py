"""A task as the engine sees it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.humanize import person
from frasier.workflow.processes.process import Outcome, Process
from frasier.workflow.processes.process_loader import process_of


class DependencyKind(StrEnum):
    """`blocks`: must be completed first. `informs`: its result is given where it exists, nobody waits for it."""

    BLOCKS = "blocks"
    INFORMS = "informs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependency:
    depends_on: UUID
    kind: DependencyKind = DependencyKind.BLOCKS


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTask:
    """A task to be made. `group_id` is what it is part of (a mission); `slug` is unique within it.

    `role` acts first; where it is empty, the usual one of the process.
    """

    id: UUID
    process: str
    slug: str
    title: str
    group_id: UUID
    role: str = ""
    assignee: UUID | None = None
    priority: int = 0
    fields: dict[str, Any] = field(default_factory=dict)
    depends_on: tuple[Dependency, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A stored task. `attempt` is the fencing token of its newest lease; `strikes` counts its rejections.

    `num` grows with the order of making, and along every dependency; `version` with every change of the task. It is in
    its position since `since`; `last_holder` had its newest lease. `restored_until` is how long the end of its newest
    pause gave to whoever held it; `judgements` tells what each judgement of it was given for, see judgements.
    """

    id: UUID
    num: int
    process: str
    slug: str
    title: str
    group_id: UUID
    status: str
    role: str
    assignee: UUID | None
    priority: int
    pending_deps: int
    held: bool
    claimable: bool
    ready: bool
    run_after: datetime
    attempt: int
    failures: int
    lease_owner: str | None
    lease_until: datetime | None
    strikes: int
    result_digest: str | None
    result_size: int | None
    fields: dict[str, Any]
    failure: str | None
    outcome: Outcome | None
    cascaded: bool
    created_at: datetime
    updated_at: datetime
    ended_at: datetime | None
    version: int
    since: datetime
    last_holder: str | None
    restored_until: datetime | None
    judgements: dict[str, Any]

    @property
    def definition(self) -> Process:
        return process_of(self.process)

    @property
    def round(self) -> int:
        """How often an ended task was opened again: a new round asks every question anew."""
        return int(self.fields.get("round", 0))

    @property
    def holder(self) -> str:
        """Who holds it, as people are told; empty where nobody does."""
        return person(self.lease_owner or "")

    @property
    def restored(self) -> bool:
        """Whether its holder got it back at the end of a pause, and has not renewed it since."""
        return self.lease_until is not None and self.lease_until == self.restored_until

    @property
    def terminal(self) -> bool:
        return self.outcome is not None


def digest_of(fields: Mapping[str, Any]) -> tuple[str, int]:
    """The SHA-256 of what a task holds, and its length in bytes: equal wherever the fields are."""
    text = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    return hashlib.sha256(text).hexdigest(), len(text)


def value_digest(value: Any) -> str:
    """The SHA-256 of one field's value."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode(
        "utf-8", "replace"
    )
    return hashlib.sha256(text).hexdigest()


def task_of(row: DictRow) -> Task:
    """The task that a row of workflow_tasks holds."""
    outcome = row["outcome"]
    judgements = {
        key: {**_NO_JUDGEMENT, **entry} if isinstance(entry, dict) else dict(_NO_JUDGEMENT)
        for key, entry in row["judgements"].items()
    }
    return Task(**row | {"outcome": None if outcome is None else Outcome(outcome), "judgements": judgements})


# What was written past the engine counts as cleared.
_NO_JUDGEMENT: Mapping[str, Any] = {"by": "", "of": [], "digest": ""}
