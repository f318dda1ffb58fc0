"""Real HTTP: an OpenAI-compatible server on loopback, the official client, and every way to fail between them."""

from __future__ import annotations

import json

import pytest
from pydantic import SecretStr

from frasier.kernel.errors import (
    AllProvidersFailed,
    BadReply,
    ProviderError,
    ProviderRateLimited,
    ProviderRejected,
    ProviderTimeout,
    ProviderUnavailable,
)
from frasier.kernel.ids import new_id
from frasier.llm import (
    Account,
    CallState,
    ClassifyInputs,
    Gateway,
    LlmSettings,
    Message,
    ProviderCall,
    Purpose,
    Request,
    Section,
    SelfTestStatus,
    Tier,
    calls_of_task,
)
from frasier.llm.providers.openai_compatible import OpenAICompatible
from frasier.llm.reply_parsing import reply_schema
from frasier.llm.reply_schemas import ClassifyReply
from frasier.outbound import KeyRefused
from support.model_server import ModelServer, ScriptedAnswer, by_model, in_order, key_digest

KEY = "sk-or-v1-0123456789abcdef"
CLASS = {"classification": "casual", "confidence": 0.9, "reasoning": "A greeting."}


def call(*, structured: bool = False, timeout_s: float = 10) -> ProviderCall:
    return ProviderCall(
        model="m1",
        messages=(Message(role="system", content="Be brief."), Message(role="user", content="Hello")),
        purpose=Purpose.CLASSIFY,
        inputs=ClassifyInputs(message="Hello"),
        json_schema=reply_schema(ClassifyReply) if structured else None,
        schema_name="ClassifyReply",
        max_output_tokens=64,
        temperature=0.2,
        timeout_s=timeout_s,
    )


class Talk:
    """One provider against one scripted server."""

    def __init__(self, *answers: ScriptedAnswer, mode="json_schema") -> None:
        self.server = ModelServer(in_order(*answers))
        self._mode = mode

    async def __aenter__(self):
        self.server.__enter__()
        self.provider = OpenAICompatible(
            base_url=self.server.base_url, api_key=SecretStr(KEY), structured=self._mode
        )
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.provider.close()
        self.server.__exit__(*exc)


async def _failure(answer: ScriptedAnswer, **about) -> ProviderError:
    async with Talk(answer) as talk:
        with pytest.raises(ProviderError) as caught:
            await talk.provider.complete(call(**about))
        assert len(talk.server.log) == 1, "the client itself retries nothing"
        shown = f"{caught.value.message} {caught.value.hint} {caught.value.__cause__!r}"
        assert KEY not in shown
        return caught.value


async def test_a_completion_is_asked_for_as_agreed_and_read(monkeypatch):
    monkeypatch.setenv("OPENAI_ORG_ID", "another program's")
    usage = {"prompt_tokens": 12, "completion_tokens": 3, "cost": 0.0001234}
    async with Talk(ScriptedAnswer(content="Hello there.", usage=usage)) as talk:
        reply = await talk.provider.complete(call())
    (sent,) = talk.server.log
    assert sent.path == "/v1/chat/completions"
    assert sent.key_sha256 == key_digest(KEY)
    assert sent.body == {
        "model": "m1",
        "max_tokens": 64,
        "temperature": 0.2,
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"}],
    }
    assert "openai-organization" not in sent.headers
    assert (reply.text, reply.finish_reason, reply.tokens_in, reply.tokens_out) == (
        "Hello there.",
        "stop",
        12,
        3,
    )
    assert reply.cost_usd_micros == 124
    assert reply.request_id == "chatcmpl-1"


async def test_the_makers_own_bill_is_added_to_a_routers_fee():
    usage = {
        "prompt_tokens": 12,
        "completion_tokens": 3,
        "cost": 0.00001,
        "is_byok": True,
        "cost_details": {"upstream_inference_cost": 0.0002},
    }
    async with Talk(ScriptedAnswer(usage=usage)) as talk:
        assert (await talk.provider.complete(call())).cost_usd_micros == 210


async def test_a_server_that_reports_no_usage_reports_no_cost():
    async with Talk(ScriptedAnswer(usage=None)) as talk:
        reply = await talk.provider.complete(call())
    assert (reply.tokens_in, reply.tokens_out, reply.cost_usd_micros) == (0, 0, None)


