"""Our statistics against the values of scipy 1.17.1, scikit-learn 1.9.1 and statsmodels 0.15.0.

Each reference was computed once, by the call that stands beside it, and stored: none of the three is a dependency.
"""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
import tracemalloc
from fractions import Fraction
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.kernel.statistics.agreement import weighted_kappa
from frasier.kernel.statistics.comparisons import (
    EXACT,
    NORMAL,
    SAMPLED,
    binomial_above,
    binomial_below,
    holm,
    mann_whitney,
    paired_sign_flip,
)
from frasier.kernel.statistics.estimate import NOT_ENOUGH_DATA, Estimate, seed_of
from frasier.kernel.statistics.intervals import bootstrap_mean, bootstrap_median, wilson
from frasier.kernel.statistics.outliers import OUTLIER_Z, robust_z_scores

APART = (
    [1.1, 2.3, 3.7, 4.1, 5.9, 6.2, 7.7, 8.8],
    [2.9, 4.6, 6.8, 7.1, 9.3, 10.4, 11.5, 12.6, 13.0],
)
TIED = ([1, 2, 2, 3, 3, 3, 4, 5], [3, 4, 4, 5, 5, 5, 6, 6, 7])
MANY = (
    [int(digit) for digit in "3345115522532523431154535234121351235232"],
    [int(digit) for digit in "25234426562534635236443245453556425"],
)
SKEWED = [1.2, 3.4, 2.2, 0.4, 8.8, 1.7, 2.9, 3.3, 0.9, 5.1, 2.4, 1.8]
RATINGS = ([1, 2, 3, 4, 5, 3, 3, 2, 4, 5, 1, 2, 4, 4], [1, 2, 4, 4, 5, 3, 2, 2, 5, 4, 1, 3, 4, 3])


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [  # scipy.stats.binomtest(k, n).proportion_ci(method="wilson")
        (0, 10, 0.0, 0.27753279986288926),
        (3, 10, 0.10779126740630102, 0.6032218525388546),
        (9, 9, 0.7008549515804559, 1.0),
        (97, 100, 0.9154806357094724, 0.9897454759759611),
        (45, 80, 0.4534113429694972, 0.6658613908385618),
    ],
)
def test_a_share_has_the_interval_of_wilson(successes: int, n: int, low: float, high: float) -> None:
    share = wilson(successes, n)
    assert share.value == successes / n
    assert (share.low, share.high) == pytest.approx((low, high), abs=1e-12)


def test_a_bootstrap_interval_is_that_of_scipy_within_its_noise_and_repeats_itself() -> None:
    mean = bootstrap_mean(SKEWED, seed=5)
    # scipy.stats.bootstrap((SKEWED,), numpy.mean, n_resamples=200_000, method="BCa")
    assert mean.value == pytest.approx(2.841666666666667)
    assert (mean.low, mean.high) == pytest.approx((1.933, 4.617), abs=0.12)
    assert bootstrap_mean(SKEWED, seed=5) == mean
    assert bootstrap_mean(SKEWED, seed=6) != mean
    median = bootstrap_median(SKEWED, seed=5)
    assert median.value == pytest.approx(2.3)
    assert median.low is not None
    assert median.high is not None
    assert median.low < 2.3 < median.high


