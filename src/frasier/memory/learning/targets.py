"""Lock the memories that a correction or vote changes, hidden from callers outside their scopes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import NotFound
from frasier.memory.access import Caller
from frasier.memory.types import ImportanceTier, MemoryType
from frasier.memory.validation import is_binding
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.learning")


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningTarget:
    """The fields of a locked memory that learning needs."""

    id: UUID
    scope: str
    tier: ImportanceTier
    memory_type: MemoryType
    binding: bool
    recallable: bool
    valid_from: datetime | None
    valid_until: datetime | None


async def lock_targets(tx: Tx, ids: Iterable[UUID]) -> dict[UUID, LearningTarget]:
    """Lock the memories of `ids` that exist, in any scope, until the transaction ends."""
    rows = await _sql.all(tx, "lock_targets", ids=sorted(set(ids)))
    return {
        row["id"]: LearningTarget(
            id=row["id"],
            scope=row["scope"],
            tier=ImportanceTier(row["tier"]),
            memory_type=MemoryType(row["memory_type"]),
            binding=is_binding(row["kind"], row["tier"]),
            recallable=row["tier"] != ImportanceTier.DEPRECATED
            and row["archived_at"] is None
            and not row["expired"],
            valid_from=row["valid_from"],
            valid_until=row["valid_until"],
        )
        for row in rows
    }


async def lock_own_targets(tx: Tx, caller: Caller, ids: Iterable[UUID]) -> dict[UUID, LearningTarget]:
    """Lock all memories of `ids`; raises NotFound (E080) if one does not exist or is not in the caller's scopes."""
    unique_ids = tuple(dict.fromkeys(ids))
    targets = await lock_targets(tx, unique_ids)
    for memory_id in unique_ids:
        if memory_id not in targets or targets[memory_id].scope not in caller.scopes:
            raise NotFound(
                f"There is no memory {memory_id}.",
                kept="Nothing was changed.",
                advice=Advice("memory.list", to="see the existing ones"),
                number="E080",
            )
    return targets
