"""Saving of memories: a memory, its postings and its provenance are committed with the caller's own writes."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from frasier.kernel.advice import Advice
from frasier.kernel.errors import NotAllowed, NotFound
from frasier.kernel.fault_points import fault_point
from frasier.kernel.ids import new_id
from frasier.kernel.utc import in_utc
from frasier.memory.ownership import with_changer
from frasier.memory.postings import TermKeys
from frasier.memory.sanitize import cleaned
from frasier.memory.scopes import FOUNDER_SCOPE, agent_scope
from frasier.memory.trigger_keys import trigger_key
from frasier.memory.type_inference import infer_type
from frasier.memory.types import (
    REPEATABLE,
    ImportanceTier,
    MemoryAttributes,
    MemoryKind,
    NewMemory,
)
from frasier.memory.validation import admit, admit_marker, is_binding
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory")

# The size of a batch, which is prepared without yielding to other tasks and sent as one parameter.
_BATCH = 500
_BATCH_CHARS = 1_000_000

# What a replacement leaves as it is, compares in another way, or derives from the other attributes.
_UNCOMPARED = {
    *("id", "file_id", "agent_id", "task_id", "provenance"),
    *("content_hash", "length", "term_keys", "type_source", "type_confidence"),
}

_Identity: TypeAlias = tuple[bytes, str, str, UUID | None]


async def save_memory(tx: Tx, new: NewMemory, *, founder: bool = False) -> UUID:
    """Save `new`, which can be found at once, and return its id.

    The same content again (same scope, kind, agent, time and speaker) only reinforces the existing memory, whose id is
    returned; conversation, markers and passages may repeat. Raises InvalidInput if a rule is broken, among them that
    only the `founder` writes directives, constitutional and critical memories.
    """
    return await save_admitted(tx, admit(new, founder=founder))


async def save_admitted(tx: Tx, admitted: NewMemory) -> UUID:
    """Do what save_memory does for a memory that `admit` returned."""
    return (await _save(tx, [admitted]))[0]


async def save_memories(tx: Tx, news: Sequence[NewMemory]) -> list[UUID]:
    """Do what save_memory does for each of `news`, in few statements; return the ids in the same order.

    One invalid memory refuses all. Batches are bounded, so that thousands of passages neither exhaust memory nor
    block the event loop.
    """
    admitted: list[NewMemory] = []
    for new in news:
        if len(admitted) % _BATCH == 0:
            await asyncio.sleep(0)
        admitted.append(admit(new, founder=False))
    return await _save(tx, admitted)


async def save_marker(
    tx: Tx, *, text: str, scope: str, task_id: UUID, agent_id: UUID | None, actor: str
) -> UUID:
    """Save the marker of a transition in the caller's transaction: one deferred INSERT.

    It can be found by its task and agent at once, and by its words once index_pending has run.
    """
    content, provenance = admit_marker(text, scope=scope, actor=actor)
    memory_id = new_id()
    _sql.defer(
        tx,
        "save_marker",
        id=memory_id,
        scope=scope,
        content=content,
        agent_id=agent_id,
        task_id=task_id,
        provenance=json.dumps(provenance),
        content_hash=content_hash(content),
    )
    return memory_id


async def save_directive(tx: Tx, content: str, *, provenance: Mapping[str, Any]) -> UUID:
    """Save a directive of the founder permanently. To be called on the founder's behalf only."""
    directive = NewMemory(
        kind=MemoryKind.DIRECTIVE,
        scope=FOUNDER_SCOPE,
        content=content,
        tier=ImportanceTier.CONSTITUTIONAL,
        importance=10,
        provenance=provenance,
    )
    return await save_memory(tx, directive, founder=True)


