"""Replaying adjustments: bounded at each step, undone ones as if they had never been made."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from frasier.memory.strength.half_lives import HALF_LIFE_DAYS, stability_of
from frasier.memory.strength.replay import (
    BOUNDS,
    Adjustment,
    Levels,
    Quantity,
    StrengthOperation,
    initial_levels,
    replay,
    within_bounds,
)
from frasier.memory.types import MemoryType

_FACTORS = st.floats(0.01, 100)
_SUMMANDS = st.floats(-100, 100)


@st.composite
def adjustments(draw):
    operation = draw(st.sampled_from(StrengthOperation))
    return Adjustment(
        quantity=draw(st.sampled_from(Quantity)),
        operation=operation,
        amount=draw(_FACTORS if operation is StrengthOperation.MULTIPLY else _SUMMANDS),
        undone=draw(st.booleans()),
    )


_TYPES = st.sampled_from(MemoryType)
_HISTORIES = st.lists(adjustments(), max_size=20)


def values(levels):
    return {quantity: getattr(levels, quantity) for quantity in Quantity}


def undone(adjustment):
    return Adjustment(
        quantity=adjustment.quantity, operation=adjustment.operation, amount=adjustment.amount, undone=True
    )


@given(_TYPES, _HISTORIES)
def test_with_everything_undone_the_initial_levels_are_back_to_the_last_bit(memory_type, history):
    initial = initial_levels(memory_type)
    assert replay(initial, [undone(adjustment) for adjustment in history]) == initial


@given(_TYPES, _HISTORIES)
def test_an_undone_adjustment_is_as_if_it_had_never_been_made(memory_type, history):
    initial = initial_levels(memory_type)
    assert replay(initial, history) == replay(initial, [a for a in history if not a.undone])


@given(_TYPES, _HISTORIES)
def test_what_was_adjusted_is_within_its_bounds_and_the_rest_is_untouched(memory_type, history):
    initial = initial_levels(memory_type)
    replayed = values(replay(initial, history))
    touched = {adjustment.quantity for adjustment in history if not adjustment.undone}
    for quantity, value in replayed.items():
        least, most = BOUNDS[quantity]
        assert least <= value <= most if quantity in touched else value == getattr(initial, quantity)


@given(st.permutations(range(6)), st.lists(st.floats(0.8, 1.25), min_size=6, max_size=6), st.integers(0, 6))
def test_undoing_in_any_order_leaves_what_the_remaining_adjustments_make(order, factors, count):
    initial = Levels(stability=10.0)
    history = [
        Adjustment(quantity=Quantity.STABILITY, operation=StrengthOperation.MULTIPLY, amount=factor)
        for factor in factors
    ]
    for at in order[:count]:
        history[at] = undone(history[at])
    expected = 10.0 * math.prod(factors[at] for at in order[count:])
    assert replay(initial, history).stability == pytest.approx(expected)


@given(_HISTORIES, adjustments())
def test_a_later_adjustment_acts_on_what_the_earlier_made(history, last):
    assume(not last.undone)
    initial = initial_levels(MemoryType.EPISODIC)
    before = replay(initial, history)
    assert replay(initial, [*history, last]) == replay(before, [last])


def test_bounds_hold_at_each_step_and_not_only_at_the_end():
    up = Adjustment(quantity=Quantity.CONFIDENCE, operation=StrengthOperation.ADD, amount=0.9)
    down = Adjustment(quantity=Quantity.CONFIDENCE, operation=StrengthOperation.ADD, amount=-0.4)
    assert replay(Levels(stability=1.0), [up, down]).confidence == pytest.approx(0.6)


@pytest.mark.parametrize("quantity", Quantity)
def test_whatever_passes_a_bound_is_at_the_bound(quantity):
    least, most = BOUNDS[quantity]
    assert within_bounds(quantity, -math.inf) == least
    assert within_bounds(quantity, math.inf) == most


def test_fault_14_a_stability_is_not_a_half_life():
    assert stability_of(12.789473684210526) == pytest.approx(1.0)
    assert all(stability_of(days) < days for days in HALF_LIFE_DAYS.values() if math.isfinite(days))
    assert math.isinf(stability_of(math.inf))


def test_every_type_has_a_half_life():
    assert HALF_LIFE_DAYS.keys() == set(MemoryType)
