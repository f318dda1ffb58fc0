"""`frasier memory mcp` over standard input and output, as a host starts it: a process of its own."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mcp import Client, StdioServerParameters

from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.interfaces.tool_catalog import DEFAULT_MEMORY_TOOLS
from support.cli import DEADLINE_S, FrasierProgram

WITHOUT_VECTORS = {"FRASIER_MEMORY__EMBEDDING__PROVIDER": "none"}
# An encoder that cannot be reached, and every log line there is: what goes wrong is said, and loudly.
LOUD = {
    "FRASIER_LOG_LEVEL": "debug",
    "FRASIER_MEMORY__EMBEDDING__PROVIDER": "openai",
    "FRASIER_MEMORY__EMBEDDING__MODEL": "none-such",
    "FRASIER_MEMORY__EMBEDDING__BASE_URL": "http://127.0.0.1:9/v1",
    "FRASIER_MEMORY__EMBEDDING__API_KEY": "not-a-key",
}
HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def server_of(frasier: FrasierProgram, *options: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "frasier", "memory", "mcp", *options],
        env={**frasier._environment, **WITHOUT_VECTORS},
        cwd=frasier.home,
    )


def calling(number: int, tool: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


async def test_a_host_saves_and_another_one_recalls(frasier: FrasierProgram) -> None:
    async with Client(server_of(frasier, "--scope", "project:kestrel", "--name", "first")) as client:
        assert "memory" in (client.instructions or "").lower()
        assert {tool.name for tool in (await client.list_tools()).tools} == set(DEFAULT_MEMORY_TOOLS)
        saved = await client.call_tool("memory_save", {"content": "The kestrel listens on port 8093."})
        assert not saved.is_error, saved.content
    async with Client(server_of(frasier, "--scope", "project:kestrel", "--all")) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == set(MEMORY_OPERATIONS)
        found = await client.call_tool("memory_search", {"query": "kestrel port"})
        [hit] = found.structured_content["data"]["results"]
        assert hit["id"] == saved.structured_content["data"]["id"]
        whole = await client.call_tool("memory_get", {"id": hit["id"]})
        assert whole.structured_content["data"]["provenance"]["saved_by"] == "mcp:first"
    async with Client(server_of(frasier, "--scope", "project:other", "--layers", "4")) as client:
        found = await client.call_tool("memory_search", {"query": "kestrel port"})
        assert found.structured_content["data"]["results"] == []


async def test_standard_input_and_output_never_make_a_founder(frasier: FrasierProgram) -> None:
    async with Client(server_of(frasier, "--name", "founder", "--scope", "founder")) as client:
        refused = await client.call_tool(
            "memory_save", {"content": "Everybody must obey this.", "tier": "constitutional"}
        )
    assert refused.is_error


def test_fault_43_standard_output_holds_nothing_but_the_protocol_while_things_go_wrong(
    frasier: FrasierProgram,
) -> None:
    said = [
        json.dumps(HELLO),
        json.dumps(READY),
        "this is no JSON",
        "{}",
        '{"jsonrpc": "2.0", "id": 1, "method": "no/such/method"}',
        json.dumps(calling(2, "memory_save", content="Saved while the encoder cannot be reached.")),
        json.dumps(calling(3, "memory_save", content=7)),
        json.dumps(calling(4, "no_such_tool")),
        json.dumps(calling(5, "memory_search", query="encoder \ud800")),
        json.dumps(calling(6, "memory_get", id="\x00\x1b[31m" * 3)),
        json.dumps(calling(7, "memory_search", query="what was saved?")),
        json.dumps(calling(8, "memory_index_scan")),
        '{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": 3}',
        "[" * 5_000,
        json.dumps(calling(10, "memory_health")),
    ]
    with mcp_process(frasier, "--all", **LOUD) as process:
        process.stdin.write("\n".join(said) + "\n")
        process.stdin.flush()
        messages = []
        expected = {*range(11), None}
        while not expected <= {message.get("id") for message in messages}:
            line = process.stdout.readline()
            assert line, process.stderr.read()
            messages.append(json.loads(line))
        process.stdin.close()
        rest = process.stdout.read()
        errors = process.stderr.read()
        assert process.wait(DEADLINE_S) == 0, errors
    assert rest == ""
    assert all(message["jsonrpc"] == "2.0" for message in messages)
    answers = {message["id"]: message for message in messages if message.get("id") is not None}
    assert "error" in answers[1]
    refused = [message["error"] for message in messages if message.get("id") in {9, None}]
    assert len(refused) == 4, "what is no message is answered too, or its sender would wait for ever"
    assert all(error["message"] and error["data"]["hint"] for error in refused)
    assert not answers[2]["result"].get("isError", False)
    for number in (3, 4, 6, 8):
        told = json.loads(answers[number]["result"]["content"][0]["text"])
        assert answers[number]["result"]["isError"]
        assert told["message"]
        assert told["hint"]
    for number in (5, 7):
        assert answers[number]["result"]["structuredContent"]["meta"]["degraded"]
    assert errors.strip()


def test_a_wrong_option_leaves_standard_output_empty(frasier: FrasierProgram) -> None:
    for group in ("memory",), ():
        unusable = frasier(*group, "mcp", "--scope", "Bad Scope", code=2)
        assert "'Bad Scope' is not a scope." in unusable.err
        assert unusable.out == ""
    ended = frasier("memory", "mcp", "--tools", "no_such_tool", code=3)
    assert ended.out == ""
    assert "no_such_tool" in ended.err


def test_a_request_to_end_is_followed_although_input_stays_open(frasier: FrasierProgram) -> None:
    with mcp_process(frasier, **WITHOUT_VECTORS) as process:
        process.stdin.write(json.dumps(HELLO) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 0
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_S) == 0, process.stderr.read()
        assert process.stdout.read() == ""
        assert process.stderr.read() == ""


@contextmanager
def mcp_process(frasier: FrasierProgram, *options: str, **environment: str) -> Iterator[Any]:
    """The server with pipes, and killed at the end where it still runs."""
    import subprocess

    process = subprocess.Popen(
        [sys.executable, "-m", "frasier", "memory", "mcp", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=frasier.home,
        env={**frasier._environment, **environment},
    )
    try:
        yield process
    finally:
        process.kill()
        for pipe in (process.stdin, process.stdout, process.stderr):
            pipe.close()
        process.wait()
