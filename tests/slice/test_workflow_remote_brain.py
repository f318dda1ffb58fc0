"""The external memory over real HTTP: what it must answer for a move to go on, and every way in which it may fail."""

from __future__ import annotations

import asyncio
import json
import socket
import traceback
from contextlib import asynccontextmanager
from uuid import UUID

import pytest
from pydantic import SecretStr, ValidationError

from frasier.board.external_memory.document_move import as_refusal
from frasier.board.external_memory.factory import make_external_memory
from frasier.board.external_memory.http_client import HttpExternalMemory
from frasier.board.external_memory.protocol import Contribution
from frasier.board.external_memory.settings import ExternalMemorySettings
from frasier.interfaces.asgi_server import listening_on, serve_until
from frasier.interfaces.http import make_app
from frasier.kernel.advice import Advice
from frasier.kernel.errors import (
    BadReply,
    InvariantBroken,
    ProviderRejected,
    ProviderTimeout,
    ProviderUnavailable,
    TransitionRefused,
)
from frasier.memory import issue_token, open_engine
from frasier.outbound import KeyRefused
from support.brain import LEXICAL
from support.web_server import Reply, WebServer

TOKEN = "frasier_sk-Zm9vYmFyYmF6cXV4MDEyMzQ1Njc4OQ"
ID = UUID("01890a5d-ac96-774b-bcce-b302099a8057")
DIALECTS = ("frasier", "seed")
HEALTH = "/api/v1/health"
CONTRIBUTE = {"frasier": "/api/v1/contribute", "seed": "/api/v1/memory"}
MARKER = Contribution(
    text="TASK active→review: DEV fix-login (HomePage) — the tests are green",
    agent_id="agent-dev",
    agent_name="DEV",
    context="task: fix-login",
    idempotency_key="move-7",
    topic="fix-login",
)
# What the sources hold is what was found, and never what was stored.
FOUND = {"result": {"response": "", "sources": [{"thought_id": "thought-of-somebody-else"}]}}


def answering(value, status=200, **headers):
    return Reply(json.dumps(value), status=status, content_type="application/json", headers=headers)


def stored(dialect):
    if dialect == "frasier":
        return answering({"id": str(ID), "action": "created", "repeated": False}, 201)
    return answering(FOUND | {"trace": {"thoughts_contributed": 1}})


@pytest.fixture
async def remote():
    async with WebServer() as running:
        running.routes[HEALTH] = answering({"status": "ok"})
        for dialect, path in CONTRIBUTE.items():
            running.routes[path] = stored(dialect)
        yield running


@pytest.fixture(params=DIALECTS)
def dialect(request):
    return request.param


def brain_at(remote, dialect, **limits):
    return HttpExternalMemory(
        ExternalMemorySettings(url=remote.url(""), token=SecretStr(TOKEN), dialect=dialect, **limits)
    )


@pytest.fixture(params=["health", "contribution"])
def step(request, remote, dialect):
    """Both questions: the path of each, and how it is asked. A failure of either refuses the move."""

    class Step:
        path = HEALTH if request.param == "health" else CONTRIBUTE[dialect]

        @staticmethod
        async def ask(**limits):
            brain = brain_at(remote, dialect, **limits)
            return await (brain.check() if request.param == "health" else brain.contribute(MARKER))

    return Step


def everything_told(error):
    """All that a person, a log or a program could read of an error, with what it was raised from."""
    return (
        "".join(traceback.format_exception(error)) + repr(error) + repr(error.as_dict()) + repr(vars(error))
    )


async def failed(step, kind, **limits):
    with pytest.raises(kind) as raised:
        await step.ask(**limits)
    error = raised.value
    assert type(error) is kind
    assert error.kept == "The task is unchanged."
    assert error.hint or error.advice or error.facts
    assert "127.0.0.1" in error.message
    assert TOKEN not in everything_told(error)
    return error


# What it says when all is well.


async def test_our_own_api_is_told_a_marker_and_tells_its_id(remote):
    brain = brain_at(remote, "frasier")
    await brain.check()
    assert await brain.contribute(MARKER) == str(ID)
    health, sent = remote.requests
    assert (health.method, health.target) == ("GET", HEALTH)
    assert (sent.method, sent.target) == ("POST", "/api/v1/contribute")
    assert json.loads(sent.body) == {
        "content": MARKER.text,
        "kind": "marker",
        "title": "task: fix-login",
        "tags": ["agent-dev", "fix-login"],
        "speaker": "DEV",
    }
    assert {request.headers["authorization"] for request in remote.requests} == {f"Bearer {TOKEN}"}


