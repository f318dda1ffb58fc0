"""The same tool call over HTTP, MCP or the command line, on one board.

async with open_interfaces(team) as interfaces:
    await interfaces["cli"]("lia", "task_edit", task="tea", fields={...}, version=3)
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Protocol
from unittest.mock import patch

from mcp import Client

from frasier.interfaces.operations.organisation.tool_set import all_tools
from frasier.memory import EmbeddingSettings, MemorySettings
from frasier.memory.settings import RerankSettings
from support.board_team import Team
from support.in_process_cli import BoardAlone, run_inside
from support.mcp_server import served_to
from support.task_walk import open_http_board

INTERFACES = ("http", "mcp", "cli")
NO_MODEL = MemorySettings(embedding=EmbeddingSettings(provider="none"), rerank=RerankSettings(method="none"))


class CallRefused(Exception):
    """A refused call, with the error as its caller reads it."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(error["message"])
        self.error = dict(error)
        self.code, self.message, self.hint = error["code"], error["message"], error.get("hint", "")


class InterfaceCaller(Protocol):
    """Call a tool as the member `who` (`boss` is the founder); return its data, or raise CallRefused."""

    async def __call__(self, who: str, tool: str, **arguments: Any) -> dict[str, Any]: ...


@asynccontextmanager
async def open_interfaces(team: Team) -> AsyncIterator[dict[str, InterfaceCaller]]:
    """Open the three interfaces to the board of `team`."""
    who = "boss"
    server = served_to(lambda: team.callers[who], team.engine, all_tools(), board=team.board)

    async def mcp(caller: str, tool: str, **arguments: Any) -> dict[str, Any]:
        nonlocal who
        who = caller
        async with Client(server) as client:
            result = await client.call_tool(tool, arguments)
        return _data_of(json.loads(result.content[0].text), refused=bool(result.is_error))

    async def http(caller: str, tool: str, **arguments: Any) -> dict[str, Any]:
        token = founder if caller == "boss" else team.tokens[caller]
        answered = await wire(token, tool, **arguments)
        return _data_of(answered.json(), refused=answered.status_code != 200)

    async def cli(caller: str, tool: str, **arguments: Any) -> dict[str, Any]:
        return await asyncio.to_thread(_run, team, caller, tool, arguments)

    async with open_http_board(team) as wire:
        founder = await wire.token("boss", founder=True)
        yield {"http": http, "mcp": mcp, "cli": cli}


def _run(team: Team, caller: str, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    inside = BoardAlone(team.board.database.url, NO_MODEL, told=team.told)
    token = {} if caller == "boss" else {"FRASIER_TOKEN": team.tokens[caller]}
    with patch.dict(os.environ, token):
        ended = run_inside(inside, ["task", *_command_line(tool, arguments), "--json"])
    assert "Traceback" not in ended.err, ended.err
    return _data_of(json.loads(ended.out), refused=ended.code != 0)


def _command_line(tool: str, arguments: Mapping[str, Any]) -> list[str]:
    """Return the call as a command line: fields as --field, `move` and `task` as arguments, the rest as options."""
    remaining = dict(arguments)
    words = [tool.removeprefix("task_"), remaining.pop("task", None) or remaining.pop("decision")]
    if tool == "task_decide":
        words.append("approve" if remaining.pop("approve") else "reject")
    words += [remaining.pop(name) for name in ("move", "command") if name in remaining]
    for name, value in remaining.pop("fields", {}).items():
        for one in value if isinstance(value, list) else [value]:
            words += ["--field", f"{name}={json.dumps(one) if isinstance(one, bool) else one}"]
    if "memory_query_session" in remaining:
        words += ["--session", remaining.pop("memory_query_session")]
    for name, value in remaining.items():
        words += [f"--{name.replace('_', '-')}", str(value)]
    return words


def _data_of(document: dict[str, Any], *, refused: bool) -> dict[str, Any]:
    if refused:
        raise CallRefused(document.get("error", document))
    data: dict[str, Any] = document["data"]
    return data
