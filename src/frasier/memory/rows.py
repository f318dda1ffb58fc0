"""Conversion of a row of memory_items to a Memory."""

from __future__ import annotations

from psycopg.rows import DictRow

from frasier.memory.types import ImportanceTier, Memory, MemoryKind, MemoryType, TypeSource


def memory_of(row: DictRow) -> Memory:
    return Memory(
        id=row["id"],
        kind=MemoryKind(row["kind"]),
        scope=row["scope"],
        title=row["title"],
        content=row["content"],
        tags=tuple(row["tags"]),
        tier=ImportanceTier(row["tier"]),
        importance=row["importance"],
        agent_id=row["agent_id"],
        task_id=row["task_id"],
        provenance=row["provenance"],
        access_count=row["access_count"],
        last_seen_at=row["last_seen_at"],
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        memory_type=MemoryType(row["memory_type"]),
        type_source=TypeSource(row["type_source"]),
        type_confidence=row["type_confidence"],
        triggers=tuple(row["triggers"]),
        thread=row["thread"],
        speaker=row["speaker"],
        occurred_at=row["occurred_at"],
        valid_from=row["valid_from"],
        valid_until=row["valid_until"],
        version=row["version"],
        archived_at=row["archived_at"],
        file_id=row["file_id"],
    )
