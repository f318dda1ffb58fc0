"""The protocol's own inspector lists and calls the tools of the board, over both transports, and carries a task."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from frasier.kernel.ids import new_id
from support.certificate import make_certificate
from support.cli import DEADLINE_S, FrasierProgram, read_until
from support.inspector import INSTALL_S, inspect
from support.outside_agents import SERVE_MCP, web_environment
from support.web_server import WebServer, plain

WITHOUT_VECTORS = {"FRASIER_MEMORY__EMBEDDING__PROVIDER": "none"}
EVERY_TOOL = {*TASK_OPERATIONS, *MEMORY_OPERATIONS}

pytestmark = [pytest.mark.slow, pytest.mark.timeout(INSTALL_S + 300)]


def member(frasier: FrasierProgram) -> str:
    """The token of a liaison on a new board, on which the team goes as far as its process lets it."""
    frasier("task", "board", "make", "kettle")
    frasier("task", "board", "mode", "kettle", "autonomous")
    return frasier("task", "member", "add", "lia", "--role", "liaison", "--board", "kettle").out.strip()


@dataclass(frozen=True)
class Stranger:
    """An agent that knows nothing but what tools/list says: it calls no other tool, and with no other arguments."""

    command: list[str]
    target: list[str]
    home: Path
    options: tuple[str, ...]
    tools: Mapping[str, Mapping[str, Any]]

    async def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        schema = self.tools[tool]["inputSchema"]
        assert set(schema.get("required", ())) <= set(arguments) <= set(schema["properties"])
        given = [
            word for name, value in arguments.items() for word in ("--tool-arg", f"{name}={_said(value)}")
        ]
        call = ("--method", "tools/call", "--tool-name", tool, *given, *self.options)
        answer = await asyncio.to_thread(inspect, self.command, self.target, self.home, *call)
        assert not answer.get("isError"), answer
        data: dict[str, Any] = answer["structuredContent"]["data"]
        return data


def _said(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


async def meet(command: list[str], target: list[str], home: Path, *options: str) -> Stranger:
    """An agent behind the inspector, which has asked what tools there are."""
    listing = ("--method", "tools/list", "--strict", *options)
    listed = await asyncio.to_thread(inspect, command, target, home, *listing)
    return Stranger(command, target, home, options, {tool["name"]: tool for tool in listed["tools"]})


@asynccontextmanager
async def served(frasier: FrasierProgram, environment: Mapping[str, str]) -> AsyncIterator[str]:
    """The address of `frasier mcp --http`."""
    with frasier.running(*SERVE_MCP, "--all", **environment) as process:
        said = await asyncio.to_thread(read_until, process.stderr, "http://")
        yield next(word.rstrip(";.") for word in said.split() if word.startswith("http://"))
        process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(process.wait, DEADLINE_S) == 0


async def test_the_inspector_lists_and_calls_over_standard_input_and_output(
    inspector: list[str], frasier: FrasierProgram, home: Path
) -> None:
    environment = {
        **frasier._environment,
        **WITHOUT_VECTORS,
        "HOME": str(home),
        "FRASIER_TOKEN": member(frasier),
    }
    given = [f"{name}={value}" for name, value in environment.items()]
    target = ["/usr/bin/env", *given, sys.executable, "-m", "frasier", "mcp", "--all"]
    lia = await meet(inspector, target, home)
    assert set(lia.tools) == EVERY_TOOL
    wanted = {"description": "Find out what whistles.", "acceptance_criteria": ["We know."]}
    made = await lia("task_create", name="tea", title="What whistles", fields=wanted)
    assert (made["task"], made["status"]) == ("kettle/tea", "pending")
    found = await lia("task_recover")
    assert (found["you"]["name"], found["you"]["roles"]) == ("token:lia", ["liaison"])


async def test_an_agent_that_knows_only_the_list_carries_a_task_to_its_end_over_http(
    inspector: list[str], frasier: FrasierProgram, home: Path, tmp_path: Path
) -> None:
    certificate = make_certificate(tmp_path)
    bearer = ("--transport", "http", "--header", f"Authorization: Bearer {member(frasier)}")
    async with WebServer(certificate.server) as web:
        web.routes["/abstract.md"] = plain("The lid whistles where it is tight.")
        async with served(frasier, web_environment(certificate.authority, web.authority)) as address:
            lia = await meet(inspector, [address], home, *bearer)
            assert set(lia.tools) == EVERY_TOOL
            await carry(lia, web.url("/abstract.md"))


async def carry(lia: Stranger, abstract: str) -> None:
    """From nothing to complete, by the moves that each answer names."""
    wanted = {"description": "Find out what whistles.", "acceptance_criteria": ["We know."]}
    await lia("task_create", name="tea", title="What whistles", fields=wanted, role="liaison")
    assert "ready" in await ways(lia)
    await lia("task_move", task="tea", move="ready", fields={"depends_on_reviewed": True})
    session = f"s-{new_id().hex}"
    await lia("memory_search", query="what whistles", session=session)
    held = await lia("task_claim", task="tea", memory_query_session=session)
    learned = await lia("memory_save", content="The lid of a kettle whistles when it is tight.")
    shown = {"findings": "The lid.", "memory_contribution_id": learned["id"]}
    delivered = await lia("task_deliver", task="tea", attempt=held["attempt"], fields=shown)
    assert (delivered["status"], delivered["role"]) == ("review", "liaison")
    answers = {f"liaison_q{n}_complete": f"Answer {n} about tea, which nobody copied." for n in (1, 2, 3)}
    said = {"abstract_ref": abstract, "liaison_review": "I heard it whistle.", **answers}
    assert "complete" in await ways(lia)
    done = await lia("task_move", task="tea", move="complete", fields=said)
    assert done["status"] == "complete"
    assert (await lia("task_history", task="tea"))["problems"] == []


async def ways(lia: Stranger) -> set[str]:
    """The moves that there are now, as task_get names them."""
    return {way["move"] for way in (await lia("task_get", task="tea"))["ways"]}
