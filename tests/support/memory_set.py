"""A few memories in a scope of their own, and checks of their stored state."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from frasier.kernel.ids import new_id
from frasier.memory import (
    ImportanceTier,
    MemoryKind,
    NewMemory,
    Query,
    agent_scope,
    recall_by_words,
    save_memory,
)
from frasier.memory.access import Caller
from frasier.memory.learning.corrections import correct_memory
from frasier.memory.learning.types import Correction, CorrectionType, CorrectionUndone
from frasier.memory.learning.undo import undo_correction
from frasier.memory.strength.adjustments import strength_of
from frasier.memory.types import MemoryType
from frasier.store import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySet:
    """The memories; each act is its own transaction."""

    db: Database
    scope: str = field(default_factory=lambda: agent_scope(new_id()))

    @property
    def agent(self) -> Caller:
        return Caller(name="agent", scopes=(self.scope,))

    @property
    def founder(self) -> Caller:
        return Caller(name="founder", scopes=(self.scope,), founder=True)

    def new(self, content: str, **fields: Any) -> NewMemory:
        given = {"kind": MemoryKind.OBSERVATION, "scope": self.scope, "content": content}
        return NewMemory(**given | fields)

    async def add(self, content: str, **fields: Any) -> UUID:
        async with self.db.transaction() as tx:
            return await save_memory(tx, self.new(content, **fields), founder=True)

    async def fact(self, content: str, **fields: Any) -> UUID:
        return await self.add(content, memory_type=MemoryType.SEMANTIC, **fields)

    async def correct(
        self, original: UUID, kind: str, replacement: UUID | NewMemory | None = None, **fields: Any
    ) -> Correction:
        given = {"reason": "it was wrong"} | fields
        given["replacement" if isinstance(replacement, NewMemory) else "replacement_id"] = replacement
        caller = given.pop("caller", self.agent)
        async with self.db.transaction() as tx:
            return await correct_memory(tx, caller, original, CorrectionType(kind), **given)

    async def undo(self, correction: UUID, caller: Caller | None = None) -> CorrectionUndone:
        async with self.db.transaction() as tx:
            return await undo_correction(tx, caller or self.agent, correction)

    async def sql(self, statement: str, *parameters: object) -> list[dict[str, Any]]:
        async with self.db.transaction() as tx:
            cursor = await tx.execute(statement, parameters)
            return await cursor.fetchall() if cursor.description else []

    async def state(self, memory: UUID) -> dict[str, Any]:
        """Return every attribute of a memory that learning may change, except the edges."""
        [row] = await self.sql("select tier, valid_until, expires_at from memory_items where id = %s", memory)
        async with self.db.transaction() as tx:
            strength = await strength_of(tx, memory)
        return row | {
            "stability": strength.stability,
            "confidence": strength.confidence,
            "validations": strength.validations,
        }

    async def tier(self, memory: UUID) -> ImportanceTier:
        return ImportanceTier((await self.state(memory))["tier"])

    async def edges(self) -> set[tuple[UUID, str, UUID, str]]:
        rows = await self.sql(
            "select source_id, relation, target_id, origin from memory_edges"
            " where source_id in (select id from memory_items where scope = %s)",
            self.scope,
        )
        return {(row["source_id"], row["relation"], row["target_id"], row["origin"]) for row in rows}

    async def found(self, text: str) -> set[UUID]:
        async with self.db.transaction() as tx:
            hits = await recall_by_words(tx, Query(text=text, scopes=(self.scope,)))
        return {hit.memory.id for hit in hits}