async def test_the_original_service_is_told_a_marker_and_its_key_is_what_is_recorded(remote):
    brain = brain_at(remote, "seed")
    await brain.check()
    assert await brain.contribute(MARKER) == "move-7"
    sent = remote.requests[-1]
    assert (sent.method, sent.target) == ("POST", "/api/v1/memory")
    assert json.loads(sent.body) == {
        "prompt": MARKER.text,
        "agent_id": "agent-dev",
        "agent_name": "DEV",
        "context": "task: fix-login",
        "thought_category": "transition_marker",
        "topic": "fix-login",
    }


@pytest.mark.parametrize(
    ("said", "recorded"),
    [
        ({"trace": {"thoughts_contributed": 1}, "id": "t-9"}, "t-9"),
        ({"id": "t-9"}, "t-9"),
        ({"trace": {"thoughts_contributed": 0}, "contributed": {"id": "t-9", "repeated": True}}, "t-9"),
    ],
)
async def test_an_id_that_the_original_service_answers_is_recorded(remote, said, recorded):
    remote.routes["/api/v1/memory"] = answering(FOUND | said)
    assert await brain_at(remote, "seed").contribute(MARKER) == recorded


async def test_the_same_key_is_sent_at_a_repeat(remote, dialect):
    brain = brain_at(remote, dialect)
    remote.routes[CONTRIBUTE[dialect]] = Reply(status=503)
    with pytest.raises(ProviderUnavailable):
        await brain.contribute(MARKER)
    remote.routes[CONTRIBUTE[dialect]] = stored(dialect)
    assert await brain.contribute(MARKER)
    first, second = remote.requests
    assert first.headers["idempotency-key"] == second.headers["idempotency-key"] == "move-7"
    assert first.body == second.body


async def test_the_same_is_stored_again_where_our_own_api_says_so(remote):
    remote.routes["/api/v1/contribute"] = answering({"id": str(ID), "action": "none", "repeated": True})
    assert await brain_at(remote, "frasier").contribute(MARKER) == str(ID)


async def test_a_brain_that_searches_with_less_takes_contributions(remote):
    remote.routes[HEALTH] = answering({"status": "degraded", "reason": "embedding: no model"})
    await brain_at(remote, "frasier").check()


async def test_without_a_token_none_is_sent(remote):
    await HttpExternalMemory(ExternalMemorySettings(url=remote.url("/"), dialect="seed")).check()
    assert "authorization" not in remote.requests[0].headers


