"""The values of this slice: memories, queries and results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID


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
class NewMemory:
    """A memory to save. `importance` is 1 to 10; `provenance` records its origin (small, JSON).

    Without a `memory_type` it is inferred. `thread` names the conversation or document that the memory is part
    of, in the order of saving; `speaker` and `occurred_at` are searched like words of the content. A fact holds
    from `valid_from` until `valid_until`. `triggers` are phrases that recall the memory when a prompt contains one.
    Possible secrets are removed unless `keep_secrets`.
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
    keep_secrets: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A saved memory. `access_count` is how often the same content was saved again."""

    id: UUID
    kind: MemoryKind
    scope: str
    title: str
    content: str
    tags: tuple[str, ...]
    tier: ImportanceTier
    importance: int
    agent_id: UUID | None
    task_id: UUID | None
    provenance: dict[str, Any]
    access_count: int
    last_seen_at: datetime
    created_at: datetime
    expires_at: datetime | None
    memory_type: MemoryType
    type_source: TypeSource
    type_confidence: float
    triggers: tuple[str, ...]
    thread: str | None
    speaker: str | None
    occurred_at: datetime | None
    valid_from: datetime | None
    valid_until: datetime | None
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
