"""The brain API: what is asked is answered and never stored, what is contributed is stored once."""

from __future__ import annotations

import asyncio
from uuid import UUID, uuid4

import pytest

from frasier.interfaces.operations import Layer, Operation, OperationInput, Output, Result
from frasier.kernel.errors import (
    InvariantBroken,
    NotFound,
    ProviderRateLimited,
    ProviderRejected,
    ProviderTimeout,
    SourceError,
    TooOften,
)
from support.brain import error_of, open_memory_api
from support.refusals import FOREIGN_WORDS

FACT = "We left SQLite because two processes could not write at once."


async def test_what_is_contributed_is_found_at_once_with_its_reason(brain):
    given = {"content": FACT, "title": "Why PostgreSQL", "tags": ["storage"], "triggers": ["leave sqlite"]}
    made = await brain.post("contribute", given)
    assert made.status_code == 201
    assert made.json()["action"] == "created"
    answered = (await brain.post("query", {"query": "why did we leave SQLite?"})).json()
    [hit] = answered["data"]["hits"]
    assert (hit["id"], hit["text"], hit["title"]) == (made.json()["id"], FACT, "Why PostgreSQL")
    assert hit["reason"]
    assert answered["summary"] == "1 found."
    assert answered["meta"]["tool"] == "query"


async def test_everything_that_can_be_said_of_a_contribution_is_kept(brain):
    given = {
        "content": "Anna decided to keep the ledger in cents.",
        "kind": "decision",
        "title": "Cents",
        "tags": ["money"],
        "scope": "team",
        "tier": "important",
        "importance": 8,
        "type": "semantic",
        "triggers": ["ledger cents"],
        "thread": "ledger",
        "speaker": "Anna",
        "occurred_at": "2026-02-26T10:00:00+02:00",
        "valid_from": "2026-02-26",
    }
    assert (await brain.post("contribute", given)).status_code == 201
    [row] = await brain.stored()
    for name in (
        "content",
        "kind",
        "title",
        "tags",
        "scope",
        "tier",
        "importance",
        "triggers",
        "thread",
        "speaker",
    ):
        assert row[name] == given[name]
    assert row["memory_type"] == "semantic"
    assert row["occurred_at"].isoformat() == "2026-02-26T08:00:00+00:00"
    assert row["valid_from"].isoformat() == "2026-02-26T00:00:00+00:00"
    assert row["provenance"]["saved_by"] == "token:tester"


@pytest.mark.parametrize(
    "asked",
    [
        "What is my role, and which tasks were in flight?",
        "TASK BLOCKED: DEV fix-login (HomePage) — the database is locked",
        "This is a long declarative text of far more than fifty characters that states something as a fact. "
        * 5,
    ],
)
async def test_a_query_is_never_stored_whatever_it_says(brain, asked):
    for _ in range(2):
        answered = await brain.post("query", {"query": asked})
        assert answered.status_code == 200
        assert answered.json()["data"]["hits"] == []
    assert await brain.stored() == []


async def test_a_caller_sees_and_writes_its_own_scopes_only(brain):
    await brain.post("contribute", {"content": FACT, "scope": "team"})
    other = await brain.caller("other", "elsewhere")
    assert (await brain.post("query", {"query": "SQLite"}, **other)).json()["data"]["hits"] == []
    for path, body in (
        ("query", {"query": "SQLite", "scopes": ["team"]}),
        ("contribute", {"content": FACT, "scope": "team"}),
        ("memory", {"prompt": "SQLite", "scope": "team"}),
        ("memory", {"content": FACT, "scope": "team"}),
    ):
        refused = await brain.post(path, body, **other)
        assert refused.status_code == 403
        assert error_of(refused)["code"] == "not_allowed"
    assert len(await brain.stored()) == 1


async def test_what_binds_everybody_takes_a_founder_token(brain):
    binding = {"content": "Never deploy on Fridays.", "tier": "constitutional"}
    assert (await brain.post("contribute", binding)).status_code in {403, 422}
    assert await brain.stored() == []
    founder = await brain.caller("boss", "shared", founder=True)
    assert (await brain.post("contribute", binding, **founder)).status_code == 201
    answered = (await brain.post("query", {"query": "anything else"})).json()
    assert [memory["text"] for memory in answered["data"]["binding"]] == [binding["content"]]


