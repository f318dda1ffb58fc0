"""Every tool of the board over MCP, called with what nobody means to send: an answer or a refusal that helps."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from mcp import Client
from mcp_types import CallToolRequestParams

from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.interfaces.operations.organisation.registry import ORGANISATION_OPERATIONS
from frasier.interfaces.operations.organisation.tool_set import all_tools
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from support.attacked_board import (
    AttackedBoard,
    ToolCaller,
    ToolResponse,
    attack,
    check_tool_works,
)
from support.board_garbage import CALLERS, arguments_of
from support.board_team import WANTED
from support.mcp_server import served_to

FEW, MANY = 6, 300
ATTACKED = tuple(TASK_OPERATIONS)


OTHER_OPERATIONS = {**MEMORY_OPERATIONS, **ORGANISATION_OPERATIONS}


@asynccontextmanager
async def connected(attacked_board: AttackedBoard) -> AsyncIterator[tuple[Client, ToolCaller]]:
    """The official client, and a door through which anybody calls."""
    team, who = attacked_board.team, "anna"
    offer = all_tools()
    server = served_to(lambda: team.callers[who], team.engine, offer, board=team.board)

    async def call(caller: str, tool: str, arguments: Any) -> ToolResponse:
        nonlocal who
        who = caller
        result = await client.call_tool(tool, arguments)
        return json.loads(result.content[0].text), bool(result.is_error)

    async with Client(server) as client:
        yield client, call


def sendable(arguments: Any) -> bool:
    """Whether the official client can spell them at all: half a character as a name it cannot. HTTP is sent those too."""
    try:
        CallToolRequestParams(name="x", arguments=arguments).model_dump(mode="json")
    except UnicodeEncodeError:
        return False
    return True


async def test_what_is_attacked_is_what_is_offered(attacked_board: AttackedBoard) -> None:
    async with connected(attacked_board) as (client, _):
        offered = [tool.name for tool in (await client.list_tools()).tools]
    assert tuple(name for name in offered if name not in OTHER_OPERATIONS) == ATTACKED


@pytest.mark.parametrize("examples", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("tool", ATTACKED)
async def test_no_garbage_brings_a_tool_down(attacked_board: AttackedBoard, tool: str, examples: int) -> None:
    loop = asyncio.get_running_loop()
    async with connected(attacked_board) as (_, call):
        await check_tool_works(attacked_board, call, tool)

        @settings(
            max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None
        )
        @given(who=CALLERS, arguments=arguments_of(attacked_board, tool))
        def throw(who: str, arguments: Any) -> None:
            assume(sendable(arguments))
            asyncio.run_coroutine_threadsafe(attack(attacked_board, call, who, tool, arguments), loop).result(
                60
            )

        await asyncio.to_thread(throw)


@pytest.mark.parametrize(
    ("who", "tool", "arguments"),
    [
        ("anna", "task_renew", {"attempt": 2**31}),
        ("anna", "task_renew", {"attempt": 2**70}),
        ("anna", "task_deliver", {"attempt": 2**31, "fields": {"pdsa_ref": "https://example.org/v0.0.1.md"}}),
        ("lia", "task_edit", {"version": 1, "fields": {}}),
        ("lia", "task_edit", {"version": 2**63, "fields": {"constraints": "Blue."}}),
        ("dan", "task_block", {"reason": " ", "owner": "liaison", "action": " "}),
        ("lia", "task_create", {"task": None, "name": "n", "title": " ", "fields": WANTED}),
        (
            "lia",
            "task_create",
            {"task": None, "name": "n", "title": "t", "fields": WANTED, "needs": ["nothing"]},
        ),
    ],
)
async def test_what_once_was_a_defect_or_left_without_advice_is_refused(
    attacked_board: AttackedBoard, who: str, tool: str, arguments: dict[str, Any]
) -> None:
    given = {"task": attacked_board.stand.tasks["new"]} | arguments
    async with connected(attacked_board) as (_, call):
        said, refused = await attack(
            attacked_board, call, who, tool, {k: v for k, v in given.items() if v is not None}
        )
    assert refused, said
