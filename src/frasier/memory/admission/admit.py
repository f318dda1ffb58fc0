"""Saving through the gate: the memory, changes of similar ones, and the admission record, in one transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias
from uuid import UUID

from frasier.kernel.ids import new_id
from frasier.memory.access import Caller
from frasier.memory.admission.candidates import find_candidates
from frasier.memory.admission.save_gate import (
    Admission,
    ExistingMemory,
    GateAction,
    Related,
    decide,
    is_compared,
)
from frasier.memory.admission.versions import duplicate_of, held_memory
from frasier.memory.cache_invalidation import note_change
from frasier.memory.graph.extraction import asks_for_links, extract_links
from frasier.memory.graph.types import EdgeOrigin, Relation
from frasier.memory.sanitize import secrets_notice
from frasier.memory.save import replace_content, save_admitted
from frasier.memory.types import OCCASION, ImportanceTier, MemoryType, NewMemory
from frasier.memory.validation import PROVENANCE_CHARS_MAX, TAGS_MAX, TRIGGERS_MAX, admit
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.admission")

Owed: TypeAlias = Literal["pending", "none"]

_CHANGES_EXISTING = frozenset({GateAction.REINFORCED, GateAction.UPDATED, GateAction.SUPERSEDED})
_TRIES = 3
_EVIDENCE_CHARS = 200  # of an edge between memories that differ
_TIERS = list(ImportanceTier)  # highest first
_FACT_TYPES = [MemoryType.DECLARATIVE, MemoryType.SEMANTIC]


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """The result of saving a memory.

    `id` is the memory with the content: a new or an existing one; None if a dry run would have created one.
    `existing_id` is the memory that it was compared with, `related` are those it was linked to. `similarity` is 0 to 1.
    `embedding` is pending if a vector is still to be made.
    """

    id: UUID | None
    action: GateAction
    existing_id: UUID | None
    similarity: float
    contradiction: str
    reason: str
    related: tuple[UUID, ...]
    warnings: tuple[str, ...]
    embedding: Owed
    dry_run: bool


async def admit_and_save(
    tx: Tx, caller: Caller, new: NewMemory, *, gate: bool = True, dry_run: bool = False
) -> Saved:
    """Save `new` in one of the caller's scopes after comparing it with existing memories (see gate), and extract its
    links (see extract_links).

    Identical content of the same agent is one memory even without `gate`. Nothing is lost: the input is kept in the
    admission record, earlier content in versions, and a retired memory can be restored (reinstate). A `dry_run` reports
    what would happen and changes nothing. Raises NotAllowed for a foreign scope, InvalidInput as save_memory does.
    """
    caller.allow([new.scope])
    cleaned = admit(_signed(new, caller), founder=caller.founder)
    admission = await _decide(tx, caller, cleaned, gate=gate, lock=not dry_run)
    warnings = _warnings(cleaned, admission)
    if dry_run:
        there = (
            admission.existing if admission.action in {GateAction.REINFORCED, GateAction.UPDATED} else None
        )
        return _saved(there.id if there else None, admission, warnings, embedding="none", dry_run=True)
    memory_id = await _act(tx, caller, cleaned, admission)
    # An updated memory may lose links that its older wording had.
    if admission.action is GateAction.UPDATED or asks_for_links(title=cleaned.title, content=cleaned.content):
        await extract_links(tx, [memory_id])
    owed = await _record(tx, cleaned, memory_id, admission)
    return _saved(memory_id, admission, warnings, embedding="pending" if owed else "none")


def _signed(new: NewMemory, caller: Caller) -> NewMemory:
    """Record the author, because a later save may change only the author's own memories."""
    return replace(new, provenance={**new.provenance, "saved_by": caller.name})


async def _decide(tx: Tx, caller: Caller, new: NewMemory, *, gate: bool, lock: bool) -> Admission:
    """Return the verdict, with the memory that it changes locked and unchanged since the comparison."""
    for _ in range(_TRIES):
        candidates = await find_candidates(tx, new, nearest=gate and is_compared(new))
        admission = decide(new, candidates, author=caller.name, founder=caller.founder, gate=gate)
        old = admission.existing
        if old is not None and admission.action is GateAction.UPDATED:
            renewed = _renewed(new, await held_memory(tx, caller, old.id))
            if await duplicate_of(tx, old.id, renewed) is not None:
                return _kept_apart(old, admission)
        if not lock or old is None or admission.action not in _CHANGES_EXISTING:
            return admission
        if await _sql.maybe(tx, "lock_unchanged", id=old.id, version=old.version) is not None:
            return admission
    return Admission(
        action=GateAction.CREATED,
        reason="A similar memory is being changed by others; both are kept.",
    )


def _kept_apart(old: ExistingMemory, admission: Admission) -> Admission:
    """Return the verdict to link instead of an update after which two memories would be the same."""
    return replace(
        admission,
        action=GateAction.LINKED,
        reason="With the time and speaker of your own memory, it would be the same as another one; all are kept.",
        related=(Related(id=old.id, similarity=admission.similarity, relation=Relation.RESEMBLES),),
    )


