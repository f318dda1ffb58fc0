"""The gateway on a real database with scripted models: fallback, repair, reuse, caps, and who pays."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from decimal import Decimal

import pytest

from frasier.kernel.errors import (
    AllProvidersFailed,
    BadReply,
    BudgetExceeded,
    ConfigurationError,
    InvalidInput,
    InvariantBroken,
    LeaseLost,
    ProviderRateLimited,
    ProviderRejected,
    ProviderTimeout,
    ProviderUnavailable,
)
from frasier.kernel.ids import new_id
from frasier.llm import (
    Account,
    CallState,
    Caps,
    DecomposeInputs,
    Gateway,
    LlmSettings,
    Purpose,
    Request,
    Section,
    SelfTestStatus,
    StepBrief,
    Tier,
    book_unknown,
    calls_of_task,
    costs,
)
from frasier.llm.call_ledger import open_call
from frasier.llm.reply_schemas import DecomposeReply
from frasier.outbound import KeyRefused
from support.ledger_calls import intent
from support.scripted import ScriptedProvider, scripted_reply

MODELS = {"t1_model": "small", "t2_model": "middle", "t3_model": "large"}
PRICES = {
    "small": {"input": 1, "output": 1},
    "middle": {"input": 3, "output": 15},
    "large": {"input": 15, "output": 75},
}
GOOD = '{"questions": ["What is it?"], "queries": ["it"], "requirements": []}'
BAD = '{"questions": []}'


def request(
    tier: Tier = Tier.T3, *, structured: bool = False, text: str = "Compare the two.", **more
) -> Request:
    return Request(
        purpose=Purpose.DECOMPOSE,
        version=1,
        tier=tier,
        inputs=DecomposeInputs(brief=StepBrief(directive="Compare", task=text)),
        system="You are careful.",
        sections=(Section(title="Task", text=text),),
        reply_type=DecomposeReply if structured else None,
        **more,
    )


@pytest.fixture
def account() -> Account:
    return Account(task_id=new_id(), attempt=1, mission_id=new_id(), phase="decompose")


class Bench:
    """A gateway over one scripted provider per tier, with the waits it asked for."""

    def __init__(self, db, *, small=(), middle=(), large=(), **settings) -> None:
        self.tiers = {
            Tier.T1: ScriptedProvider(*small, name="one"),
            Tier.T2: ScriptedProvider(*middle, name="two"),
            Tier.T3: ScriptedProvider(*large, name="three"),
        }
        self.waits: list[float] = []
        self.has_waited = asyncio.Event()
        self.now = 0.0
        self.gateway = Gateway(
            db,
            LlmSettings(**({"provider": "openai", "prices": PRICES} | MODELS | settings)),
            providers=self.tiers,
            sleep=self._sleep,
            clock=lambda: self.now,
            random=lambda: 0.5,
        )
        self.ask = self.gateway.ask

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.has_waited.set()
        await asyncio.sleep(0)

    @property
    def calls(self) -> dict[str, int]:
        return {tier.value: len(provider.calls) for tier, provider in self.tiers.items()}


async def _records(db, account):
    async with db.transaction() as tx:
        return await calls_of_task(tx, account.task_id)


# --- the good case, and what it costs


async def test_an_answer_is_checked_priced_stored_and_returned(db, account):
    bench = Bench(db, large=[scripted_reply("The answer.", tokens_in=100, tokens_out=40)])
    reply = await bench.ask(request(), account)
    assert (reply.text, reply.parsed) == ("The answer.", None)
    assert (reply.tier_asked, reply.tier_served, reply.model, reply.provider) == (
        Tier.T3,
        Tier.T3,
        "large",
        "three",
    )
    assert reply.cost_usd_micros == 100 * 15 + 40 * 75
    assert [reply.degraded, reply.rehearsal, reply.reused, reply.notes] == [False, False, False, ()]
    (record,) = await _records(db, account)
    assert (record.state, record.cost_usd_micros, record.phase) == (CallState.SETTLED, 4_500, "decompose")
    assert record.id == reply.call_id


async def test_a_structured_answer_comes_parsed(db, account):
    bench = Bench(db, large=[scripted_reply(GOOD)])
    reply = await bench.ask(request(structured=True), account)
    assert isinstance(reply.parsed, DecomposeReply)
    assert reply.parsed.questions == ["What is it?"]


async def test_the_reported_cost_is_booked_unless_it_is_an_unbelievable_zero(db):
    bench = Bench(db, large=[scripted_reply("A", cost_usd_micros=7), scripted_reply("B", cost_usd_micros=0)])
    told = await bench.ask(request(), Account(task_id=new_id()))
    untold = await bench.ask(request(), Account(task_id=new_id()))
    assert told.cost_usd_micros == 7
    assert untold.cost_usd_micros == 100 * 15 + 50 * 75


async def test_a_server_that_counts_no_tokens_is_charged_by_estimate(db, account):
    bench = Bench(db, large=[scripted_reply("word " * 100, tokens_in=0, tokens_out=0)])
    reply = await bench.ask(request(), account)
    assert reply.tokens_out == 125
    assert reply.tokens_in > 0
    assert reply.cost_usd_micros > 0


# --- reuse


async def test_the_same_question_of_a_task_is_paid_once(db, account):
    bench = Bench(db, large=[scripted_reply(GOOD)])
    first = await bench.ask(request(structured=True), account)
    second = await bench.ask(
        request(structured=True), Account(task_id=account.task_id, attempt=2, mission_id=account.mission_id)
    )
    assert second.reused
    assert second.cost_usd_micros == 0
    assert second.call_id == first.call_id
    assert second.parsed == first.parsed
    assert bench.calls["T3"] == 1


@pytest.mark.parametrize(
    "other",
    [
        {"text": "Compare the three."},
        {"structured": True},
        {"tier": Tier.T2},
        {"max_output_tokens": 999},
        {"temperature": 0.9},
    ],
)
async def test_another_question_is_paid_for(db, account, other):
    answer = GOOD if other.get("structured") else "Another answer."
    bench = Bench(
        db, large=[scripted_reply("An answer."), scripted_reply(answer)], middle=[scripted_reply(answer)]
    )
    await bench.ask(request(), account)
    assert not (await bench.ask(request(**other), account)).reused


async def test_an_answer_of_another_task_or_of_another_model_is_not_reused(db, account):
    bench = Bench(db, large=[scripted_reply("A"), scripted_reply("B")])
    await bench.ask(request(), account)
    assert not (await bench.ask(request(), Account(task_id=new_id()))).reused
    renamed = Bench(db, large=[scripted_reply("C")], t3_model="middle")
    assert not (await renamed.ask(request(), account)).reused


async def test_in_a_new_round_of_a_task_every_question_is_paid_anew(db, account):
    bench = Bench(db, large=[scripted_reply("First thoughts."), scripted_reply("Second thoughts.")])
    await bench.ask(request(), account)
    second = await bench.ask(request(), replace(account, round=1))
    assert (second.text, second.reused) == ("Second thoughts.", False)


async def test_a_degraded_answer_stays_marked_when_it_is_reused(db, account):
    bench = Bench(db, large=[ProviderRejected("no")], middle=[scripted_reply("From below.")])
    await bench.ask(request(), account)
    again = await bench.ask(request(), account)
    assert again.reused
    assert again.degraded
    assert again.tier_served is Tier.T2


async def test_a_stored_answer_that_the_rules_refuse_today_is_asked_for_again(db, account):
    bench = Bench(db, large=[scripted_reply(GOOD), scripted_reply(GOOD)])
    first = await bench.ask(request(structured=True), account)
    async with db.transaction() as tx:
        await tx.execute("update llm_calls set reply_text = %s where id = %s", (BAD, first.call_id))
    second = await bench.ask(request(structured=True), account)
    assert not second.reused
    assert [record.state for record in await _records(db, account)] == [CallState.FAILED, CallState.SETTLED]


# --- fallback


async def test_a_failing_tier_is_replaced_by_the_next_lower_one_and_marked_degraded(db, account):
    bench = Bench(db, large=[ProviderRejected("model is gone")], middle=[scripted_reply("From T2.")])
    reply = await bench.ask(request(), account)
    assert reply.text == "From T2."
    assert reply.degraded
    assert (reply.tier_asked, reply.tier_served, reply.model) == (Tier.T3, Tier.T2, "middle")
    assert reply.notes == ("T2 stood in for T3: model is gone",)
    assert bench.calls == {"T1": 0, "T2": 1, "T3": 1}
    assert [record.degraded for record in await _records(db, account)] == [False, True]


async def test_the_chain_goes_down_to_the_last_tier_and_never_up(db, account):
    bench = Bench(db, middle=[ProviderRejected("two")], small=[ProviderRejected("one", hint="Check.")])
    with pytest.raises(AllProvidersFailed) as caught:
        await bench.ask(request(Tier.T2), account)
    assert [cause.message for cause in caught.value.causes] == ["two", "one"]
    assert "two one" in caught.value.message
    assert caught.value.hint == "Check."
    assert bench.calls == {"T1": 1, "T2": 1, "T3": 0}


async def test_the_same_model_under_a_lower_tiers_name_is_no_fallback(db, account):
    provider = ScriptedProvider(ProviderRejected("no"), scripted_reply("T1 answers."))
    bench = Bench(db, t2_model="large")
    bench.tiers.update(dict.fromkeys(Tier, provider))
    reply = await bench.ask(request(), account)
    assert [call.model for call in provider.calls] == ["large", "small"]
    assert reply.tier_served is Tier.T1


async def test_a_refused_key_is_not_tried_with_another_model(db, account):
    provider = ScriptedProvider(KeyRefused("The key was refused.", hint="Check FRASIER_LLM__API_KEY."))
    bench = Bench(db)
    bench.tiers.update(dict.fromkeys(Tier, provider))
    with pytest.raises(AllProvidersFailed) as caught:
        await bench.ask(request(), account)
    assert len(provider.calls) == 1
    assert "FRASIER_LLM__API_KEY" in caught.value.hint


async def test_a_refused_key_leaves_a_tier_with_a_key_of_its_own(db, account):
    shared = ScriptedProvider(KeyRefused("no"))
    bench = Bench(db, small=[scripted_reply("Own key.")])
    bench.tiers.update({Tier.T3: shared, Tier.T2: shared})
    reply = await bench.ask(request(), account)
    assert reply.tier_served is Tier.T1
    assert len(shared.calls) == 1


async def test_a_lower_tier_whose_context_is_too_small_is_passed_over(db, account):
    sections = (Section(title="Task", text="word " * 8_000, fixed=True),)
    asked = replace(request(), sections=sections)
    bench = Bench(
        db,
        large=[ProviderRejected("no")],
        small=[scripted_reply("Small but roomy.")],
        t2_context_tokens=4_000,
    )
    reply = await bench.ask(asked, account)
    assert reply.tier_served is Tier.T1
    assert any("middle cannot stand in" in note for note in reply.notes)


# --- retries


async def test_a_passing_failure_is_retried_with_growing_jittered_waits(db, account):
    bench = Bench(db, large=[ProviderUnavailable("503"), ProviderTimeout("slow"), scripted_reply("At last.")])
    reply = await bench.ask(request(), account)
    assert reply.text == "At last."
    assert not reply.degraded
    assert bench.waits == [0.5, 1.0]
    assert [record.state for record in await _records(db, account)] == [
        CallState.FAILED,
        CallState.UNKNOWN,
        CallState.SETTLED,
    ]


async def test_the_wait_that_a_server_asks_for_is_kept(db, account):
    bench = Bench(db, large=[ProviderRateLimited("slow down", retry_after_s=17), scripted_reply("Now.")])
    await bench.ask(request(), account)
    assert bench.waits == [17]


async def test_a_wait_of_more_than_a_minute_goes_to_the_next_tier_at_once(db, account):
    bench = Bench(
        db, large=[ProviderRateLimited("quota", retry_after_s=3_600)], middle=[scripted_reply("From T2.")]
    )
    assert (await bench.ask(request(), account)).degraded
    assert bench.waits == []


async def test_when_all_ask_for_patience_the_shortest_wait_is_passed_on(db, account):
    bench = Bench(
        db,
        middle=[ProviderRateLimited("two", retry_after_s=900)],
        small=[ProviderRateLimited("one", retry_after_s=120)],
    )
    with pytest.raises(AllProvidersFailed) as caught:
        await bench.ask(request(Tier.T2), account)
    assert caught.value.retry_after_s == 120


async def test_attempts_are_bounded_and_each_is_reserved_and_released(db, account):
    bench = Bench(db, small=[ProviderUnavailable("503")] * 2, attempts=2)
    with pytest.raises(AllProvidersFailed):
        await bench.ask(request(Tier.T1), account)
    assert bench.calls["T1"] == 2
    async with db.transaction() as tx:
        spend = (await costs(tx)).total
    assert (spend.failed_calls, spend.usd_micros, spend.reserved_usd_micros) == (2, 0, 0)


async def test_after_five_failures_the_model_is_left_alone_until_a_probe_answers(db):
    bench = Bench(db, large=[ProviderUnavailable("503")] * 5, middle=[scripted_reply("T2")] * 3, attempts=5)
    assert (await bench.ask(request(), Account(task_id=new_id()))).degraded
    assert bench.calls["T3"] == 5
    second = await bench.ask(request(), Account(task_id=new_id()))
    assert second.degraded
    assert bench.calls["T3"] == 5, "no call and no reservation while the circuit is open"
    assert "left alone for 30 s" in second.notes[0]
    bench.now = 30.0
    bench.tiers[Tier.T3].then([scripted_reply("T3 is back.")])
    assert not (await bench.ask(request(), Account(task_id=new_id()))).degraded


# --- what must never be returned


@pytest.mark.parametrize(
    "reply",
    [
        scripted_reply("half a sent", finish_reason="length"),
        scripted_reply("   "),
        scripted_reply('{"error": {"message": "overloaded"}}'),
        scripted_reply("<html><body>502 Bad Gateway</body></html>"),
        scripted_reply("held back", finish_reason="content_filter"),
    ],
)
async def test_what_is_no_answer_is_never_returned_and_always_paid(db, account, reply):
    bench = Bench(db, small=[reply, reply])
    with pytest.raises(AllProvidersFailed) as caught:
        await bench.ask(request(Tier.T1), account)
    assert isinstance(caught.value.causes[0], BadReply | ProviderRejected)
    records = await _records(db, account)
    assert {record.state for record in records} == {CallState.FAILED}
    assert all(record.cost_usd_micros == 150 for record in records)


async def test_an_unfit_reply_is_repaired_once_on_the_same_tier(db, account):
    bench = Bench(db, large=[scripted_reply(BAD), scripted_reply(GOOD)])
    reply = await bench.ask(request(structured=True), account)
    assert reply.parsed is not None
    assert not reply.degraded
    assert "asked a second time" in reply.notes[0]
    first, second = bench.tiers[Tier.T3].calls
    assert second.messages[: len(first.messages)] == first.messages
    assert second.messages[-2].content == BAD
    assert "questions: List should have at least 1 item" in second.messages[-1].content
    assert [record.state for record in await _records(db, account)] == [CallState.FAILED, CallState.SETTLED]


async def test_after_one_repair_in_vain_the_next_tier_is_asked(db, account):
    bench = Bench(db, large=[scripted_reply(BAD), scripted_reply(BAD)], middle=[scripted_reply(GOOD)])
    reply = await bench.ask(request(structured=True), account)
    assert reply.degraded
    assert bench.calls == {"T1": 0, "T2": 1, "T3": 2}


async def test_a_repaired_answer_is_reused_as_the_answer_to_the_question(db, account):
    bench = Bench(db, large=[scripted_reply(BAD), scripted_reply(GOOD)])
    await bench.ask(request(structured=True), account)
    assert (await bench.ask(request(structured=True), account)).reused


CUT_OFF = scripted_reply("half a sent", finish_reason="length")


def limits(bench: Bench, tier: Tier = Tier.T3) -> list[int]:
    return [call.max_output_tokens for call in bench.tiers[tier].calls]


@pytest.mark.parametrize("flawed", [CUT_OFF, scripted_reply("")], ids=["cut off", "empty"])
async def test_a_cut_off_or_empty_text_is_asked_for_once_more_with_more_room(db, account, flawed):
    bench = Bench(db, large=[flawed, scripted_reply("Whole.")])
    reply = await bench.ask(request(), account)
    assert reply.text == "Whole."
    assert limits(bench) == [2_000 + 1_500, 4_000 + 1_500]
    first, second = await _records(db, account)
    assert second.reserved_usd_micros > first.reserved_usd_micros


async def test_where_the_context_gives_no_more_room_a_shorter_text_is_asked_for(db, account):
    bench = Bench(db, large=[CUT_OFF, scripted_reply("Short and whole.")], t3_context_tokens=6_000)
    reply = await bench.ask(request(), account)
    assert reply.text == "Short and whole."
    assert limits(bench) == [2_000 + 750] * 2
    assert "much shorter" in bench.tiers[Tier.T3].calls[1].messages[-1].content


async def test_a_server_that_refuses_more_room_is_asked_for_a_shorter_text(db, account):
    bench = Bench(db, large=[CUT_OFF, ProviderRejected("max_tokens is too large"), scripted_reply("Short.")])
    reply = await bench.ask(request(), account)
    assert (reply.text, reply.degraded) == ("Short.", False)
    assert limits(bench) == [3_500, 5_500, 3_500]


async def test_where_a_cap_forbids_more_room_a_shorter_text_is_asked_for(db, account):
    bench = Bench(db, large=[CUT_OFF, scripted_reply("Short.")], caps=Caps(task_usd=Decimal("0.3")))
    assert (await bench.ask(request(), account)).text == "Short."
    assert limits(bench) == [3_500, 3_500]


async def test_a_passing_failure_of_the_changed_question_is_retried(db, account):
    bench = Bench(db, large=[CUT_OFF, ProviderUnavailable("503"), scripted_reply("Whole.")])
    assert (await bench.ask(request(), account)).text == "Whole."
    assert bench.waits == [0.5]


async def test_three_unusable_replies_of_one_question_are_paid_and_no_more(db, account):
    bench = Bench(db, large=[CUT_OFF] * 2, middle=[scripted_reply("")])
    with pytest.raises(AllProvidersFailed) as caught:
        await bench.ask(request(), account)
    assert bench.calls == {"T1": 0, "T2": 1, "T3": 2}
    assert caught.value.in_vain
    assert "cut off at its limit" in caught.value.message
    assert "FRASIER_LLM__REASONING_TOKENS" in caught.value.hint
    assert "FRASIER_LLM__T3_MODEL" in caught.value.hint
    for attempt in (2, 3):
        with pytest.raises(AllProvidersFailed) as again:
            await bench.ask(request(), replace(account, attempt=attempt))
        assert again.value.in_vain
        assert again.value.message == caught.value.message
    assert bench.calls == {"T1": 0, "T2": 1, "T3": 2}


async def test_a_later_attempt_goes_on_with_the_changed_question(db, account):
    async def stops(_call):
        raise asyncio.CancelledError

    bench = Bench(db, large=[scripted_reply(BAD), stops, scripted_reply(GOOD)])
    with pytest.raises(asyncio.CancelledError):
        await bench.ask(request(structured=True), account)
    reply = await bench.ask(request(structured=True), replace(account, attempt=2))
    assert reply.parsed is not None
    first, *later = bench.tiers[Tier.T3].calls
    assert [call.messages[-2].content for call in later] == [BAD, BAD]
    assert later[0].messages[: len(first.messages)] == first.messages


async def test_a_model_that_gave_nothing_usable_is_left_out_while_another_may_come_back(db, account):
    down = ProviderUnavailable("503")
    bench = Bench(
        db, large=[down, down], middle=[scripted_reply("")] * 2, small=[down, scripted_reply("")], attempts=1
    )
    for attempt in (1, 2):
        with pytest.raises(AllProvidersFailed) as caught:
            await bench.ask(request(), replace(account, attempt=attempt))
        assert caught.value.in_vain == (attempt == 2)
    assert bench.calls == {"T1": 2, "T2": 2, "T3": 2}


async def test_what_the_founder_settled_begins_a_new_count(db, account):
    bench = Bench(db, small=[scripted_reply("")] * 2)
    with pytest.raises(AllProvidersFailed):
        await bench.ask(request(Tier.T1), account)
    async with db.transaction() as tx:
        row = await (await tx.execute("select clock_timestamp() as now")).fetchone()
    bench.tiers[Tier.T1].then([scripted_reply("Here it is.")])
    reply = await bench.ask(request(Tier.T1), replace(account, renewed_at=row["now"]))
    assert reply.text == "Here it is."


async def test_a_reply_that_is_no_completion_is_asked_for_once_more_changed_and_charged(db, account):
    bench = Bench(db, small=[BadReply("It is no completion.", hint="Check the base URL.")] * 2)
    with pytest.raises(AllProvidersFailed) as caught:
        await bench.ask(request(Tier.T1), account)
    assert "It is no completion." in caught.value.message
    assert "Check the base URL." in caught.value.hint
    first, second = bench.tiers[Tier.T1].calls
    assert first.messages != second.messages
    records = await _records(db, account)
    assert [record.state for record in records] == [CallState.UNKNOWN] * 2
    assert all(record.cost_usd_micros == record.reserved_usd_micros for record in records)


async def test_a_repair_stays_within_the_context(db, account):
    bench = Bench(
        db, large=[scripted_reply(BAD + " " * 6_000 + "x"), scripted_reply(GOOD)], t3_context_tokens=6_000
    )
    await bench.ask(request(structured=True, text="word " * 9_000), account)
    for call in bench.tiers[Tier.T3].calls:
        size = sum(-(-len(message.content) // 4) for message in call.messages)
        assert size + call.max_output_tokens <= 6_000


# --- budgets


async def test_the_prompt_is_cut_to_the_context_and_the_cut_is_told(db, account):
    bench = Bench(db, large=[scripted_reply("Fine.")], t3_context_tokens=4_096)
    reply = await bench.ask(request(text="word " * 9_000), account)
    (call,) = bench.tiers[Tier.T3].calls
    size = sum(-(-len(message.content) // 4) for message in call.messages)
    assert size + call.max_output_tokens <= 4_096
    assert "“Task” was cut" in reply.notes[0]


async def test_fixed_parts_that_do_not_fit_the_asked_tier_are_refused_before_anything_is_paid(db, account):
    bench = Bench(db, t3_context_tokens=2_048)
    asked = replace(request(), sections=(Section(title="Task", text="word " * 4_000, fixed=True),))
    with pytest.raises(InvalidInput, match="“Task”"):
        await bench.ask(asked, account)
    assert await _records(db, account) == ()


async def test_in_a_small_context_the_reply_gets_a_third_and_room_to_reason(db, account):
    bench = Bench(db, large=[scripted_reply("Fine.")], t3_context_tokens=3_000)
    await bench.ask(request(max_output_tokens=8_000), account)
    assert bench.tiers[Tier.T3].calls[0].max_output_tokens == 1_000 + 375


async def test_a_passed_cap_stops_at_once_without_a_cheaper_tier(db, account):
    bench = Bench(db, middle=[scripted_reply("cheap")], caps=Caps(task_usd=Decimal("0.01")))
    with pytest.raises(BudgetExceeded, match="task budget"):
        await bench.ask(request(), account)
    assert bench.calls == {"T1": 0, "T2": 0, "T3": 0}


# --- where only reservations of calls in flight stand in the way


def _cap_of(scope: str, reserved: int) -> Caps:
    """Return caps of which one holds the reservation of one call, and of a second only once the first is settled."""
    return Caps(**{f"{scope}_usd": Decimal(reserved * 3 // 2) / 1_000_000})


async def _reservation(db, account) -> int:
    bench = Bench(db, large=[scripted_reply("Fine.")])
    await bench.ask(request(), replace(account, task_id=new_id(), mission_id=new_id()))
    async with db.transaction() as tx:
        row = await (await tx.execute("select reserved_usd_micros as most from llm_calls")).fetchone()
        await tx.execute("update llm_spend set spent_usd_micros = 0")
    return row["most"]


@pytest.mark.parametrize("scope", ["task", "mission", "day", "month"])
async def test_a_call_waits_for_the_settlement_of_calls_in_flight_and_then_passes(db, account, scope):
    caps = _cap_of(scope, await _reservation(db, account))
    first = Bench(db, caps=caps)
    second = Bench(db, large=[scripted_reply("Second.")], caps=caps)

    async def answer_once_the_second_waits(_call):
        await second.has_waited.wait()
        return scripted_reply("First.")

    first.tiers[Tier.T3].then([answer_once_the_second_waits])
    begun = asyncio.create_task(first.ask(request(), account))
    async with asyncio.timeout(20):
        while not first.calls["T3"]:
            await asyncio.sleep(0.01)
        reply = await second.ask(request(text="Another."), account)
        assert (await begun).text == "First."
    assert reply.text == "Second."
    assert set(second.waits) == {0.5}


async def test_a_call_in_flight_that_never_ends_is_waited_for_as_long_as_one_may_last(db, account):
    reserved = await _reservation(db, account)
    caps = _cap_of("mission", reserved)
    other = replace(account, task_id=new_id())
    async with db.transaction() as tx:
        await open_call(tx, intent=intent(usd_micros=reserved), account=other, caps=caps)
    bench = Bench(db, large=[scripted_reply("Fine.")], caps=caps, timeout_s=3)
    with pytest.raises(BudgetExceeded, match="reserved for calls in flight"):
        await bench.ask(request(), account)
    assert sum(bench.waits) == 3

    async with db.transaction() as tx:
        assert await book_unknown(tx, task_id=other.task_id, before_attempt=2) == 1
    with pytest.raises(BudgetExceeded, match=r"\$0\.00 reserved"):
        await bench.ask(request(), account)
    assert sum(bench.waits) == 3, "it is spent, so no wait would help"


async def test_a_call_that_waits_for_settlements_takes_no_slot_from_others(db, account):
    reserved = await _reservation(db, account)
    caps = _cap_of("mission", reserved)
    other = Account(task_id=new_id(), attempt=1, mission_id=new_id())
    held = replace(account, task_id=new_id())
    async with db.transaction() as tx:
        await open_call(tx, intent=intent(usd_micros=reserved), account=held, caps=caps)
    bench = Bench(
        db, large=[scripted_reply("Of another mission.")], caps=caps, max_concurrency=1, timeout_s=600
    )
    waiting = [asyncio.create_task(bench.ask(request(text=text), account)) for text in ("One.", "Two.")]
    async with asyncio.timeout(20):
        await bench.has_waited.wait()
        assert (await bench.ask(request(), other)).text == "Of another mission."
    assert not any(call.done() for call in waiting)
    for call in waiting:
        call.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_a_model_without_a_price_is_not_asked(db, account):
    bench = Bench(db, t3_model="vendor/unpriced")
    with pytest.raises(ConfigurationError, match="vendor/unpriced"):
        await bench.ask(request(), account)
    assert await _records(db, account) == ()


async def test_a_model_on_this_machine_needs_no_price(db, account):
    bench = Bench(db, large=[scripted_reply("Free.")], t3_model="local", t3_base_url="http://127.0.0.1:9/v1")
    assert (await bench.ask(request(), account)).cost_usd_micros == 0


# --- whoever lost the lease, and whoever was stopped


async def test_a_zombies_reply_is_thrown_away_and_booked_once(db, account):
    async def overtaken(_call):
        async with db.transaction() as tx:
            assert await book_unknown(tx, task_id=account.task_id, before_attempt=2) == 1
        return scripted_reply("Too late.")

    bench = Bench(db, large=[overtaken, scripted_reply("In time.")])
    with pytest.raises(LeaseLost):
        await bench.ask(request(), account)
    heir = Account(task_id=account.task_id, attempt=2, mission_id=account.mission_id)
    reply = await bench.ask(request(), heir)
    assert reply.text == "In time."
    assert [record.state for record in await _records(db, account)] == [CallState.UNKNOWN, CallState.SETTLED]


async def test_a_run_without_its_lease_asks_nothing(db):
    async def guard(_tx) -> None:
        raise LeaseLost("gone")

    bench = Bench(db)
    with pytest.raises(LeaseLost):
        await bench.ask(request(), Account(task_id=new_id(), attempt=1, guard=guard))


async def test_a_cancelled_call_is_charged_at_once_and_may_be_asked_again(db, account):
    asked = asyncio.Event()

    async def never(_call):
        asked.set()
        await asyncio.Event().wait()

    bench = Bench(db, large=[never, scripted_reply("Second time.")])
    waiting = asyncio.create_task(bench.ask(request(), account))
    await asked.wait()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await bench.gateway.close()
    (record,) = await _records(db, account)
    assert record.state is CallState.UNKNOWN
    assert record.cost_usd_micros == record.reserved_usd_micros > 0
    assert (await bench.ask(request(), account)).text == "Second time."


async def test_a_defect_of_a_provider_is_charged_and_not_hidden(db, account):
    async def broken(_call):
        raise ZeroDivisionError

    bench = Bench(db, large=[broken])
    with pytest.raises(ZeroDivisionError):
        await bench.ask(request(), account)
    assert [record.state for record in await _records(db, account)] == [CallState.UNKNOWN]


async def test_no_model_is_asked_inside_a_transaction(db, account):
    bench = Bench(db, large=[scripted_reply("no")])
    async with db.transaction():
        with pytest.raises(InvariantBroken):
            await bench.ask(request(), account)


async def test_no_more_calls_are_in_flight_than_allowed(db):
    in_flight = most = 0
    two_are_in, release = asyncio.Event(), asyncio.Event()

    async def counted(_call):
        nonlocal in_flight, most
        in_flight += 1
        most = max(most, in_flight)
        if in_flight == 2:
            two_are_in.set()
        await release.wait()
        in_flight -= 1
        return scripted_reply("Done.")

    bench = Bench(db, large=[counted] * 6, max_concurrency=2)
    asking = [asyncio.create_task(bench.ask(request(), Account(task_id=new_id()))) for _ in range(6)]
    await two_are_in.wait()
    for _ in range(30):  # time enough for the others to reserve, if they were let in
        async with db.transaction() as tx:
            reserved = (await costs(tx)).total.calls
    release.set()
    await asyncio.gather(*asking)
    assert reserved == 2
    assert most == 2


class Gate:
    """A model whose answers are held back until `release`; `in_flight` are the calls that wait."""

    def __init__(self) -> None:
        self.in_flight = 0
        self._enough = asyncio.Event()
        self._open = asyncio.Event()
        self._wanted = 0

    async def __call__(self, _call):
        self.in_flight += 1
        if self.in_flight >= self._wanted:
            self._enough.set()
        await self._open.wait()
        self.in_flight -= 1
        return scripted_reply("Done.")

    async def filled(self, db, wanted: int) -> int:
        """Wait until so many calls are in flight and others had the time to begin; return how many are."""
        self._wanted = wanted
        if self.in_flight < wanted:
            async with asyncio.timeout(20):
                await self._enough.wait()
        for _ in range(30):
            async with db.transaction() as tx:
                await costs(tx)
        return self.in_flight

    def release(self) -> None:
        self._open.set()


async def test_a_rate_limit_makes_the_whole_process_call_less_at_once_and_successes_more_again(db):
    limited, restored = Gate(), Gate()
    slow_down = ProviderRateLimited("fewer calls, please", provider="three")
    bench = Bench(db, large=[slow_down, scripted_reply("Done."), *[limited] * 30, *[restored] * 9])

    def ask(count: int) -> asyncio.Future:
        return asyncio.gather(*(bench.ask(request(), Account(task_id=new_id())) for _ in range(count)))

    await ask(1)
    asking = ask(30)
    assert await limited.filled(db, 4) == 4
    limited.release()
    await asking
    asking = ask(9)
    assert await restored.filled(db, 8) == 8
    restored.release()
    await asking


# --- the self-test, and closing


async def test_the_self_test_tells_which_tiers_answer_themselves(db):
    ready = scripted_reply('{"answer": "ready"}')
    bench = Bench(
        db,
        small=[ready],
        middle=[ready, ready],
        large=[ProviderRejected("The model is not there.", hint="Check FRASIER_LLM__T3_MODEL.")],
    )
    results = await bench.gateway.self_test()
    assert {tier.value: result.status for tier, result in results.items()} == {
        "T1": SelfTestStatus.OK,
        "T2": SelfTestStatus.OK,
        "T3": SelfTestStatus.DEGRADED,
    }
    assert results[Tier.T3].model == "middle"
    assert "The model is not there." in results[Tier.T3].reason


async def test_the_self_test_of_a_dead_provider_ends_without_waiting(db):
    bench = Bench(
        db,
        small=[ProviderUnavailable("cannot be reached")] * 3,
        middle=[ProviderUnavailable("cannot be reached")] * 2,
        large=[ProviderUnavailable("cannot be reached")],
    )
    results = await bench.gateway.self_test()
    assert {result.status for result in results.values()} == {SelfTestStatus.ERROR}
    assert bench.waits == []
    assert "cannot be reached" in results[Tier.T1].reason


async def test_closing_closes_each_provider(db, account):
    bench = Bench(db, large=[scripted_reply("Fine.")])
    await bench.ask(request(), account)
    await bench.gateway.close()
    assert all(provider.closed for provider in bench.tiers.values())


async def test_rehearsal_answers_for_every_tier_at_no_cost_and_says_so(db, account):
    gateway = Gateway(db, LlmSettings())
    assert gateway.is_rehearsal
    reply = await gateway.ask(request(Tier.T3, structured=True), account)
    assert reply.rehearsal
    assert not reply.degraded
    assert (reply.tier_served, reply.cost_usd_micros, reply.model) == (Tier.T3, 0, "rehearsal")
    async with db.transaction() as tx:
        assert (await costs(tx)).total.rehearsal_calls == 1
    await gateway.close()
