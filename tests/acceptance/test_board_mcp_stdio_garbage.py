"""The board's tools over standard input, in a real process: arguments of any spelling get an answer that helps."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.interfaces.operations.organisation.registry import ORGANISATION_OPERATIONS
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from support.attacked_board import LOOKED_UP, changed, table_digests_now
from support.board_garbage import MONSTERS, SPELLED
from support.cli_task import TaskProgram, task_program
from support.line_server import LineServer
from support.refusals import check_refusal

FEW, MANY = 25, 2_000
NO_MESSAGE = {-32700, -32600, -32602}


OTHER_OPERATIONS = {**MEMORY_OPERATIONS, **ORGANISATION_OPERATIONS}


@dataclass(frozen=True, slots=True)
class Host:
    """A member's own server, and the board that it works on."""

    server: LineServer
    program: TaskProgram
    task: str


@pytest.fixture(scope="module")
def host(server: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with task_program(server, Path(tmp_path_factory.mktemp("stdio")), real=False) as program:
        task = program.create()
        environment = {
            **program.frasier._environment,
            **program.of("lia"),
            "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "frasier", "mcp", "--all"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=program.frasier.home,
            env=environment,
        )
        try:
            serving = LineServer(process)
            serving.call(
                "task_recover"
            )  # answered once the organisation is founded, which is no work of a tool
            yield Host(serving, program, task)
            assert serving.call("task_get", task=task)["data"]["title"] == f"Title of {task}"
            assert "Traceback" not in serving.end()
        finally:
            process.kill()
            process.communicate()


def offered(host: Host) -> list[str]:
    [answer] = host.server.ask(b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}', more=1)
    return [tool["name"] for tool in answer["result"]["tools"] if tool["name"] not in OTHER_OPERATIONS]


@pytest.mark.parametrize("examples", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
def test_no_spelling_of_an_argument_brings_the_server_down(host: Host, examples: int) -> None:
    tools = [name for name in TASK_OPERATIONS if name != "task_decide"]  # a host never acts as the founder
    assert offered(host) == tools
    # A wait that is spelled well would be one.
    names = {tool: sorted(TASK_OPERATIONS[tool].input.model_fields.keys() - {"timeout_s"}) for tool in tools}
    calls = st.sampled_from(tools).flatmap(
        lambda tool: st.tuples(st.just(tool), st.sampled_from(names[tool]))
    )

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(call=calls, spelled=MONSTERS, known=st.booleans())
    def throw(call: tuple[str, str], spelled: str, known: bool) -> None:
        strike_with(host, *call, spelled, known=known)

    throw()


def test_whatever_is_noted_can_be_read_again(host: Host) -> None:
    for spelled in SPELLED:
        strike_with(host, "task_note", "state", spelled, known=False)
        said, refused = asked(host, "task_recover", "board", '"kettle"', known=False)
        assert not refused, said


def strike_with(host: Host, tool: str, name: str, spelled: str, *, known: bool) -> None:
    """One call, and what must hold of it whatever it was."""
    before = table_digests_now(host.program.url)
    said, refused = asked(host, tool, name, spelled, known=known)
    touched = changed(before, table_digests_now(host.program.url))
    if refused:
        check_refusal(said)
        assert touched <= LOOKED_UP.get(tool, set()), "a refusal changed something"
    else:
        assert not (touched and TASK_OPERATIONS[tool].read_only)


def asked(host: Host, tool: str, name: str, spelled: str, *, known: bool) -> tuple[dict[str, Any], bool]:
    """What is answered to a call with one argument spelled so, beside a task that is there, where it is `known`."""
    beside = (
        f'"task": "{host.task}", '
        if known and name != "task" and "task" in TASK_OPERATIONS[tool].input.model_fields
        else ""
    )
    more = '"timeout_s": 0, ' if tool == "task_wait" else ""
    arguments = f'{{{beside}{more}"{name}": {spelled}}}'
    params = f'{{"name": "{tool}", "arguments": {arguments}}}'
    line = f'{{"jsonrpc": "2.0", "id": "call", "method": "tools/call", "params": {params}}}'
    [answer] = host.server.ask(line.encode(), more=1)
    if "error" in answer:
        assert answer["error"]["code"] in NO_MESSAGE, answer
        return answer["error"]["data"], True
    result = answer["result"]
    return json.loads(result["content"][0]["text"]), bool(result.get("isError"))
