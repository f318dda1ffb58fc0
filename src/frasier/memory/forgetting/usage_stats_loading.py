"""Loading of usage statistics, in one statement for all memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from psycopg.rows import DictRow

from frasier.memory.forgetting.usage_stats import UsageStats
from frasier.memory.types import ImportanceTier, MemoryKind, MemoryType
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.forgetting")


async def load_usage_stats(tx: Tx, nums: Sequence[int]) -> Mapping[int, UsageStats]:
    """Return the usage statistics of each memory by its `num`; deleted ones are left out."""
    return {row["num"]: usage_stats_of(row) for row in await _sql.all(tx, "usage_stats", nums=list(nums))}


def usage_stats_of(row: DictRow) -> UsageStats:
    """Convert a row with the columns of the statement `usage_stats`."""
    return UsageStats(
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