async def test_without_a_key_none_is_taken_from_the_environment(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-program")
    with ModelServer(in_order(ScriptedAnswer())) as server:
        provider = OpenAICompatible(base_url=server.base_url, api_key=None, structured="prompt")
        await provider.complete(call())
        await provider.close()
    assert server.log[0].key_sha256 == key_digest("none")


@pytest.mark.parametrize(
    ("answer", "error", "said"),
    [
        (ScriptedAnswer.error(401, f"Incorrect API key provided: {KEY}"), KeyRefused, "The key was refused"),
        (ScriptedAnswer.error(403, "not allowed"), ProviderRejected, "forbidden"),
        (ScriptedAnswer.error(402, "Insufficient credits"), ProviderRejected, "no credit"),
        (ScriptedAnswer.error(404, "No endpoints found"), ProviderRejected, "Model m1 does not exist"),
        (
            ScriptedAnswer.error(429, "You exceeded your quota", code="insufficient_quota"),
            ProviderRejected,
            "no credit",
        ),
        (
            ScriptedAnswer(body='{"error": {"code": 502, "message": "upstream"}}'),
            ProviderUnavailable,
            "502: upstream",
        ),
        (
            ScriptedAnswer(body='{"error": {"code": "odd", "message": "what"}}'),
            BadReply,
            "with an error: what",
        ),
        (
            ScriptedAnswer(body='{"error": {"code": 429, "message": "free tier"}}'),
            ProviderRateLimited,
            "free tier",
        ),
        (ScriptedAnswer(finish_reason="error", content=""), ProviderUnavailable, "failed midway"),
        (ScriptedAnswer(body='{"choices": []}'), BadReply, "without a choice"),
        (ScriptedAnswer(body="<html>Log in</html>"), BadReply, "a malformed completion"),
        (ScriptedAnswer(drop=True), ProviderTimeout, "broke the connection"),
    ],
)
async def test_each_failure_becomes_the_right_error_without_the_key(answer, error, said):
    failure = await _failure(answer)
    assert type(failure) is error
    assert said in failure.message
    assert failure.provider.startswith("127.0.0.1:")


async def test_a_server_that_hangs_is_given_up_after_the_timeout():
    failure = await _failure(ScriptedAnswer(hang=True), timeout_s=0.2)
    assert type(failure) is ProviderTimeout
    assert "FRASIER_LLM__TIMEOUT_S" in failure.hint


async def test_a_refusal_in_words_counts_as_filtered():
    body = {
        "choices": [{"message": {"content": None, "refusal": "I won't."}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1},
    }
    async with Talk(ScriptedAnswer(body=json.dumps(body))) as talk:
        assert (await talk.provider.complete(call())).finish_reason == "content_filter"


# --- dialects


async def test_a_model_that_refuses_bounds_is_asked_without_them_and_remembered():
    refusal = ScriptedAnswer.error(400, "maxLength is not supported", param="response_format")
    good = ScriptedAnswer.json(CLASS)
    async with Talk(refusal, good, good) as talk:
        await talk.provider.complete(call(structured=True))
        await talk.provider.complete(call(structured=True))
    first, second, third = (request.response_format["json_schema"]["schema"] for request in talk.server.log)
    assert "maxLength" in str(first)
    assert "maxLength" not in str(second)
    assert third == second


async def test_a_model_without_schemas_is_told_the_schema_in_words():
    refusal = ScriptedAnswer.error(400, "response_format is not supported")
    async with Talk(refusal, refusal, ScriptedAnswer.json(CLASS)) as talk:
        reply = await talk.provider.complete(call(structured=True))
    assert json.loads(reply.text) == CLASS
    assert talk.server.log[2].response_format is None
    assert "full_project" in talk.server.log[2].messages[0]["content"]


async def test_a_field_that_a_model_refuses_is_left_out():
    refusals = [
        ScriptedAnswer.error(
            400, "use max_completion_tokens", param="max_tokens", code="unsupported_parameter"
        ),
        ScriptedAnswer.error(400, "only the default", param="temperature", code="unsupported_value"),
    ]
    async with Talk(*refusals, ScriptedAnswer()) as talk:
        await talk.provider.complete(call())
    assert talk.server.log[2].body["max_completion_tokens"] == 64
    assert "temperature" not in talk.server.log[2].body


async def test_a_refusal_for_another_reason_is_not_talked_around():
    refusal = ScriptedAnswer.error(400, "context is too long", param="messages")
    async with Talk(refusal) as talk:
        with pytest.raises(ProviderRejected, match="context is too long"):
            await talk.provider.complete(call(structured=True))
    assert len(talk.server.log) == 1


# --- the whole gateway over HTTP


def request(tier: Tier = Tier.T3, *, structured: bool = False, text: str = "Hello") -> Request:
    return Request(
        purpose=Purpose.CLASSIFY,
        version=1,
        tier=tier,
        inputs=ClassifyInputs(message=text),
        system="Be brief.",
        sections=(Section(title="Message", text=text),),
        reply_type=ClassifyReply if structured else None,
        max_output_tokens=500,
    )


def over(server: ModelServer, db, **settings) -> Gateway:
    async def no_sleep(_seconds: float) -> None:
        return None

    models = {"t1_model": "m1", "t2_model": "m2", "t3_model": "m3"}
    given = {"base_url": server.base_url, "api_key": KEY, "timeout_s": 10} | models | settings
    return Gateway(db, LlmSettings(**given), sleep=no_sleep)


async def test_tiers_fall_back_over_http_and_each_model_is_asked_in_turn(db):
    responder = by_model(
        m3=lambda _: ScriptedAnswer.error(503),
        m2=lambda _: ScriptedAnswer(content=""),
        m1=lambda _: ScriptedAnswer(content="From the smallest."),
    )
    with ModelServer(responder) as server:
        gateway = over(server, db)
        reply = await gateway.ask(request(), Account(task_id=new_id()))
        await gateway.close()
    assert server.models == ["m3", "m3", "m3", "m2", "m2", "m1"]
    assert (reply.text, reply.tier_served, reply.degraded) == ("From the smallest.", Tier.T1, True)


async def test_a_wrong_shape_is_repaired_over_http_with_the_schema(db):
    answers = in_order(ScriptedAnswer.json({"classification": "joke"}), ScriptedAnswer.json(CLASS))
    with ModelServer(answers) as server:
        gateway = over(server, db)
        reply = await gateway.ask(request(structured=True), Account(task_id=new_id()))
        await gateway.close()
    assert reply.parsed == ClassifyReply.model_validate(CLASS)
    first, second = server.log
    assert first.response_format["json_schema"]["name"] == "ClassifyReply"
    assert [message["role"] for message in second.messages] == ["system", "user", "assistant", "user"]
    assert "classification: Input should be" in second.messages[-1]["content"]


async def test_the_prompt_that_arrives_is_within_the_context(db):
    with ModelServer(lambda _: ScriptedAnswer()) as server:
        gateway = over(server, db, t3_context_tokens=4_096)
        await gateway.ask(request(text="word " * 20_000), Account(task_id=new_id()))
        await gateway.close()
    (sent,) = server.log
    assert sent.body["max_tokens"] == 500 + 4_096 // 8, "room for the reply and for hidden reasoning"
    assert sum(len(message["content"]) / 4 for message in sent.messages) + sent.body["max_tokens"] <= 4_096


async def test_a_timeout_is_booked_as_unknown_and_a_refused_connection_is_not(db):
    account = Account(task_id=new_id())
    with ModelServer(lambda _: ScriptedAnswer(hang=True)) as server:
        gateway = over(server, db, timeout_s=0.2, attempts=1)
        with pytest.raises(AllProvidersFailed):
            await gateway.ask(request(Tier.T1), account)
        await gateway.close()
    gateway = over(server, db, attempts=1)  # nobody listens there any more
    with pytest.raises(AllProvidersFailed):
        await gateway.ask(request(Tier.T1), account)
    await gateway.close()
    async with db.transaction() as tx:
        records = await calls_of_task(tx, account.task_id)
    assert [record.state for record in records] == [CallState.UNKNOWN, CallState.FAILED]


async def test_a_wrong_key_is_tried_once_and_the_hint_says_where_to_look(db):
    with ModelServer(lambda _: ScriptedAnswer.error(401, "no such key")) as server:
        gateway = over(server, db)
        with pytest.raises(AllProvidersFailed) as caught:
            await gateway.ask(request(), Account(task_id=new_id()))
        results = await gateway.self_test()
        await gateway.close()
    assert server.models[0] == "m3"
    assert len(server.models) == 1 + len(Tier)
    assert caught.value.hint == "Check FRASIER_LLM__API_KEY."
    assert {result.status for result in results.values()} == {SelfTestStatus.ERROR}


async def test_each_address_gets_its_own_key_only(db):
    with (
        ModelServer(lambda _: ScriptedAnswer.error(404)) as common,
        ModelServer(lambda _: ScriptedAnswer()) as own,
    ):
        gateway = over(common, db, t2_base_url=own.base_url, t2_api_key="key-of-two")
        assert (await gateway.ask(request(), Account(task_id=new_id()))).tier_served is Tier.T2
        await gateway.close()
    assert common.log[0].key_sha256 == key_digest(KEY)
    assert own.log[0].key_sha256 == key_digest("key-of-two")
