"""Standard input that is no protocol: every line gets an answer that helps, and the next one is served."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.cli_memory import memory_program
from support.garbage import ANYTHING, TEXTS
from support.line_server import LineServer
from support.refusals import check_refusal

INTERNAL = {-32603, 0}
KEPT = "The wharf crane is painted green every spring."

PARTS = {
    "jsonrpc": st.sampled_from(["1.0", 2.0, None]) | ANYTHING,
    "id": st.sampled_from([None, True, 1.5, [], {}]),
    "method": st.sampled_from([None, 7, [], {}]),
    "params": st.sampled_from([3, "x", [1], True]),
}
METHODS = (
    *("tools/call", "tools/list", "initialize", "ping", "resources/read", "resources/list", "prompts/get"),
    *("logging/setLevel", "completion/complete", "no/such/method", "", "tools/call\x00", "__class__"),
)
IDS = st.integers() | st.text(max_size=20).map("x".__add__)


@pytest.fixture(scope="module")
def serving(server: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LineServer]:
    with memory_program(server, tmp_path_factory.mktemp("stdio")) as memory:
        process = subprocess.Popen(
            [sys.executable, "-m", "frasier", "memory", "mcp", "--all"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=memory.frasier.home,
            env={**memory.frasier._environment, **memory.environment},
        )
        try:
            serving = LineServer(process)
            saved = serving.call("memory_save", content=KEPT)["data"]["id"]
            before = serving.call("memory_get", id=saved)["data"] | {"used": 1}  # by this very look
            yield serving
            assert serving.call("memory_get", id=saved)["data"] == before
            assert "Traceback" not in serving.end()
        finally:
            process.kill()
            process.communicate()


def thrown(examples: int) -> Any:
    return settings(
        max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None
    )


COUNTS = pytest.mark.parametrize("examples", [150, pytest.param(4_000, marks=pytest.mark.slow)])


def spelled(value: Any) -> bytes:
    return json.dumps(value).encode()


def message(**parts: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "ping", **parts}


def no_message(value: Any) -> bool:
    return not isinstance(value, dict) or "jsonrpc" not in value


BROKEN = st.one_of(
    st.binary(min_size=1, max_size=60).map(lambda raw: b"\xff{" + raw.replace(b"\n", b"\x00")),
    st.text(min_size=1, max_size=60).map(lambda text: b"{'" + text.encode().replace(b"\n", b"")),
    st.integers(1, 40).map(lambda cut: spelled(message())[:-cut]),
    st.sampled_from(
        [b"\x00", b"[" * 5_000, b'{"a":' * 5_000, b"nul", b"{}{}", b'"', b"\xed\xa0\x80", b"a" * 70_000]
    ),
)
NO_MESSAGES = st.one_of(
    ANYTHING.filter(no_message),
    st.lists(st.just(message()), max_size=3),
    *(values.map(lambda value, name=name: message(**{name: value})) for name, values in PARTS.items()),
    st.sampled_from(sorted(PARTS.keys() - {"id", "params"})).map(
        lambda name: {key: value for key, value in message().items() if key != name}
    ),
).filter(lambda value: value != message())


@COUNTS
def test_what_is_no_json_is_answered(serving: LineServer, examples: int) -> None:
    @thrown(examples)
    @given(line=BROKEN)
    def throw(line: bytes) -> None:
        [answer] = serving.ask(line)
        assert answer["id"] is None
        assert answer["error"]["code"] == -32700
        check_refusal(answer["error"]["data"])

    throw()


@COUNTS
def test_json_that_is_no_message_is_answered_under_its_own_id(serving: LineServer, examples: int) -> None:
    @thrown(examples)
    @given(value=NO_MESSAGES)
    def throw(value: Any) -> None:
        [answer] = serving.ask(spelled(value))
        assert answer["error"]["code"] == -32600
        check_refusal(answer["error"]["data"])
        theirs = value.get("id") if isinstance(value, dict) else None
        known = isinstance(theirs, str | int) and not isinstance(theirs, bool)
        assert known or answer["id"] is None
        assert not known or "\ud800" in str(theirs) or answer["id"] == theirs

    throw()


@COUNTS
def test_a_message_that_asks_for_nonsense_is_answered(serving: LineServer, examples: int) -> None:
    params = st.dictionaries(
        st.sampled_from(["name", "arguments", "uri", "cursor", "_meta"]) | TEXTS, ANYTHING
    )
    calls = st.fixed_dictionaries({"name": TEXTS}, optional={"arguments": ANYTHING, "_meta": ANYTHING})

    @thrown(examples)
    @given(request=IDS, method=st.sampled_from(METHODS) | TEXTS, params=params | calls)
    def throw(request: Any, method: str, params: Any) -> None:
        line = spelled({"jsonrpc": "2.0", "id": request, "method": method, "params": params})
        [answer] = serving.ask(line, more=1)
        assert answer["id"] == request
        if "error" in answer:
            assert answer["error"]["code"] not in INTERNAL, answer
            assert answer["error"]["message"]
        elif answer["result"].get("isError"):
            check_refusal(json.loads(answer["result"]["content"][0]["text"]))

    throw()


@pytest.mark.parametrize("length", [3_000_000, 10_000_000])
def test_a_line_without_an_end_in_sight_is_refused_and_not_kept(serving: LineServer, length: int) -> None:
    whole = spelled({**message(id="huge", method="tools/call"), "params": {"name": "x" * length}})
    [answer] = serving.ask(whole)
    assert answer["id"] is None
    check_refusal(answer["error"]["data"])


def test_blank_lines_are_nothing(serving: LineServer) -> None:
    assert serving.ask(b"", b"  ", b"\r", b"\t") == []
