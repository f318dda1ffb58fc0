"""Replay of adjustments: applied in order, each within bounds. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from frasier.memory.strength.half_lives import initial_stability
from frasier.memory.types import MemoryType


class Cause(StrEnum):
    """The cause of an adjustment."""

    REVIEW = "review"
    CORRECTION = "correction"
    OUTCOME = "outcome"
    VALIDATION = "validation"
    CONSOLIDATION = "consolidation"


class Quantity(StrEnum):
    """An adjustable quantity: stability in days, difficulty 1 to 10, confidence 0.05 to 1."""

    STABILITY = "stability"
    DIFFICULTY = "difficulty"
    CONFIDENCE = "confidence"


class StrengthOperation(StrEnum):
    MULTIPLY = "multiply"
    ADD = "add"


# The schema holds the same bounds.
BOUNDS = {
    Quantity.STABILITY: (0.05, 3650.0),
    Quantity.DIFFICULTY: (1.0, 10.0),
    Quantity.CONFIDENCE: (0.05, 1.0),
}

INITIAL_DIFFICULTY = 5.0
INITIAL_CONFIDENCE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """The three quantities that adjustments change; stability is in days."""

    stability: float
    difficulty: float = INITIAL_DIFFICULTY
    confidence: float = INITIAL_CONFIDENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """A recorded change. An undone one is ignored."""

    quantity: Quantity
    operation: StrengthOperation
    amount: float
    undone: bool = False


def initial_levels(memory_type: MemoryType) -> Levels:
    """Return the levels of a memory of that type without adjustments."""
    return Levels(stability=initial_stability(memory_type))


def within_bounds(quantity: Quantity, value: float) -> float:
    """Clamp `value` to the bounds of the quantity."""
    lowest, highest = BOUNDS[quantity]
    return min(max(value, lowest), highest)


def replay(initial: Levels, adjustments: Iterable[Adjustment]) -> Levels:
    """Apply every adjustment that is not undone to `initial`, in order, clamped after each step.

    Clamping at each step and not only at the end makes a replay exact. Without any effective adjustment the result is
    `initial` itself, to the last bit.
    """
    levels = {quantity: float(getattr(initial, quantity)) for quantity in Quantity}
    for adjustment in adjustments:
        if adjustment.undone:
            continue
        value = levels[adjustment.quantity]
        if adjustment.operation is StrengthOperation.MULTIPLY:
            value *= adjustment.amount
        else:
            value += adjustment.amount
        levels[adjustment.quantity] = within_bounds(adjustment.quantity, value)
    return replace(initial, **{str(quantity): level for quantity, level in levels.items()})
