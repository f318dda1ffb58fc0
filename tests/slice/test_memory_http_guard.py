"""Rejected HTTP requests: hosts, origins, tokens and bodies, each with a coded error."""

from __future__ import annotations

import asyncio
import json

import pytest
import structlog
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frasier.kernel.logging_setup import configure_logging
from frasier.memory import revoke_token
from support.brain import BASE, error_of, open_memory_api

POSTS = ("query", "contribute", "memory", "tools/echo")
QUESTION = {"query": "anything"}


async def raw(brain, path, content, **headers):
    return await brain.client.post(f"/api/v1/{path}", content=content, headers=headers)


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("shown", ["", "Bearer", "Bearer ", "Bearer wrong", "Basic dXNlcjpwdw==", "Token x"])
async def test_without_a_valid_token_nobody_is_let_in(brain, path, shown):
    refused = await brain.post(path, QUESTION, Authorization=shown)
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"].startswith("Bearer")
    assert error_of(refused)["code"] == "not_allowed"
    hint = error_of(refused)["hint"]
    assert "`frasier task member add NAME --role ROLE`" in hint or (
        shown == "Bearer wrong" and "Ask the founder" in hint
    )


async def test_without_a_token_the_tools_are_not_listed(brain):
    assert (await brain.get("tools", Authorization="")).status_code == 401


async def test_a_token_that_is_revoked_is_of_no_use_in_the_next_request(brain):
    assert (await brain.post("query", QUESTION)).status_code == 200
    async with brain.db.transaction() as tx:
        await revoke_token(tx, "tester")
    assert (await brain.post("query", QUESTION)).status_code == 401


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8764", "localhost", "LOCALHOST:1", "[::1]:8764", "localhost.", "memory.internal"]
)
async def test_the_server_is_reached_by_the_names_that_are_allowed(db, host):
    async with open_memory_api(
        db, hosts=frozenset({"localhost", "127.0.0.1", "::1", "memory.internal"})
    ) as brain:
        assert (await brain.get("health", Host=host)).status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("evil.example", 403),
        ("localhost.evil.example", 403),
        ("127.0.0.1.nip.io:8764", 403),
        ("169.254.169.254", 403),
        ("", 400),
        ("localhost:8764/x", 400),
        ("localhost, evil.example", 400),
        ("user@localhost", 400),
    ],
)
async def test_a_name_that_was_made_to_lead_here_is_refused_even_with_a_token(brain, host, status):
    for answered in (await brain.get("health", Host=host), await brain.post("query", QUESTION, Host=host)):
        assert answered.status_code == status
        assert error_of(answered)


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "https://127.0.0.1:8764",
        "http://127.0.0.1:8765",
        "http://localhost:8764",
    ],
)
async def test_a_page_of_another_origin_is_refused(brain, origin):
    refused = await brain.post("contribute", {"content": "From a page."}, Origin=origin)
    assert refused.status_code == 403
    assert await brain.stored() == []


async def test_a_page_of_the_same_or_an_allowed_origin_may_call(db):
    async with open_memory_api(db, origins=frozenset({"https://board.example"})) as brain:
        assert (await brain.post("query", QUESTION, Origin=BASE)).status_code == 200
        allowed = await brain.post("query", QUESTION, Origin="https://board.example")
        assert allowed.headers["access-control-allow-origin"] == "https://board.example"
        asked = await brain.client.options(
            "/api/v1/query",
            headers={
                "Origin": "https://board.example",
                "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "authorization,content-type",
            },
        )
        assert asked.status_code == 200


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b'"query"', 400),
        (b"null", 400),
        (b'{"query": "\xff"}', 400),
        (b'{"query": "\\ud800"}', 400),
        (b'{"query": "a\\u0000b"}', 400),
        (b'{"query": NaN}', 400),
        (b'{"query": 1e999}', 400),
        (b'{"query": "a", "query": "b"}', 400),
        (b'{"query": ' + b"9" * 5_000 + b"}", 400),
        (b'{"query": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", 400),
        (b"\xef\xbb\xbf{}", 400),
        (b'{"query": "an \\\\u0000 that is spelled"}', 200),
    ],
)
async def test_a_body_that_is_no_object_of_json_is_refused(brain, content, status):
    answered = await raw(brain, "query", content, **{"Content-Type": "application/json"})
    assert answered.status_code == status
    if status == 400:
        error = error_of(answered)
        assert error["number"] == "E030"
        assert "GET /api/v1/openapi.json" in error["hint"]
        assert "query" not in error["hint"], "it is told at every address"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/json; charset=utf-16"},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
    ],
)
async def test_what_is_not_sent_as_json_is_refused(brain, headers):
    assert (await raw(brain, "query", b'{"query": "x"}', **headers)).status_code == 415


@pytest.mark.parametrize(
    "media", ["application/json", "Application/JSON; charset=UTF-8", 'application/json;charset="utf-8"']
)
async def test_json_may_be_declared_in_every_usual_way(brain, media):
    assert (await raw(brain, "query", b'{"query": "x"}', **{"Content-Type": media})).status_code == 200


