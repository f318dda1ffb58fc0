"""Cache invalidation: a cached answer is valid until somebody writes to the scopes that it came from."""

from __future__ import annotations

from collections.abc import Iterable

from frasier.store import Statements, Tx

_sql = Statements("frasier.memory")


async def note_change(tx: Tx, scopes: Iterable[str]) -> None:
    """Record that this transaction changes what a recall in `scopes` may find."""
    await _sql.run(tx, "note_change", scopes=sorted(set(scopes)))


async def unchanged_since(tx: Tx, scopes: Iterable[str], seen: str) -> bool:
    """Return whether nothing changed in `scopes` since the database snapshot `seen`: exact, in every process."""
    row = await _sql.one(tx, "changed_since", scopes=sorted(set(scopes)), seen=seen)
    return not row["changed"]


async def forget_changes(tx: Tx) -> int:
    """Delete the records that are older than any cached answer; return how many."""
    return await _sql.run(tx, "forget_changes")
