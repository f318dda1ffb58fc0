"""Corrections, outcomes, validations, and the learning records of tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from frasier.memory.learning.learning_index import Deltas, LearningBand, LearningTrend, Reading
from frasier.memory.types import ImportanceTier


class CorrectionType(StrEnum):
    """Type of a correction.

    Superseded and deprecated originals are no longer recalled; refined and merged ones still are, beside a memory
    that builds on them.
    """

    SUPERSEDED = "superseded"
    DEPRECATED = "deprecated"
    REFINED = "refined"
    MERGED = "merged"


class WorkOutcome(StrEnum):
    """WorkOutcome of work that used a memory, stated explicitly and never inferred."""

    ACCEPTED = "accepted"
    MODIFIED = "modified"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A recorded correction. `applied` is False if it was recorded without effect.

    That is so if corrections do not penalise, and for binding memories. `repeated` is True if the same correction
    existed already and is returned unchanged. `replacement_id` is None if there is no replacement, if it was
    deleted since, or if it belongs to a scope that the caller does not read.
    """

    id: UUID
    original_id: UUID
    replacement_id: UUID | None
    correction_type: CorrectionType
    reason: str
    corrected_by: str
    pattern: str
    created_at: datetime
    undone_at: datetime | None
    applied: bool
    repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionUndone:
    """The result of undoing. `tier` is the original's tier now; another correction may still deprecate it.

    `replacement_id` is the memory that replaced it, which undoing does not delete. `repeated` is True if the
    correction was undone before and nothing changed now.
    """

    correction_id: UUID
    original_id: UUID
    replacement_id: UUID | None
    tier: ImportanceTier
    repeated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionStats:
    """Numbers of corrections, undone ones included; `recent` were made within the last 7 days."""

    total: int
    undone: int
    recent: int
    by_type: Mapping[CorrectionType, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomesRecorded:
    """The confidence (0.05 to 1) of each memory afterwards.

    `exempt` are the binding memories, which use does not adjust.
    """

    confidence: Mapping[UUID, float]
    exempt: tuple[UUID, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """The confidence of a memory (0.05 to 1) after `count` validations.

    `ready` means that the founder may promote it to critical, `promoted` that this was done now, and `exempt`
    that it is binding already, so that no vote is counted.
    """

    memory_id: UUID
    confidence: float
    count: int
    tier: ImportanceTier
    ready: bool = False
    promoted: bool = False
    exempt: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskLearning:
    """The readings before a task and, once it is finished, after it. `index` is between -100 and 100."""

    scope: str
    task_key: str
    session_id: str | None
    before: Reading
    after: Reading | None
    deltas: Deltas | None
    index: float | None
    band: LearningBand | None
    knowledge_gaps: tuple[str, ...]
    gaps_closed: tuple[str, ...]
    new_gaps: tuple[str, ...]
    started_at: datetime
    completed_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningHistory:
    """Learning records, latest first, and the averages of all finished ones that match.

    The averages cover more than the returned records; they are None if no task is finished.
    """

    records: tuple[TaskLearning, ...]
    started: int
    completed: int
    average_deltas: Deltas | None
    average_index: float | None
    trend: LearningTrend | None
