"""The request and the answer of a recall."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from frasier.memory.forgetting.ranking_boost import RankingBoost
from frasier.memory.forgetting.states import MemoryState
from frasier.memory.recall.fusion import Arm
from frasier.memory.recall.intents import Intent
from frasier.memory.recall.stage_timings import Stage
from frasier.memory.types import Memory, MemoryKind


class Detail(StrEnum):
    """The detail of each hit: at most about 100, 200 or 400 tokens, or the whole memory."""

    MINIMAL = "minimal"
    COMPACT = "compact"
    STANDARD = "standard"
    FULL = "full"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """A request for memories. `text` is data: no character of it has a special meaning.

    Without `scopes` all of the caller's are searched, without `kinds` every kind but markers and conversation.
    With `concepts` (2 to 5) a memory must match each of them. `as_of` searches facts as they held then,
    also those that others replaced since. `occurred_from` and `occurred_before` search what happened from then on and
    before then (see Period).
    In a `session` nothing is sent twice, unless `repeat`. `anchors` request those sections of a memory only.
    `max_tokens` bounds the whole answer. `min_similarity` leaves out what is less similar (see RecallHit), so that
    nothing is found where nothing fits; what was not compared stays. Reading records only when a memory was last shown,
    which delays its archiving and does not affect ranking; `track` off disables that.
    """

    text: str = ""
    concepts: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    kinds: frozenset[MemoryKind] | None = None
    agent_id: UUID | None = None
    limit: int = 10
    as_of: datetime | None = None
    occurred_from: datetime | None = None
    occurred_before: datetime | None = None
    intent: Intent | None = None
    session: str | None = None
    repeat: bool = False
    detail: Detail = Detail.STANDARD
    anchors: tuple[str, ...] = ()
    max_tokens: int | None = None
    min_state: MemoryState = MemoryState.DORMANT
    min_similarity: float | None = None
    binding: bool = True
    rerank: bool = True
    cached: bool = True
    track: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """The rendered text of a memory. `tokens` counts `text`; `original_tokens` the whole content."""

    text: str
    tokens: int
    original_tokens: int
    anchors_found: tuple[str, ...] = ()
    anchors_missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallHit:
    """A memory that matches, and why.

    `score` determines the ranking: `relevance` (0 to 1, how well it matches, compared with the other hits) times
    `boost` (its own properties). `cosine` is that of its vector and the query's. `similarity` is how well it matches by
    itself, whatever else was found: the mean of the best match of each word of the query among its words (late
    interaction), or the cosine if the encoder has no token states; both -1 to 1, None if not compared.
    `ranks` holds its rank in each arm that found it, `reason` an explanation for people. `without_vector` if its vector
    is still to be made, so that it was matched by words only. `newer_id` is a later memory that contradicts it or says
    nearly the same with another value, and `newer_note` tells which of these.
    """

    memory: Memory
    rank: int
    score: float
    relevance: float
    boost: RankingBoost
    state: MemoryState
    ranks: Mapping[Arm, int]
    reason: str
    delivered: Delivered
    without_vector: bool = False
    cosine: float | None = None
    similarity: float | None = None
    newer_id: UUID | None = None
    newer_note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stub:
    """A memory that matches but was already sent in this session."""

    memory_id: UUID
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallAnswer:
    """The answer to a recall, best hit first.

    `binding` holds the founder's directives and constitutional memories, whatever the query. `degraded` says in words
    why an arm could not search; empty if all did. `tokens` is the size of the delivered texts and notes, `tokens_saved`
    that of those withheld because the session had them. `left_out` is above 0 if the budget had no room for the next
    match. `without_vector` counts the memories of the searched scopes whose vector is still to be made, up to a limit.
    `took_ms` is the time of the ranking by stage; empty if the ranking was cached.
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
