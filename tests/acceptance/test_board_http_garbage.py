"""Every tool of the board over HTTP, sent bodies that nobody means to send: an answer or a refusal that helps."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings

from frasier.interfaces.http import make_app
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from support.attacked_board import (
    AttackedBoard,
    ToolCaller,
    ToolResponse,
    attack,
    check_tool_works,
)
from support.board_garbage import CALLERS, SPELLED, spelled_arguments
from support.brain import BASE

FEW, MANY = 6, 300
ATTACKED = tuple(TASK_OPERATIONS)


@pytest.fixture(scope="module")
async def client(attacked_board: AttackedBoard) -> AsyncIterator[httpx2.AsyncClient]:
    app = make_app(attacked_board.team.engine, TASK_OPERATIONS, board=attacked_board.team.board)
    # As behind a real server, what nobody foresaw is an answer of the application, not an error of the test.
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url=f"{BASE}/api/v1/") as client:
        yield client


def caller_of(attacked_board: AttackedBoard, client: httpx2.AsyncClient) -> ToolCaller:
    async def call(who: str, tool: str, body: Any) -> ToolResponse:
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {
            "Authorization": f"Bearer {attacked_board.team.tokens[who]}",
            "Content-Type": "application/json",
        }
        answered = await client.post(f"tools/{tool}", content=body, headers=headers)
        said = answered.json()
        assert answered.status_code == 200 or 400 <= answered.status_code < 500, said
        refused = answered.status_code != 200
        assert not refused or set(said) == {"error"}
        return (said["error"] if refused else said), refused

    return call


async def test_what_is_attacked_is_what_is_offered(
    attacked_board: AttackedBoard, client: httpx2.AsyncClient
) -> None:
    headers = {"Authorization": f"Bearer {attacked_board.team.tokens['anna']}"}
    listed = (await client.get("tools", headers=headers)).json()["tools"]
    assert tuple(tool["name"] for tool in listed) == ATTACKED


@pytest.mark.parametrize("examples", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("tool", ATTACKED)
async def test_no_garbage_brings_a_tool_down(
    attacked_board: AttackedBoard, client: httpx2.AsyncClient, tool: str, examples: int
) -> None:
    loop = asyncio.get_running_loop()
    call = caller_of(attacked_board, client)
    await check_tool_works(attacked_board, call, tool)

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(who=CALLERS, body=spelled_arguments(attacked_board, tool))
    def throw(who: str, body: bytes) -> None:
        asyncio.run_coroutine_threadsafe(attack(attacked_board, call, who, tool, body), loop).result(60)

    await asyncio.to_thread(throw)


@pytest.mark.parametrize(
    ("tool", "name"),
    [("task_note", "state"), ("task_edit", "fields"), ("task_renew", "attempt"), ("task_get", "task")],
)
async def test_every_monster_is_answered(
    attacked_board: AttackedBoard, client: httpx2.AsyncClient, tool: str, name: str
) -> None:
    call = caller_of(attacked_board, client)
    sound = {"task": attacked_board.stand.tasks["new"], "version": 1, "attempt": 1, name: None}
    known = {key: value for key, value in sound.items() if key in TASK_OPERATIONS[tool].input.model_fields}
    for spelled in SPELLED:
        body = json.dumps(known).replace(f'"{name}": null', f'"{name}": {spelled}')
        _, refused = await attack(attacked_board, call, "anna", tool, body.encode())
        if tool == "task_note" and not refused:
            recovered, refused = await attack(attacked_board, call, "anna", "task_recover", {})
            assert not refused, f"what was noted cannot be read again: {recovered}"
