"""The output of a query; every field is always present."""

from __future__ import annotations

from typing import Self
from uuid import UUID

from frasier.interfaces.operations import Output
from frasier.interfaces.operations.memory.outputs import MemoryRecord
from frasier.memory import Arm, Intent, MemoryState, RecallAnswer, RecallHit, Stage

_MS_DIGITS = 2


class QueryHit(MemoryRecord):
    """A memory that was found, with the reason; `text` is the part of it that is delivered.

    `score` orders this answer; `similarity` (-1 to 1) means the same for every question, null if it was not compared.
    `newer_id` is a later memory that contradicts it or says nearly the same with another value: see `newer_note`.
    """

    rank: int
    text: str
    tokens: int
    original_tokens: int
    score: float
    relevance: float
    similarity: float | None
    state: MemoryState
    reason: str
    without_vector: bool
    newer_id: UUID | None
    newer_note: str

    @classmethod
    def of_hit(cls, hit: RecallHit) -> Self:
        """Convert a hit of a recall."""
        return cls.of(hit.delivered, hit, hit.memory, type=hit.memory.memory_type)


class BindingRecord(MemoryRecord):
    """A binding memory with its text."""

    text: str


class SeenMemory(Output):
    """A matching memory that was already sent in this session."""

    id: UUID
    title: str


class QueryOutput(Output):
    """The hits, the binding memories, and how the answer is incomplete."""

    hits: tuple[QueryHit, ...]
    binding: tuple[BindingRecord, ...]
    seen: tuple[SeenMemory, ...]
    intent: Intent | None
    arms: dict[Arm, int]
    tokens: int
    tokens_saved: int
    left_out: int
    reranked: bool
    without_vector: int
    took_ms: dict[Stage, float]

    @classmethod
    def of_answer(cls, answer: RecallAnswer) -> Self:
        """Convert the answer of the engine."""
        return cls.of(
            answer,
            hits=tuple(map(QueryHit.of_hit, answer.hits)),
            binding=tuple(
                BindingRecord.of(memory, type=memory.memory_type, text=memory.content)
                for memory in answer.binding
            ),
            seen=tuple(SeenMemory(id=stub.memory_id, title=stub.title) for stub in answer.seen),
            took_ms={stage: round(ms, _MS_DIGITS) for stage, ms in answer.took_ms.items()},
        )


def query_summary(answer: RecallAnswer) -> str:
    """Return a sentence with the number of results."""
    hits = f"{len(answer.hits)} found" if answer.hits else "Nothing found"
    return f"{hits}, {len(answer.binding)} binding." if answer.binding else f"{hits}."
