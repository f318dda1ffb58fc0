"""The rule that decides a trial: its errors over simulated trials, its exact test, and what it never does."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.org.staffing import TrialDecision, TrialVerdict, judge_pairs, pairs_until_look
from frasier.org.staffing.trial_rule import looks, sign_flip_chance

PAIRS, ALPHA, EFFECT_MIN = 40, 0.05, 0.1
SD = 0.5
differences = st.lists(st.floats(-4, 4, allow_nan=False), max_size=PAIRS)


def judge(values: object) -> TrialDecision:
    return judge_pairs(list(values), max_pairs=PAIRS, alpha=ALPHA, minimum_effect=EFFECT_MIN)  # type: ignore[call-overload]


def simulated(effect: float, trials: int, *, seed: int) -> list[TrialVerdict]:
    generator = np.random.default_rng(seed)
    return [judge(generator.normal(effect, SD, PAIRS)).verdict for _ in range(trials)]


@pytest.mark.parametrize("seed", range(5))
def test_of_twenty_that_help_and_twenty_that_harm_eighteen_of_each_are_decided_rightly(seed: int) -> None:
    assert simulated(0.3, 20, seed=seed).count(TrialVerdict.HELPS) >= 18
    assert simulated(-0.3, 20, seed=seed + 100).count(TrialVerdict.HARMS) >= 18


def test_of_a_thousand_changes_without_effect_at_most_fifty_are_kept() -> None:
    verdicts = simulated(0.0, 1_000, seed=7)
    assert verdicts.count(TrialVerdict.HELPS) <= 50
    assert verdicts.count(TrialVerdict.HARMS) <= 50
    assert TrialVerdict.UNDECIDED not in verdicts


def test_no_change_that_harms_by_so_much_is_kept() -> None:
    assert simulated(-0.3, 500, seed=3).count(TrialVerdict.HELPS) == 0


@pytest.mark.parametrize("values", [[1, 1, 1], [3, -1, 2, 0], [-5, 2, 2, 2, 1], [7, -7, 1, 1, -2, 4]])
def test_the_chance_is_the_share_of_all_signs(values: list[int]) -> None:
    sizes = np.abs(values)
    sums = [int(np.dot(signs, sizes)) for signs in product((1, -1), repeat=len(values))]
    exact = sum(one >= sum(values) for one in sums) / len(sums)
    assert sign_flip_chance(np.asarray(values)) == pytest.approx(exact)


def test_the_levels_of_all_looks_add_up_to_alpha() -> None:
    for most in range(5, PAIRS + 1):
        planned = looks(most, ALPHA)
        assert sum(level for _, level in planned) == pytest.approx(ALPHA)
        assert planned[-1][0] == most
        assert [number for number, _ in planned] == sorted({number for number, _ in planned})


def test_ten_gains_of_ten_decide_and_nine_pairs_never_do() -> None:
    assert judge([0.2] * 10).verdict is TrialVerdict.HELPS
    assert judge([4.0] * 9).verdict is TrialVerdict.UNDECIDED
    assert judge([-0.2] * 10).verdict is TrialVerdict.HARMS


def test_a_gain_below_the_least_effect_is_not_kept() -> None:
    assert judge([0.05] * PAIRS).verdict is TrialVerdict.NOT_SHOWN


@settings(max_examples=200)
@given(values=differences)
def test_turning_every_difference_round_turns_the_verdict_round(values: list[float]) -> None:
    one = judge_pairs(values, max_pairs=PAIRS, alpha=ALPHA, minimum_effect=0)
    other = judge_pairs([-value for value in values], max_pairs=PAIRS, alpha=ALPHA, minimum_effect=0)
    turned = {TrialVerdict.HELPS: TrialVerdict.HARMS, TrialVerdict.HARMS: TrialVerdict.HELPS}
    assert other.verdict is turned.get(one.verdict, one.verdict)


@settings(max_examples=200)
@given(values=differences, more=differences)
def test_what_is_compared_behind_a_decision_changes_nothing(values: list[float], more: list[float]) -> None:
    before = judge(values)
    if before.verdict is not TrialVerdict.UNDECIDED:
        assert judge([*values, *more]) == before


@settings(max_examples=100)
@given(compared=st.integers(0, PAIRS), most=st.integers(5, PAIRS))
def test_pairs_are_wanted_up_to_a_look_and_never_past_the_last(compared: int, most: int) -> None:
    numbers = [number for number, _ in looks(most, ALPHA)]
    wanted = pairs_until_look(compared, max_pairs=most)
    assert compared + wanted in numbers if compared < most else wanted == 0
