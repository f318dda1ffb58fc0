"""A recall: what is asked, and what is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from frasier.memory.forgetting import MemoryState, Worth
from frasier.memory.recalling.fusion import Arm
from frasier.memory.recalling.intents import Intent
from frasier.memory.recalling.stopwatch import Stage
from frasier.memory.types import Memory, MemoryKind


class Detail(StrEnum):
    """How much of each memory is given: at most about 100, 200 or 400 tokens, or all of it."""

    MINIMAL = "minimal"
    COMPACT = "compact"
    STANDARD = "standard"
    FULL = "full"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """What to look for. `text` is data: no character of it has a meaning of its own.

    Without `scopes` all of the caller's are searched, without `kinds` every kind but markers and conversation.
    With `concepts` (2 to 5) a memory must match each of them. `as_of` looks at facts as they held then.
    In a `session` nothing is given twice, unless `repeat`. `anchors` ask for those sections of a memory only.
    `max_tokens` bounds the whole answer. Reading changes nothing but when a memory was last shown, which keeps it
    from the archive and moves no ranking; `track` turns that off.
    """

    text: str = ""
    concepts: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    kinds: frozenset[MemoryKind] | None = None
    agent_id: UUID | None = None
    limit: int = 10
    as_of: datetime | None = None
    intent: Intent | None = None
    session: str | None = None
    repeat: bool = False
    detail: Detail = Detail.STANDARD
    anchors: tuple[str, ...] = ()
    max_tokens: int | None = None
    min_state: MemoryState = MemoryState.DORMANT
    binding: bool = True
    rerank: bool = True
    cached: bool = True
    track: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """What of a memory is handed over. `tokens` counts `text`; `original_tokens` the whole content."""

    text: str
    tokens: int
    original_tokens: int
    anchors_found: tuple[str, ...] = ()
    anchors_missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallHit:
    """A memory that was found, and why.

    `score` is what it was ranked by: `relevance` (0 to 1, how well it matches) times `worth` (what it is like).
    `ranks` gives its place in each arm that found it, `reason` the same for a person. `without_vector` where its vector
    is still to be made: then its words alone speak for it.
    """

    memory: Memory
    rank: int
    score: float
    relevance: float
    worth: Worth
    state: MemoryState
    ranks: Mapping[Arm, int]
    reason: str
    delivered: Delivered
    without_vector: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Stub:
    """A memory that matches and was given in this session already."""

    memory_id: UUID
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was found, best first.

    `binding` holds what the founder directed and what is constitutional, whatever was asked. `degraded` says why
    an arm could not look, in words; it is empty where all did. `tokens` is the size of everything handed over,
    `tokens_saved` of what the session had already and was really withheld. `left_out` is above 0
    where the budget had no room for the next match. `without_vector` counts the memories of the searched scopes whose
    vector is still to be made (among the first 5,000 owed). `took_ms` tells where the time of the ranking went;
    it is empty where the ranking was cached.
    """

    hits: tuple[RecallHit, ...]
    binding: tuple[Memory, ...] = ()
    seen: tuple[Stub, ...] = ()
    intent: Intent | None = None
    degraded: str = ""
    hints: tuple[str, ...] = ()
    arms: Mapping[Arm, int] = field(default_factory=dict)
    tokens: int = 0
    tokens_saved: int = 0
    left_out: int = 0
    cache_hit: bool = False
    reranked: bool = False
    without_vector: int = 0
    took_ms: Mapping[Stage, float] = field(default_factory=dict)