async def save_lesson(
    tx: Tx,
    *,
    agent_id: UUID,
    lesson: str,
    context: str,
    importance: int,
    tags: tuple[str, ...],
    provenance: Mapping[str, Any],
) -> UUID:
    """Save what an agent learned. `context` describes the situation; both can be searched."""
    new = NewMemory(
        kind=MemoryKind.LESSON,
        scope=agent_scope(agent_id),
        content=lesson,
        title=context,
        tags=tags,
        importance=importance,
        agent_id=agent_id,
        provenance={**provenance, "context": context},
    )
    return await save_memory(tx, new)


async def save_file_memory(tx: Tx, new: NewMemory, *, founder: bool, file_id: UUID) -> UUID:
    """Save the content of a file, and return the memory's id. Two files with the same content are two memories."""
    return (await _store(tx, [admit(new, founder=founder)], TermKeys(), file_id=file_id))[0]


async def replace_content(
    tx: Tx,
    memory_id: UUID,
    new: NewMemory,
    *,
    founder: bool = False,
    reason: str,
    changed_by: str = "",
    verbatim: frozenset[str] = frozenset(),
) -> int:
    """Replace the content of a memory by that of `new`, in place, and return its version.

    The old content is kept as a version with the `reason`; postings, triggers and vectors are made anew. The scope and
    kind stay. The same content changes nothing. The provenance names who changed it (`changed_by`) unless that is the
    author. Texts in `verbatim` are not searched for secrets. Raises NotFound, and InvalidInput as save_memory does.
    """
    current = await _sql.maybe(tx, "lock_item", id=memory_id)
    if current is None:
        raise NotFound(
            f"There is no memory {memory_id}.",
            number="E080",
            advice=Advice("memory.list", to="see which memories exist"),
        )
    _check_not_binding(current, founder=founder)
    admitted = replace(
        admit(
            replace(new, provenance=with_changer(new.provenance, changed_by)),
            founder=founder,
            verbatim=verbatim,
        ),
        scope=current["scope"],
        kind=MemoryKind(current["kind"]),
    )
    item = _item(memory_id, admitted, TermKeys())
    if _says_the_same(current, item):
        return int(current["version"])
    await _sql.run(tx, "keep_version", id=memory_id, reason=cleaned(reason, keep_secrets=new.keep_secrets)[0])
    await _sql.run(tx, "drop_postings", num=current["num"], term_keys=current["term_keys"])
    await _sql.run(tx, "drop_triggers", id=memory_id)
    await _sql.run(tx, "drop_vectors", num=current["num"])
    return int((await _sql.one(tx, "replace_item", items=Jsonb([item])))["version"])


async def archive_memory(tx: Tx, memory_id: UUID) -> bool:
    """Archive a memory, so that no recall finds it; return False if it was archived already. Directives stay."""
    return await _sql.maybe(tx, "archive_item", id=memory_id) is not None


async def archive_of_origin(tx: Tx, scope: str, origin: Mapping[str, str]) -> int:
    """Archive the memories of a scope whose provenance holds `origin`; return how many. Directives stay."""
    return len(await _sql.all(tx, "archive_of_origin", scope=scope, origin=Jsonb(dict(origin))))


def _check_not_binding(current: DictRow, *, founder: bool) -> None:
    if is_binding(current["kind"], current["tier"]) and not founder:
        raise NotAllowed(
            f"Only the founder can change a {current['tier']} memory.",
            kept="The memory is unchanged.",
            hint="Use the founder's credential.",
        )


def _says_the_same(current: DictRow, item: dict[str, Any]) -> bool:
    """Return whether nothing but the file's path or the changer would change: a moved file has the same content."""
    renewed = item["memory"]
    origins = [
        name
        for name in {*current["provenance"], *renewed["provenance"]}
        if name not in {"path", "changed_by"}
    ]
    return (
        current["archived_at"] is None
        and all(current["provenance"].get(name) == renewed["provenance"].get(name) for name in origins)
        and all(_to_json(current[name]) == renewed[name] for name in renewed.keys() - _UNCOMPARED)
    )


