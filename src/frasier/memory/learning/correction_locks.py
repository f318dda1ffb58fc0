"""Locks that corrections hold on a memory's tier and validity; several corrections may hold the same one.

Undoing a correction restores the tier or validity only when no other active correction holds it, so that corrections
can be undone in any order. Changes that somebody else made in between are preserved.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import psycopg
from psycopg.rows import DictRow

from frasier.kernel.errors import Refused
from frasier.memory.learning.effect_sizes import deprecates, holds_until_superseded
from frasier.memory.learning.targets import LearningTarget
from frasier.memory.learning.types import CorrectionType
from frasier.memory.types import ImportanceTier
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.learning")


async def take_tier(tx: Tx, target: LearningTarget, correction_type: CorrectionType) -> ImportanceTier | None:
    """Deprecate the memory if the correction type does so; returns the tier that undoing restores, if any."""
    if not deprecates(correction_type):
        return None
    if target.tier is not ImportanceTier.DEPRECATED:
        await _sql.run(tx, "release_tier", original_id=target.id)
        await _sql.run(tx, "set_tier", id=target.id, tier=ImportanceTier.DEPRECATED)
        return target.tier
    locks = await _locks(tx, target)
    return next((ImportanceTier(lock["tier_before"]) for lock in locks if lock["tier_before"]), None)


async def take_validity(tx: Tx, target: LearningTarget, correction_type: CorrectionType) -> bool:
    """End the validity of a superseded fact; returns whether undoing the correction reopens it.

    A fact that already had an end keeps it.
    """
    has_window = target.valid_from is not None or target.valid_until is not None
    fact = holds_until_superseded(target.memory_type, has_window=has_window)
    if correction_type is not CorrectionType.SUPERSEDED or not fact:
        return False
    if target.valid_until is None:
        await _sql.run(tx, "release_validity", original_id=target.id)
        await _sql.run(tx, "end_validity", id=target.id)
        return True
    locks = await _locks(tx, target)
    return target.valid_until in _ends(target, locks)


async def restore_tier(tx: Tx, target: LearningTarget, correction: DictRow) -> ImportanceTier:
    """Restore the tier unless another correction deprecates the memory too; returns the resulting tier.

    Raises Refused (E084) if the same text was saved again meanwhile, because a text may exist only once.
    """
    before = correction["tier_before"]
    if before is None or target.tier is not ImportanceTier.DEPRECATED:
        return target.tier
    others = await _locks(tx, target, except_id=correction["id"])
    if any(lock["tier_before"] for lock in others):
        return target.tier
    try:
        async with tx.transaction():
            await _sql.run(tx, "set_tier", id=target.id, tier=before)
    except psycopg.errors.UniqueViolation as error:
        duplicate = await _sql.one(tx, "find_duplicate", id=target.id)
        raise Refused(
            f"The text of memory {target.id} was saved again meanwhile, as memory {duplicate['id']}.",
            kept=f"The correction is unchanged, and memory {duplicate['id']} is recalled.",
            hint=f"No text is lost. To restore the old memory, delete memory {duplicate['id']} and undo again.",
            number="E084",
        ) from error
    return ImportanceTier(before)


async def restore_validity(tx: Tx, target: LearningTarget, correction: DictRow) -> None:
    """Reopen the fact's validity, or move its end to the earliest of the other corrections that ended it."""
    if not correction["valid_until_set"]:
        return
    others = await _locks(tx, target, except_id=correction["id"])
    if target.valid_until not in _ends(target, [*others, correction]):
        return
    ends = _ends(target, others)
    await _sql.run(tx, "set_validity", id=target.id, valid_until=min(ends) if ends else None)


async def _locks(tx: Tx, target: LearningTarget, *, except_id: UUID | None = None) -> list[DictRow]:
    return await _sql.all(tx, "find_correction_locks", original_id=target.id, except_id=except_id)


def _ends(target: LearningTarget, corrections: list[DictRow]) -> list[datetime]:
    """The ends of validity that the corrections set, computed as end_validity does."""
    times = [row["created_at"] for row in corrections if row["valid_until_set"]]
    return [max(time, target.valid_from or time) for time in times]
