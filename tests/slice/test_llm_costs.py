"""What those who look are told about money."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest

from frasier.kernel.ids import new_id
from frasier.llm import (
    Account,
    CallState,
    Caps,
    Tier,
    calls_of_mission,
    calls_of_task,
    caps_now,
    costs,
    spend_of_mission,
)
from frasier.llm.call_ledger import close_call, doubt_call, open_call
from support.ledger_calls import answered, intent, refused


@pytest.fixture
async def history(noon, db):
    """Two missions: one with a degraded answer and a call in flight, one with a doubted and a failed call."""
    first, second = (Account(task_id=new_id(), attempt=1, mission_id=new_id()) for _ in range(2))

    async def opened(account: Account, **about):
        async with db.transaction() as tx:
            return await open_call(tx, intent=intent(new_id(), **about), account=account, caps=Caps())

    good, low = await opened(first), await opened(first, tier=Tier.T1)
    await opened(first, usd_micros=7_000)
    doubted, failed = await opened(second, usd_micros=9_000), await opened(second)
    async with db.transaction() as tx:
        await close_call(tx, good, answered(cost=4_000), account=first)
        await close_call(tx, low, answered(cost=500), account=first)
        await doubt_call(tx, doubted, error_code="provider_timeout", error="-")
        await close_call(tx, failed, refused(), account=second)
    return first, second


async def test_the_bill_is_split_by_tier_model_mission_and_day(db, history):
    first, second = history
    async with db.transaction() as tx:
        bill = await costs(tx)
    assert bill.total.calls == 5
    assert bill.total.usd_micros == 13_500
    assert bill.total.reserved_usd_micros == 7_000
    assert (bill.total.unknown_calls, bill.total.failed_calls, bill.total.degraded_calls) == (1, 1, 1)
    assert (bill.total.tokens_in, bill.total.tokens_out) == (120, 40)
    assert {line.key: line.usd_micros for line in bill.by_tier} == {"T1": 500, "T2": 13_000}
    assert {line.key: line.usd_micros for line in bill.by_model} == {"vendor/model": 13_500}
    assert {line.key: line.usd_micros for line in bill.by_mission} == {
        str(first.mission_id): 4_500,
        str(second.mission_id): 9_000,
    }
    assert len(bill.by_day) == 1


async def test_the_bill_can_be_one_missions_or_begin_at_a_day(noon, db, history):
    first, _ = history
    async with db.transaction() as tx:
        own = await costs(tx, mission_id=first.mission_id)
        of_today = await costs(tx, since=noon.date())
        of_tomorrow = await costs(tx, since=noon.date() + timedelta(days=1))
    assert own.total.usd_micros == 4_500
    assert of_today.total.calls == 5
    assert of_tomorrow.total.calls == 0
    assert of_tomorrow.by_tier == ()


async def test_a_mission_knows_what_it_spent_and_reserved(db, history):
    first, _ = history
    async with db.transaction() as tx:
        spend = await spend_of_mission(tx, first.mission_id)
        untouched = await spend_of_mission(tx, new_id())
    assert (spend.spent_usd_micros, spend.reserved_usd_micros, spend.calls) == (4_500, 7_000, 3)
    assert spend.tokens == 160 + 100
    assert (untouched.spent_usd_micros, untouched.calls, untouched.budget_usd_micros) == (0, 0, None)


async def test_the_calls_of_a_task_are_told_in_order(db, history):
    first, second = history
    async with db.transaction() as tx:
        calls = await calls_of_task(tx, first.task_id)
        doubted = await calls_of_task(tx, second.task_id)
        of_mission = await calls_of_mission(tx, first.mission_id)
    assert [call.state for call in calls] == [CallState.SETTLED, CallState.SETTLED, CallState.INTENT]
    assert of_mission == calls
    assert [call.degraded for call in calls] == [False, True, False]
    assert [call.state for call in doubted] == [CallState.UNKNOWN, CallState.FAILED]


async def test_the_caps_of_today_and_this_month_say_how_full_they_are(db, history):
    caps = Caps(day_usd=Decimal("0.5"), month_usd=Decimal(3))
    async with db.transaction() as tx:
        day, month = await caps_now(tx, caps)
    assert (day.scope, month.scope) == ("day", "month")
    assert day.key.startswith(month.key)
    assert (day.cap_usd_micros, month.cap_usd_micros) == (500_000, 3_000_000)
    assert (day.spent_usd_micros, day.reserved_usd_micros, day.calls) == (13_500, 7_000, 4)


async def test_untouched_caps_are_empty(db):
    async with db.transaction() as tx:
        day, month = await caps_now(tx, Caps())
    assert [day.spent_usd_micros, day.calls, month.spent_usd_micros, month.calls] == [0, 0, 0, 0]
