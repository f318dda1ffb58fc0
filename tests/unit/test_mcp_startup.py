"""What a host is answered first, from the catalog: word for word what the SDK's server answers, or nothing."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp.shared.message import SessionMessage
from mcp_types import ClientCapabilities, jsonrpc_message_adapter
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from frasier.interfaces.mcp import LiveSessions, make_server
from frasier.interfaces.mcp.invalid_messages import error_for_line
from frasier.interfaces.mcp_startup import FirstAnswers
from frasier.interfaces.mcp_startup.first_answers import CAPABILITIES, ENVELOPE_VERSION, HANDSHAKE_VERSIONS
from frasier.interfaces.operations.memory.registry import memory_tools
from frasier.interfaces.operations.organisation.tool_set import all_tools
from frasier.interfaces.tool_catalog import BOARDS, MEMORY, Introduction
from support.garbage import ANYTHING
from support.line_server import HELLO, READY

OFFERS = {MEMORY.name: memory_tools, BOARDS.name: all_tools}
PING = {"jsonrpc": "2.0", "id": "ping", "method": "ping"}
LIST = {"jsonrpc": "2.0", "id": 7, "method": "tools/list"}
META = "io.modelcontextprotocol/"
ENVELOPE = {
    f"{META}protocolVersion": ENVELOPE_VERSION,
    f"{META}clientInfo": {"name": "mcp", "version": "0.1.0"},
    f"{META}clientCapabilities": {},
}
CHOICES: dict[str, dict[str, Any]] = {
    "default": {},
    "all": {"everything": True},
    "layer": {"layers": [1]},
    "one": {"names": ["memory_save"]},
}


def hello(**params: Any) -> dict[str, Any]:
    return {**HELLO, "params": {**HELLO["params"], **params}}


def enveloped(method: str, **meta: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": method, "method": method, "params": {"_meta": {**ENVELOPE, **meta}}}


def chosen(introduction: Introduction, choice: str) -> tuple[str, ...]:
    return introduction.choose(**({"names": [], "layers": [], "everything": False} | CHOICES[choice]))


def first_answers(introduction: Introduction, names: tuple[str, ...], *messages: Any) -> list[Any]:
    """What is answered to each message: None where it is left to the server, {} where nothing is due."""
    first = FirstAnswers(introduction, names)
    answers = (first.answer(json.dumps(message)) for message in messages)
    return [None if answer is None else json.loads(answer or b"{}") for answer in answers]


async def sdk_answers(introduction: Introduction, names: tuple[str, ...], *messages: Any) -> list[Any]:
    """What the SDK's server answers to each request."""

    async def nobody(_context: object) -> Any:
        raise AssertionError("nothing is called")

    server = make_server(OFFERS[introduction.name](names), nobody, LiveSessions())
    to_server, requests = anyio.create_memory_object_stream[Any](8)
    responses, from_server = anyio.create_memory_object_stream[Any](8)
    answers = []
    async with from_server, anyio.create_task_group() as tasks:
        tasks.start_soon(server.run, requests, responses, server.create_initialization_options())
        for message in messages:
            await to_server.send(
                SessionMessage(jsonrpc_message_adapter.validate_python(message, by_name=False))
            )
            if "id" in message:
                answer = (await from_server.receive()).message
                answers.append(answer.model_dump(by_alias=True, exclude_unset=True, mode="json"))
        await to_server.aclose()
    return answers


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("introduction", [MEMORY, BOARDS], ids=lambda one: one.name)
async def test_a_handshake_and_the_list_are_what_the_server_answers(
    introduction: Introduction, choice: str
) -> None:
    names = chosen(introduction, choice)
    for version in (*HANDSHAKE_PROTOCOL_VERSIONS, "1999-01-01", "2026-07-28"):
        said = (hello(protocolVersion=version), READY, PING, LIST)
        greeting, *others = first_answers(introduction, names, *said)
        assert others[0] == {}
        assert [greeting, *others[1:]] == await sdk_answers(introduction, names, *said)
        assert [tool["name"] for tool in others[2]["result"]["tools"]] == list(names)


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("introduction", [MEMORY, BOARDS], ids=lambda one: one.name)
async def test_a_protocol_without_a_handshake_is_answered_as_the_server_does(
    introduction: Introduction, choice: str
) -> None:
    names = chosen(introduction, choice)
    said = (enveloped("server/discover"), enveloped("tools/list"))
    assert first_answers(introduction, names, *said) == await sdk_answers(introduction, names, *said)