async def test_no_proxy_of_the_environment_sees_the_token(remote, dialect, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    await brain_at(remote, dialect).check()


# What it may fail with.


async def test_a_server_that_never_answers_is_left_in_time(dialect):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        brain = HttpExternalMemory(
            ExternalMemorySettings(
                url=f"http://127.0.0.1:{silent.getsockname()[1]}",
                token=SecretStr(TOKEN),
                dialect=dialect,
                health_timeout_s=0.05,
                contribute_timeout_s=0.1,
            )
        )
        with pytest.raises(ProviderTimeout, match=r"the health check within 0\.05 s"):
            await brain.check()
        with pytest.raises(ProviderTimeout, match=r"the contribution within 0\.1 s"):
            await brain.contribute(MARKER)


@pytest.mark.parametrize(
    "body",
    [
        "{}",
        '{"status": "fine"}',
        '{"status": ["ok"]}',
        '{"id": 7, "action": "created", "repeated": false}',
        '{"id": "two words", "action": "created", "repeated": false}',
        '{"id": ""}',
        '{"id": "two words"}',
        '{"contributed": true}',
        '{"trace": {"thoughts_contributed": true}}',
        '{"trace": {"thoughts_contributed": "1"}}',
        '{"trace": {"thoughts_contributed": 2}}',
        '{"trace": {}}',
        json.dumps(FOUND),
    ],
)
async def test_a_body_that_is_not_what_the_dialect_promises_is_no_success(remote, step, body):
    remote.routes[step.path] = Reply(body)
    await failed(step, BadReply)


@pytest.mark.parametrize(
    "less", [{"id": "thought-1"}, {"action": None}, {"repeated": None}, {"repeated": "no"}, {"repeated": 0}]
)
async def test_our_own_api_is_believed_only_in_its_own_words(remote, less):
    said = {"id": str(ID), "action": "created", "repeated": False} | less
    remote.routes["/api/v1/contribute"] = answering(said, 201)
    with pytest.raises(BadReply):
        await brain_at(remote, "frasier").contribute(MARKER)


@pytest.mark.parametrize(
    ("dialect", "status"), [("frasier", "down"), ("seed", "error")], indirect=["dialect"]
)
async def test_a_brain_that_says_it_is_not_well_is_not_asked_more(remote, dialect, status):
    remote.routes[HEALTH] = answering({"status": status})
    with pytest.raises(ProviderUnavailable, match=status):
        await brain_at(remote, dialect).check()


async def test_the_original_is_not_well_when_it_is_half_well(remote):
    remote.routes[HEALTH] = answering({"status": "degraded"})
    with pytest.raises(BadReply):
        await brain_at(remote, "seed").check()


async def test_a_marker_that_vanishes_in_the_filter_is_a_failure_whatever_else_was_found(remote):
    said = FOUND | {"id": "request-1", "trace": {"thoughts_contributed": 0}}
    remote.routes["/api/v1/memory"] = answering(said)
    with pytest.raises(ProviderRejected, match="stored nothing") as raised:
        await brain_at(remote, "seed").contribute(MARKER)
    assert "50 characters" in raised.value.hint


async def test_our_own_api_says_why_it_refuses(remote):
    brain = brain_at(remote, "frasier")
    refusal = {
        "error": {"code": "stale", "message": "Something else was\ncontributed \x1b[31munder this key."}
    }
    remote.routes["/api/v1/contribute"] = answering(refusal, 409)
    with pytest.raises(
        ProviderRejected,
        match=r"with 409: Something else was contributed \[31munder",
    ):
        await brain.contribute(MARKER)
    remote.routes[HEALTH] = answering({"status": "down", "reason": "database: not there"}, 503)
    with pytest.raises(ProviderUnavailable, match="with 503: database: not there"):
        await brain.check()


def test_the_token_is_not_part_of_how_a_brain_or_its_settings_are_shown():
    settings = ExternalMemorySettings(url="https://brain.example.org", token=TOKEN)
    brain = HttpExternalMemory(settings)
    assert (
        TOKEN not in f"{brain!r}{vars(brain)}{settings!r}{settings.model_dump()}{settings.model_dump_json()}"
    )


async def test_a_text_that_cannot_be_encoded_is_for_the_server_to_refuse(remote, dialect):
    broken = Contribution(
        text="half \ud800", agent_id="", agent_name="", context="", idempotency_key="k", topic=""
    )
    await brain_at(remote, dialect).contribute(broken)
    assert b"\\ud800" in remote.requests[0].body


# Where it may be, and what may open it.


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://brain.example.org", "https://brain.example.org"),
        ("https://Brain.Example.org:8443/team/", "https://brain.example.org:8443/team"),
        ("https://10.0.0.7/api/v1/", "https://10.0.0.7"),
        ("http://127.0.0.1:8764/api/v1", "http://127.0.0.1:8764"),
        ("http://127.8.0.1", "http://127.8.0.1"),
        ("http://[::1]:8764", "http://[::1]:8764"),
        (" http://localhost:3200\n", "http://localhost:3200"),
    ],
)
def test_an_address_that_is_safe_is_taken(url, address):
    assert ExternalMemorySettings(url=url, token="t").url == address


@pytest.mark.parametrize(
    "url",
    [
        "http://brain.example.org",
        "http://10.0.0.7:3200",
        "http://0.0.0.0:3200",
        "http://127.1:3200",
        "http://2130706433",
        "http://127.0.0.1.example.org",
        "http://localhost.example.org",
        "http://localhost@brain.example.org",
        "http://127.0.0.1\\@brain.example.org",
        f"https://me:{TOKEN}@brain.example.org",
        f"https://{TOKEN}@brain.example.org",
        f"https://brain.example.org/?token={TOKEN}",
        f"https://brain.example.org/#{TOKEN}",
        "https://brain.example.org/a b",
        "https://brain.example.org/%2e%2e/admin",
        "https://brain..example.org",
        f"https://{'a' * 64}.example.org",
        "https://bräin.example.org",
        "https://brain.example.org:99999",
        "https://[::1",
        "https://[fe80::1%25eth0]",
        "https://",
        "brain.example.org",
        "ftp://127.0.0.1",
        "file:///etc/passwd",
        "/api/v1",
    ],
)
def test_an_address_that_is_not_is_refused_without_showing_what_it_holds(url):
    with pytest.raises(ValidationError) as wrong:
        ExternalMemorySettings(url=url, token="t")
    assert TOKEN not in str(wrong.value)


@pytest.mark.parametrize("token", [f"{TOKEN}\nX-Other: 1", f"{TOKEN} {TOKEN}", f"{TOKEN}ä", f"{TOKEN}\0"])
def test_a_token_that_no_header_can_carry_is_refused_without_being_shown(token):
    with pytest.raises(ValidationError) as wrong:
        ExternalMemorySettings(url="https://brain.example.org", token=token)
    assert TOKEN not in str(wrong.value)