async def test_a_session_is_sent_nothing_twice(brain):
    await brain.post("contribute", {"content": FACT})
    assert await brain.query("SQLite", session="s1") == [FACT]
    again = (await brain.post("query", {"query": "SQLite", "session": "s1"})).json()["data"]
    assert again["hits"] == []
    assert len(again["seen"]) == 1
    assert again["tokens_saved"] > 0
    assert await brain.query("SQLite", session="s1", repeat=True) == [FACT]


async def test_a_contribution_that_is_sent_again_is_the_same_one(brain):
    first = await brain.post("contribute", {"content": FACT}, **{"Idempotency-Key": "k1"})
    by_field = await brain.post("contribute", {"content": FACT, "idempotency_key": "k1"})
    assert (first.status_code, by_field.status_code) == (201, 200)
    assert by_field.json() == {"id": first.json()["id"], "action": "none", "repeated": True}
    [row] = await brain.stored()
    assert row["access_count"] == 0, "the repetition was counted as a use"


async def test_twenty_contributions_at_once_with_one_key_are_one_memory(brain):
    sent = [
        brain.post("contribute", {"content": FACT, "kind": "conversation"}, **{"Idempotency-Key": "k"})
        for _ in range(20)
    ]
    answers = await asyncio.gather(*sent)
    assert sorted(answer.status_code for answer in answers) == [200] * 19 + [201]
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert len(await brain.stored()) == 1


async def test_the_key_of_one_caller_says_nothing_to_another(brain):
    other = await brain.caller("other", "team")
    mine = await brain.post("contribute", {"content": FACT}, **{"Idempotency-Key": "k"})
    theirs = await brain.post("contribute", {"content": "Other."}, **{"Idempotency-Key": "k"}, **other)
    assert (mine.status_code, theirs.status_code) == (201, 201)


async def test_another_content_under_the_same_key_is_refused(brain):
    await brain.post("contribute", {"content": FACT}, **{"Idempotency-Key": "k"})
    for changed in ({"content": "Something else."}, {"content": FACT, "title": "Changed"}):
        refused = await brain.post("contribute", changed, **{"Idempotency-Key": "k"})
        assert refused.status_code == 409
        assert error_of(refused)["hint"]
    assert len(await brain.stored()) == 1


async def test_a_key_whose_memory_was_deleted_does_not_bring_it_back(brain):
    await brain.post("contribute", {"content": FACT}, **{"Idempotency-Key": "k"})
    async with brain.db.transaction() as tx:
        await tx.execute("delete from memory_items")
    gone = await brain.post("contribute", {"content": FACT}, **{"Idempotency-Key": "k"})
    assert gone.status_code == 404
    assert error_of(gone)["number"] == "E080"
    assert await brain.stored() == []


async def test_a_contribution_that_failed_leaves_its_key_free(brain):
    refused = await brain.post("contribute", {"content": FACT, "importance": 99}, **{"Idempotency-Key": "k"})
    assert refused.status_code == 422
    assert (await brain.post("contribute", {"content": FACT}, **{"Idempotency-Key": "k"})).status_code == 201


@pytest.mark.parametrize("key", ["", "x" * 201, "a\tb"])
async def test_a_key_that_cannot_be_one_is_refused(brain, key):
    refused = await brain.post("contribute", {"content": FACT, "idempotency_key": key})
    assert refused.status_code == 422
    assert await brain.stored() == []


async def test_two_different_keys_in_one_request_are_refused(brain):
    body = {"content": FACT, "idempotency_key": "a"}
    assert (await brain.post("contribute", body, **{"Idempotency-Key": "b"})).status_code == 422
    assert await brain.stored() == []


async def test_the_same_words_again_without_a_key_reinforce_what_is_there(brain):
    first = (await brain.post("contribute", {"content": FACT})).json()
    second = (await brain.post("contribute", {"content": FACT})).json()
    assert second["action"] == "reinforced"
    assert second["id"] == first["id"]


async def test_secrets_in_a_contribution_are_taken_out_and_that_is_said(brain):
    key = "sk-" + "a1B2" * 8
    made = (await brain.post("contribute", {"content": f"The key is {key} for now."})).json()
    assert made["warnings"]
    assert key not in (await brain.stored())[0]["content"]


