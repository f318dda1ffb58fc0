"""A checkpoint of memories, and the limits of checkpoints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class RestoreMode(StrEnum):
    """Merge adds what is missing and leaves alone what is there; clear removes what is there first."""

    MERGE = "merge"
    CLEAR = "clear"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointRules:
    """Limits: how many are kept of one set of scopes, how large one may be, and how long an unused one stays."""

    most: int = 10
    """Of those that were asked for; as many more are made by the program itself, the oldest of which gives way."""

    bytes_max: int = 100 * 1024 * 1024
    unused_days: int = 30


RULES = CheckpointRules()


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """What the memories of `scopes` were at one time; `size_bytes` is what it takes, compressed.

    `counts` says how many of what it holds. `automatic`: made before something was removed. `partial`: holds only
    what was about to be deleted, so that it can be merged but nothing may be cleared for it.
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
    """What a restore did. `removed` and `added` are memories; `present` were there already, under their own id or
    as the same content; `withheld` are those that only the founder could bring back.

    `spared` were not cleared because only the founder could. `owed` vectors will be made anew. `safety` names the
    checkpoint that was made before anything was cleared. `gone` are the numbers of memories that are no more:
    whoever keeps vectors outside PostgreSQL deletes theirs after the commit.
    """

    name: str
    mode: RestoreMode
    removed: int
    added: int
    present: int
    withheld: int
    spared: int
    edges: int
    owed: int
    safety: str | None
    gone: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """What a deletion did: `count` memories, with everything that hung on them. Zero is no success.

    `spared` matched but can only be deleted by the founder. `checkpoint` names where they can be restored from.
    `gone` are their numbers: whoever keeps vectors outside PostgreSQL deletes theirs after the commit.
    """

    count: int
    spared: int = 0
    checkpoint: str | None = None
    gone: tuple[int, ...] = ()
