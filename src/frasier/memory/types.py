"""The values of this slice: memories, queries and results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from frasier.kernel.errors import InvalidInput
from frasier.kernel.utc import in_utc


class MemoryKind(StrEnum):
    """The kind of a memory. Markers and conversation are recalled only on request."""

    LESSON = "lesson"
    DIRECTIVE = "directive"
    TASK = "task"
    MARKER = "marker"
    CONVERSATION = "conversation"
    APPROACH = "approach"
    DECISION = "decision"
    PASSAGE = "passage"
    OBSERVATION = "observation"


REPEATABLE = frozenset({MemoryKind.CONVERSATION, MemoryKind.MARKER, MemoryKind.PASSAGE})
"""Records of a moment, and parts of a document: the same content again is another memory."""


ASKED_FOR = frozenset({MemoryKind.MARKER, MemoryKind.CONVERSATION})
"""The kinds that a recall returns only where it names them."""


class ImportanceTier(StrEnum):
    """The tier of a memory, the most binding first. Temporary ones expire; deprecated ones are never recalled."""

    CONSTITUTIONAL = "constitutional"
    CRITICAL = "critical"
    IMPORTANT = "important"
    NORMAL = "normal"
    TEMPORARY = "temporary"
    DEPRECATED = "deprecated"


class MemoryType(StrEnum):
    """The sort of knowledge in a memory, which determines how fast it fades (see forgetting)."""

    WORKING = "working"
    EPISODIC = "episodic"
    PROSPECTIVE = "prospective"
    IMPLICIT = "implicit"
    DECLARATIVE = "declarative"
    PROCEDURAL = "procedural"
    SEMANTIC = "semantic"
    AUTOBIOGRAPHICAL = "autobiographical"
    META_COGNITIVE = "meta-cognitive"


class TypeSource(StrEnum):
    """The source of a memory's type, the most reliable first."""

    EXPLICIT = "explicit"
    PATH = "path"
    TIER = "tier"
    KEYWORDS = "keywords"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryAttributes:
    """The attributes of a memory that its author gives: the one declaration for saving, comparing and reading.

    `importance` is 1 to 10; `provenance` records its origin (small, JSON). `thread` names the conversation or document
    that the memory is part of, in the order of saving; `speaker` and `occurred_at` are searched like words of the
    content. A fact holds from `valid_from` until `valid_until`. `triggers` are phrases that recall the memory when a
    prompt contains one.
    """

    kind: MemoryKind
    scope: str
    content: str
    title: str = ""
    tags: tuple[str, ...] = ()
    tier: ImportanceTier = ImportanceTier.NORMAL
    importance: int = 5
    agent_id: UUID | None = None
    task_id: UUID | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)
    memory_type: MemoryType | None = None
    triggers: tuple[str, ...] = ()
    thread: str | None = None
    speaker: str | None = None
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None


LABEL_CHARS_MAX = {"thread": 200, "speaker": 100}
"""The attributes that are names, which are stored on one line, with their maximum length."""

OCCASION = ("occurred_at", "speaker")
"""The attributes of what was said once: memories that differ in one of them are not the same."""

VALIDITY = ("valid_from", "valid_until")


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A time from `since` to before `before`; None on a side is no limit.

    A memory is of the time when it happened (`occurred_at`), or else of the time when it was saved.
    """

    since: datetime | None = None
    before: datetime | None = None

    def __post_init__(self) -> None:
        if self.since and self.before and in_utc(self.since) >= in_utc(self.before):
            raise InvalidInput(
                f"No time is from {self.since:%Y-%m-%d %H:%M} on and before {self.before:%Y-%m-%d %H:%M}.",
                number="E032",
                hint="Give the end of a day as the beginning of the next one.",
            )

    def tstzrange(self) -> str | None:
        """Return the period as a range of PostgreSQL, or None if it has no limits."""
        if self.since is None and self.before is None:
            return None
        since, before = (in_utc(moment).isoformat() if moment else "" for moment in (self.since, self.before))
        return f"[{since},{before})"


ALL_TIME = Period()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory(MemoryAttributes):
    """A memory to save. Without a `memory_type` it is inferred. Possible secrets are removed unless `keep_secrets`."""

    keep_secrets: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory(MemoryAttributes):
    """A saved memory. `access_count` is how often the same content was saved again."""

    id: UUID
    memory_type: MemoryType
    provenance: dict[str, Any]
    access_count: int
    last_seen_at: datetime
    created_at: datetime
    expires_at: datetime | None
    type_source: TypeSource
    type_confidence: float
    version: int
    archived_at: datetime | None
    file_id: UUID | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A lexical search: text, scopes and filters. `text` is data: no character of it has a special meaning.

    `kinds` of None means every kind but markers and conversation. `agent_id` narrows to what that agent saved.
    """

    text: str
    scopes: tuple[str, ...]
    kinds: frozenset[MemoryKind] | None = None
    limit: int = 10
    agent_id: UUID | None = None
    include_markers: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """A matching memory: `rank` counts from 1, `reasons` are the words of the query that it holds."""

    memory: Memory
    score: float
    rank: int
    reasons: tuple[str, ...]
