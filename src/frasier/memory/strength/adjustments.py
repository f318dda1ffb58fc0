"""Adjustments of a memory's strength, which are appended and replayed, so that they can be undone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.errors import InvalidInput, NotFound
from frasier.memory.strength.half_lives import initial_stability
from frasier.memory.strength.replay import (
    INITIAL_CONFIDENCE,
    INITIAL_DIFFICULTY,
    Adjustment,
    Cause,
    Levels,
    Quantity,
    StrengthOperation,
    initial_levels,
    replay,
    within_bounds,
)
from frasier.memory.types import MemoryType
from frasier.store import Statements, Tx, from_row

_sql = Statements("frasier.memory.strength")


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """The strength of a memory. `stability` is in days: 0.1 to 3,650, or the default of its type if not adjusted.

    `use_count` and `used_at` record its uses, `accessed_at` its last use or appearance in a recall. They do not change
    the other quantities.
    """

    stability: float
    difficulty: float = INITIAL_DIFFICULTY
    confidence: float = INITIAL_CONFIDENCE
    validations: int = 0
    review_count: int = 0
    reviewed_at: datetime | None = None
    use_count: int = 0
    used_at: datetime | None = None
    accessed_at: datetime | None = None
    cited_at: datetime | None = None


async def strength_of(tx: Tx, memory_id: UUID) -> Strength:
    """Return the strength of a memory; the initial one of its type if it was never used or adjusted.

    Raises NotFound if there is no such memory. The caller must check visibility.
    """
    row = await _sql.maybe(tx, "strength_of", memory_id=memory_id)
    if row is None:
        raise _no_memory(memory_id)
    stability = row["adjusted_stability"]
    if stability is None:
        stability = initial_stability(MemoryType(row["memory_type"]))
    if row["difficulty"] is None:
        return Strength(stability=stability)
    return from_row(Strength, row | {"stability": stability})


async def lock_strength(tx: Tx, memory_id: UUID) -> Strength:
    """Return the strength of a memory, locked until the transaction ends; raise NotFound."""
    await _lock(tx, memory_id)
    return await strength_of(tx, memory_id)


async def adjust(
    tx: Tx,
    memory_id: UUID,
    *,
    cause: Cause,
    quantity: Quantity,
    operation: StrengthOperation,
    amount: float,
    correction_id: UUID | None = None,
) -> int:
    """Multiply a quantity of the memory's strength by `amount`, or add it; return the adjustment's id.

    The result is bounded: stability 0.1 to 3,650 days, difficulty 1 to 10, confidence 0.05 to 1. Adjustments of
    one memory wait for each other, so none is lost. Those made under a `correction_id` are undone with
    undo_adjustments. Raises NotFound, and InvalidInput for an amount that is not finite or a factor not above 0.
    """
    if not math.isfinite(amount) or (operation is StrengthOperation.MULTIPLY and amount <= 0):
        raise InvalidInput(
            f"Invalid adjustment of a strength: {operation} {amount}.",
            kept="Nothing was changed.",
            hint="Factors must be above 0, and amounts must be finite.",
            number="E032",
        )
    initial = await _lock(tx, memory_id)
    recorded = await _sql.one(
        tx,
        "record_adjustment",
        memory_id=memory_id,
        cause=cause,
        quantity=quantity,
        operation=operation,
        amount=amount,
        correction_id=correction_id,
    )
    await _keep(tx, memory_id, initial)
    return int(recorded["id"])


async def undo_adjustments(tx: Tx, correction_id: UUID) -> int:
    """Undo every adjustment made under a correction; return how many. Later ones stay in effect.

    The strengths become exactly what they would be without the correction. Undoing again returns 0.
    """
    rows = await _sql.all(tx, "corrected_memories", correction_id=correction_id)
    initials = {row["memory_id"]: await _lock(tx, row["memory_id"]) for row in rows}
    if not initials:
        return 0
    undone = await _sql.run(tx, "undo_adjustments", correction_id=correction_id, memory_ids=list(initials))
    for memory_id, initial in initials.items():
        await _keep(tx, memory_id, initial)
    return undone


async def _lock(tx: Tx, memory_id: UUID) -> Levels:
    """Lock the strength of a memory, creating it if needed; return its initial levels."""
    row = await _sql.maybe(tx, "memory_type", memory_id=memory_id)
    if row is None:
        raise _no_memory(memory_id)
    initial = initial_levels(MemoryType(row["memory_type"]))
    stability = within_bounds(Quantity.STABILITY, initial.stability)
    await _sql.run(tx, "add_strength", memory_id=memory_id, stability=stability)
    if await _sql.maybe(tx, "lock_strength", memory_id=memory_id) is None:
        raise _no_memory(memory_id)
    return initial


async def _keep(tx: Tx, memory_id: UUID, initial: Levels) -> None:
    adjustments = [
        Adjustment(
            quantity=Quantity(row["quantity"]),
            operation=StrengthOperation(row["operation"]),
            amount=row["amount"],
        )
        for row in await _sql.all(tx, "adjustments_of", memory_id=memory_id)
    ]
    levels = replay(initial, adjustments)
    await _sql.run(
        tx,
        "keep_levels",
        memory_id=memory_id,
        stability=within_bounds(Quantity.STABILITY, levels.stability),
        difficulty=levels.difficulty,
        confidence=levels.confidence,
    )


def _no_memory(memory_id: UUID) -> NotFound:
    return NotFound(
        f"There is no memory {memory_id}.",
        hint="It may have been deleted; search for it.",
        number="E080",
    )
