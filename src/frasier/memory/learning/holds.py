"""What corrections hold of a memory: they keep it deprecated or have ended its validity, maybe several at once.

A correction gives back what it took only when no other standing one holds the same, so that corrections can
be undone in any order. What somebody else changed in between is theirs, and stays.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import psycopg
from psycopg.rows import DictRow

from frasier.kernel.errors import Refused
from frasier.memory.learning.effects import deprecates, holds_until_superseded
from frasier.memory.learning.subjects import Subject
from frasier.memory.learning.types import CorrectionType
from frasier.memory.types import ImportanceTier
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.learning")


async def take_tier(tx: Tx, subject: Subject, correction_type: CorrectionType) -> ImportanceTier | None:
    """Deprecates the memory where the correction asks for it; the tier that undoing is to give back, if any."""
    if not deprecates(correction_type):
        return None
    if subject.tier is not ImportanceTier.DEPRECATED:
        await _sql.run(tx, "release_tier", original_id=subject.id)
        await _sql.run(tx, "set_tier", id=subject.id, tier=ImportanceTier.DEPRECATED)
        return subject.tier
    held = await _holds(tx, subject)
    return next((ImportanceTier(hold["tier_before"]) for hold in held if hold["tier_before"]), None)


async def take_validity(tx: Tx, subject: Subject, correction_type: CorrectionType) -> bool:
    """Ends a fact that was superseded; whether undoing the correction is to open it again.

    A fact whose end was known before keeps that end.
    """
    has_window = subject.valid_from is not None or subject.valid_until is not None
    fact = holds_until_superseded(subject.memory_type, has_window=has_window)
    if correction_type is not CorrectionType.SUPERSEDED or not fact:
        return False
    if subject.valid_until is None:
        await _sql.run(tx, "release_validity", original_id=subject.id)
        await _sql.run(tx, "end_validity", id=subject.id)
        return True
    held = await _holds(tx, subject)
    return subject.valid_until in _ends(subject, held)


async def give_back_tier(tx: Tx, subject: Subject, correction: DictRow) -> ImportanceTier:
    """Restores the tier unless another correction deprecates the memory too; returns what the tier is then.

    Raises Refused (E084) where the same text was saved again meanwhile: a text is one memory, so one must go.
    """
    before = correction["tier_before"]
    if before is None or subject.tier is not ImportanceTier.DEPRECATED:
        return subject.tier
    others = await _holds(tx, subject, but=correction["id"])
    if any(hold["tier_before"] for hold in others):
        return subject.tier
    try:
        async with tx.transaction():
            await _sql.run(tx, "set_tier", id=subject.id, tier=before)
    except psycopg.errors.UniqueViolation as error:
        twin = await _sql.one(tx, "find_twin", id=subject.id)
        raise Refused(
            f"The text of memory {subject.id} was saved again meanwhile, as memory {twin['id']}.",
            kept=f"The correction stands, and memory {twin['id']} is recalled.",
            hint=f"Nothing is missing. To have the old one back, delete memory {twin['id']} and undo again.",
            number="E084",
        ) from error
    return ImportanceTier(before)


async def give_back_validity(tx: Tx, subject: Subject, correction: DictRow) -> None:
    """Lets the fact hold again, or until the first of the other corrections that ended it."""
    if not correction["valid_until_set"]:
        return
    others = await _holds(tx, subject, but=correction["id"])
    if subject.valid_until not in _ends(subject, [*others, correction]):
        return
    ends = _ends(subject, others)
    await _sql.run(tx, "set_validity", id=subject.id, valid_until=min(ends) if ends else None)


async def _holds(tx: Tx, subject: Subject, *, but: UUID | None = None) -> list[DictRow]:
    return await _sql.all(tx, "holds_on", original_id=subject.id, but=but)


def _ends(subject: Subject, corrections: list[DictRow]) -> list[datetime]:
    """When each of the corrections that ended the fact did so, as end_validity sets it."""
    moments = [held["created_at"] for held in corrections if held["valid_until_set"]]
    return [max(moment, subject.valid_from or moment) for moment in moments]
