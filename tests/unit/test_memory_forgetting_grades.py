"""What reviews make of stability and difficulty."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.memory.forgetting.retrievability import retrievability
from frasier.memory.forgetting.review_grades import Grade, difficulty_step, stability_factor

_LEFT = st.floats(0, 1)
_DIFFICULTIES = st.floats(1, 10)


def factor(grade, difficulty=5.0, left=0.5):
    return stability_factor(grade, difficulty=difficulty, retrievability=left)


@given(_DIFFICULTIES, _LEFT)
def test_a_better_grade_never_strengthens_less(difficulty, left):
    factors = [factor(grade, difficulty, left) for grade in Grade]
    assert factors == sorted(factors)
    assert factors[0] > 0


@given(_DIFFICULTIES, _LEFT)
def test_failing_never_strengthens_and_passing_never_weakens(difficulty, left):
    assert factor(Grade.AGAIN, difficulty, left) < 1
    assert factor(Grade.HARD, difficulty, left) <= 1
    assert factor(Grade.GOOD, difficulty, left) >= 1
    assert factor(Grade.EASY, difficulty, left) >= 1


@given(_DIFFICULTIES, st.sampled_from([Grade.GOOD, Grade.EASY]))
def test_fault_15_what_is_still_fully_there_gains_nothing(difficulty, grade):
    assert factor(grade, difficulty, 1.0) == 1.0


@given(_DIFFICULTIES, _LEFT, _LEFT, st.sampled_from([Grade.GOOD, Grade.EASY]))
def test_the_more_was_forgotten_the_more_a_success_strengthens(difficulty, one, other, grade):
    low, high = sorted((one, other))
    assert factor(grade, difficulty, low) >= factor(grade, difficulty, high)


@given(_DIFFICULTIES, _DIFFICULTIES, _LEFT, st.sampled_from([Grade.GOOD, Grade.EASY]))
def test_what_is_difficult_gains_less(one, other, left, grade):
    easy, difficult = sorted((one, other))
    assert factor(grade, difficult, left) <= factor(grade, easy, left)


def test_a_good_review_of_a_half_forgotten_memory():
    assert factor(Grade.GOOD) == pytest.approx(1.5 * 1.05 * 1.25)
    assert factor(Grade.AGAIN) == pytest.approx(0.5 * 1.05 * 0.9)
    assert [difficulty_step(grade) for grade in Grade] == [1.0, 0.5, 0.0, -0.5]


def test_fault_15_thirteen_repeats_in_a_row_leave_a_memory_as_it_was():
    stability = 0.5473
    for _ in range(13):
        left = retrievability(1 / 86400, stability)
        stability *= factor(Grade.GOOD, left=left)
    assert stability == pytest.approx(0.5473, rel=1e-3)
