"""The ledger on a real database: caps hold under concurrency, and what was paid is booked exactly once."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import psycopg
import pytest

from frasier.kernel.errors import BudgetExceeded, LeaseLost, Stale
from frasier.kernel.ids import new_id
from frasier.kernel.text import fingerprint
from frasier.llm import (
    Account,
    CallState,
    Caps,
    book_unknown,
    calls_of_task,
    set_mission_budget,
    spend_of_mission,
)
from frasier.llm.call_ledger import CallIntent, CallOutcome, close_call, doubt_call, find_answer, open_call
from frasier.store import Database
from support.board import wait_for_lock
from support.database_clock import offset_clock
from support.ledger_calls import CENT, answered, intent, refused

CAPS = Caps(task_usd=Decimal(1), mission_usd=Decimal(5), day_usd=Decimal(20), month_usd=Decimal(200))


@pytest.fixture
def account() -> Account:
    return Account(task_id=new_id(), attempt=1, mission_id=new_id(), agent_id=new_id(), phase="synthesize")


async def _open(db: Database, account: Account, call: CallIntent, caps: Caps = CAPS):
    async with db.transaction() as tx:
        return await open_call(tx, intent=call, account=account, caps=caps)


async def _close(db: Database, call_id, outcome: CallOutcome, account: Account) -> None:
    async with db.transaction() as tx:
        await close_call(tx, call_id, outcome, account=account)


async def _spend(db: Database) -> dict[str, dict]:
    async with db.transaction() as tx:
        rows = await (await tx.execute("select * from llm_spend")).fetchall()
    return {row["scope_kind"]: row for row in rows}


async def test_a_reservation_is_held_by_every_cap_until_it_is_settled(db, account):
    call_id = await _open(db, account, intent())
    held = await _spend(db)
    assert set(held) == {"month", "day", "mission", "task"}
    assert {(row["reserved_usd_micros"], row["spent_usd_micros"], row["calls"]) for row in held.values()} == {
        (CENT, 0, 1)
    }

    await _close(db, call_id, answered(), account)
    settled = await _spend(db)
    assert {
        (
            row["reserved_usd_micros"],
            row["spent_usd_micros"],
            row["reserved_tokens"],
            row["spent_tokens"],
            row["calls"],
        )
        for row in settled.values()
    } == {(0, 4_000, 0, 80, 1)}


@pytest.mark.parametrize("days", [0, 40])
async def test_day_and_month_are_those_of_the_databases_clock_in_utc(noon, db, owner_url, account, days):
    later = timedelta(days=days)
    offset_clock(owner_url, noon - datetime.now(UTC) + later)
    await _open(db, account, intent())
    held = await _spend(db)
    day = str((noon + later).date())
    assert held["day"]["scope_key"] == day
    assert held["month"]["scope_key"] == day[:7]


async def test_a_call_that_certainly_did_not_run_gives_everything_back(db, account):
    call_id = await _open(db, account, intent())
    await _close(db, call_id, refused(), account)
    assert {
        (
            row["reserved_usd_micros"],
            row["spent_usd_micros"],
            row["reserved_tokens"],
            row["spent_tokens"],
            row["calls"],
        )
        for row in (await _spend(db)).values()
    } == {(0, 0, 0, 0, 0)}


async def test_a_useless_reply_is_paid_for_all_the_same(db, account):
    call_id = await _open(db, account, intent())
    useless = CallOutcome(
        state=CallState.FAILED,
        cost_usd_micros=3_000,
        tokens_in=50,
        tokens_out=5,
        reply_text="",
        finish_reason="length",
        error_code="bad_reply",
        error="cut",
        duration_ms=9,
    )
    await _close(db, call_id, useless, account)
    spend = (await _spend(db))["task"]
    assert (spend["spent_usd_micros"], spend["spent_tokens"], spend["calls"]) == (3_000, 55, 1)


async def test_a_call_of_unknown_outcome_is_charged_as_it_was_reserved(db, account):
    call_id = await _open(db, account, intent())
    async with db.transaction() as tx:
        await doubt_call(tx, call_id, error_code="provider_timeout", error="no answer")
        (call,) = await calls_of_task(tx, account.task_id)
    assert (call.state, call.cost_usd_micros, call.error_code) == (
        CallState.UNKNOWN,
        CENT,
        "provider_timeout",
    )
    spend = (await _spend(db))["month"]
    assert (spend["reserved_usd_micros"], spend["spent_usd_micros"], spend["spent_tokens"]) == (0, CENT, 100)


@pytest.mark.parametrize(
    ("caps", "named"),
    [
        ({"task_usd": "0.015"}, "task budget of $0.015"),
        ({"mission_usd": "0.015"}, "mission budget of $0.015"),
        ({"day_usd": "0.015"}, "day budget of $0.015"),
        ({"month_usd": "0.015"}, "month budget of $0.015"),
        ({"task_calls": 1}, "task has made 1 calls"),
        ({"mission_calls": 1}, "mission has made 1 calls"),
        ({"task_tokens": 150}, "task would use 200 tokens"),
        ({"mission_tokens": 150}, "mission would use 200 tokens"),
        ({"task_usd": "0.015", "month_usd": "0.015"}, "task budget"),
    ],
)
async def test_a_passed_cap_is_named_and_leaves_no_trace(db, account, caps, named):
    tight = Caps.model_validate(CAPS.model_dump() | caps)
    await _open(db, account, intent("first"), tight)
    before = await _spend(db)
    with pytest.raises(BudgetExceeded, match=named.replace("$", r"\$")):
        await _open(db, account, intent("second"), tight)
    assert await _spend(db) == before
    async with db.transaction() as tx:
        assert len(await calls_of_task(tx, account.task_id)) == 1


async def test_a_missions_own_budget_replaces_the_default_at_once(db, account):
    async with db.transaction() as tx:
        await set_mission_budget(tx, account.mission_id, 3 * CENT)
    await _open(db, account, intent(1, usd_micros=2 * CENT))
    with pytest.raises(BudgetExceeded, match=r"mission budget of \$0\.03"):
        await _open(db, account, intent(2, usd_micros=2 * CENT))
    async with db.transaction() as tx:
        await set_mission_budget(tx, account.mission_id, 4 * CENT)
    await _open(db, account, intent(2, usd_micros=2 * CENT))
    async with db.transaction() as tx:
        spend = await spend_of_mission(tx, account.mission_id)
    assert (spend.reserved_usd_micros, spend.spent_usd_micros, spend.budget_usd_micros) == (
        4 * CENT,
        0,
        4 * CENT,
    )


async def test_of_two_sessions_at_the_last_cent_exactly_one_passes(db):
    """Both reservations are open at once: the second waits for the first one's cap row and then counts it."""
    mission = new_id()
    caps = Caps(mission_usd=Decimal("0.01"))
    first_holds, second_may_end = asyncio.Event(), asyncio.Event()

    def account() -> Account:
        return Account(task_id=new_id(), attempt=1, mission_id=mission)

    async def first() -> None:
        async with db.transaction() as tx:
            await open_call(tx, intent=intent(), account=account(), caps=caps)
            first_holds.set()
            await second_may_end.wait()

    async def second() -> None:
        await first_holds.wait()
        async with db.transaction() as tx:
            await open_call(tx, intent=intent(), account=account(), caps=caps)

    async def release_when_the_second_waits_for_a_lock() -> None:
        await first_holds.wait()
        await wait_for_lock(db)
        second_may_end.set()

    async with asyncio.timeout(20):
        results = await asyncio.gather(
            first(), second(), release_when_the_second_waits_for_a_lock(), return_exceptions=True
        )
    assert results[0] is None
    assert isinstance(results[1], BudgetExceeded)


