"""Saving: a memory, its postings and what is known of its origin commit with the caller's own writes."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias
from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.kernel.ids import new_id
from frasier.memory.intake import admit
from frasier.memory.postings import TermKeys
from frasier.memory.scopes import FOUNDER_SCOPE, agent_scope
from frasier.memory.types import ImportanceTier, MemoryKind, NewMemory
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory")

# How much is prepared in one go, while nothing else of this process runs, and sent as one parameter.
_BATCH = 500
_BATCH_CHARS = 1_000_000

# The same text again is another turn, another moment, or another place in a document.
_REPEATABLE = frozenset({MemoryKind.CONVERSATION, MemoryKind.MARKER, MemoryKind.PASSAGE})

_Identity: TypeAlias = tuple[bytes, str, str, UUID | None]


async def save_memory(tx: Tx, new: NewMemory, *, founder: bool = False) -> UUID:
    """Remembers `new`, at once findable, and returns its id.

    The same content again (same scope, kind and agent) only reinforces the memory that is there, whose id is
    returned; conversation, markers and passages may repeat. Raises InvalidInput where a rule is broken, among
    them that only the `founder` writes directives, constitutional and critical memories.
    """
    return (await _save(tx, [admit(new, founder=founder)]))[0]


async def save_memories(tx: Tx, news: Sequence[NewMemory]) -> list[UUID]:
    """Does what save_memory does for each of `news`, in few statements; the ids come in the same order.

    One wrong memory refuses all. Batches are bounded, so that thousands of passages neither fill the memory
    nor keep the process from its other work.
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
    """Writes the memory of a transition into the caller's transaction: one INSERT, nothing else.

    It is found by its task and agent at once, and by its words once index_pending has run.
    """
    marker = admit(
        NewMemory(
            kind=MemoryKind.MARKER,
            scope=scope,
            content=text,
            task_id=task_id,
            agent_id=agent_id,
            provenance={"actor": actor},
        ),
        founder=False,
    )
    memory_id = new_id()
    await _sql.run(
        tx,
        "save_unindexed",
        id=memory_id,
        kind=marker.kind,
        scope=marker.scope,
        content=marker.content,
        agent_id=agent_id,
        task_id=task_id,
        provenance=Jsonb(marker.provenance),
        content_hash=_hash(marker),
    )
    return memory_id


async def save_directive(tx: Tx, content: str, *, provenance: Mapping[str, Any]) -> UUID:
    """Remembers for good what the founder directed. Only to be called on the founder's behalf."""
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
    tx: Tx, *, agent_id: UUID, lesson: str, context: str, importance: int, tags: tuple[str, ...]
) -> UUID:
    """Remembers what an agent learned. `context` says in which situation; it is found by either."""
    new = NewMemory(
        kind=MemoryKind.LESSON,
        scope=agent_scope(agent_id),
        content=lesson,
        title=context,
        tags=tags,
        importance=importance,
        agent_id=agent_id,
        provenance={"context": context},
    )
    return await save_memory(tx, new)


async def _save(tx: Tx, admitted: Sequence[NewMemory]) -> list[UUID]:
    keys = TermKeys()
    return [memory_id for batch in _batches(admitted) for memory_id in await _store(tx, batch, keys)]


def _batches(admitted: Sequence[NewMemory]) -> Iterator[list[NewMemory]]:
    """In order, and never the same memory twice in one batch: an upsert can touch a row only once."""
    batch: list[NewMemory] = []
    seen: set[_Identity] = set()
    chars = 0
    for new in admitted:
        identity = _identity(new)
        full = len(batch) == _BATCH or chars > _BATCH_CHARS
        if full or (identity in seen and new.kind not in _REPEATABLE):
            yield batch
            batch, seen, chars = [], set(), 0
        batch.append(new)
        seen.add(identity)
        chars += len(new.content)
    if batch:
        yield batch


async def _store(tx: Tx, batch: Sequence[NewMemory], keys: TermKeys) -> list[UUID]:
    ids = [new_id() for _ in batch]
    items = [_item(memory_id, new, keys) for memory_id, new in zip(ids, batch, strict=True)]
    rows = await _sql.all(tx, "save_items", items=Jsonb(items))
    stored = {(row["content_hash"], row["scope"], row["kind"], row["agent_id"]): row["id"] for row in rows}
    return [
        memory_id if new.kind in _REPEATABLE else stored[_identity(new)]
        for memory_id, new in zip(ids, batch, strict=True)
    ]


def _item(memory_id: UUID, new: NewMemory, keys: TermKeys) -> dict[str, Any]:
    """One memory as the statement reads it."""
    postings = keys.postings(scope=new.scope, title=new.title, tags=new.tags, content=new.content)
    return {
        "id": str(memory_id),
        "kind": new.kind,
        "scope": new.scope,
        "title": new.title,
        "content": new.content,
        "tags": new.tags,
        "tier": new.tier,
        "importance": new.importance,
        "agent_id": new.agent_id and str(new.agent_id),
        "task_id": new.task_id and str(new.task_id),
        "provenance": new.provenance,
        "content_hash": rf"\x{_hash(new).hex()}",
        "length": postings.length,
        "term_keys": postings.keys,
        "frequencies": postings.frequencies,
    }


def _identity(new: NewMemory) -> _Identity:
    return _hash(new), new.scope, new.kind, new.agent_id


def _hash(new: NewMemory) -> bytes:
    return hashlib.sha256(new.content.encode()).digest()