def _to_json(value: Any) -> Any:
    """Convert an attribute to JSON."""
    match value:
        case datetime():
            return in_utc(value).isoformat()
        case UUID():
            return str(value)
        case tuple():
            return list(value)
        case _:
            return value


async def _save(tx: Tx, admitted: Sequence[NewMemory]) -> list[UUID]:
    keys = TermKeys()
    ids = [memory_id for batch in _batches(admitted) for memory_id in await _store(tx, batch, keys)]
    fault_point("save.before_commit")
    return ids


def _batches(admitted: Sequence[NewMemory]) -> Iterator[list[NewMemory]]:
    """Split into batches, in order, never with the same memory twice: an upsert can change a row only once."""
    batch: list[NewMemory] = []
    seen: set[_Identity] = set()
    chars = 0
    for new in admitted:
        identity = _identity(new)
        full = len(batch) == _BATCH or chars > _BATCH_CHARS
        if full or (identity in seen and new.kind not in REPEATABLE):
            yield batch
            batch, seen, chars = [], set(), 0
        batch.append(new)
        seen.add(identity)
        chars += len(new.content)
    if batch:
        yield batch


async def _store(
    tx: Tx, batch: Sequence[NewMemory], keys: TermKeys, *, file_id: UUID | None = None
) -> list[UUID]:
    ids = [new_id() for _ in batch]
    items = [_item(memory_id, new, keys, file_id=file_id) for memory_id, new in zip(ids, batch, strict=True)]
    rows = await _sql.all(tx, "save_items", items=Jsonb(items))
    if file_id is not None:
        return ids
    stored = {(row["content_hash"], row["scope"], row["kind"], row["agent_id"]): row["id"] for row in rows}
    return [
        memory_id if new.kind in REPEATABLE else stored[_identity(new)]
        for memory_id, new in zip(ids, batch, strict=True)
    ]


def _item(memory_id: UUID, new: NewMemory, keys: TermKeys, *, file_id: UUID | None = None) -> dict[str, Any]:
    """Return one memory in the form that the statements read: its columns by name, and what other tables hold of it."""
    attributes = {field.name: getattr(new, field.name) for field in fields(MemoryAttributes)}
    postings = keys.postings(attributes)
    inferred = infer_type(new, path=str(new.provenance.get("path", "")))
    columns = attributes | {
        "id": memory_id,
        "file_id": file_id,
        "content_hash": rf"\x{identity_hash(new).hex()}",
        "length": postings.length,
        "term_keys": postings.keys,
        "memory_type": inferred.memory_type,
        "type_source": inferred.source,
        "type_confidence": inferred.confidence,
    }
    return {
        "memory": {name: _to_json(value) for name, value in columns.items()},
        "frequencies": postings.frequencies,
        "trigger_keys": sorted({key for phrase in new.triggers if (key := trigger_key(phrase))}),
    }


def _identity(new: NewMemory) -> _Identity:
    return identity_hash(new), new.scope, new.kind, new.agent_id


def identity_hash(new: MemoryAttributes) -> bytes:
    """Return the hash by which a memory is unique in its scope, kind and agent: of its content and its occasion.

    The same content of another time or another speaker is another memory.
    """
    return occasion_hash(new.content, new.occurred_at, new.speaker)


def occasion_hash(content: str, occurred_at: datetime | None, speaker: str | None) -> bytes:
    """Return the identity hash of a content with its time and speaker. Migration 0048 computes the same in SQL."""
    if occurred_at is None and not speaker:
        return content_hash(content)
    moment = (
        ""
        if occurred_at is None
        else in_utc(occurred_at).replace(tzinfo=None).isoformat(timespec="microseconds")
    )
    return content_hash(f"{content}\0{moment}\0{speaker or ''}")


def content_hash(content: str) -> bytes:
    """Return the hash of a content without an occasion."""
    return hashlib.sha256(content.encode()).digest()
