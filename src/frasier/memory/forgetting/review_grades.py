"""Grades of a review, and their effect on stability and difficulty. Pure.

    factor = grade · (1.3 − 0.05 · difficulty) · (good, easy: 1 + 0.5 · (1 − R); again, hard: 0.8 + 0.2 · R)

A gain is proportional to what had been forgotten, in full from R = 0.9 down: repeating at once what is fully
retrievable (R = 1) teaches nothing, so it gains nothing.
"""

from __future__ import annotations

from enum import StrEnum


class Grade(StrEnum):
    """The grade of a memory: from again, wrong or useless, to easy, exactly what was needed."""

    AGAIN = "again"
    HARD = "hard"
    GOOD = "good"
    EASY = "easy"


_MULTIPLIERS = {Grade.AGAIN: 0.5, Grade.HARD: 0.8, Grade.GOOD: 1.5, Grade.EASY: 2.0}
_DIFFICULTY_STEPS = {Grade.AGAIN: 1.0, Grade.HARD: 0.5, Grade.GOOD: 0.0, Grade.EASY: -0.5}
_TARGET_RETENTION = 0.9


def stability_factor(grade: Grade, *, difficulty: float, retrievability: float) -> float:
    """Return the factor on the stability, above 0; `difficulty` is 1 to 10, `retrievability` 0 to 1."""
    factor = _MULTIPLIERS[grade] * (1.3 - difficulty / 10 * 0.5)
    if grade in {Grade.AGAIN, Grade.HARD}:
        return min(1.0, factor * (0.8 + 0.2 * retrievability))
    gain = factor * (1 + (1 - retrievability) * 0.5) - 1
    return 1 + gain * min(1.0, (1 - retrievability) / (1 - _TARGET_RETENTION))


def difficulty_step(grade: Grade) -> float:
    """Return the change of the difficulty."""
    return _DIFFICULTY_STEPS[grade]
