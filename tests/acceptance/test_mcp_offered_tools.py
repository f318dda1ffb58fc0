"""Whoever has some of the tools is told of those only, and by default has all that any role of a board needs."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from frasier.interfaces.operations import Envelope
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS, memory_tools
from frasier.interfaces.operations.organisation.tool_set import all_tools
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from frasier.interfaces.tool_catalog import BOARDS, MEMORY, Introduction
from frasier.kernel.errors import FrasierError
from frasier.store import Database
from support.board_team import ROLES, Team, open_team
from support.board_walk import WALKS, create, prepare_move
from support.cli import FrasierProgram
from support.mcp_server import served_to
from support.task_walk import walk

EVERY = {**TASK_OPERATIONS, **MEMORY_OPERATIONS}
OFFERS = {MEMORY.name: memory_tools, BOARDS.name: all_tools}
INTRODUCTIONS = pytest.mark.parametrize("introduction", [MEMORY, BOARDS], ids=lambda one: one.name)
SKILL = Path(__file__).parents[2] / "src/frasier/skills_for_agents/task-board/SKILL.md"


def named_in(text: str) -> set[str]:
    """The tools that a text names."""
    return set(re.findall(r"\w+", text)) & EVERY.keys()


def presets(introduction: Introduction) -> Iterator[tuple[str, ...]]:
    """What a host can choose: the default, everything, each layer, and each tool by itself."""
    yield introduction.choose(names=[], layers=[], everything=False)
    yield introduction.choose(names=[], layers=[], everything=True)
    for layer in range(1, 6):
        yield introduction.choose(names=[], layers=[layer], everything=False)
    for name in introduction.tools:
        yield (name,)


@INTRODUCTIONS
async def test_what_a_host_is_told_names_only_tools_that_it_has(introduction: Introduction) -> None:
    for offered in presets(introduction):
        server = served_to(nobody, None, OFFERS[introduction.name](offered))
        async with Client(server, mode="legacy") as client:
            assert named_in(client.instructions or "") <= set(offered)
            listed = (await client.list_tools()).tools
        assert [tool.name for tool in listed] == list(offered)
        for tool in listed:
            said = json.dumps([tool.description, tool.input_schema, tool.output_schema])
            assert named_in(said) <= set(offered), said
            assert tool.description.count(".") >= 1, "what a tool does is said whatever else is offered"


def nobody() -> Any:
    raise AssertionError("nothing is called")


@pytest.mark.parametrize("command", [("mcp",), ("memory", "mcp")], ids=" ".join)
def test_the_program_introduces_itself_by_what_it_offers(
    frasier: FrasierProgram, command: tuple[str, ...]
) -> None:
    from acceptance.test_mcp_first_answers import LIST
    from support.line_server import HELLO, READY
    from support.mcp_host import hosted

    with hosted(frasier, *command) as server:
        said = server.ask(HELLO)["result"]["instructions"]
        listed = server.ask(READY, LIST)["result"]["tools"]
    offered = {tool["name"] for tool in listed}
    assert named_in(said + json.dumps(listed)) == offered
    assert "memory_search" in named_in(said)


def test_the_skill_names_what_a_member_has_by_default() -> None:
    offered = set(BOARDS.default)
    assert named_in(SKILL.read_text("utf-8")) == offered
    assert TASK_OPERATIONS.keys() - offered == {"task_decisions", "task_decide"}, "those are the founder's"


@dataclass
class TeamOverMcp(Team):
    """Each member behind the official client, with the tools that it is given by default; `said` is all it was told."""

    clients: dict[str, Client] = field(default_factory=dict)
    offered: Collection[str] = ()
    said: list[str] = field(default_factory=list)

    async def envelope(self, who: str, tool: str, **arguments: Any) -> Envelope:
        if who == "boss":
            return await super().envelope(who, tool, **arguments)
        assert tool in self.offered, f"{who} needs {tool}"
        answer = await self.clients[who].call_tool(tool, arguments)
        told = json.loads(answer.content[0].text)
        self.said.append(answer.content[0].text)
        if answer.is_error:
            raise FrasierError(told["message"], hint=told.get("hint", ""))
        return Envelope.model_validate(told)


@asynccontextmanager
async def team_over_mcp(db: Database) -> AsyncIterator[TeamOverMcp]:
    async with open_team(db) as team, AsyncExitStack() as stack:
        offered = BOARDS.choose(names=[], layers=[], everything=False)
        clients = {}
        for name in ROLES:
            caller = team.callers[name]
            server = served_to(
                lambda caller=caller: caller, team.engine, all_tools(offered), board=team.board
            )
            clients[name] = await stack.enter_async_context(Client(server))
        yield TeamOverMcp(**vars(team), clients=clients, offered=offered)


async def test_every_role_carries_a_task_to_its_end_with_what_it_has_by_default(
    db: Database, tmp_path: Path
) -> None:
    """From its creation to completion, with every message on the way naming only tools that are there."""
    async with team_over_mcp(db) as team:
        places = [(stop.status, stop.role) async for stop in walk(team, tmp_path)]
        assert ("complete", "liaison") in places
        for who in ROLES:
            await team(who, "task_recover")
            for tool in ("task_get", "task_history"):
                await team(who, tool, task="tea")
            await team(who, "task_list", mine=True)
            await team(who, "task_commands")
        assert {name for said in team.said for name in named_in(said)} <= set(team.offered)


@pytest.mark.parametrize("process", WALKS)
async def test_every_move_of_a_process_is_made_with_what_its_role_has_by_default(
    db: Database, process: str
) -> None:
    async with team_over_mcp(db) as team:
        for slug, moves in WALKS[process].items():
            await create(team, process, slug)
            for step in moves.split():
                who, tool, arguments = await prepare_move(team, slug, step)
                await team(who, tool, **arguments)
        assert {name for said in team.said for name in named_in(said)} <= set(team.offered)


async def test_advice_names_only_tools_that_are_there(db: Database) -> None:
    async with team_over_mcp(db) as team:
        lia = team.callers["lia"]
        told = {}
        for offered in (("task_get", "task_list"), ("task_get",)):
            server = served_to(lambda: lia, team.engine, all_tools(offered), board=team.board)
            async with Client(server) as client:
                refused = await client.call_tool("task_get", {"task": "no-such-task"})
            told[offered] = json.loads(refused.content[0].text)
        [listed, alone] = told.values()
        assert (listed["message"], listed["hint"]) == (
            alone["message"],
            "Call task_list to see those that there are.",
        )
        assert "hint" not in alone
        saved = await team("lia", "memory_save", content="The kettle whistles at a hundred degrees.")
        for names, advised in ((tuple(MEMORY_OPERATIONS), True), (("memory_update",), False)):
            server = served_to(lambda: lia, team.engine, memory_tools(names))
            async with Client(server) as client:
                changed = await client.call_tool(
                    "memory_update", {"id": saved["id"], "content": f"It whistles, {advised}."}
                )
            assert ("memory_revert" in str(changed.structured_content["hints"])) is advised
