"""Versions of a memory and admission records, with the reversal of updates and retirements."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from frasier.kernel.errors import InvalidInput, NotFound, Stale
from frasier.kernel.humanize import person
from frasier.memory.access import Caller
from frasier.memory.admission.save_gate import GateAction
from frasier.memory.cache_invalidation import note_change
from frasier.memory.graph.link import link_memories, unlink_memories
from frasier.memory.graph.types import EdgeOrigin, Relation
from frasier.memory.ownership import require_own
from frasier.memory.sanitize import cleaned
from frasier.memory.save import identity_hash, replace_content
from frasier.memory.types import NewMemory, TypeSource
from frasier.memory.validation import is_binding
from frasier.store import Statements, Tx, from_row

_sql = Statements("frasier.memory.admission")

_LISTED_MAX = 100
_VERSION_MAX = 2**31 - 1  # what the column holds


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """The content of a memory until `replaced_at`, and the reason for its replacement."""

    version: int
    title: str
    content: str
    tags: tuple[str, ...]
    triggers: tuple[str, ...]
    reason: str
    replaced_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionRecord:
    """A past verdict of the gate on `content`: the memory that has it now, and the one it was compared with."""

    id: UUID
    action: GateAction
    memory_id: UUID | None
    existing_id: UUID | None
    similarity: float
    contradiction: str
    reason: str
    content: str
    created_at: datetime


async def held_memory(tx: Tx, caller: Caller, memory_id: UUID) -> NewMemory:
    """Return a memory in the form of a NewMemory; raise NotFound (E080) outside the caller's scopes."""
    row = await _sql.maybe(tx, "held_item", id=memory_id, scopes=list(caller.scopes))
    if row is None:
        raise _not_found(memory_id)
    held = from_row(NewMemory, row | {"keep_secrets": bool(row["provenance"].get("secrets_kept"))})
    return held if row["type_source"] == TypeSource.EXPLICIT else replace(held, memory_type=None)


async def lock_memory(tx: Tx, memory_id: UUID) -> None:
    """Lock a memory against changes until the transaction ends."""
    await _sql.maybe(tx, "lock_version", id=memory_id)


async def refuse_other_version(tx: Tx, memory_id: UUID, expected: int) -> None:
    """Lock a memory against changes; raise Stale if it is not at the expected version."""
    row = await _sql.maybe(tx, "lock_version", id=memory_id)
    if row is not None and row["version"] != expected:
        raise Stale(
            f"The memory is at version {row['version']}, not {expected}.",
            kept="It says what it said.",
            hint="Read it again, and decide anew.",
        )


async def versions_of(tx: Tx, caller: Caller, memory_id: UUID) -> list[Version]:
    """Return the earlier versions of the memory, the latest first, at most a hundred; raise NotFound (E080)."""
    await held_memory(tx, caller, memory_id)
    return await _sql.all_as(Version, tx, "versions_of", memory_id=memory_id, limit=_LISTED_MAX)


async def admissions_of(tx: Tx, caller: Caller, memory_id: UUID) -> list[AdmissionRecord]:
    """Return the gate's verdicts that concern a memory, the latest first; raise NotFound (E080)."""
    await held_memory(tx, caller, memory_id)
    return await _sql.all_as(
        AdmissionRecord,
        tx,
        "admissions_of",
        memory_id=memory_id,
        scopes=list(caller.scopes),
        limit=_LISTED_MAX,
    )


async def revert_to_version(tx: Tx, caller: Caller, memory_id: UUID, version: int) -> int:
    """Restore the content of an earlier version; return the new version. The current content is kept as a version.

    Raises NotFound for an unknown memory or version (E080), NotAllowed if the memory is somebody else's or binding and
    the caller is not the founder, InvalidInput (E084) if another memory has exactly that content by now.
    """
    held = await held_memory(tx, caller, memory_id)
    if is_binding(held.kind, held.tier):
        caller.require_founder("change a binding memory")
    require_own(caller, held.provenance, "change")
    row = None
    if 1 <= version <= _VERSION_MAX:
        row = await _sql.maybe(tx, "read_version", memory_id=memory_id, version=version)
    if row is None:
        raise NotFound(
            f"Memory {memory_id} has no version {version}.",
            number="E080",
            kept="The memory is unchanged.",
            hint="List its versions first.",
        )
    memory = replace(
        held,
        title=row["title"],
        content=row["content"],
        tags=tuple(row["tags"]),
        triggers=tuple(row["triggers"]),
    )
    await refuse_duplicate(tx, memory_id, memory)
    reason = f"Reverted to version {version} by {person(caller.name)}."
    return await replace_content(
        tx, memory_id, memory, founder=caller.founder, reason=reason, changed_by=caller.name
    )


async def reinstate(tx: Tx, caller: Caller, memory_id: UUID) -> bool:
    """Restore a memory that the gate retired; return whether it is linked to the memory that had replaced it.

    Both stay, linked as contradicting each other, unless the other one was deleted or unlinked since.

    Raises NotFound (E080), InvalidInput if it was not retired (E030) or its content was saved again since (E084).
    """
    held = await _sql.maybe(tx, "lock_retired", id=memory_id, scopes=list(caller.scopes))
    if held is None:
        raise _not_found(memory_id)
    if held["retired"] is None:
        raise InvalidInput(
            f"Memory {memory_id} was not retired by another one.",
            number="E030",
            kept="Nothing was changed.",
            hint="To reverse a correction, undo the correction.",
        )
    await refuse_duplicate(tx, memory_id, await held_memory(tx, caller, memory_id))
    successor = UUID(held["retired"]["for"])
    await _sql.run(tx, "reinstate", id=memory_id)
    edge = await _sql.maybe(tx, "successor_edge", source_id=successor, target_id=memory_id)
    if edge is not None:
        await unlink_memories(tx, caller, edge["id"])
        await link_memories(tx, caller, successor, memory_id, Relation.CONTRADICTS, origin=EdgeOrigin.GATE)
    await note_change(tx, [held["scope"]])
    return edge is not None


async def refuse_duplicate(tx: Tx, memory_id: UUID, memory: NewMemory) -> None:
    """Raise InvalidInput (E084) if there is a duplicate of what the memory would be."""
    if (duplicate_id := await duplicate_of(tx, memory_id, memory)) is not None:
        raise InvalidInput(
            f"Memory {duplicate_id} already has exactly this content.",
            number="E084",
            kept="Nothing was changed.",
            hint="Use that memory.",
        )


async def duplicate_of(tx: Tx, memory_id: UUID, memory: NewMemory) -> UUID | None:
    """Return another memory with the same content, occasion, kind and agent: the schema allows only one."""
    content, _ = cleaned(memory.content, keep_secrets=memory.keep_secrets)  # as it would be stored
    duplicates = await _sql.all(
        tx,
        "same_content",
        content_hash=identity_hash(replace(memory, content=content)),
        scopes=[memory.scope],
        except_id=memory_id,
    )
    return next(
        (
            row["id"]
            for row in duplicates
            if row["kind"] == memory.kind and row["agent_id"] == memory.agent_id
        ),
        None,
    )


def _not_found(memory_id: UUID) -> NotFound:
    return NotFound(
        f"There is no memory {memory_id}.", number="E080", hint="Search for it, and use the id shown."
    )
