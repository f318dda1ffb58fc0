"""Memories as several operations answer with them: whole, found, or in a list with as few words as serve."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Self
from uuid import UUID

from pydantic import Field

from frasier.interfaces.operations import Output
from frasier.kernel.text import shorten
from frasier.memory import (
    Arm,
    Detail,
    ImportanceTier,
    Intent,
    Memory,
    MemoryKind,
    MemoryState,
    MemoryType,
    RecallAnswer,
    RecallHit,
    TypeSource,
)

_SNIPPET_CHARS = 200


class MemorySummary(Output):
    """A memory in a list: enough to choose by."""

    id: UUID
    title: str = ""
    snippet: str = ""
    kind: MemoryKind
    scope: str
    tier: ImportanceTier
    tags: tuple[str, ...] = ()
    created_at: datetime
    archived_at: datetime | None = None

    @classmethod
    def of_memory(cls, memory: Memory, **others: Any) -> Self:
        """Shorten the content of a memory to a snippet."""
        return cls.of(memory, snippet=shorten(" ".join(memory.content.split()), _SNIPPET_CHARS), **others)


class ListedMemory(MemorySummary):
    """A memory in a list; where the list was asked for whole memories, all that an author gave it, and who that is."""

    content: str = ""
    type: MemoryType | None = None
    importance: int | None = None
    triggers: tuple[str, ...] = ()
    thread: str | None = None
    speaker: str | None = None
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    version: int | None = None
    provenance: dict[str, Any] = Field(default_factory=dict)

    @property
    def saved_by(self) -> str:
        """The name of the author; empty if it has none."""
        return str(self.provenance.get("saved_by", ""))

    @classmethod
    def whole(cls, memory: Memory) -> Self:
        """Describe a memory with all of its text, which needs no snippet."""
        return cls.of(memory, type=memory.memory_type)

    @classmethod
    def short(cls, memory: Memory) -> Self:
        """Describe a memory with as much as a list shows."""
        return cls(**MemorySummary.of_memory(memory).model_dump())


class MemoryDetail(Output):
    """A memory with all that is known of it; `content` is what of its text is handed over."""

    id: UUID
    title: str = ""
    content: str = ""
    kind: MemoryKind
    scope: str
    tier: ImportanceTier
    importance: int
    type: MemoryType
    type_source: TypeSource
    tags: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    thread: str | None = None
    speaker: str | None = None
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    expires_at: datetime | None = None
    archived_at: datetime | None = None
    created_at: datetime
    last_seen_at: datetime
    version: int
    provenance: dict[str, Any] = Field(default_factory=dict)


class MemoryRecord(Output):
    """A memory as the HTTP API has it: every attribute is always there."""

    id: UUID
    title: str
    kind: MemoryKind
    scope: str
    tier: ImportanceTier
    type: MemoryType
    tags: tuple[str, ...]
    speaker: str | None
    occurred_at: datetime | None
    created_at: datetime


class NamedMemory(Output):
    """A memory by its name, so that nobody looks for it elsewhere."""

    id: UUID
    title: str = ""


class FoundMemory(Output):
    """A memory that was found, with its score and what found it; in full also how it ranks otherwise.

    `score` orders this answer; `similarity` (-1 to 1) means the same for every question, null if it was not compared.
    `newer_id` is a later memory that contradicts it or says nearly the same with another value: see `newer_note`.
    """

    id: UUID
    title: str = ""
    tier: ImportanceTier
    text: str = ""
    score: float
    similarity: float | None = None
    sources: dict[Arm, int] = Field(default_factory=dict)
    without_vector: bool = False
    newer_id: UUID | None = None
    newer_note: str = ""
    kind: MemoryKind | None = None
    scope: str | None = None
    state: MemoryState | None = None
    relevance: float | None = None
    reason: str = ""
    tags: tuple[str, ...] = ()
    speaker: str | None = None
    occurred_at: datetime | None = None
    valid_until: datetime | None = None
    created_at: datetime | None = None
    tokens: int | None = None
    original_tokens: int | None = None
    anchors_found: tuple[str, ...] = ()
    anchors_missing: tuple[str, ...] = ()

    @classmethod
    def of_hit(cls, hit: RecallHit, *, plain: bool) -> Self:
        """Describe a hit of a recall."""
        described = cls.of(hit.delivered, hit, hit.memory, sources=hit.ranks)
        return cls(**{name: getattr(described, name) for name in _PLAIN}) if plain else described


_PLAIN = (
    "id",
    "title",
    "tier",
    "text",
    "score",
    "similarity",
    "sources",
    "without_vector",
    "newer_id",
    "newer_note",
)


class RecallOutput(Output):
    """The hits of a recall with what the answer says about itself."""

    results: tuple[FoundMemory, ...]
    seen: tuple[NamedMemory, ...] = ()
    intent: Intent | None = None
    left_out: int = 0
    text_tokens: int
    tokens_saved: int = 0
    reranked: bool
    without_vector: int = 0

    @classmethod
    def of_answer(cls, answer: RecallAnswer, detail: Detail, *sources: object, **others: Any) -> Self:
        """Describe the answer of the engine; `sources` and `others` give the fields of a subclass, see of."""
        return cls.of(
            *sources,
            answer,
            results=[FoundMemory.of_hit(hit, plain=detail is Detail.MINIMAL) for hit in answer.hits],
            seen=[NamedMemory(id=stub.memory_id, title=stub.title) for stub in answer.seen],
            text_tokens=answer.tokens,
            **others,
        )


class WorkState(Output):
    """The state of the work of a session."""

    task: str = ""
    last_action: str = ""
    summary: str = ""
    pending_work: str = ""
    state: dict[str, Any] = Field(default_factory=dict)


def recall_summary(answer: RecallAnswer) -> str:
    """Tell in a sentence how much was found, and by what."""
    if not answer.hits:
        return "Nothing new was found." if answer.seen else "Nothing was found."
    by = ", ".join(arm.value for arm in answer.arms) or "time"
    known = f" {len(answer.seen)} more were given in this session before." if answer.seen else ""
    return f"{len(answer.hits)} found by {by}.{known}"
