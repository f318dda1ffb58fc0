"""What learning does in numbers, and how texts are stored."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.kernel.errors import InvalidInput
from frasier.memory import ImportanceTier, MemoryKind
from frasier.memory.learning.effect_sizes import (
    NOT_USEFUL,
    USEFUL,
    deprecates,
    holds_until_superseded,
    needs_replacement,
    outcome_factor,
    ready_for_promotion,
    relation_of,
)
from frasier.memory.learning.note_text import GAP_CHARS_MAX, GAPS_MAX, clean, clean_gaps, require
from frasier.memory.learning.types import CorrectionType, WorkOutcome
from frasier.memory.strength.replay import Adjustment, Quantity, StrengthOperation, initial_levels, replay
from frasier.memory.types import MemoryType
from frasier.memory.validation import is_binding


def test_the_outcomes_weigh_as_decided():
    assert {kind: outcome_factor(kind) for kind in WorkOutcome} == {
        WorkOutcome.ACCEPTED: 1.05,
        WorkOutcome.MODIFIED: 0.95,
        WorkOutcome.REJECTED: 0.8,
    }


def test_each_correction_has_its_relation_and_its_consequence():
    told = {kind: (relation_of(kind), deprecates(kind), needs_replacement(kind)) for kind in CorrectionType}
    assert told == {
        CorrectionType.SUPERSEDED: ("supersedes", True, True),
        CorrectionType.DEPRECATED: ("supersedes", True, False),
        CorrectionType.REFINED: ("derived_from", False, True),
        CorrectionType.MERGED: ("derived_from", False, True),
    }


@pytest.mark.parametrize("kind", MemoryKind)
@pytest.mark.parametrize("tier", ImportanceTier)
def test_directives_and_the_two_highest_tiers_bind_everybody(kind, tier):
    expected = kind == "directive" or tier in {"constitutional", "critical"}
    assert is_binding(kind, tier) is expected


def test_an_episode_stays_true_of_its_moment_and_a_fact_ends():
    facts = {kind for kind in MemoryType if holds_until_superseded(kind, has_window=False)}
    assert facts == {MemoryType.DECLARATIVE, MemoryType.SEMANTIC}
    assert holds_until_superseded(MemoryType.EPISODIC, has_window=True)


@given(st.lists(st.booleans(), max_size=12))
def test_a_memory_is_ready_from_nine_tenths_after_five_votes_however_they_came(votes):
    """Tenths are not exact in binary: four useful votes make 0.8999999999999999."""
    steps = [
        Adjustment(
            quantity=Quantity.CONFIDENCE,
            operation=StrengthOperation.ADD,
            amount=USEFUL if useful else NOT_USEFUL,
        )
        for useful in votes
    ]
    levels = replay(initial_levels(MemoryType.SEMANTIC), steps)
    hundredths = 50
    for useful in votes:
        hundredths = min(max(hundredths + (10 if useful else -5), 5), 100)
    expected = len(votes) >= 5 and hundredths >= 90
    assert ready_for_promotion(confidence=levels.confidence, validations=len(votes)) is expected


@given(st.text(max_size=300))
def test_a_stored_text_is_free_of_what_postgresql_and_terminals_cannot_take(text):
    stored = clean("A text", text, 300)
    assert stored == clean("A text", stored, 300)
    assert "\x00" not in stored
    assert "\x1b" not in stored
    stored.encode()


def test_a_secret_in_a_reason_is_not_kept():
    assert "hunter2hunter2" not in clean("A reason", "the key is password=hunter2hunter2", 100)


def test_a_text_that_is_too_long_is_refused_not_cut():
    with pytest.raises(InvalidInput) as refused:
        clean("A reason", "x" * 101, 100)
    assert refused.value.number == "E032"


@pytest.mark.parametrize("text", ["", "  \n", "\x00\x1b"])
def test_a_text_that_says_nothing_is_missing(text):
    with pytest.raises(InvalidInput) as refused:
        require("A reason", text, 100)
    assert refused.value.number == "E031"


def test_gaps_are_kept_once_each_and_in_order():
    assert clean_gaps("Gaps", [" b", "a", "b ", " ", "a"]) == ("b", "a")


@pytest.mark.parametrize("gaps", [["x"] * (GAPS_MAX + 1), ["x" * (GAP_CHARS_MAX + 1)]])
def test_too_many_or_too_long_gaps_are_refused(gaps):
    with pytest.raises(InvalidInput) as refused:
        clean_gaps("Gaps", gaps)
    assert refused.value.number == "E032"
