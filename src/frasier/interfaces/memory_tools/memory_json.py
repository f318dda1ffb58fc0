"""Values of the memory as JSON: whole ones, and memories in as few words as serve. Pure."""

from __future__ import annotations

from typing import Any

from frasier.interfaces.tools import told
from frasier.kernel.text import shorten
from frasier.memory import Memory, RecallHit, Stub

_SNIPPET_CHARS = 200


def memory_line(memory: Memory) -> dict[str, Any]:
    """A memory in a list: enough to choose by."""
    return told(
        id=memory.id,
        title=memory.title,
        snippet=shorten(" ".join(memory.content.split()), _SNIPPET_CHARS),
        kind=memory.kind,
        scope=memory.scope,
        tier=memory.tier,
        tags=memory.tags,
        created_at=memory.created_at,
        archived_at=memory.archived_at,
    )


def memory_whole(memory: Memory, *, content: str) -> dict[str, Any]:
    """Everything about a memory, with `content` for what of its text is handed over."""
    return told(
        id=memory.id,
        title=memory.title,
        content=content,
        kind=memory.kind,
        scope=memory.scope,
        tier=memory.tier,
        importance=memory.importance,
        type=memory.memory_type,
        type_source=memory.type_source,
        tags=memory.tags,
        triggers=memory.triggers,
        thread=memory.thread,
        speaker=memory.speaker,
        occurred_at=memory.occurred_at,
        valid_from=memory.valid_from,
        valid_until=memory.valid_until,
        expires_at=memory.expires_at,
        archived_at=memory.archived_at,
        created_at=memory.created_at,
        last_seen_at=memory.last_seen_at,
        version=memory.version,
        provenance=memory.provenance,
    )


def hit_shape(hit: RecallHit, *, plain: bool) -> dict[str, Any]:
    """What was found, with its score and what found it; `plain` leaves out how it ranks otherwise."""
    memory = hit.memory
    delivered = hit.delivered
    shape = told(
        id=memory.id,
        title=memory.title,
        tier=memory.tier,
        text=delivered.text,
        score=hit.score,
        sources=hit.ranks,
        without_vector=hit.without_vector or None,
    )
    if plain:
        return shape
    return shape | told(
        kind=memory.kind,
        scope=memory.scope,
        state=hit.state,
        relevance=hit.relevance,
        reason=hit.reason,
        tags=memory.tags,
        speaker=memory.speaker,
        occurred_at=memory.occurred_at,
        valid_until=memory.valid_until,
        created_at=memory.created_at,
        tokens=delivered.tokens,
        original_tokens=delivered.original_tokens,
        anchors_found=delivered.anchors_found,
        anchors_missing=delivered.anchors_missing,
    )


def stub_shape(stub: Stub) -> dict[str, Any]:
    """What the session has already: its name, so that nobody looks for it elsewhere."""
    return told(id=stub.memory_id, title=stub.title)
