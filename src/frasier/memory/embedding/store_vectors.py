"""Storing of vectors and settling of their jobs, in one transaction. Loading this module loads numpy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from psycopg.rows import DictRow

from frasier.kernel.fault_points import fault_point
from frasier.kernel.text import shorten
from frasier.memory.cache_invalidation import note_change
from frasier.memory.embedding.spaces import Space
from frasier.memory.embedding.types import REASON_CHARS, RETRY_MIN, EncodedPart, EncodingOutcome
from frasier.memory.types import MemoryKind
from frasier.memory.vectors.states import save_states
from frasier.memory.vectors.types import SpaceRef, VectorEntry, VectorStore
from frasier.store import Database, Statements

_sql = Statements("frasier.memory.embedding")


async def write_vectors(
    database: Database, store: VectorStore, space: Space, rows: Sequence[DictRow], outcome: EncodingOutcome
) -> int:
    """Store the vectors of memories that did not change meanwhile, delete their jobs, and record refused texts."""
    done = [row for row in rows if row["num"] in outcome.encoded]
    ref = SpaceRef(id=space.id, dimension=space.identity.dimension)
    entries = [entry for row in done for entry in _entries(row, outcome.encoded[row["num"]])]
    if store.external and entries:
        await store.upsert(None, ref, entries)
    async with database.transaction() as tx:
        locked = await _sql.all(
            tx,
            "lock_unchanged",
            space=space.id,
            nums=[row["num"] for row in done],
            versions=[row["version"] for row in done],
            hashes=[row["content_hash"] for row in done],
        )
        unchanged = {row["num"] for row in locked}
        current = [entry for entry in entries if entry.memory_num in unchanged]
        if store.external:
            await save_states(tx, ref, current)
        else:
            await store.upsert(tx, ref, current)
        await _sql.run(tx, "settle_jobs", space=space.id, nums=sorted(unchanged))
        changed = [row["num"] for row in done if row["num"] not in unchanged]
        await _sql.run(tx, "release_jobs", space=space.id, nums=changed, reason="")
        await _sql.run(
            tx,
            "fail_jobs",
            space=space.id,
            nums=list(outcome.refused),
            reasons=[shorten(reason, REASON_CHARS) for reason in outcome.refused.values()],
            waits_min=list(RETRY_MIN),
        )
        # Rankings that were cached without them are stale now.
        await note_change(tx, {row["scope"] for row in done if row["num"] in unchanged})
        fault_point("vectors.before_commit")
    return len(unchanged)


def _entries(row: DictRow, parts: Sequence[EncodedPart]) -> Iterator[VectorEntry]:
    for number, part in enumerate(parts):
        yield VectorEntry(
            memory_num=row["num"],
            memory_id=row["id"],
            scope=row["scope"],
            kind=MemoryKind(row["kind"]),
            part=number,
            vector=part.vector,
            agent_id=row["agent_id"],
            states=None if part.states is None else part.states.tobytes(),
        )
