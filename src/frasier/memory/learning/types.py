"""What is learned from use: corrections, outcomes, validations, and what a task taught."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from frasier.memory.learning.index import Deltas, LearningBand, LearningTrend, Reading
from frasier.memory.types import ImportanceTier


class CorrectionType(StrEnum):
    """What a correction says of the original.

    Superseded and deprecated take it out of every recall; refined and merged leave it, built upon by another.
    """

    SUPERSEDED = "superseded"
    DEPRECATED = "deprecated"
    REFINED = "refined"
    MERGED = "merged"


class Outcome(StrEnum):
    """What became of work that used a memory, said outright and never guessed."""

    ACCEPTED = "accepted"
    MODIFIED = "modified"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A correction as it is recorded. `applied` is False where it only stands in the record.

    That is so where corrections do not penalise, and for what binds everybody. `repeated` is True where the
    same correction was there already and is returned as it was. `replacement_id` is None where there is none,
    where it was deleted since, and where it belongs to a scope that the caller does not read.
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
    """What undoing left. `tier` is the original's now; it may still be deprecated by another correction.

    `replacement_id` is what was given as right: it is a memory of its own, which undoing leaves. `repeated` is True
    where the correction was undone before and nothing happened now.
    """

    correction_id: UUID
    original_id: UUID
    replacement_id: UUID | None
    tier: ImportanceTier
    repeated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionStats:
    """How many corrections there are, undone ones among them; `recent` were made within the last 7 days."""

    total: int
    undone: int
    recent: int
    by_type: Mapping[CorrectionType, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomesRecorded:
    """The confidence (0.05 to 1) of each memory afterwards.

    Those that are `exempt` bind everybody and are not weighed by use.
    """

    confidence: Mapping[UUID, float]
    exempt: tuple[UUID, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """How well a memory has proven itself: its confidence (0.05 to 1) after `count` validations.

    `ready` tells that the founder may promote it to critical, `promoted` that this was done now, `exempt`
    that it binds everybody already, so that no vote is counted.
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
    """What was known before a task and, once it is done, after it. `index` lies between -100 and 100."""

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
    """Records, the latest first, and what all finished ones that were asked for show on average.

    The averages go beyond the records that are returned; they are None where no task is finished.
    """

    records: tuple[TaskLearning, ...]
    started: int
    completed: int
    average_deltas: Deltas | None
    average_index: float | None
    trend: LearningTrend | None
