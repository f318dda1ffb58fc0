"""Memories are removed with everything that hangs on them, their postings first, which no foreign key holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from frasier.memory.access import Caller
from frasier.memory.intake import FOUNDERS_TIERS
from frasier.memory.types import ImportanceTier, MemoryKind
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.checkpoints")

_BATCH = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Doomed:
    """Memories that were chosen: those that the caller may remove, and those that only the founder may."""

    nums: tuple[int, ...]
    scopes: tuple[str, ...]
    ids: frozenset[UUID]
    spared: int


async def choose_doomed(
    tx: Tx,
    caller: Caller,
    scopes: Sequence[str],
    *,
    ids: Sequence[UUID] | None = None,
    tier: ImportanceTier | None = None,
    older_than_days: float | None = None,
) -> Doomed:
    """Locks the memories of `scopes` for which everything that is given holds, in the order of saving."""
    rows = await _sql.all(
        tx,
        "lock_doomed",
        scopes=list(scopes),
        ids=None if ids is None else list(ids),
        tier=tier,
        older_than_days=older_than_days,
    )
    chosen = [row for row in rows if caller.founder or not binds_everybody(row["kind"], row["tier"])]
    return Doomed(
        nums=tuple(row["num"] for row in chosen),
        scopes=tuple(sorted({row["scope"] for row in chosen})),
        ids=frozenset(row["id"] for row in rows),
        spared=len(rows) - len(chosen),
    )


async def remove(tx: Tx, nums: Sequence[int]) -> int:
    """Removes memories that this transaction has locked; returns how many there were."""
    removed = 0
    for at in range(0, len(nums), _BATCH):
        removed += await _sql.run(tx, "remove_items", nums=list(nums[at : at + _BATCH]))
    return removed


def binds_everybody(kind: str, tier: str) -> bool:
    """Whether a memory can be removed and brought back by the founder only."""
    return kind == MemoryKind.DIRECTIVE or tier in FOUNDERS_TIERS
