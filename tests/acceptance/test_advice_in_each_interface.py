"""One refusal over each interface: the same code, facts and advised action, with a hint that its own reader can follow."""

from __future__ import annotations

import asyncio
import os
from typing import Any
from unittest.mock import patch

import pytest

from frasier.memory import EmbeddingSettings, MemorySettings, issue_token, verify_token
from frasier.memory.settings import RerankSettings
from support.board_interfaces import INTERFACES, CallRefused, InterfaceCaller, open_interfaces
from support.board_team import Team
from support.in_process_cli import BoardAlone, run_inside

NO_MODEL = MemorySettings(embedding=EmbeddingSettings(provider="none"), rerank=RerankSettings(method="none"))


async def refusals(team: Team, who: str, tool: str, **arguments: Any) -> dict[str, dict[str, Any]]:
    """The error of one call as each interface shows it."""
    async with open_interfaces(team) as interfaces:
        return {name: await refused(interfaces[name], who, tool, **arguments) for name in INTERFACES}


async def refused(call: InterfaceCaller, who: str, tool: str, **arguments: Any) -> dict[str, Any]:
    with pytest.raises(CallRefused) as caught:
        await call(who, tool, **arguments)
    return caught.value.error


def without_hint(error: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in error.items() if name != "hint"}


async def test_an_edit_without_its_attempt_is_refused_with_advice_that_each_reader_can_follow(team: Team):
    await team.claim("anna", await team.ready("tea"))
    told = await refusals(team, "anna", "task_edit", task="tea", fields={"description": "Louder."}, version=3)
    for error in told.values():
        assert without_hint(error) == {
            "code": "transition_refused",
            "message": "anna did not name an attempt, so it cannot edit tea.",
            "kept": "tea is unchanged.",
            "advice": [
                {
                    "action": "task.edit",
                    "to": "do the same with the attempt",
                    "arguments": {"task": "kettle/tea", "attempt": 1},
                }
            ],
        }
    why, purpose = "Name the attempt under which you hold it.", "to do the same with the attempt."
    assert {interface: error["hint"] for interface, error in told.items()} == {
        "cli": f"{why} Run `frasier task edit kettle/tea --attempt 1` {purpose}",
        "mcp": f'{why} Call task_edit with task="kettle/tea", attempt=1 {purpose}',
        "http": f'{why} PATCH /api/v1/tasks/kettle%2Ftea with {{"attempt": 1}} {purpose}',
    }


async def test_what_the_founder_alone_may_do_is_told_to_others_as_a_request_to_the_founder(team: Team):
    async with team.board.database.transaction() as tx:
        team.tokens["eve"] = await issue_token(tx, "eve", ["shared"])
        team.callers["eve"] = await verify_token(tx, team.tokens["eve"])
    told = await refusals(team, "eve", "task_get", task="tea")
    assert without_hint(told["http"]) == without_hint(told["mcp"]) == without_hint(told["cli"])
    assert told["cli"]["code"] == "not_allowed"
    assert [advice["action"] for advice in told["cli"]["advice"]] == ["member.add"]
    command = "`frasier task member add NAME --role ROLE`"
    for interface in INTERFACES:
        assert "Ask the founder" in told[interface]["hint"]
        assert command in told[interface]["hint"]


async def test_the_founder_is_told_to_run_what_a_member_is_told_to_ask_for(team: Team):
    await team.ready("tea")
    inside = BoardAlone(team.board.database.url, NO_MODEL, told=team.told)
    command = ["task", "check", "tea", "none"]
    founder = await asyncio.to_thread(run_inside, inside, command)
    with patch.dict(os.environ, {"FRASIER_TOKEN": team.tokens["quinn"]}):
        member = await asyncio.to_thread(run_inside, inside, command)
    declare = "`frasier task command declare NAME --folder FOLDER -- PROGRAM`"
    assert founder.err.splitlines()[-1] == f"Run {declare} to declare one."
    assert member.err.splitlines()[-1] == f"Ask the founder to declare one: {declare}."


async def test_a_person_reads_what_happened_what_was_kept_and_the_command(team: Team):
    await team.claim("anna", await team.ready("tea"))
    inside = BoardAlone(team.board.database.url, NO_MODEL, told=team.told)
    command = ["task", "edit", "tea", "--field", "description=Louder.", "--version", "3"]
    with patch.dict(os.environ, {"FRASIER_TOKEN": team.tokens["anna"]}):
        ended = await asyncio.to_thread(run_inside, inside, command)
    assert ended.err.splitlines() == [
        "Error: anna did not name an attempt, so it cannot edit tea.",
        "tea is unchanged.",
        (
            "Name the attempt under which you hold it. Run `frasier task edit kettle/tea --attempt 1` to do the same with the"
            " attempt."
        ),
    ]