CLIENT = {"name": "mcp", "version": "0.1.0"}
PROGRESS = {"_meta": {"progressToken": 0, "traceparent": "00-1-2-01"}}
OPENINGS: dict[str, list[dict[str, Any]]] = {
    "progress": [hello(**PROGRESS), {**PING, "params": PROGRESS}, {**LIST, "params": PROGRESS}],
    "nothing in particular": [hello(_meta=None, more=1), {**PING, "params": {"_meta": None, "more": 1}}],
    "icons": [hello(clientInfo={**CLIENT, "icons": [{"src": "https://a.example/b", "mimeType": None}]})],
    "client": [hello(clientInfo={**CLIENT, "title": None, "icons": None, "description": None, "more": 1})],
    "elicitation": [hello(capabilities={"elicitation": {"form": {"schemaValidation": True}}})],
    "elicitation with a switch": [hello(capabilities={"elicitation": {"schemaValidation": True}})],
    "experimental": [hello(capabilities={"experimental": {"x": {"version": "1.0"}}, "extensions": None})],
    "roots": [hello(capabilities={"roots": None}), LIST],
    "roots of which nothing is said": [hello(capabilities={"roots": {"listChanged": None}, "tasks": None})],
    "tasks": [
        hello(capabilities={"tasks": {"list": None, "requests": {"elicitation": {"create": {"x": 1}}}}})
    ],
    "null": [hello(), {**PING, "params": None}, {**LIST, "params": None}],
    "cursor": [hello(), {**LIST, "params": {"cursor": None}}],
    "ping": [PING, hello(), LIST],
    "envelope": [
        enveloped("server/discover", **{f"{META}clientInfo": {**CLIENT, "title": None, "icons": []}}),
        enveloped("tools/list", **{f"{META}clientCapabilities": {"experimental": {"x": {"y": 1}}}}),
    ],
}


@pytest.mark.parametrize("opening", OPENINGS)
async def test_whatever_a_host_may_say_of_itself_it_is_answered_first(opening: str) -> None:
    names, said = chosen(MEMORY, "one"), OPENINGS[opening]
    answered = first_answers(MEMORY, names, *said)
    assert None not in answered
    assert answered == await sdk_answers(MEMORY, names, *said)


def test_after_a_ping_the_protocol_without_a_handshake_is_left_to_the_server() -> None:
    assert first_answers(MEMORY, ("memory_save",), PING, enveloped("server/discover")) == [
        {"jsonrpc": "2.0", "id": "ping", "result": {}},
        None,
    ]


def test_the_protocols_that_are_answered_first_are_those_of_the_server() -> None:
    assert HANDSHAKE_VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS
    assert (ENVELOPE_VERSION,) == MODERN_PROTOCOL_VERSIONS
    assert set(CAPABILITIES) == set(ClientCapabilities.model_fields)


NAMES = st.sampled_from([*sorted(CAPABILITIES), "listChanged", "requests", "create", "form", "more"])
OBJECTS = st.recursive(
    st.booleans() | st.none() | st.just({}),
    lambda inner: st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
PARAMS = st.fixed_dictionaries(
    {
        "protocolVersion": st.sampled_from([*HANDSHAKE_VERSIONS, "x"]) | ANYTHING,
        "capabilities": st.dictionaries(NAMES, OBJECTS | ANYTHING, max_size=3),
        "clientInfo": st.fixed_dictionaries(
            {"name": st.text(max_size=3), "version": st.text(max_size=3) | ANYTHING},
            optional={"title": st.text(max_size=3), "websiteUrl": st.text(max_size=3), "icons": ANYTHING},
        ),
    },
    optional={"_meta": ANYTHING},
)
REQUESTS = st.one_of(
    PARAMS.map(lambda params: {**HELLO, "params": params}),
    st.fixed_dictionaries(
        {"jsonrpc": st.just("2.0"), "method": st.sampled_from(["tools/list", "ping", "initialize"])},
        optional={"id": st.integers() | ANYTHING, "params": ANYTHING, "more": ANYTHING},
    ),
    st.builds(
        lambda capabilities, method: enveloped(method, **{f"{META}clientCapabilities": capabilities}),
        st.dictionaries(NAMES, OBJECTS, max_size=3),
        st.sampled_from(["server/discover", "tools/list", "ping"]),
    ),
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(opening=REQUESTS)
def test_whatever_is_answered_first_the_server_answers_too(opening: dict[str, Any]) -> None:
    names = chosen(MEMORY, "one")
    for said in ([opening], [HELLO, opening], [PING, opening]):
        answered = first_answers(MEMORY, names, *said)[-1]
        if answered is None:
            continue
        try:
            assert answered == anyio.run(sdk_answers, MEMORY, names, *said)[-1]
        except ValidationError as error:
            raise AssertionError(f"{opening} is no message") from error


def test_what_the_server_is_told_of_is_what_was_answered() -> None:
    first = FirstAnswers(MEMORY, ("memory_save",))
    lines = [json.dumps(one) for one in (HELLO, PING, READY, LIST, {**HELLO, "id": 2})]
    answers = [first.answer(line) for line in lines]
    assert [answer is None for answer in answers] == [False, False, False, False, True]
    assert first.take_over() == [lines[0], lines[2]]
    assert first.answer(json.dumps(LIST)) is None, "two do not answer one host"


def test_a_host_whose_opening_is_not_understood_is_left_to_the_server() -> None:
    for line in ("garbage", json.dumps([HELLO]), json.dumps(LIST), "[" * 5_000, "{}"):
        first = FirstAnswers(MEMORY, ("memory_save",))
        assert first.answer(line) is None
        assert first.answer(json.dumps(HELLO)) is None
        assert first.take_over() == []


@pytest.mark.parametrize("depth", [10, 90, 150, 400, 990, 1_000, 50_000])
def test_what_is_nested_too_deeply_is_left_to_the_server(depth: int) -> None:
    nested = '{"x":' * depth + "{}" + "}" * depth
    line = json.dumps(hello(capabilities={"experimental": {}})).replace(
        '"experimental": {}', f'"tasks": {nested}'
    )
    first = FirstAnswers(MEMORY, ("memory_save",))
    answered = first.answer(line) is not None
    assert answered == (depth < 100)
    assert error_for_line(line) is None or not answered