async def test_many_sessions_reserve_and_settle_without_deadlock_and_to_the_exact_sum(db):
    missions = [new_id(), new_id()]

    async def one(number: int) -> None:
        account = Account(task_id=new_id(), attempt=1, mission_id=missions[number % 2])
        call_id = await _open(db, account, intent())
        await _close(db, call_id, answered(cost=number), account)

    await asyncio.gather(*(one(number) for number in range(24)))
    spend = await _spend(db)
    assert spend["month"]["spent_usd_micros"] == sum(range(24))
    assert spend["month"]["reserved_usd_micros"] == 0
    async with db.transaction() as tx:
        assert (await spend_of_mission(tx, missions[1])).spent_usd_micros == sum(range(1, 24, 2))


async def test_takeover_books_an_open_call_once_and_the_zombie_changes_nothing(db, account):
    call_id = await _open(db, account, intent())
    async with db.transaction() as tx:
        assert await book_unknown(tx, task_id=account.task_id, before_attempt=2) == 1
    async with db.transaction() as tx:
        assert await book_unknown(tx, task_id=account.task_id, before_attempt=2) == 0
    before = await _spend(db)
    assert before["task"]["spent_usd_micros"] == CENT

    with pytest.raises(LeaseLost):
        await _close(db, call_id, answered(), account)
    with pytest.raises(LeaseLost):
        await _close(db, call_id, refused(), account)
    async with db.transaction() as tx:
        with pytest.raises(LeaseLost):
            await doubt_call(tx, call_id, error_code="provider_timeout", error="late")
        (call,) = await calls_of_task(tx, account.task_id)
    assert call.state is CallState.UNKNOWN
    assert await _spend(db) == before


