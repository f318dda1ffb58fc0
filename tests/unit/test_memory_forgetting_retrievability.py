"""The curve of forgetting, what fades, and the states."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.kernel.errors import InvariantBroken
from frasier.memory.forgetting.retrievability import FADING_TYPES, fades, retrievability
from frasier.memory.forgetting.states import MemoryState, state_of
from frasier.memory.forgetting.usage_stats import UsageStats
from frasier.memory.strength.half_lives import HALF_LIFE_DAYS, initial_stability, stability_of
from frasier.memory.types import ImportanceTier, MemoryKind, MemoryType

_DAYS = st.floats(0, 1e6)
_STABILITIES = st.floats(0.05, 3650)
_FACTS = frozenset(MemoryType) - frozenset(FADING_TYPES)


def standing(**fields):
    given = {
        "kind": MemoryKind.OBSERVATION,
        "tier": ImportanceTier.NORMAL,
        "memory_type": MemoryType.EPISODIC,
    }
    return UsageStats(**given | fields)


@pytest.mark.parametrize("memory_type", [t for t in MemoryType if math.isfinite(HALF_LIFE_DAYS[t])])
def test_fault_14_at_its_half_life_just_half_of_a_memory_is_left(memory_type):
    half_life = HALF_LIFE_DAYS[memory_type]
    assert retrievability(half_life, initial_stability(memory_type)) == pytest.approx(0.5, abs=1e-12)


@given(st.floats(0.01, 1e5))
def test_fault_14_half_is_left_at_any_half_life(half_life):
    assert retrievability(half_life, stability_of(half_life)) == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize(("ratio", "left"), [(0, 1), (1, 0.9), (2.4, 0.8), (12.79, 0.5), (63.95, 0.25)])
def test_fault_14_the_curve_has_its_published_values(ratio, left):
    assert retrievability(ratio * 3.0, 3.0) == pytest.approx(left, abs=1e-3)


@given(_DAYS, _DAYS, _STABILITIES)
def test_a_memory_never_comes_back_by_waiting(one, other, stability):
    early, late = sorted((one, other))
    assert 1 >= retrievability(early, stability) >= retrievability(late, stability) > 0


@given(_DAYS, _STABILITIES, _STABILITIES)
def test_a_stabler_memory_is_never_further_gone(age, one, other):
    weak, strong = sorted((one, other))
    assert retrievability(age, strong) >= retrievability(age, weak)


@pytest.mark.parametrize("age", [None, math.nan, -1.0, -math.inf, 0.0])
def test_fault_14_an_unknown_age_and_a_clock_ahead_mean_fresh(age):
    assert retrievability(age, 0.5) == 1.0


@pytest.mark.parametrize("stability", [0.0, -1.0, math.nan])
def test_a_stability_that_is_none_is_our_defect(stability):
    with pytest.raises(InvariantBroken):
        retrievability(1.0, stability)


def test_what_never_fades_is_there_for_ever():
    assert retrievability(math.inf, math.inf) == 1.0


@pytest.mark.parametrize("memory_type", sorted(_FACTS))
def test_a_fact_does_not_fade_however_old(memory_type):
    assert standing(memory_type=memory_type, age_days=1e6, stability=0.1).retrievability == 1.0


@pytest.mark.parametrize("tier", ["constitutional", "critical", "important"])
def test_what_is_important_does_not_fade(tier):
    old = standing(tier=ImportanceTier(tier), age_days=1e6, idle_days=1e6)
    assert old.retrievability == 1.0
    assert old.state is MemoryState.HOT


@pytest.mark.parametrize("kind", [MemoryKind.PASSAGE, MemoryKind.MARKER, MemoryKind.DIRECTIVE])
def test_documents_and_records_do_not_fade(kind):
    assert not fades(kind, ImportanceTier.NORMAL, MemoryType.EPISODIC)


@pytest.mark.parametrize("memory_type", sorted(FADING_TYPES))
def test_what_happened_fades_by_the_half_life_of_its_type(memory_type):
    aged = standing(memory_type=memory_type, age_days=HALF_LIFE_DAYS[memory_type])
    assert aged.retrievability == pytest.approx(0.5)


def test_an_adjusted_stability_counts_instead_of_that_of_the_type():
    aged = standing(age_days=7.0)
    assert standing(age_days=7.0, stability=7.0).retrievability == pytest.approx(0.9)
    assert aged.retrievability == pytest.approx(0.5)


@given(st.floats(0, 1))
def test_fault_14_the_states_part_the_whole_range_in_order(left):
    state = state_of(left, idle_days=0, fades=True)
    lowest = {
        MemoryState.HOT: 0.80,
        MemoryState.WARM: 0.25,
        MemoryState.COLD: 0.05,
        MemoryState.DORMANT: 0.02,
        MemoryState.ARCHIVED: 0.0,
    }
    assert state is next(state for state, least in lowest.items() if left >= least)


@given(st.floats(0, 1), st.floats(0, 1))
def test_less_left_is_never_a_warmer_state(one, other):
    order = list(MemoryState)
    low, high = sorted((one, other))
    states = [state_of(left, idle_days=0, fades=True) for left in (high, low)]
    assert order.index(states[0]) <= order.index(states[1])


@pytest.mark.parametrize(
    ("left", "state"),
    [
        (0.80, MemoryState.HOT),
        (0.7999, MemoryState.WARM),
        (0.25, MemoryState.WARM),
        (0.2499, MemoryState.COLD),
        (0.05, MemoryState.COLD),
        (0.0499, MemoryState.DORMANT),
        (0.02, MemoryState.DORMANT),
        (0.0199, MemoryState.ARCHIVED),
    ],
)
def test_fault_14_each_threshold_belongs_to_the_warmer_state(left, state):
    assert state_of(left, idle_days=0, fades=True) is state


@given(st.floats(0, 1), st.floats(90, 1e6))
def test_what_nobody_touched_for_ninety_days_is_archived_if_it_fades(left, idle):
    assert state_of(left, idle_days=idle, fades=True) is MemoryState.ARCHIVED
    assert state_of(left, idle_days=idle, fades=False) is MemoryState.HOT


def test_a_day_less_than_ninety_is_not_enough():
    assert state_of(0.3, idle_days=89.0, fades=True) is MemoryState.WARM
