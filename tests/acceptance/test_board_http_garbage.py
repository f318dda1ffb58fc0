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
from frasier.interfaces.task_tools import TASK_TOOLS
from frasier.kernel.ids import new_id
from frasier.store import Database
from support.board_garbage import CALLERS, SPELLED, spelled_arguments
from support.board_hall import Door, Hall, Said, begin, open_hall, strike
from support.brain import BASE
from support.task_desk import open_team

FEW, MANY = 6, 300
ATTACKED = tuple(TASK_TOOLS)


@pytest.fixture(scope="module")
async def hall(server: Any) -> AsyncIterator[Hall]:
    name = f"t_{new_id().hex}"
    server.create_database(name, template="frasier_template")
    async with Database(server.url("frasier_app", name)) as db, open_team(db) as team:
        yield await open_hall(team)
    server.drop_database(name)


@pytest.fixture(scope="module")
async def client(hall: Hall) -> AsyncIterator[httpx2.AsyncClient]:
    app = make_app(hall.team.engine, TASK_TOOLS, board=hall.team.board)
    # As behind a real server, what nobody foresaw is an answer of the application, not an error of the test.
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url=f"{BASE}/api/v1/") as client:
        yield client


def door_of(hall: Hall, client: httpx2.AsyncClient) -> Door:
    async def door(who: str, tool: str, body: Any) -> Said:
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {
            "Authorization": f"Bearer {hall.team.tokens[who]}",
            "Content-Type": "application/json",
        }
        answered = await client.post(f"tools/{tool}", content=body, headers=headers)
        said = answered.json()
        assert answered.status_code == 200 or 400 <= answered.status_code < 500, said
        refused = answered.status_code != 200
        assert not refused or set(said) == {"error"}
        return (said["error"] if refused else said), refused

    return door


async def test_what_is_attacked_is_what_is_offered(hall: Hall, client: httpx2.AsyncClient) -> None:
    headers = {"Authorization": f"Bearer {hall.team.tokens['anna']}"}
    listed = (await client.get("tools", headers=headers)).json()["tools"]
    assert tuple(tool["name"] for tool in listed) == ATTACKED


@pytest.mark.parametrize("examples", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("tool", ATTACKED)
async def test_no_garbage_brings_a_tool_down(
    hall: Hall, client: httpx2.AsyncClient, tool: str, examples: int
) -> None:
    loop = asyncio.get_running_loop()
    door = door_of(hall, client)
    await begin(hall, door, tool)

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(who=CALLERS, body=spelled_arguments(hall, tool))
    def throw(who: str, body: bytes) -> None:
        asyncio.run_coroutine_threadsafe(strike(hall, door, who, tool, body), loop).result(60)

    await asyncio.to_thread(throw)


@pytest.mark.parametrize(
    ("tool", "name"),
    [("task_note", "state"), ("task_edit", "fields"), ("task_renew", "attempt"), ("task_get", "task")],
)
async def test_every_monster_is_answered(
    hall: Hall, client: httpx2.AsyncClient, tool: str, name: str
) -> None:
    door = door_of(hall, client)
    sound = {"task": hall.stand.tasks["new"], "version": 1, "attempt": 1, name: None}
    known = {key: value for key, value in sound.items() if key in TASK_TOOLS[tool].input.model_fields}
    for spelled in SPELLED:
        body = json.dumps(known).replace(f'"{name}": null', f'"{name}": {spelled}')
        _, refused = await strike(hall, door, "anna", tool, body.encode())
        if tool == "task_note" and not refused:
            recovered, refused = await strike(hall, door, "anna", "task_recover", {})
            assert not refused, f"what was noted cannot be read again: {recovered}"