async def test_takeover_leaves_calls_of_the_present_attempt_and_of_other_tasks_alone(db, account):
    await _open(db, account, intent())
    other = Account(task_id=new_id(), attempt=1)
    await _open(db, other, intent())
    async with db.transaction() as tx:
        assert await book_unknown(tx, task_id=account.task_id, before_attempt=1) == 0
        assert await book_unknown(tx, task_id=new_id(), before_attempt=9) == 0


async def test_an_old_call_of_no_task_is_booked_by_the_next_takeover(db):
    await _open(db, Account(), intent())
    fresh = await _open(db, Account(), intent())
    async with db.transaction() as tx:
        await tx.execute(
            "update llm_calls set started_at = now() - interval '3 hours' where id <> %s", (fresh,)
        )
        assert await book_unknown(tx, task_id=new_id(), before_attempt=1) == 1


async def test_a_question_of_a_task_is_in_flight_or_answered_at_most_once(db, account):
    call_id = await _open(db, account, intent("same"))
    with pytest.raises(Stale):
        await _open(db, account, intent("same"))
    await _close(db, call_id, answered(), account)
    with pytest.raises(Stale):
        await _open(db, account, intent("same"))
    await _open(db, account, intent("another"))
    await _open(db, Account(task_id=new_id(), attempt=1), intent("same"))


async def test_a_failed_or_doubted_question_may_be_asked_again(db, account):
    await _close(db, await _open(db, account, intent("same")), refused(), account)
    doubted = await _open(db, account, intent("same"))
    async with db.transaction() as tx:
        await doubt_call(tx, doubted, error_code="provider_timeout", error="no answer")
    call_id = await _open(db, account, intent("same"))
    await _close(db, call_id, answered("Paid."), account)
    async with db.transaction() as tx:
        paid = await find_answer(tx, task_id=account.task_id, fingerprint=fingerprint("same"))
    assert paid.id == call_id
    assert paid.reply_text == "Paid."


async def test_without_the_lease_nothing_is_reserved_and_no_answer_stored(db):
    lost = False

    async def guard(_tx) -> None:
        if lost:
            raise LeaseLost("gone")

    account = Account(task_id=new_id(), attempt=1, guard=guard)
    call_id = await _open(db, account, intent())
    lost = True
    with pytest.raises(LeaseLost):
        await _open(db, account, intent("another"))
    with pytest.raises(LeaseLost):
        await _close(db, call_id, answered(), account)
    async with db.transaction() as tx:
        (call,) = await calls_of_task(tx, account.task_id)
    assert call.state is CallState.INTENT, "the takeover books it"


@pytest.mark.parametrize("text", ["", " \n\t ", None])
async def test_the_schema_refuses_to_settle_without_an_answer(db, account, text):
    call_id = await _open(db, account, intent())
    with pytest.raises(psycopg.errors.CheckViolation, match="settled_has_an_answer"):
        await _close(
            db,
            call_id,
            CallOutcome(state=CallState.SETTLED, reply_text=text, finish_reason="stop", duration_ms=1),
            account,
        )


async def test_the_schema_refuses_to_settle_a_cut_off_answer(db, account):
    call_id = await _open(db, account, intent())
    cut = CallOutcome(
        state=CallState.SETTLED, reply_text="half a sent", finish_reason="length", duration_ms=1
    )
    with pytest.raises(psycopg.errors.CheckViolation, match="settled_has_an_answer"):
        await _close(db, call_id, cut, account)


async def test_the_schema_refuses_an_unknown_call_at_another_price(db, account):
    call_id = await _open(db, account, intent())
    with pytest.raises(psycopg.errors.CheckViolation, match="unknown_is_charged_as_reserved"):
        async with db.transaction() as tx:
            await tx.execute(
                "update llm_calls set state = 'unknown', error_code = 'x', ended_at = now() where id = %s",
                (call_id,),
            )
