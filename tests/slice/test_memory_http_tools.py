"""Every tool over HTTP: whatever it is called with, it answers or refuses with a code."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import HealthCheck, given, settings

from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.memory import EmbeddingSettings, MemorySettings
from support.brain import error_of, open_memory_api
from support.garbage import ANYTHING, KNOWN, objects


@pytest.fixture(scope="module")
async def brain(_shared_database):
    async with open_memory_api(_shared_database, MEMORY_OPERATIONS) as brain:
        saved = await brain.post("contribute", {"content": "The zanzibar release goes out on Tuesdays."})
        async with brain.db.transaction() as tx:
            await tx.execute("update memory_items set id = %s where id = %s", (KNOWN, saved.json()["id"]))
        yield brain


@pytest.mark.parametrize("name", MEMORY_OPERATIONS)
async def test_no_garbage_brings_a_tool_down(brain, name):
    schema = MEMORY_OPERATIONS[name].input.model_json_schema()
    loop = asyncio.get_running_loop()

    @settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(arguments=objects(schema, schema) | objects(schema, schema, more=ANYTHING))
    def throw(arguments):
        sent = json.dumps(arguments).encode()
        headers = {"Content-Type": "application/json"}
        call = brain.client.post(f"/api/v1/tools/{name}", content=sent, headers=headers)
        answered = asyncio.run_coroutine_threadsafe(call, loop).result(60)
        assert answered.status_code == 200 or 400 <= answered.status_code < 500, answered.text
        if answered.status_code != 200:
            error_of(answered)

    await asyncio.to_thread(throw)


@pytest.mark.parametrize("depth", [51, 300, 900])
async def test_what_is_nested_too_deeply_is_refused(brain, depth):
    nested = "[" * depth + "]" * depth
    body = f'{{"session": "s-1", "state": {{"open": {nested}}}}}'.encode()
    answered = await brain.client.post(
        "/api/v1/tools/session_save", content=body, headers={"Content-Type": "application/json"}
    )
    assert answered.status_code in {400, 422}, answered.text
    assert "50 levels" in error_of(answered)["message"]


async def test_every_tool_is_listed_as_it_can_be_called(brain):
    listed = (await brain.get("tools")).json()["tools"]
    assert [tool["name"] for tool in listed] == list(MEMORY_OPERATIONS)
    for tool in listed:
        assert tool["description"]
        assert tool["input_schema"]["type"] == "object"


async def test_what_one_tool_saves_another_finds(brain):
    saved = await brain.post("tools/memory_save", {"content": "The madagascar release goes out on Mondays."})
    assert saved.status_code == 200, saved.text
    found = await brain.post("tools/memory_search", {"query": "madagascar release"})
    assert "Mondays" in json.dumps(found.json()["data"])


async def test_a_file_is_written_over_only_with_the_hash_of_what_it_says(db, tmp_path):
    settings = MemorySettings(roots=(tmp_path,), embedding=EmbeddingSettings(provider="none"))
    async with open_memory_api(db, MEMORY_OPERATIONS, settings=settings) as brain:

        async def save(content, **given):
            return await brain.post(
                "tools/memory_save", {"content": content, "file_path": "pier.md", **given}
            )

        first = (await save("The pier is closed on Sundays.")).json()["data"]
        assert error_of(await save("The pier is open on Sundays."))["number"] == "E083"
        kept = (await brain.post("tools/memory_get", {"id": first["id"]})).json()["data"]
        assert kept["file_hash"] == first["file_hash"]
        written = await save("The pier is open on Sundays.", expected_hash=first["file_hash"].upper())
        assert (written.json()["data"]["id"], written.json()["data"]["version"]) == (first["id"], 2)
        late = error_of(await save("The pier is gone altogether.", expected_hash=first["file_hash"]))
        assert (late["code"], late["number"]) == ("stale", "E083")
        assert "open on Sundays" in (tmp_path / "pier.md").read_text()