@pytest.mark.parametrize(
    ("path", "body", "number"),
    [
        ("query", {}, "E031"),
        ("query", {"query": ""}, "E032"),
        ("query", {"query": "x", "limit": 0}, "E032"),
        ("query", {"query": "x", "limit": "5"}, "E030"),
        ("query", {"query": "x", "limit": True}, "E030"),
        ("query", {"query": "x", "limits": 5}, "E030"),
        ("query", {"query": 5}, "E030"),
        ("query", {"query": "x" * 10_001}, "E042"),
        ("query", {"query": "x", "kinds": ["rumour"]}, "E032"),
        ("query", {"query": "x", "as_of": "yesterday"}, "E030"),
        ("query", {"query": "x", "as_of": "0001-01-01T00:00:00+14:00"}, "E030"),
        ("contribute", {"content": None}, "E030"),
        ("contribute", {"content": "x", "occurred_at": "9999-12-31T23:59:59-12:00"}, "E030"),
        ("contribute", {"content": "x", "valid_from": "2026-02-02", "valid_until": "2026-01-01"}, "E032"),
    ],
)
async def test_what_breaks_a_rule_is_refused_with_its_number(brain, path, body, number):
    refused = await brain.post(path, body)
    assert refused.status_code == 422, refused.text
    assert error_of(refused)["number"] == number
    assert not FOREIGN_WORDS.search(refused.text), refused.text
    assert await brain.stored() == []


async def test_what_breaks_several_rules_is_told_of_each_field_and_what_is_accepted(brain):
    refused = error_of(await brain.post("query", {"kinds": "rumour", "as_of": "yesterday"}))
    assert refused["message"] == (
        "The input is wrong: query is missing; kinds must be a list;"
        " as_of must be a moment, such as 2026-01-31T12:00:00Z."
    )


async def test_an_error_does_not_repeat_what_was_sent(brain):
    refused = await brain.post("query", {"query": {"password": "hunter2-hunter2"}, "sk-live-secret": 1})
    assert "hunter2" not in refused.text


class _Fails(OperationInput):
    pass


class _Nothing(Output):
    pass


def failing(error):
    async def run(_surroundings, _given):
        raise error

    return Operation(
        name="fails", title="", layer=Layer.DETAIL, about="", input=_Fails, output=_Nothing, run=run
    )


@pytest.mark.parametrize(
    ("error", "status", "retry_after"),
    [
        (NotFound("no"), 404, None),
        (TooOften("no"), 429, "60"),
        (ProviderTimeout("no"), 504, None),
        (ProviderRateLimited("no", retry_after_s=2.4), 503, "3"),
        (ProviderRejected("no"), 502, None),
        (SourceError("no"), 422, None),
    ],
)
async def test_each_error_has_its_status(db, error, status, retry_after):
    async with open_memory_api(db, {"fails": failing(error)}) as brain:
        failed = await brain.post("tools/fails", {})
    assert failed.status_code == status
    assert failed.headers.get("retry-after") == retry_after
    assert error_of(failed)["code"] == error.code


@pytest.mark.parametrize("error", [ZeroDivisionError("the secret 42"), InvariantBroken("the secret 42")])
async def test_a_defect_is_a_coded_500_that_tells_nothing_and_the_server_goes_on(db, error):
    async with open_memory_api(db, {"fails": failing(error)}) as brain:
        failed = await brain.post("tools/fails", {}, **{"X-Request-Id": "r-1"})
        assert failed.status_code == 500
        assert error_of(failed)["code"] == "invariant_broken"
        assert failed.headers["x-request-id"] == "r-1"
        assert "42" not in failed.text
        assert (await brain.get("health")).status_code == 200


class _Echo(OperationInput):
    word: str


class _Caller(Output):
    caller: str


async def _echo(context, request):
    return Result(summary=request.word, data=_Caller(caller=context.caller.name))


ECHO = Operation(
    name="echo",
    title="Echo",
    layer=Layer.DETAIL,
    about="Says it again.",
    input=_Echo,
    output=_Caller,
    run=_echo,
    read_only=True,
)


async def test_a_tool_is_listed_with_its_schema_and_answers_with_its_envelope(db):
    async with open_memory_api(db, {"echo": ECHO}) as brain:
        [listed] = (await brain.get("tools")).json()["tools"]
        assert (listed["name"], listed["read_only"]) == ("echo", True)
        assert listed["input_schema"]["required"] == ["word"]
        answered = (await brain.post("tools/echo", {"word": "hello"})).json()
        assert answered["summary"] == "hello"
        assert answered["data"] == {"caller": "token:tester"}
        assert (await brain.post("tools/echo", {"word": "x", "more": 1})).status_code == 422
        unknown = await brain.post("tools/shout", {})
        assert (unknown.status_code, error_of(unknown)["kept"]) == (404, "Nothing was changed.")


async def test_the_id_of_a_contribution_is_an_id(brain):
    made = (await brain.post("contribute", {"content": f"Build {uuid4()} was green."})).json()
    assert UUID(made["id"])
