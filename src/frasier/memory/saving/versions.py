"""Taking back what saving did: earlier wordings, and memories that another one retired."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from frasier.kernel.errors import InvalidInput, NotFound
from frasier.memory.access import Caller
from frasier.memory.changes import note_change
from frasier.memory.cleaning import cleaned
from frasier.memory.graph import EdgeOrigin, Relation, link_memories, unlink_memories
from frasier.memory.intake import FOUNDERS_TIERS
from frasier.memory.save import replace_content
from frasier.memory.saving.candidates import content_hash
from frasier.memory.saving.gate import Action
from frasier.memory.types import ImportanceTier, MemoryKind, MemoryType, NewMemory, TypeSource
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.saving")

_SHOWN = 100
_VERSION_MAX = 2**31 - 1  # what the column holds


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """What a memory said until `replaced_at`, and why it no longer does."""

    version: int
    title: str
    content: str
    tags: tuple[str, ...]
    triggers: tuple[str, ...]
    reason: str
    replaced_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionRecord:
    """What the gate once made of `content`: which memory says it now, and which one it was compared with."""

    id: UUID
    action: Action
    memory_id: UUID | None
    existing_id: UUID | None
    similarity: float
    contradiction: str
    reason: str
    content: str
    created_at: datetime


async def held_memory(tx: Tx, caller: Caller, memory_id: UUID) -> NewMemory:
    """A memory as it would be given to be saved; raises NotFound (E080) outside of the caller's scopes."""
    row = await _sql.maybe(tx, "held_item", id=memory_id, scopes=list(caller.scopes))
    if row is None:
        raise _not_found(memory_id)
    explicit = row["type_source"] == TypeSource.EXPLICIT
    return NewMemory(
        kind=MemoryKind(row["kind"]),
        scope=row["scope"],
        content=row["content"],
        title=row["title"],
        tags=tuple(row["tags"]),
        triggers=tuple(row["triggers"]),
        tier=ImportanceTier(row["tier"]),
        importance=row["importance"],
        agent_id=row["agent_id"],
        provenance=row["provenance"],
        memory_type=MemoryType(row["memory_type"]) if explicit else None,
        thread=row["thread"],
        speaker=row["speaker"],
        occurred_at=row["occurred_at"],
        valid_from=row["valid_from"],
        valid_until=row["valid_until"],
        keep_secrets=bool(row["provenance"].get("secrets_kept")),
    )


async def versions_of(tx: Tx, caller: Caller, memory_id: UUID) -> list[Version]:
    """What the memory said before, the latest first, at most a hundred; raises NotFound (E080)."""
    await held_memory(tx, caller, memory_id)
    return [
        Version(
            version=row["version"],
            title=row["title"],
            content=row["content"],
            tags=tuple(row["tags"]),
            triggers=tuple(row["triggers"]),
            reason=row["reason"],
            replaced_at=row["replaced_at"],
        )
        for row in await _sql.all(tx, "versions_of", memory_id=memory_id, limit=_SHOWN)
    ]


async def admissions_of(tx: Tx, caller: Caller, memory_id: UUID) -> list[AdmissionRecord]:
    """What the gate made of whatever was said about a memory, the latest first; raises NotFound (E080)."""
    await held_memory(tx, caller, memory_id)
    rows = await _sql.all(tx, "admissions_of", memory_id=memory_id, scopes=list(caller.scopes), limit=_SHOWN)
    return [AdmissionRecord(**row | {"action": Action(row["action"])}) for row in rows]


async def revert_to_version(tx: Tx, caller: Caller, memory_id: UUID, version: int) -> int:
    """Lets a memory say again what it said then, and returns its new version; what it says now is kept as one.

    Raises NotFound for an unknown memory or version (E080), NotAllowed where it binds everybody and the caller is
    not the founder, InvalidInput (E084) where another memory says exactly that by now.
    """
    held = await held_memory(tx, caller, memory_id)
    if held.kind is MemoryKind.DIRECTIVE or held.tier in FOUNDERS_TIERS:
        caller.require_founder("change what binds everybody")
    row = None
    if 1 <= version <= _VERSION_MAX:
        row = await _sql.maybe(tx, "read_version", memory_id=memory_id, version=version)
    if row is None:
        raise NotFound(
            f"Memory {memory_id} has no version {version}.",
            number="E080",
            kept="It says what it said.",
            hint="Its versions can be listed.",
        )
    said = replace(
        held,
        title=row["title"],
        content=row["content"],
        tags=tuple(row["tags"]),
        triggers=tuple(row["triggers"]),
    )
    await refuse_a_twin(tx, memory_id, said)
    reason = f"Taken back to version {version} by {caller.name}."
    return await replace_content(tx, memory_id, said, founder=caller.founder, reason=reason)


async def reinstate(tx: Tx, caller: Caller, memory_id: UUID) -> None:
    """Gives back a memory that the gate retired, as it was; both stay, linked as contradicting each other.

    Raises NotFound (E080), InvalidInput where nothing retired it (E030) or the same was saved again since (E084).
    """
    held = await _sql.maybe(tx, "lock_retired", id=memory_id, scopes=list(caller.scopes))
    if held is None:
        raise _not_found(memory_id)
    if held["retired"] is None:
        raise InvalidInput(
            f"Memory {memory_id} was not retired by another one.",
            number="E030",
            kept="Nothing was changed.",
            hint="What a correction did is taken back by undoing the correction.",
        )
    await refuse_a_twin(tx, memory_id, await held_memory(tx, caller, memory_id))
    successor = UUID(held["retired"]["for"])
    await _sql.run(tx, "reinstate", id=memory_id)
    edge = await _sql.maybe(tx, "successor_edge", source_id=successor, target_id=memory_id)
    if edge is not None:
        await unlink_memories(tx, caller, edge["id"])
        await link_memories(tx, caller, successor, memory_id, Relation.CONTRADICTS, origin=EdgeOrigin.GATE)
    await note_change(tx, [held["scope"]])


async def refuse_a_twin(tx: Tx, memory_id: UUID, said: NewMemory) -> None:
    """The schema holds two memories of one content, kind and agent for one."""
    content, _ = cleaned(said.content, keep_secrets=said.keep_secrets)  # as it would be stored
    twins = await _sql.all(
        tx, "same_content", content_hash=content_hash(content), scopes=[said.scope], except_id=memory_id
    )
    twin = next((row for row in twins if row["kind"] == said.kind and row["agent_id"] == said.agent_id), None)
    if twin is not None:
        raise InvalidInput(
            f"Memory {twin['id']} says exactly that by now.",
            number="E084",
            kept="Nothing was changed.",
            hint="Use that one.",
        )


def _not_found(memory_id: UUID) -> NotFound:
    return NotFound(
        f"There is no memory {memory_id}.", number="E080", hint="Search for it, and use the id that is shown."
    )