@pytest.mark.parametrize(
    ("samples", "p_value", "delta", "method"),
    [
        # scipy.stats.mannwhitneyu(..., method="exact")
        (APART, 0.03595228301110654, -0.6111111111111112, EXACT),
        # scipy.stats.mannwhitneyu(..., method=PermutationMethod(n_resamples=inf)): all arrangements, with ties
        (TIED, 0.006663924310983134, -0.7777777777777778, EXACT),
        # scipy.stats.mannwhitneyu(..., method="asymptotic")
        (MANY, 0.007895445325545964, 2 * 454.5 / (40 * 35) - 1, NORMAL),
    ],
)
def test_two_samples_are_compared_by_ranks(
    samples: tuple[list[float], list[float]], p_value: float, delta: float, method: str
) -> None:
    compared = mann_whitney(*samples, seed=1)
    assert compared.p_value == pytest.approx(p_value, abs=1e-12)
    assert compared.effect.value == pytest.approx(delta, abs=1e-12)
    assert compared.method == method
    assert (compared.n_first, compared.n_second) == (len(samples[0]), len(samples[1]))
    low, high = compared.effect.low, compared.effect.high
    assert low is not None
    assert high is not None
    assert -1 <= low < delta < high <= 1


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.integers(0, 5), min_size=8, max_size=8),
    st.lists(st.integers(0, 5), min_size=8, max_size=9),
)
def test_an_exact_comparison_counts_every_arrangement(first: list[int], second: list[int]) -> None:
    both = [*first, *second]
    ranks = [sum(x < v for x in both) + (both.count(v) + 1) / 2 for v in both]
    sums = [sum(chosen) for chosen in itertools.combinations(ranks, len(first))]
    observed = sum(ranks[: len(first)])
    tail = min(sum(s <= observed for s in sums), sum(s >= observed for s in sums))
    expected = min(1.0, 2 * tail / math.comb(len(both), len(first)))
    assert mann_whitney(first, second, seed=0).p_value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("differences", "p_value"),
    [  # scipy.stats.permutation_test((d,), numpy.mean, permutation_type="samples", n_resamples=inf)
        ([1.2, -0.4, 2.2, 0.9, 1.5, -0.3, 0.8, 1.1, 0.6, -0.1], 0.021484375),
        ([1, 1, 0, -1, 1, 1, 0, 1, 1], 0.125),
        ([1.0] * 8, 2 / 256),
        ([0.0] * 8, 1.0),
    ],
)
def test_pairs_are_compared_by_flipping_their_signs(differences: list[float], p_value: float) -> None:
    compared = paired_sign_flip(differences, seed=2)
    assert compared.p_value == pytest.approx(p_value, abs=1e-12)
    assert compared.method == EXACT
    assert compared.effect.value == pytest.approx(sum(differences) / len(differences))


def test_many_pairs_are_sampled_with_the_given_seed() -> None:
    differences = [0.3, -0.2, 0.5, 0.1, -0.4, 0.6, 0.2, 0.3, -0.1, 0.4, 0.2, 0.1] * 2
    compared = paired_sign_flip(differences, seed=3)
    assert compared.method == SAMPLED
    assert compared.p_value is not None
    assert 0 < compared.p_value < 0.05
    assert paired_sign_flip(differences, seed=3) == compared


def test_a_thousand_times_as_many_scores_of_a_scale_take_no_longer_and_no_more_memory() -> None:
    scores = [float(digit) for digit in "33451155225325234311545"] * 4_000
    others = [min(5.0, score + (place % 3 == 0)) for place, score in enumerate(scores)]
    tracemalloc.start()
    delta = mann_whitney(others, scores, seed=1).effect
    mean = bootstrap_mean(scores, seed=1)
    kappa = weighted_kappa(scores, others, scale=[1.0, 2.0, 3.0, 4.0, 5.0], weights="quadratic", seed=1)
    compared = paired_sign_flip([one - other for one, other in zip(others, scores, strict=True)], seed=1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 60_000_000  # a table of 92,000 by 92,000 has 68 GB, 10,000 samples of 92,000 scores have 7
    assert mean.value == pytest.approx(sum(scores) / len(scores))
    for estimate in (delta, mean, kappa):
        assert estimate.low is not None
        assert estimate.value is not None
        assert estimate.high is not None
        assert estimate.low < estimate.value < estimate.high < estimate.low + 0.05
    assert compared.p_value == pytest.approx(1e-4, rel=1e-3)


def test_the_median_of_samples_counts_values_as_often_as_they_occur() -> None:
    values = [1.0] * 5 + [2.0] * 2 + [8.0] * 4
    assert bootstrap_median(values, seed=1).value == 2.0
    assert bootstrap_median([*values, 8.0], seed=1).value == 2.0
    assert bootstrap_median([*values, 8.0, 8.0, 8.0], seed=1).value == 5.0


@pytest.mark.parametrize(
    ("weights", "kappa"),
    [  # sklearn.metrics.cohen_kappa_score(a, b, labels=[1, 2, 3, 4, 5], weights=...)
        ("linear", 0.7021276595744681),
        ("quadratic", 0.8691588785046729),
    ],
)
def test_raters_agree_beyond_chance(weights: str, kappa: float) -> None:
    agreement = weighted_kappa(*RATINGS, scale=[1, 2, 3, 4, 5], weights=weights, seed=4)  # type: ignore[arg-type]
    assert agreement.value == pytest.approx(kappa, abs=1e-12)
    assert agreement.low is not None
    assert agreement.high is not None
    assert agreement.low < kappa < agreement.high <= 1


def test_raters_who_always_say_the_same_have_no_kappa() -> None:
    assert not weighted_kappa(
        ["yes"] * 9, ["yes"] * 9, scale=["no", "yes"], weights="linear", seed=0
    ).is_enough


def test_few_successes_are_improbable_by_the_binomial_distribution() -> None:
    # scipy.stats.binom.cdf(successes, n, share)
    assert binomial_below(2, 8, share=0.7) == pytest.approx(0.01129221, abs=1e-9)
    assert binomial_below(8, 8, share=0.7) == pytest.approx(1.0)
    exactly = Fraction(sum(math.comb(5_000, count) * 4**count for count in range(4_001)), 5**5_000)
    assert binomial_below(4_000, 5_000, share=0.8) == pytest.approx(float(exactly), rel=1e-9)
    assert binomial_below(0, 7, share=0.7) is None
    assert binomial_above(3, 8, share=0.1) == pytest.approx(0.03809178, abs=1e-8)
    assert binomial_above(0, 8, share=0.1) == pytest.approx(1.0)
    assert binomial_above(7, 7, share=0.1) is None


def test_several_comparisons_are_corrected() -> None:
    # statsmodels.stats.multitest.multipletests(p, method="holm")
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.2, 0.9, 0.5]) == pytest.approx([0.6, 1.0, 1.0])
    assert holm([]) == []


