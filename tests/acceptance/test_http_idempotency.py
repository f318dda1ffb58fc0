"""A key that is not honoured is refused, so that nobody repeats a call in the belief that it counts once."""

from __future__ import annotations

import json

import pytest

from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.store import Database
from support.board_team import open_team
from support.brain import error_of, open_memory_api
from support.task_walk import open_http_board

KEY = {"Idempotency-Key": "k1"}
FACT = "The kettle whistles at a hundred degrees."


async def test_a_tool_that_is_called_with_a_key_is_not_run_and_says_what_takes_one(db: Database) -> None:
    async with open_memory_api(db, MEMORY_OPERATIONS) as brain:
        refused = await brain.post("tools/memory_save", {"content": FACT}, **KEY)
        assert refused.status_code == 422
        said = error_of(refused)
        assert (said["code"], said["kept"]) == ("invalid_input", "Nothing was read or changed.")
        assert "Idempotency-Key" in said["message"]
        assert "/api/v1/contribute" in said["hint"]
        assert "task_" not in json.dumps(said), "where no tasks are served, none is spoken of"
        assert await brain.stored() == []
        assert (await brain.post("tools/memory_search", {"query": "kettle"}, **KEY)).status_code == 422
        assert (await brain.post("tools/memory_save", {"content": FACT})).status_code == 200
        assert (await brain.post("contribute", {"content": "A lid rattles."}, **KEY)).status_code == 201


@pytest.mark.parametrize("header", [{"Authorization": "Bearer nobodys"}, {"Authorization": ""}])
async def test_whoever_is_not_let_in_is_told_that_and_nothing_of_keys(
    db: Database, header: dict[str, str]
) -> None:
    async with open_memory_api(db, MEMORY_OPERATIONS) as brain:
        refused = await brain.post("tools/memory_save", {"content": FACT}, **KEY, **header)
        assert refused.status_code == 401


async def test_a_call_on_a_task_says_which_arguments_make_it_repeatable(db: Database) -> None:
    async with open_team(db) as team, open_http_board(team) as wire:
        task = await team.ready("tea")
        session = await team.asked("anna")
        token = team.tokens["anna"]
        taking = {"task": task, "memory_query_session": session}
        bearer = {"Authorization": f"Bearer {token}"}
        refused = await wire.client.post("/api/v1/tools/task_claim", json=taking, headers=KEY | bearer)
        assert refused.status_code == 422
        hint = refused.json()["error"]["hint"]
        assert "A claim of a task with the same session is answered again." in hint
        assert "attempt" in hint
        assert await team.place(task) == ("ready", "pdsa")
        first, again = [await wire(token, "task_claim", **taking) for _ in range(2)]
        assert first.status_code == again.status_code == 200
        assert first.json()["data"]["attempt"] == again.json()["data"]["attempt"]