async def test_a_body_that_says_it_is_too_large_is_not_read(db):
    read = 0

    async def pieces():
        nonlocal read
        for _ in range(10):
            read += 1
            yield b" " * 100

    async with open_memory_api(db, body_bytes_max=500) as brain:
        headers = {"Content-Type": "application/json", "Content-Length": "1000"}
        refused = await brain.client.post("/api/v1/query", content=pieces(), headers=headers)
        assert refused.status_code == 413
        assert error_of(refused)["number"] == "E013"
        assert read == 0


async def test_a_body_that_turns_out_too_large_is_not_read_to_its_end(db):
    read = 0

    async def pieces():
        nonlocal read
        for _ in range(100):
            read += 1
            yield b" " * 100

    async with open_memory_api(db, body_bytes_max=500) as brain:
        headers = {"Content-Type": "application/json"}
        refused = await brain.client.post("/api/v1/query", content=pieces(), headers=headers)
    assert refused.status_code == 413
    assert read < 10


async def test_a_body_that_does_not_arrive_is_not_waited_for(db):
    async def pieces():
        yield b'{"query": '
        await asyncio.Event().wait()

    async with open_memory_api(db, body_s=0.05) as brain:
        headers = {"Content-Type": "application/json"}
        refused = await brain.client.post("/api/v1/query", content=pieces(), headers=headers)
    assert refused.status_code == 408
    assert error_of(refused)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/api/v1/tools/a/b", 404),
        ("GET", "/api/v1/query", 405),
        ("DELETE", "/api/v1/contribute", 405),
        ("OPTIONS", "/api/v1/query", 405),
        ("POST", "/api/v1/health", 405),
    ],
)
async def test_what_is_not_there_says_so_in_the_same_shape(brain, method, path, status):
    answered = await brain.client.request(method, path)
    assert answered.status_code == status
    assert error_of(answered)["kept"] == "Nothing was changed."
    assert ("allow" in answered.headers) == (status == 405)


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/"), ("GET", "/api/v1"), ("POST", "/api/v1/query/"), ("GET", "/api/v1/../../etc/passwd")],
)
async def test_what_is_no_path_is_a_problem(brain, method, path):
    answered = await brain.client.request(method, path)
    assert (answered.status_code, answered.headers["content-type"]) == (404, "application/problem+json")
    assert answered.json()["type"] == "urn:frasier:problem:not_found"


async def test_a_request_keeps_its_id_and_gets_one_where_it_has_none(brain):
    assert (await brain.get("health", **{"X-Request-Id": "job-7.a"})).headers["x-request-id"] == "job-7.a"
    made = (await brain.get("health")).headers["x-request-id"]
    forged = (await brain.get("health", **{"X-Request-Id": "a b<script>"})).headers["x-request-id"]
    assert made
    assert forged not in {"", "a b<script>", made}


@pytest.fixture
def talkative():
    configure_logging("info")
    yield
    configure_logging("error")


async def test_the_log_holds_no_text_and_no_token(brain, talkative):
    with structlog.testing.capture_logs() as logged:
        await brain.post("query", {"query": "confidential question"})
        await brain.post("contribute", {"content": "confidential fact"})
        await brain.client.get("/api/v1/health?token=confidential")
        await brain.post("query", QUESTION, Authorization="Bearer confidential")
    requests = [line for line in logged if line["event"] == "http.request"]
    assert [line["status"] for line in requests] == [200, 201, 200, 401]
    assert requests[0]["caller"] == "token:tester"
    assert "confidential" not in json.dumps(logged, default=str)
    assert brain.token not in json.dumps(logged, default=str)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=10,
)
NAMES = st.sampled_from(
    "query content prompt kind tier limit scope scopes session tags triggers occurred_at as_of detail anchors concepts"
    " type importance contribute read_only idempotency_key thread speaker agent_id context max_tokens intent repeat"
    "".split()
)
BODIES = st.one_of(
    st.binary(max_size=60),
    JSON.map(lambda value: json.dumps(value).encode()),
    st.dictionaries(NAMES, JSON | st.text(max_size=60), max_size=5).map(
        lambda value: json.dumps(value).encode()
    ),
)
VALUE = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=40).map(str.strip)
HEADERS = st.dictionaries(
    st.sampled_from(
        [
            "Host",
            "Origin",
            "Authorization",
            "Content-Type",
            "Idempotency-Key",
            "X-Request-Id",
            "Content-Encoding",
        ]
    ),
    VALUE,
    max_size=3,
)


@pytest.mark.parametrize("requests", [500, pytest.param(5_000, marks=pytest.mark.slow)])
async def test_no_garbage_brings_the_server_down(db, requests):
    """Each request of thousands is answered: done, or refused with a code. A 500 is a defect of ours."""
    async with open_memory_api(db) as brain:
        runner = asyncio.get_running_loop()

        @settings(
            max_examples=requests, deadline=None, suppress_health_check=list(HealthCheck), database=None
        )
        @given(path=st.sampled_from(POSTS), body=BODIES, headers=HEADERS)
        def throw(path, body, headers):
            sent = {"Content-Type": "application/json"} | headers
            call = asyncio.run_coroutine_threadsafe(raw(brain, path, body, **sent), runner)
            answered = call.result(30)
            assert answered.status_code in {200, 201} or 400 <= answered.status_code < 500, answered.text
            if answered.status_code >= 400:
                error_of(answered)

        await asyncio.to_thread(throw)
        assert (await brain.get("health")).status_code == 200