def test_a_token_that_was_read_with_the_end_of_its_line_is_taken():
    settings = ExternalMemorySettings(url="https://brain.example.org", token=f"{TOKEN}\n")
    assert settings.token.get_secret_value() == TOKEN


@pytest.mark.parametrize("key", ["", "two words", "k" * 201, "schlüssel", "k\r\nX-Other: 1"])
def test_a_key_that_would_be_changed_on_its_way_is_our_own_defect(key):
    with pytest.raises(InvariantBroken, match="idempotency key"):
        Contribution(text="t", agent_id="", agent_name="", context="", idempotency_key=key)


def test_the_limits_of_the_protocol_can_only_be_made_shorter():
    assert ExternalMemorySettings(health_timeout_s=1, contribute_timeout_s=2).contribute_timeout_s == 2
    for more in ({"health_timeout_s": 3.1}, {"contribute_timeout_s": 5.1}, {"health_timeout_s": 0}):
        with pytest.raises(ValidationError):
            ExternalMemorySettings(**more)


def test_our_own_api_needs_a_token():
    with pytest.raises(ValidationError, match="needs a token"):
        ExternalMemorySettings(url="https://brain.example.org")
    assert ExternalMemorySettings(url="https://brain.example.org", dialect="seed").url


async def test_the_settings_make_the_brain_that_they_name(remote):
    assert make_external_memory(ExternalMemorySettings()) is None
    made = make_external_memory(ExternalMemorySettings(url=remote.url(""), token=TOKEN, dialect="seed"))
    assert await made.contribute(MARKER) == "move-7"


async def test_a_failed_brain_refuses_the_move_with_the_reason(remote, step):
    remote.routes[step.path] = Reply(status=401)
    refused = as_refusal(await failed(step, KeyRefused), "fix-login")
    assert type(refused) is TransitionRefused
    assert refused.message.startswith("The external memory cannot document this move (the token was refused.")
    assert f"The external memory at {remote.authority} answered the " in refused.message
    assert refused.message.endswith("with 401), so fix-login stays where it is.")
    assert refused.kept == "fix-login is unchanged."
    assert refused.advice == (Advice("task.block", to="block it"),)


# Our own API, as it is, on a real database.


@asynccontextmanager
async def served(db):
    async with open_engine(db, LEXICAL) as engine:
        stop = asyncio.Event()
        with listening_on("127.0.0.1", 0, service="The memory") as listening:
            serving = asyncio.create_task(serve_until(stop, make_app(engine, {}), listening))
            try:
                yield f"http://127.0.0.1:{listening.getsockname()[1]}/api/v1"
            finally:
                stop.set()
                await serving


async def memories(db):
    async with db.transaction() as tx:
        cursor = await tx.execute("select * from memory_items order by num")
        return await cursor.fetchall()


async def test_our_own_api_keeps_a_marker_once_for_its_key_and_tells_its_id_each_time(db):
    async with db.transaction() as tx:
        token = await issue_token(tx, "board", ["shared"])
    async with served(db) as url:
        brain = make_external_memory(ExternalMemorySettings(url=url, token=token))
        await brain.check()
        first = await brain.contribute(MARKER)
        assert await brain.contribute(MARKER) == first
        [row] = await memories(db)
        assert (str(row["id"]), row["kind"], row["content"]) == (first, "marker", MARKER.text)
        assert (row["speaker"], row["title"], row["tags"]) == (
            "DEV",
            "task: fix-login",
            ["agent-dev", "fix-login"],
        )

        same_words = Contribution(
            text=MARKER.text,
            agent_id=MARKER.agent_id,
            agent_name=MARKER.agent_name,
            context=MARKER.context,
            idempotency_key="move-8",
        )
        assert await brain.contribute(same_words) != first, "another move is another moment"
        assert len(await memories(db)) == 2

        other_words = Contribution(
            text="TASK START: DEV claiming fix-login (HomePage) — again",
            agent_id="",
            agent_name="",
            context="",
            idempotency_key="move-7",
        )
        with pytest.raises(
            ProviderRejected, match="with 409: This idempotency key was used for a different contribution"
        ):
            await brain.contribute(other_words)
        assert len(await memories(db)) == 2


async def test_our_own_api_refuses_a_token_at_the_health_check_already(db):
    async with served(db) as url:
        brain = make_external_memory(ExternalMemorySettings(url=url, token=TOKEN))
        for asked in (brain.check(), brain.contribute(MARKER)):
            with pytest.raises(KeyRefused, match="The token was refused"):
                await asked
    assert await memories(db) == []
