"""Reciprocal rank fusion: the documented formula, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.memory import Arm
from frasier.memory.recall.fusion import CONVERGENCE_BONUS, best_score, fuse, leaders

BASELINE = {Arm.LEXICAL: 1.0, Arm.VECTOR: 1.0, Arm.GRAPH: 1.5}
rankings = st.dictionaries(
    st.sampled_from([Arm.LEXICAL, Arm.VECTOR, Arm.GRAPH]),
    st.lists(st.integers(1, 30), unique=True, max_size=20),
)


def scores(found, weights=BASELINE):
    return {one.num: one.score for one in fuse(found, weights)}


def test_one_arm_gives_its_weight_over_k_and_rank():
    assert scores({Arm.LEXICAL: [7, 8]}) == {7: 1 / 61, 8: 1 / 62}
    assert scores({Arm.GRAPH: [7]}) == {7: 1.5 / 61}


def test_fault_1_two_arms_that_agree_multiply_their_sum_by_ten_per_cent():
    found = scores({Arm.LEXICAL: [7, 8], Arm.VECTOR: [9, 7]})
    assert found[7] == pytest.approx(1.10 * (1 / 61 + 1 / 62))
    assert found[9] == 1 / 61


def test_fault_3_the_words_around_are_no_second_witness_of_the_words():
    weights = BASELINE | {Arm.CONTEXT: 1.0}
    assert scores({Arm.LEXICAL: [7], Arm.CONTEXT: [7]}, weights)[7] == pytest.approx(2 / 61)


def test_an_arm_of_weight_zero_is_off():
    assert scores({Arm.LEXICAL: [7], Arm.VECTOR: [8]}, BASELINE | {Arm.VECTOR: 0.0}) == {7: 1 / 61}


@given(rankings)
def test_the_score_is_the_formula_whatever_the_rankings(found):
    for one in fuse(found, BASELINE):
        ranks = {arm: ranking.index(one.num) + 1 for arm, ranking in found.items() if one.num in ranking}
        plain = sum(BASELINE[arm] / (60 + rank) for arm, rank in ranks.items())
        assert one.score == pytest.approx(plain * (CONVERGENCE_BONUS if len(ranks) > 1 else 1))
        assert one.ranks == ranks


@given(rankings)
def test_the_bonus_moves_nobody_past_who_is_more_than_ten_per_cent_better(found):
    plain = {
        num: sum(
            BASELINE[arm] / (60 + ranking.index(num) + 1) for arm, ranking in found.items() if num in ranking
        )
        for num in scores(found)
    }
    order = [one.num for one in fuse(found, BASELINE)]
    for place, num in enumerate(order):
        for behind in order[place + 1 :]:
            assert plain[behind] <= plain[num] * CONVERGENCE_BONUS * (1 + 1e-9)


@given(rankings)
def test_the_leaders_are_the_first_of_the_whole_ranking_with_their_shares(found):
    fused = fuse(found, BASELINE)
    first = leaders(found, BASELINE, limit=3)
    assert list(first.items()) == [(one.num, one.share) for one in fused[:3]]


@given(rankings)
def test_the_share_lies_between_nothing_and_one_and_the_order_is_of_the_score(found):
    fused = fuse(found, BASELINE)
    assert all(0 < one.share <= 1 + 1e-9 for one in fused)
    assert [one.score for one in fused] == sorted((one.score for one in fused), reverse=True)
    assert len({one.num for one in fused}) == len(fused)


def test_first_everywhere_is_the_most_there_is():
    (first,) = fuse({Arm.LEXICAL: [1], Arm.VECTOR: [1], Arm.GRAPH: [1]}, BASELINE)
    assert first.share == pytest.approx(1)
    assert best_score(BASELINE, BASELINE) == pytest.approx(1.1 * 3.5 / 61)
