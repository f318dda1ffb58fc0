"""Caps: the refusal names the cap, the figures, and what raises it."""

from __future__ import annotations

from decimal import Decimal

import pytest

from frasier.kernel.errors import BudgetExceeded
from frasier.llm import Caps
from frasier.llm.spending_caps import Holding, Scope, check_cap, limits_of

CAPS = Caps(
    task_usd=Decimal(1),
    mission_usd=Decimal(5),
    task_calls=3,
    task_tokens=1_000,
    mission_calls=4,
    mission_tokens=9_000,
)


def _holding(scope: Scope = Scope.TASK, **held: int) -> Holding:
    figures = {"reserved_usd_micros": 0, "spent_usd_micros": 0, "tokens": 0, "calls": 1} | held
    return Holding(scope=scope, key="018f-mission", **figures)


def test_a_cap_may_be_reached_but_not_passed():
    limit = limits_of(CAPS, None)[Scope.TASK]
    check_cap(_holding(spent_usd_micros=900_000, reserved_usd_micros=100_000), limit, call_usd_micros=100_000)
    with pytest.raises(BudgetExceeded):
        check_cap(_holding(spent_usd_micros=900_000, reserved_usd_micros=100_001), limit, call_usd_micros=1)


def test_the_refusal_says_what_is_spent_reserved_and_asked_for():
    limit = limits_of(CAPS, None)[Scope.MISSION]
    with pytest.raises(BudgetExceeded) as caught:
        check_cap(
            _holding(Scope.MISSION, spent_usd_micros=4_500_000, reserved_usd_micros=700_000),
            limit,
            call_usd_micros=300_000,
        )
    assert caught.value.message == (
        "The mission budget of $5.00 would be passed: $4.50 is spent, $0.40 reserved for calls in flight, "
        "and this call may cost $0.30."
    )
    assert "FRASIER_LLM__CAPS__MISSION_USD" in caught.value.hint
    assert [one.action for one in caught.value.advice] == ["mission.resume"]


@pytest.mark.parametrize("scope", Scope)
def test_each_cap_names_a_setting_that_exists(scope):
    limit = limits_of(CAPS, None)[scope]
    with pytest.raises(BudgetExceeded) as caught:
        check_cap(_holding(scope, reserved_usd_micros=10**12), limit, call_usd_micros=10**12)
    name = caught.value.hint.split("FRASIER_LLM__CAPS__")[1].split(" ")[0].rstrip(".").lower()
    assert name in Caps.model_fields


def test_calls_and_tokens_are_capped_too():
    limit = limits_of(CAPS, None)[Scope.TASK]
    check_cap(_holding(calls=3, tokens=1_000), limit, call_usd_micros=0)
    with pytest.raises(BudgetExceeded, match="3 calls to models of 3 allowed") as calls:
        check_cap(_holding(calls=4), limit, call_usd_micros=0)
    with pytest.raises(BudgetExceeded, match="1,001 tokens") as tokens:
        check_cap(_holding(tokens=1_001), limit, call_usd_micros=0)
    assert "TASK_CALLS" in calls.value.hint
    assert "TASK_TOKENS" in tokens.value.hint


def test_a_free_call_is_not_refused_for_money_that_others_spent():
    limit = limits_of(CAPS, None)[Scope.TASK]
    spent = _holding(spent_usd_micros=2_000_000)
    check_cap(spent, limit, call_usd_micros=0)
    with pytest.raises(BudgetExceeded):
        check_cap(spent, limit, call_usd_micros=1)


def test_a_missions_own_budget_replaces_the_default():
    assert limits_of(CAPS, 9)[Scope.MISSION].usd_micros == 9
    assert limits_of(CAPS, 0)[Scope.MISSION].usd_micros == 0
    assert limits_of(CAPS, None)[Scope.MISSION].usd_micros == 5_000_000


def test_above_a_missions_own_budget_no_setting_is_offered_because_none_would_help():
    limit = limits_of(CAPS, 9)[Scope.MISSION]
    with pytest.raises(BudgetExceeded) as caught:
        check_cap(_holding(Scope.MISSION, reserved_usd_micros=10), limit, call_usd_micros=10)
    assert (
        caught.value.hint
        == "Give the mission a larger one: with what is spent and in flight, this call needs $0.00001."
    )
    assert [one.action for one in caught.value.advice] == ["mission.resume"]
