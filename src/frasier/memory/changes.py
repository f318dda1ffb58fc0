"""What changed since when: a cached answer holds as long as nobody wrote to the scopes that it was taken from."""

from __future__ import annotations

from collections.abc import Iterable

from frasier.store import Statements, Tx

_sql = Statements("frasier.memory")


async def note_change(tx: Tx, scopes: Iterable[str]) -> None:
    """Records that this transaction changes what a recall in `scopes` may find."""
    await _sql.run(tx, "note_change", scopes=sorted(set(scopes)))


async def unchanged_since(tx: Tx, scopes: Iterable[str], seen: str) -> bool:
    """Whether no transaction that `seen` did not see has changed one of `scopes`: exact, in every process."""
    row = await _sql.one(tx, "changed_since", scopes=sorted(set(scopes)), seen=seen)
    return not row["changed"]


async def forget_changes(tx: Tx) -> int:
    """Deletes the records that no cached answer can be old enough to need; returns how many."""
    return await _sql.run(tx, "forget_changes")
