"""The tasks of the engine."""

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
from frasier.workflow.processes.task_rules import rules_of

READY_CHANNEL = "frasier_ready"
"""The channel of PostgreSQL that is notified when tasks became ready."""


class DependencyKind(StrEnum):
    """The kinds of dependencies. `blocks`: must be completed first. `informs`: its result is passed on if there is
    one.
    """

    BLOCKS = "blocks"
    INFORMS = "informs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependency:
    depends_on: UUID
    kind: DependencyKind = DependencyKind.BLOCKS


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTask:
    """A task to create. `group_id` is what it belongs to (a mission); `slug` is unique within it.

    `role` acts first; if it is empty, the usual one of the process. `length` is how long it takes, in the unit of
    its group, and `length_behind` how long the work takes that waits for it without a dependency.
    """

    id: UUID
    process: str
    slug: str
    title: str
    group_id: UUID
    role: str = ""
    assignee: UUID | None = None
    priority: int = 0
    length: int = 1
    length_behind: int = 0
    fields: dict[str, Any] = field(default_factory=dict)
    depends_on: tuple[Dependency, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A stored task. `attempt` is the number of its newest lease; `strikes` counts its rejections.

    `num` grows in the order of creation, and so along every dependency; `version` with every change of the task.
    `since` is when it came to its position; `last_holder` had its newest lease. `restored_until` is the end of the
    lease that its holder got at the end of the newest pause; `judgements` holds what each judgement is bound to, see
    judgements. `path_length` is that of the longest path of blocking work that begins with this task.
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
    path_length: int

    @property
    def definition(self) -> Process:
        return process_of(self.process)

    @property
    def round(self) -> int:
        """The number of times that the ended task was opened again: a new round asks every question anew."""
        return int(self.fields.get("round", 0))

    @property
    def holder(self) -> str:
        """The name of its holder for people; empty if nobody holds it."""
        return person(self.lease_owner or "")

    @property
    def place(self) -> str:
        """Its name as every interface understands it."""
        return rules_of(self.definition).name_in_group(self)

    @property
    def restored(self) -> bool:
        """Whether its holder got it back at the end of a pause, and has not renewed it since."""
        return self.lease_until is not None and self.lease_until == self.restored_until

    @property
    def terminal(self) -> bool:
        return self.outcome is not None


def digest_of(fields: Mapping[str, Any]) -> tuple[str, int]:
    """Return the SHA-256 of the fields of a task, and their length in bytes; equal fields have equal digests."""
    text = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    return hashlib.sha256(text).hexdigest(), len(text)


def value_digest(value: Any) -> str:
    """Return the SHA-256 of one field's value."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode(
        "utf-8", "replace"
    )
    return hashlib.sha256(text).hexdigest()


def task_of(row: DictRow) -> Task:
    """Build the task from a row of workflow_tasks."""
    outcome = row["outcome"]
    judgements = {
        key: {**_NO_JUDGEMENT, **entry} if isinstance(entry, dict) else dict(_NO_JUDGEMENT)
        for key, entry in row["judgements"].items()
    }
    return Task(**row | {"outcome": None if outcome is None else Outcome(outcome), "judgements": judgements})


# An entry that bypassed the engine counts as cleared.
_NO_JUDGEMENT: Mapping[str, Any] = {"by": "", "of": [], "digest": ""}