def test_an_outlier_is_far_from_the_median() -> None:
    scores = robust_z_scores(SKEWED)
    assert scores is not None
    # 0.6745 * (x - numpy.median(x)) / scipy.stats.median_abs_deviation(x)
    assert scores[:5] == pytest.approx([-0.7066190, 0.7066190, -0.0642381, -1.2205238, 4.1754762], abs=1e-6)
    assert [abs(score) > OUTLIER_Z for score in scores].count(True) == 1
    assert robust_z_scores([3.0] * 10) == [0.0] * 10
    alike_but_one = robust_z_scores([3.0] * 10 + [9.0])
    assert alike_but_one is not None
    assert alike_but_one[-1] > OUTLIER_Z
    assert robust_z_scores([1, 2, 3, 4, 5, 6, 90]) is None


def test_few_observations_are_not_enough_data_and_no_error() -> None:
    few = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    enough = [*few, 8.0]
    estimates = [
        wilson(7, 7),
        wilson(0, 0),
        bootstrap_mean(few, seed=0),
        bootstrap_median([], seed=0),
        mann_whitney(few, enough, seed=0).effect,
        paired_sign_flip(few, seed=0).effect,
        weighted_kappa(few, few, scale=few, weights="linear", seed=0),
    ]
    assert [estimate.n for estimate in estimates] == [7, 0, 7, 0, 7, 7, 7]
    assert not any(estimate.is_enough for estimate in estimates)
    assert all(NOT_ENOUGH_DATA in str(estimate) for estimate in estimates)
    assert mann_whitney(few, enough, seed=0).p_value is None
    assert bootstrap_mean(enough, seed=0).is_enough
    assert str(Estimate(n=8, value=0.5, low=0.25, high=0.75)) == "0.5 (n = 8, 95 % interval 0.25 to 0.75)"


def test_a_seed_is_that_of_its_mission_and_figure() -> None:
    mission = UUID("00000000-0000-7000-8000-000000000001")
    assert seed_of(mission, "durations") == seed_of(mission, "durations")
    assert (
        len({seed_of(mission, "durations"), seed_of(mission, "costs"), seed_of(UUID(int=2), "durations")})
        == 3
    )


def test_numpy_is_imported_when_a_figure_is_computed() -> None:
    modules = "agreement, comparisons, estimate, intervals, outliers"
    program = (
        f"from frasier.kernel.statistics import {modules}\nimport sys\nassert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
