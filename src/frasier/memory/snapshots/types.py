"""Checkpoints of memories, their limits, and the results of restoring and deleting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class RestoreMode(StrEnum):
    """Mode of a restore: merge adds missing memories and keeps existing ones; clear deletes existing ones first."""

    MERGE = "merge"
    CLEAR = "clear"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointRules:
    """Limits of the checkpoints of one set of scopes: number, size in bytes, and days until an unused one expires."""

    count_max: int = 10
    """Limit of the named checkpoints. The same limit applies to automatic ones, of which the oldest is replaced."""

    bytes_max: int = 100 * 1024 * 1024
    unused_days: int = 30


RULES = CheckpointRules()


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """The memories of `scopes` at one time; `size_bytes` is the compressed size.

    `counts` gives the number of rows by kind. `automatic` means made before a deletion. `partial` means that it holds
    only memories about to be deleted, so that it can be merged but not restored with CLEAR.
    """

    id: UUID
    name: str
    scopes: tuple[str, ...]
    made_by: str
    counts: Mapping[str, int]
    automatic: bool
    partial: bool
    size_bytes: int
    created_at: datetime
    used_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """The result of a restore. `removed`, `added`, `present`, `withheld` and `spared` count memories.

    `present` existed already, under their own id or with the same content, and stay as they are: `changed` of them say
    something else than the checkpoint; `withheld` could be restored by the
    founder only; `spared` were not cleared because the caller may not delete them. `owed` counts vectors that will be
    recomputed. `safety` names the automatic checkpoint made before clearing. `gone` are the numbers of memories that
    no longer exist: vector stores outside PostgreSQL delete theirs after the commit.
    """

    name: str
    mode: RestoreMode
    removed: int
    added: int
    present: int
    changed: int
    withheld: int
    spared: int
    edges: int
    owed: int
    safety: str | None
    gone: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """The result of a deletion: the number of deleted memories. Zero does not count as success.

    `spared` memories matched, but the caller may not delete them. `checkpoint` names the checkpoint from which the
    deleted ones can be restored. `gone` are their numbers: vector stores outside PostgreSQL delete theirs after the
    commit. What can still bring them back: `files` are the paths of the files that they came from; of a final deletion,
    `held_in` names the earlier checkpoints of the caller's scopes with one of them, `held_elsewhere` counts the others.
    `retired` are the ids of memories that were retired for a deleted one, and still are.
    """

    count: int
    spared: int = 0
    checkpoint: str | None = None
    gone: tuple[int, ...] = ()
    files: tuple[str, ...] = ()
    held_in: tuple[str, ...] = ()
    held_elsewhere: int = 0
    retired: tuple[UUID, ...] = ()
