"""The memories that something is learned about: locked while they change, and unseen outside their scopes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import NotFound
from frasier.memory.access import Caller
from frasier.memory.learning.effects import binds_everybody
from frasier.memory.types import ImportanceTier, MemoryKind, MemoryType
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.learning")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What learning needs to know of a memory, as it is while it is locked."""

    id: UUID
    scope: str
    tier: ImportanceTier
    memory_type: MemoryType
    binding: bool
    recallable: bool
    valid_from: datetime | None
    valid_until: datetime | None


async def lock_subjects(tx: Tx, ids: Iterable[UUID]) -> dict[UUID, Subject]:
    """Those of `ids` that exist, whosever they are, locked until the transaction ends."""
    rows = await _sql.all(tx, "lock_subjects", ids=sorted(set(ids)))
    return {
        row["id"]: Subject(
            id=row["id"],
            scope=row["scope"],
            tier=ImportanceTier(row["tier"]),
            memory_type=MemoryType(row["memory_type"]),
            binding=binds_everybody(MemoryKind(row["kind"]), ImportanceTier(row["tier"])),
            recallable=row["tier"] != ImportanceTier.DEPRECATED
            and row["archived_at"] is None
            and not row["expired"],
            valid_from=row["valid_from"],
            valid_until=row["valid_until"],
        )
        for row in rows
    }


async def lock_own_subjects(tx: Tx, caller: Caller, ids: Iterable[UUID]) -> dict[UUID, Subject]:
    """All of `ids`, locked; raises NotFound (E080) where one is not there, or in a scope of somebody else."""
    wanted = tuple(dict.fromkeys(ids))
    subjects = await lock_subjects(tx, wanted)
    for memory_id in wanted:
        if memory_id not in subjects or subjects[memory_id].scope not in caller.scopes:
            raise NotFound(
                f"There is no memory {memory_id}.",
                kept="Nothing was changed.",
                advice=Advice("memory.list", to="see those that there are"),
                number="E080",
            )
    return subjects
