"""Reading the standings of memories: one statement for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from psycopg.rows import DictRow

from frasier.memory.forgetting.standing import Standing
from frasier.memory.types import ImportanceTier, MemoryKind, MemoryType
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.forgetting")


async def standings_of(tx: Tx, nums: Sequence[int]) -> Mapping[int, Standing]:
    """The standing of each memory by its `num`; those that are gone are left out."""
    return {row["num"]: standing_of(row) for row in await _sql.all(tx, "standings", nums=list(nums))}


def standing_of(row: DictRow) -> Standing:
    """The standing that a row with the columns of `standings` tells."""
    return Standing(
        kind=MemoryKind(row["kind"]),
        tier=ImportanceTier(row["tier"]),
        memory_type=MemoryType(row["memory_type"]),
        importance=row["importance"],
        age_days=row["age_days"],
        idle_days=row["idle_days"],
        stability=row["stability"],
        use_count=row["use_count"],
        cited_days=row["cited_days"],
    )
