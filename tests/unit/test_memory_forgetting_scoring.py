"""The worth of a memory: a product of five factors, each of which can be switched off."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.memory.forgetting.ranking_boost import RankingBoost, ranking_boost
from frasier.memory.forgetting.usage_stats import UsageStats
from frasier.memory.settings import ScoringSettings
from frasier.memory.types import ImportanceTier, MemoryKind, MemoryType

_COUNTED_KINDS = [kind for kind in MemoryKind if kind is not MemoryKind.PASSAGE]
_COUNTED_TIERS = [tier for tier in ImportanceTier if tier is not ImportanceTier.DEPRECATED]
_AGES = st.none() | st.floats(0, 1e4)

standings = st.builds(
    UsageStats,
    kind=st.sampled_from(_COUNTED_KINDS),
    tier=st.sampled_from(_COUNTED_TIERS),
    memory_type=st.sampled_from(MemoryType),
    importance=st.integers(1, 10),
    age_days=_AGES,
    idle_days=_AGES,
    stability=st.none() | st.floats(0.1, 3650),
    use_count=st.integers(0, 10**6),
    cited_days=_AGES,
)

# An old, much used, freshly cited memory that the query names: every factor is other than 1.
TELLING = UsageStats(
    kind=MemoryKind.LESSON,
    tier=ImportanceTier.NORMAL,
    memory_type=MemoryType.EPISODIC,
    importance=7,
    age_days=7.0,
    use_count=4,
    cited_days=1.0,
)


def plain(**fields):
    given = {
        "kind": MemoryKind.OBSERVATION,
        "tier": ImportanceTier.NORMAL,
        "memory_type": MemoryType.EPISODIC,
    }
    return UsageStats(**given | fields)


def test_an_ordinary_fresh_memory_is_worth_one():
    assert ranking_boost(plain()) == RankingBoost()
    assert RankingBoost().value == RankingBoost().shown == 1.0


def test_each_factor_is_named_in_the_worth():
    boost = ranking_boost(TELLING, pattern=True)
    assert boost.retrievability == pytest.approx(0.5)
    assert boost.usage == pytest.approx(1.006)
    assert boost.importance == pytest.approx(1.1)
    assert boost.pattern == 1.2
    assert boost.citation == pytest.approx(1.004)
    assert boost.value == pytest.approx(0.5 * 1.006 * 1.1 * 1.2 * 1.004)


@pytest.mark.parametrize(
    ("flag", "factor"),
    [
        ("decay", "retrievability"),
        ("usage", "usage"),
        ("importance", "importance"),
        ("pattern", "pattern"),
        ("citation", "citation"),
    ],
)
def test_fault_44_a_factor_that_is_off_is_one_and_the_others_are_as_before(flag, factor):
    on = ranking_boost(TELLING, pattern=True)
    off = ranking_boost(TELLING, pattern=True, factors=ScoringSettings(**{flag: False}))
    assert getattr(off, factor) == 1.0 != getattr(on, factor)
    assert off.value == pytest.approx(on.value / getattr(on, factor))


def test_fault_44_with_every_factor_off_only_relevance_counts():
    off = ScoringSettings(decay=False, usage=False, importance=False, pattern=False, citation=False)
    assert ranking_boost(TELLING, pattern=True, factors=off) == RankingBoost()


@given(standings, st.booleans())
def test_fault_4_the_worth_is_within_what_its_factors_allow(standing, pattern):
    boost = ranking_boost(standing, pattern=pattern)
    assert 0 < boost.retrievability <= 1
    assert 1 <= boost.usage <= 1.006
    assert 0.8 * 0.8 <= boost.importance <= 1.5 * 1.25
    assert boost.pattern in {1.0, 1.2}
    assert 1 <= boost.citation <= 1.004
    assert boost.shown == min(1.0, boost.value) <= 1


@given(standings, standings, st.booleans(), st.booleans(), st.floats(0.001, 1))
def test_equal_relevance_is_never_reordered_by_more_than_the_factors(
    one, other, named, also_named, relevance
):
    mine, theirs = ranking_boost(one, pattern=named), ranking_boost(other, pattern=also_named)
    ratio = math.prod(
        getattr(mine, factor) / getattr(theirs, factor)
        for factor in ("retrievability", "usage", "importance", "pattern", "citation")
    )
    assert (relevance * mine.value) / (relevance * theirs.value) == pytest.approx(ratio)
    # Beside the decay, which has no lower bound, the factors together move a memory by less than a factor of six.
    assert mine.value / mine.retrievability < 6 * theirs.value / theirs.retrievability


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_more_use_never_lowers_a_memory_and_is_capped(one, other):
    low, high = sorted((one, other))
    boosts = [ranking_boost(plain(use_count=count)).usage for count in (low, high)]
    assert 1 <= boosts[0] <= boosts[1] <= 1.006


def test_fault_4_zero_uses_are_zero_and_not_unknown():
    assert ranking_boost(plain(use_count=0)).usage == 1.0
    assert ranking_boost(plain(use_count=1)).usage == pytest.approx(1.002)
    assert ranking_boost(plain(use_count=10)).usage == ranking_boost(plain(use_count=11)).usage == 1.006


@given(st.sampled_from(_COUNTED_TIERS), st.integers(1, 10), st.integers(1, 10))
def test_more_importance_never_lowers_a_memory(tier, one, other):
    low, high = sorted((one, other))
    boosts = [ranking_boost(plain(tier=tier, importance=importance)).importance for importance in (low, high)]
    assert boosts[0] <= boosts[1]


def test_a_higher_tier_never_lowers_a_memory():
    boosts = [ranking_boost(plain(tier=tier)).importance for tier in _COUNTED_TIERS]
    assert boosts == [1.5, 1.5, 1.2, 1.0, 0.8]


@pytest.mark.parametrize(
    ("days", "factor"),
    [
        (None, 1.0),
        (math.nan, 1.0),
        (-1.0, 1.004),
        (0.0, 1.004),
        (7.0, 1.004),
        (48.5, 1.002),
        (90.0, 1.0),
        (1e9, 1.0),
        (math.inf, 1.0),
    ],
)
def test_a_citation_counts_fully_for_a_week_and_fades_until_day_ninety(days, factor):
    assert ranking_boost(plain(cited_days=days)).citation == pytest.approx(factor)


def test_access_is_no_citation():
    assert ranking_boost(plain(idle_days=0.0, use_count=3, cited_days=None)).citation == 1.0


@given(standings)
def test_a_part_of_a_document_has_no_worth_of_its_own(standing):
    assert ranking_boost(standing._replace(kind=MemoryKind.PASSAGE), pattern=True) == RankingBoost()


@pytest.mark.parametrize("importance_counts", [True, False])
def test_a_deprecated_memory_is_worth_nothing_whatever_is_switched_off(importance_counts):
    deprecated = plain(tier=ImportanceTier.DEPRECATED, use_count=10)
    factors = ScoringSettings(importance=importance_counts)
    assert ranking_boost(deprecated, pattern=True, factors=factors).value == 0.0


def test_the_best_memories_are_told_apart_although_all_are_shown_as_one():
    good = [plain(use_count=count, tier=ImportanceTier.CRITICAL) for count in range(4)]
    boosts = [ranking_boost(standing) for standing in good]
    assert {boost.shown for boost in boosts} == {1.0}
    assert all(one.value < other.value for one, other in itertools.pairwise(boosts))
