"""Usage statistics of a memory: its age, use and strength."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from psycopg.rows import DictRow

from frasier.memory.forgetting.retrievability import elapsed, fades, retrievability
from frasier.memory.forgetting.states import MemoryState, state_of
from frasier.memory.strength.half_lives import initial_stability
from frasier.memory.types import ImportanceTier, MemoryKind, MemoryType
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.forgetting")


class UsageStats(NamedTuple):
    """The usage statistics of a memory, ages in days. `age_days` counts since it was last saved or reviewed.

    `idle_days` counts since its last use of any kind. `stability` is None if nothing adjusted it: then it is the
    default of its type. `cited_days` is None if it was never cited.
    """

    kind: MemoryKind
    tier: ImportanceTier
    memory_type: MemoryType
    importance: int = 5
    age_days: float | None = None
    idle_days: float | None = None
    stability: float | None = None
    use_count: int = 0
    cited_days: float | None = None

    @property
    def fades(self) -> bool:
        return fades(self.kind, self.tier, self.memory_type)

    @property
    def retrievability(self) -> float:
        """The retrievability, 0 to 1; 1 if the memory does not fade."""
        if not self.fades:
            return 1.0
        stability = initial_stability(self.memory_type) if self.stability is None else self.stability
        return retrievability(self.age_days, stability)

    @property
    def state(self) -> MemoryState:
        return self.state_at(self.retrievability)

    def state_at(self, retained: float) -> MemoryState:
        """Return the state for a retrievability."""
        return state_of(retained, idle_days=elapsed(self.idle_days), fades=self.fades)


async def load_usage_stats(tx: Tx, nums: Sequence[int]) -> Mapping[int, UsageStats]:
    """Return the usage statistics of each memory by its `num`, in one statement; deleted ones are left out."""
    return {row["num"]: usage_stats_of(row) for row in await _sql.all(tx, "usage_stats", nums=list(nums))}


async def usage_stats_of_memory(tx: Tx, memory_id: UUID) -> UsageStats:
    """Return the usage statistics of one memory, which exists. The caller must check visibility."""
    num = (await _sql.one(tx, "num_of_memory", memory_id=memory_id))["num"]
    return (await load_usage_stats(tx, [num]))[num]


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
