"""BM25's share that is computed before SQL, and the factor of a memory's worth."""

import itertools
import math

from hypothesis import given
from hypothesis import strategies as st

from frasier.memory import ImportanceTier, MemoryKind
from frasier.memory.bm25 import length_slope, term_weight
from frasier.memory.importance_boost import importance_boost

_COUNTS = st.integers(1, 10**7)
_IMPORTANCE = st.integers(1, 10)
_KINDS = st.sampled_from([kind for kind in MemoryKind if kind is not MemoryKind.PASSAGE])


@given(_COUNTS, _COUNTS)
def test_a_rarer_term_weighs_more_and_every_term_weighs_something(one, other):
    items = one + other
    rare, common = sorted((one, other))
    assert term_weight(items=items, containing=rare) >= term_weight(items=items, containing=common) > 0


@given(_COUNTS, _COUNTS)
def test_a_stale_count_of_the_scope_never_makes_a_weight_negative(items, containing):
    assert term_weight(items=items, containing=containing) > 0


def test_the_weight_is_the_textbook_idf_times_k1_plus_one():
    assert term_weight(items=1000, containing=10) == 2.2 * math.log(1 + (1000 - 10 + 0.5) / (10 + 0.5))


def test_an_empty_scope_has_no_slope():
    assert length_slope(items=0, terms=0) == 0.0


@given(_KINDS, st.sampled_from(ImportanceTier), _IMPORTANCE, _IMPORTANCE)
def test_more_importance_never_lowers_a_memory(kind, tier, one, other):
    low, high = sorted((one, other))
    assert importance_boost(kind, tier, low) <= importance_boost(kind, tier, high)


@given(_KINDS, _IMPORTANCE)
def test_a_higher_tier_never_lowers_a_memory(kind, importance):
    factors = [importance_boost(kind, tier, importance) for tier in ImportanceTier]
    assert all(higher >= lower for higher, lower in itertools.pairwise(factors))


@given(st.sampled_from(ImportanceTier), _IMPORTANCE)
def test_a_passage_has_no_worth_of_its_own(tier, importance):
    assert importance_boost(MemoryKind.PASSAGE, tier, importance) == 1.0


@given(_KINDS)
def test_an_ordinary_memory_is_neither_raised_nor_lowered(kind):
    assert importance_boost(kind, ImportanceTier.NORMAL, 5) == 1.0


@given(_KINDS, _KINDS, st.data())
def test_worth_never_outweighs_a_match_three_times_as_good(kind, other, data):
    tiers = st.sampled_from([tier for tier in ImportanceTier if tier is not ImportanceTier.DEPRECATED])
    least = importance_boost(kind, data.draw(tiers), data.draw(_IMPORTANCE))
    greatest = importance_boost(other, data.draw(tiers), data.draw(_IMPORTANCE))
    assert 3 * least > greatest