async def _act(tx: Tx, caller: Caller, new: NewMemory, admission: Admission) -> UUID:
    """Carry out the verdict; return the id of the memory with the content."""
    old = admission.existing
    if old is not None and admission.action is GateAction.REINFORCED:
        await _sql.run(
            tx,
            "reinforce",
            id=old.id,
            importance=new.importance,
            tier=new.tier,
            valid_until=new.valid_until,
        )
        await note_change(tx, [new.scope])
        return old.id
    if old is not None and admission.action is GateAction.UPDATED:
        renewed = _renewed(new, await held_memory(tx, caller, old.id))
        await replace_content(tx, old.id, renewed, founder=caller.founder, reason=admission.reason)
        return old.id
    memory_id = await save_admitted(tx, new)
    related = admission.related
    if old is not None and admission.action is GateAction.SUPERSEDED:
        await _sql.run(
            tx, "retire", id=old.id, successor=memory_id, holds_from=new.valid_from, facts=_FACT_TYPES
        )
        related = (
            Related(
                id=old.id,
                similarity=admission.similarity,
                relation=Relation.SUPERSEDES,
                pair=admission.contradiction,
            ),
        )
    if related:
        await _draw_edges(tx, caller, memory_id, related)
    return memory_id


async def _draw_edges(tx: Tx, caller: Caller, memory_id: UUID, related: Sequence[Related]) -> None:
    """Link the memory, which is new and so has no descendants, to the related ones that still exist."""
    await _sql.run(
        tx,
        "draw_edges",
        ids=[new_id() for _ in related],
        source_id=memory_id,
        targets=[target.id for target in related],
        relations=[target.relation for target in related],
        strengths=[target.similarity for target in related],
        evidence=[target.pair or target.differing[:_EVIDENCE_CHARS] for target in related],
        origin=EdgeOrigin.GATE,
        created_by=caller.name,
    )


def _renewed(new: NewMemory, held: NewMemory) -> NewMemory:
    """Return `new` merged with the existing memory's labels, weight and circumstances."""
    window = new if new.valid_from or new.valid_until else held
    return replace(
        new,
        title=new.title or held.title,
        tags=_both(new.tags, held.tags)[:TAGS_MAX],
        triggers=_both(new.triggers, held.triggers)[:TRIGGERS_MAX],
        tier=min(new.tier, held.tier, key=_TIERS.index),
        importance=max(new.importance, held.importance),
        memory_type=new.memory_type or held.memory_type,
        provenance=_provenance(new, held),
        thread=held.thread,
        **{name: getattr(new, name) or getattr(held, name) for name in OCCASION},
        valid_from=window.valid_from,
        valid_until=window.valid_until,
    )


def _provenance(new: NewMemory, held: NewMemory) -> dict[str, Any]:
    """Return the merged provenance, or only that of `new` if it would be too large."""
    both = {**held.provenance, **new.provenance}
    return both if len(json.dumps(both)) <= PROVENANCE_CHARS_MAX else dict(new.provenance)


def _both(mine: Iterable[str], theirs: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*mine, *theirs)))


async def _record(tx: Tx, new: NewMemory, memory_id: UUID, admission: Admission) -> bool:
    """Record the verdict, unless nothing was similar; return whether a vector is still to be made."""
    if admission.action is GateAction.CREATED:
        return bool((await _sql.one(tx, "owes_vector", id=memory_id))["owed"])
    row = await _sql.one(
        tx,
        "record_admission",
        id=new_id(),
        action=admission.action,
        scope=new.scope,
        memory_id=memory_id,
        existing_id=admission.existing.id if admission.existing else None,
        similarity=admission.similarity,
        contradiction=admission.contradiction,
        reason=admission.reason,
        content=new.content,
    )
    return bool(row["owed"])


def _warnings(new: NewMemory, admission: Admission) -> tuple[str, ...]:
    warnings: list[str] = []
    if notice := secrets_notice(new.provenance.get("redacted_in", ())):
        warnings.append(notice)
    old = admission.existing
    if old is not None and admission.differing:
        differs = f"says nearly the same, but differs in {admission.differing}"
        warnings.append(f"Memory {old.id} {differs}. If it is outdated, correct it.")
    elif old is not None and admission.contradiction and admission.action is GateAction.LINKED:
        warnings.append(f"Memory {old.id} says the opposite. If one of the two is wrong, correct it.")
    elif (
        old is not None
        and admission.action is GateAction.REINFORCED
        and not set(new.triggers) <= set(old.triggers)
    ):
        warnings.append(f"The new trigger phrases were not added to memory {old.id}.")
    return tuple(warnings)


def _saved(
    memory_id: UUID | None,
    admission: Admission,
    warnings: tuple[str, ...],
    *,
    embedding: Owed,
    dry_run: bool = False,
) -> Saved:
    return Saved(
        id=memory_id,
        action=admission.action,
        existing_id=admission.existing.id if admission.existing else None,
        similarity=admission.similarity,
        contradiction=admission.contradiction,
        reason=admission.reason,
        related=tuple(related.id for related in admission.related),
        warnings=warnings,
        embedding=embedding,
        dry_run=dry_run,
    )
