"""If-Match holds in the transaction of the change: whoever changes it first wins, and the other is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2
import pytest

from frasier.board import make_board
from frasier.interfaces.services import Services
from frasier.memory import lock_memory
from frasier.org.execution import pause_named
from frasier.org.skills import store_catalogue
from frasier.org.skills.skill_versions import (
    SkillOrigin,
    SkillProvenance,
    add_skill_version,
    put_version_in_force,
)
from frasier.store import Tx
from frasier.workflow import FOUNDER, lock_task
from support.board_team import WANTED
from support.cli_states import planned_mission
from support.organisation_api import OrganisationApi, open_organisation_api

FACT = "The blue kettle whistles when the water boils."


@pytest.fixture
async def api(database_url: str, tmp_path: Path) -> AsyncIterator[OrganisationApi]:
    async with open_organisation_api(database_url, tmp_path / "home") as api:
        yield api


@pytest.fixture
async def mission(api: OrganisationApi, tmp_path: Path) -> str:
    planned = await api.services.in_transaction(planned_mission, tmp_path)
    return f"/api/v1/missions/{planned.mission.id}"


@pytest.fixture
async def memory(api: OrganisationApi) -> str:
    saved = await api.founder.post("/api/v1/memories", json={"content": FACT})
    return f"/api/v1/memories/{saved.json()['data']['id']}"


@pytest.fixture
async def task(api: OrganisationApi) -> str:
    await api.services.in_transaction(make_board, "kettle", actor=FOUNDER)
    new = {"name": "descale", "title": "Descale the kettle", "fields": WANTED}
    made = await api.founder.post("/api/v1/tasks", json=new)
    assert made.status_code == 201, made.text
    return f"/api/v1/tasks/{made.json()['data']['id']}"


async def tag_of(api: OrganisationApi, address: str) -> dict[str, str]:
    read = await api.founder.get(address)
    assert read.status_code == 200, read.text
    return {"If-Match": read.headers["etag"]}


async def all_at_once(*requests: Awaitable[httpx2.Response]) -> list[int]:
    return sorted(answer.status_code for answer in await asyncio.gather(*requests))


async def test_of_many_commands_on_one_state_of_a_mission_one_is_carried_out(
    api: OrganisationApi, mission: str
) -> None:
    tag = await tag_of(api, mission)
    ways = ("pause", "cancel", "pause", "cancel", "pause", "cancel")
    answers = await all_at_once(
        *(
            api.founder.post(f"{mission}/{way}", headers=tag, json={"note": f"{n}"})
            for n, way in enumerate(ways)
        )
    )
    assert answers == [200, 412, 412, 412, 412, 412]
    events = (await api.founder.get("/api/v1/events")).json()["data"]["events"]
    assert len([one for one in events if one["kind"] in {"mission.paused", "mission.cancelled"}]) == 1


async def test_of_many_changes_of_one_version_of_a_memory_one_is_carried_out(
    api: OrganisationApi, memory: str
) -> None:
    tag = await tag_of(api, memory)
    changes = [api.founder.patch(memory, json={"title": f"Kettle {n}"}, headers=tag) for n in range(3)]
    deletions = [api.founder.delete(memory, headers=tag) for _ in range(3)]
    answers = await all_at_once(*changes, *deletions)
    assert answers.count(200) == 1, answers
    assert set(answers) <= {200, 404, 412}


async def test_of_many_moves_of_one_version_of_a_task_one_is_carried_out(
    api: OrganisationApi, task: str
) -> None:
    tag = await tag_of(api, task)
    body = {"reason": "No vinegar.", "owner": "founder", "action": "Buy some."}
    answers = await all_at_once(
        *(api.founder.post(f"{task}/block", json=body | {"reason": f"{n}"}, headers=tag) for n in range(6))
    )
    assert answers.count(200) == 1, answers
    assert set(answers) == {200, 412}


async def pause_meanwhile(tx: Tx, address: str) -> None:
    await pause_named(tx, address.rpartition("/")[2])


async def change_memory(tx: Tx, address: str) -> None:
    name = address.rpartition("/")[2]
    cursor = await tx.execute("select id from memory_items where right(id::text, %s) = %s", (len(name), name))
    [row] = await cursor.fetchall()
    await lock_memory(tx, row["id"])
    await tx.execute("update memory_items set version = version + 1 where id = %s", (row["id"],))


async def change_task(tx: Tx, address: str) -> None:
    task = UUID(address.rpartition("/")[2])
    await lock_task(tx, task)
    await tx.execute("update workflow_tasks set version = version + 1 where id = %s", (task,))


@pytest.mark.parametrize(
    ("kind", "change", "method", "way", "body"),
    [
        ("mission", pause_meanwhile, "POST", "/cancel", {}),
        ("mission", pause_meanwhile, "POST", "/changes", {"change": "Leave out white tea."}),
        ("memory", change_memory, "DELETE", "", None),
        ("memory", change_memory, "POST", "/reviews", {"grade": "good"}),
        ("task", change_task, "POST", "/block", {"reason": "a", "owner": "founder", "action": "b"}),
        ("task", change_task, "POST", "/moves", {"move": "cancel"}),
    ],
)
async def test_a_change_that_is_committed_after_the_request_began_is_seen(
    api: OrganisationApi,
    request: pytest.FixtureRequest,
    mission: str,
    memory: str,
    task: str,
    kind: str,
    change: Callable[[Tx, str], Awaitable[None]],
    method: str,
    way: str,
    body: dict[str, Any] | None,
) -> None:
    address = {"mission": mission, "memory": memory, "task": task}[kind]
    tag = await tag_of(api, address)
    began = asyncio.Event()
    go_on = asyncio.Event()

    async def elsewhere(tx: Tx) -> None:
        await change(tx, address)
        began.set()
        await go_on.wait()

    changing = asyncio.create_task(api.services.in_transaction(elsewhere))
    await began.wait()
    sent = {"json": body} if body is not None else {}
    asked = asyncio.create_task(api.founder.request(method, f"{address}{way}", headers=tag, **sent))
    await until_somebody_waits(api.services)
    go_on.set()
    await changing
    answered = await asked
    assert (answered.status_code, answered.json()["code"]) == (412, "stale"), answered.text


async def test_a_skill_that_changed_meanwhile_is_not_changed_again(
    api: OrganisationApi, tmp_path: Path
) -> None:
    await api.services.in_transaction(store_catalogue)
    answered = await api.founder.get("/api/v1/skills")
    listed = answered.json()["data"]["skills"]
    skill = f"/api/v1/skills/{listed[0]['skill']}"
    seen = await tag_of(api, skill)

    async def add_version(tx: Tx) -> None:
        provenance = SkillProvenance(origin=SkillOrigin.UPSKILL, source="a test")
        await add_skill_version(tx, listed[0]["skill"], "Short.", "Long.", provenance, FOUNDER, "a test")
        await put_version_in_force(tx, listed[0]["skill"], 2, actor=FOUNDER, why="a test")

    await api.services.in_transaction(add_version)
    back = {"version": 1, "why": "the first one helped more"}
    stale = await api.founder.post(f"{skill}/rollback", json=back, headers=seen)
    assert (stale.status_code, stale.json()["code"]) == (412, "stale"), stale.text
    done = await api.founder.post(f"{skill}/rollback", json=back, headers=await tag_of(api, skill))
    assert done.status_code == 200, done.text
    assert done.json()["data"]["skill"]["text"]["version"] == 1


async def test_a_question_about_a_mission_is_bound_to_no_version(api: OrganisationApi, mission: str) -> None:
    tag = await tag_of(api, mission)
    asked = await api.founder.post(f"{mission}/questions", json={"question": "Why?"}, headers=tag)
    assert asked.status_code == 422, asked.text


async def test_a_request_under_a_condition_is_answered_again_under_its_key(
    api: OrganisationApi, mission: str
) -> None:
    headers = await tag_of(api, mission) | {"Idempotency-Key": "pause-1"}
    first = await api.founder.post(f"{mission}/pause", headers=headers)
    again = await api.founder.post(f"{mission}/pause", headers=headers)
    assert (first.status_code, again.status_code, again.content) == (200, 200, first.content)
    assert again.headers["idempotency-replayed"] == "true"


async def test_reading_the_version_of_a_memory_is_no_use_of_it(api: OrganisationApi, memory: str) -> None:
    tag = await tag_of(api, memory)
    used = (await api.founder.get(memory)).json()["data"]["used"]
    assert (await api.founder.patch(memory, json={"title": "Kettle"}, headers=tag)).status_code == 200
    late = await api.founder.post(f"{memory}/unarchive", headers=tag)
    assert late.status_code == 412, late.text
    assert (await api.founder.get(memory)).json()["data"]["used"] == used + 1


async def until_somebody_waits(services: Services) -> None:
    async def count(tx: Tx) -> int:
        cursor = await tx.execute("select count(*) as n from pg_locks where not granted")
        return (await cursor.fetchall())[0]["n"]

    for _ in range(2_000):
        if await services.in_transaction(count):
            return
    raise AssertionError("nobody waited")
