"""A host is answered at once: `initialize` and `tools/list` before settings, slices and the database are loaded."""

from __future__ import annotations

import json
import os
import select
import time
from pathlib import Path
from typing import Any

import pytest

from support.cli import DEADLINE_S, FrasierProgram
from support.line_server import HELLO, READY
from support.machine_speed import scaled
from support.mcp_host import hosted

SERVERS = [("mcp",), ("memory", "mcp")]
SLOWER = pytest.param(SERVERS[1], marks=pytest.mark.slow)
LIST = {"jsonrpc": "2.0", "id": "list", "method": "tools/list"}
AT_ONCE_S = 0.3
STARTS = 6
SOON_S = 20
NOWHERE = {"FRASIER_DATABASE_URL": "postgresql://nobody@127.0.0.1:9/nothing"}
CALLS = {"mcp": "task_list", "memory mcp": "memory_get"}


def cpu_s(pid: int) -> float:
    """The time that a process has been computing."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("command", SERVERS, ids=" ".join)
def test_a_host_has_the_list_of_tools_within_a_third_of_a_second(
    frasier: FrasierProgram, command: tuple[str, ...]
) -> None:
    """The best of a few starts, by the clock or by what the process computed: others share this machine."""
    needed = []
    while not needed or (min(needed) > AT_ONCE_S and len(needed) < STARTS):
        began = time.monotonic()
        with hosted(frasier, *command) as server:
            assert server.ask(HELLO)["result"]["serverInfo"]["name"].startswith("frasier")
            assert server.ask(READY, LIST)["result"]["tools"]
            needed.append(min(time.monotonic() - began, cpu_s(server.process.pid)))
    assert min(needed) <= scaled(AT_ONCE_S)


@pytest.mark.parametrize("command", [SERVERS[0], SLOWER], ids=" ".join)
def test_a_database_that_is_not_there_is_told_at_the_call_and_not_before(
    frasier: FrasierProgram, command: tuple[str, ...]
) -> None:
    with hosted(frasier, *command, **NOWHERE) as server:
        assert server.ask(HELLO)["result"]["instructions"]
        assert server.ask(READY, LIST)["result"]["tools"]
        told = server.call(CALLS[" ".join(command)], **({} if command == ("mcp",) else {"id": "0" * 8}))
        assert told["code"] == "database_unreachable"
        assert told["hint"]
        assert server.ask({"jsonrpc": "2.0", "id": 2, "method": "ping"}) == {
            "jsonrpc": "2.0",
            "id": 2,
            "result": {},
        }
        code, errors = server.end()
    assert code == 7
    assert told["message"] in errors
    assert "Traceback" not in errors


def test_a_wrong_setting_is_told_at_the_call(frasier: FrasierProgram) -> None:
    with hosted(frasier, "mcp", FRASIER_LOG_LEVEL="loud") as server:
        assert server.ask(HELLO)["result"]
        told = server.call("task_list")
        assert (told["code"], "FRASIER_LOG_LEVEL" in told["message"]) == ("configuration_error", True)
        code, errors = server.end()
    assert code == 8
    assert errors.count("FRASIER_LOG_LEVEL") == 1


def test_a_token_that_is_not_valid_is_told_at_the_call(frasier: FrasierProgram) -> None:
    with hosted(frasier, "mcp", FRASIER_TOKEN="frasier_sk-nobodys") as server:
        assert server.ask(HELLO)["result"]
        assert server.call("task_list")["code"] == "not_allowed"
        code, errors = server.end()
    assert code == 3
    assert "nobodys" not in errors


def test_what_failed_to_open_is_opened_by_a_later_call(frasier: FrasierProgram, tmp_path: Path) -> None:
    home = tmp_path / "disk" / "home"
    (tmp_path / "link").symlink_to(home)
    with hosted(frasier, "memory", "mcp", FRASIER_HOME=str(tmp_path / "link")) as server:
        assert server.ask(HELLO)["result"]
        assert server.call("memory_save", content="The disk is back.")["code"] == "configuration_error"
        home.mkdir(parents=True)
        assert server.call("memory_save", content="The disk is back.")["data"]["action"] == "created"
        assert server.end()[0] == 0


@pytest.mark.parametrize("first", [(), (HELLO, READY, LIST)], ids=["nothing", "all"])
def test_a_host_that_leaves_at_once_leaves_nothing_running(
    frasier: FrasierProgram, first: tuple[Any, ...]
) -> None:
    with hosted(frasier, "mcp") as server:
        for message in first:
            server.send(message)
            if "id" in message:
                server.answer()
        assert server.end() == (0, "")


@pytest.mark.parametrize("command", [SLOWER, SERVERS[0]], ids=" ".join)
def test_what_is_asked_before_the_input_closes_is_answered(
    frasier: FrasierProgram, command: tuple[str, ...]
) -> None:
    """As `printf … | frasier mcp` asks, before anything is loaded."""
    params = {"name": "memory_save", "arguments": {"content": "The pipe was closed.", "title": "Pipe"}}
    save = {"jsonrpc": "2.0", "id": "save", "method": "tools/call", "params": params}
    with hosted(frasier, *command) as server:
        server.send(HELLO, READY, save)
        out, errors = server.process.communicate(timeout=DEADLINE_S)
        assert (server.process.returncode, errors) == (0, b"")
    answers = {one["id"]: one["result"] for one in map(json.loads, out.splitlines())}
    assert answers.keys() == {"hello", "save"}
    assert answers["save"]["structuredContent"]["data"]["action"] == "created"


def test_a_host_that_is_gone_is_waited_for_no_more(frasier: FrasierProgram, tmp_path: Path) -> None:
    frasier("task", "board", "make", "kettle")
    token = tmp_path / "ada.token"
    frasier("task", "member", "add", "ada", "--role", "pdsa", "--board", "kettle", "--out", str(token))
    params = {"name": "task_wait", "arguments": {"timeout_s": 120}}
    with hosted(frasier, "mcp", FRASIER_TOKEN=token.read_text("utf-8").strip()) as server:
        server.ask(HELLO)
        server.send(READY, {"jsonrpc": "2.0", "id": "wait", "method": "tools/call", "params": params})
        assert server.ask({"jsonrpc": "2.0", "id": "ping", "method": "ping"})["id"] == "ping"
        server.process.stdout.close()
        server.process.stdin.close()
        assert server.process.wait(SOON_S) == 0
        server.process.stdout = server.process.stdin = None


def test_a_host_that_reads_no_more_ends_the_server(frasier: FrasierProgram) -> None:
    with hosted(frasier, "mcp") as server:
        server.ask(HELLO)
        server.process.stdout.close()
        server.send(READY, LIST, {**LIST, "id": 3})
        assert server.process.wait(DEADLINE_S) == 0
        server.process.stdout = None


def test_what_comes_before_a_greeting_is_answered_and_the_greeting_after_it(frasier: FrasierProgram) -> None:
    with hosted(frasier, "mcp") as server:
        assert server.ask(json.dumps([HELLO]).encode())["error"]["code"] == -32600
        assert server.ask(HELLO)["result"]["protocolVersion"] == "2025-06-18"
        assert server.ask(READY, LIST)["result"]["tools"]
        assert server.end()[0] == 0


def test_calls_that_come_with_the_greeting_are_answered_once_each(frasier: FrasierProgram) -> None:
    """All in one piece, as a script sends it, a call that is cancelled among it."""
    calls = [
        {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": "task_list"}}
        for number in (1, 2, 3)
    ]
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}}
    ping = {"jsonrpc": "2.0", "id": "ping", "method": "ping"}
    with hosted(frasier, "mcp") as server:
        server.send(HELLO, READY, *calls, cancelled, b"garbage", LIST, ping)
        answered = [server.answer() for _ in range(6)]
        last = server.ask({**ping, "id": "last"})
        more = [] if last["id"] == "last" else [last]
        identities = [one.get("id") for one in (*answered, *more)]
        assert {"hello", 1, 3, None, "list", "ping"} <= {*identities, *(one["id"] for one in more)}
        assert len(identities) == len(set(identities))
        assert not select.select([server.process.stdout], [], [], 0)[0]
