"""Convert rows of the graph's statements to its values."""

from __future__ import annotations

from psycopg.rows import DictRow

from frasier.kernel.text import shorten
from frasier.memory.graph.types import Edge, EdgeOrigin, LinkedMemory, RecallStatus, Relation
from frasier.memory.types import MemoryKind

_SNIPPET_CHARS = 160


def edge_of(row: DictRow) -> Edge:
    return Edge(
        id=row["id"],
        source_id=row["source_id"],
        target_id=row["target_id"],
        relation=Relation(row["relation"]),
        strength=row["strength"],
        evidence=row["evidence"],
        origin=EdgeOrigin(row["origin"]),
        extractor=row["extractor"],
        created_by=row["created_by"],
        created_at=row["created_at"],
    )


def linked_memory_of(row: DictRow) -> LinkedMemory:
    return LinkedMemory(
        id=row["id"],
        scope=row["scope"],
        kind=MemoryKind(row["kind"]),
        title=row["title"],
        snippet=shorten(" ".join(row["beginning"].split()), _SNIPPET_CHARS),
        standing=RecallStatus(row["standing"]),
    )
