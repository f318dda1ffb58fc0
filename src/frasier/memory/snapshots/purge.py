"""Delete memories with all rows that belong to them; postings explicitly, since no foreign key covers them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.memory.access import Caller
from frasier.memory.ownership import is_others
from frasier.memory.types import ImportanceTier
from frasier.memory.validation import is_binding
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.snapshots")

_BATCH = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletableMemories:
    """Memories locked for deletion, and those that matched but that the caller may not delete.

    `nums`, `ids`, `scopes` and `files` (the paths of those that come from files) are of those that may be deleted,
    `oldest` is when the first of them was saved; `matched` are the ids of all matches. `binding` counts the spared ones
    that are binding, `others` those that somebody else saved.
    """

    nums: tuple[int, ...]
    ids: tuple[UUID, ...]
    scopes: tuple[str, ...]
    files: tuple[str, ...]
    oldest: datetime | None
    matched: frozenset[UUID]
    binding: int
    others: int

    @property
    def spared(self) -> int:
        """The number of matches that the caller may not delete."""
        return self.binding + self.others


async def lock_deletable(
    tx: Tx,
    caller: Caller,
    scopes: Sequence[str],
    *,
    ids: Sequence[UUID] | None = None,
    tier: ImportanceTier | None = None,
    older_than_days: float | None = None,
) -> DeletableMemories:
    """Lock the memories of `scopes` that meet all given conditions, in the order of saving."""
    rows = await _sql.all(
        tx,
        "lock_for_deletion",
        scopes=list(scopes),
        ids=None if ids is None else list(ids),
        tier=tier,
        older_than_days=older_than_days,
    )
    allowed = [row for row in rows if caller.founder or not is_binding(row["kind"], row["tier"])]
    chosen = [row for row in allowed if not is_others(caller, row["provenance"])]
    return DeletableMemories(
        nums=tuple(row["num"] for row in chosen),
        ids=tuple(row["id"] for row in chosen),
        scopes=tuple(sorted({row["scope"] for row in chosen})),
        files=tuple(str(row["provenance"].get("path", "")) for row in chosen if row["file_id"] is not None),
        oldest=min((row["created_at"] for row in chosen), default=None),
        matched=frozenset(row["id"] for row in rows),
        binding=len(rows) - len(allowed),
        others=len(allowed) - len(chosen),
    )


async def retired_for(tx: Tx, ids: Sequence[UUID]) -> tuple[UUID, ...]:
    """Return the ids of other memories that the gate retired for one of these, in the order of saving."""
    return tuple(row["id"] for row in await _sql.all(tx, "retired_for", ids=list(ids)))


async def delete_locked(tx: Tx, nums: Sequence[int]) -> int:
    """Delete memories that this transaction has locked; returns how many there were."""
    deleted = 0
    for at in range(0, len(nums), _BATCH):
        deleted += await _sql.run(tx, "delete_items", nums=list(nums[at : at + _BATCH]))
    return deleted
