"""The organisation at the command line and over MCP: one answer everywhere, and no right that a credential lacks."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from frasier.interfaces.advice import ACTIONS
from frasier.interfaces.operations.organisation.registry import ORGANISATION_OPERATIONS
from frasier.interfaces.tool_catalog import BOARDS
from frasier.memory import issue_token
from frasier.store import Database
from support.cli import DEADLINE_S, FrasierProgram, read_until
from support.cli_states import Planned, completed_mission

WORDS = {"FRASIER_MEMORY__EMBEDDING__PROVIDER": "none"}
READING = "status_get,inbox_get,mission_list,mission_get,deliverable_get"


@pytest.fixture
async def completed(db: Database, tmp_path: Path) -> Planned:
    return await db.in_transaction(completed_mission, tmp_path)


async def token_for(db: Database, name: str, **rights: bool) -> str:
    return await db.in_transaction(issue_token, name, ["shared"], **rights)


@asynccontextmanager
async def host(frasier: FrasierProgram, *options: str, token: str | None = None) -> AsyncIterator[Client]:
    """A host that started `frasier mcp` over standard input and output, with that token in its environment."""
    environment = {**frasier._environment, **WORDS} | ({"FRASIER_TOKEN": token} if token else {})
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "frasier", "mcp", *options], env=environment, cwd=frasier.home
    )
    async with Client(server) as client:
        yield client


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    answered = await client.call_tool(tool, arguments)
    assert answered.is_error
    error = json.loads(answered.content[0].text)
    assert error["code"] == "not_allowed"
    return str(error["message"])


async def data_of(client: Client, tool: str, **arguments: Any) -> Any:
    answered = await client.call_tool(tool, arguments)
    assert not answered.is_error, answered.content
    return answered.structured_content["data"]


def test_every_operation_of_the_organisation_is_a_tool_and_a_command():
    assert set(ORGANISATION_OPERATIONS) <= {action.tool for action in ACTIONS.values()}
    assert set(ORGANISATION_OPERATIONS) <= set(BOARDS.choose(names=[], layers=[], everything=True))
    assert not set(ORGANISATION_OPERATIONS) & set(BOARDS.choose(names=[], layers=[], everything=False))


async def test_a_host_reads_with_the_founders_token_and_never_decides(
    frasier: FrasierProgram, db: Database, completed: Planned
):
    token = await token_for(db, "laptop", founder=True)
    async with host(
        frasier, "--tools", f"{READING},decide,mission_cancel,memory_save", token=token
    ) as client:
        listed = await data_of(client, "mission_list")
        assert [one["mission"] for one in listed["missions"]] == [str(completed.mission.id)]
        page = (await data_of(client, "deliverable_get"))["deliverable"]
        assert "75 degrees" in page["text"]
        message = await refusal(client, "decide", question=str(completed.mission.id), answer="yes")
        assert message == "Only the founder can answer what waits for the founder."
        assert await refusal(client, "mission_cancel") == "Only the founder can cancel a mission."
        await data_of(client, "memory_save", content="The kettle is in the kitchen.")


async def test_a_host_reads_with_a_token_for_reading_alone_and_changes_nothing(
    frasier: FrasierProgram, db: Database, completed: Planned
):
    token = await token_for(db, "watcher", read_only=True)
    async with host(frasier, "--tools", f"{READING},memory_save,memory_search", token=token) as client:
        mission = (await data_of(client, "mission_get"))["mission"]
        assert mission["progress"]["mission_id"] == str(completed.mission.id)
        assert (await data_of(client, "memory_search", query="kettle"))["results"] == []
        message = await refusal(client, "memory_save", content="The kettle is in the kitchen.")
        assert message == "watcher may only read, and so cannot save a memory."


async def test_a_host_without_a_token_sees_nothing_of_the_organisation(frasier: FrasierProgram):
    async with host(frasier, "--tools", READING) as client:
        assert await refusal(client, "status_get") == "Only the founder can show the state of everything."


@pytest.fixture
def url(frasier: FrasierProgram) -> Iterator[str]:
    """The address of `frasier mcp --http` with every tool."""
    with frasier.running("mcp", "--http", "--port", "0", "--all", **WORDS) as process:
        announced = read_until(process.stderr, "http://")
        yield next(word.rstrip(";") for word in announced.split() if word.startswith("http://"))
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_S) == 0


@asynccontextmanager
async def client_of(url: str, token: str) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=DEADLINE_S) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client


async def test_the_founder_runs_a_mission_over_mcp_and_others_are_refused(url: str, db: Database):
    documents = [{"name": "tea.md", "text": "# Tea\n\nGreen tea is brewed with water of 75 degrees.\n"}]
    arguments = {"directive": "Say how green tea is brewed", "documents": documents}
    async with client_of(url, await token_for(db, "laptop", founder=True)) as client:
        answered = await client.call_tool("mission_run", arguments)
        assert not answered.is_error, answered.content
        assert answered.structured_content["data"]["documents"] == 1
    async with client_of(url, await token_for(db, "watcher", read_only=True)) as client:
        (mission,) = (await data_of(client, "mission_list"))["missions"]
        assert mission["status"] == "planning"
        assert "may only read" in await refusal(client, "mission_run", **arguments)
        unknown = await client.call_tool("mission_get", {"mission": "abcd"})
        hint = json.loads(unknown.content[0].text)["hint"]
        assert hint == "Call mission_list to see those that there are."
    async with client_of(url, await token_for(db, "scout")) as client:
        assert await refusal(client, "mission_list") == "Only the founder can list missions."


async def test_a_token_for_reading_alone_runs_the_commands_that_read(
    frasier: FrasierProgram, completed: Planned
):
    made = frasier.json("memory", "token", "create", "watcher", "--read-only")
    assert made["read_only"] is True
    environment = {"FRASIER_TOKEN": made["token"]}
    missions = frasier.json("missions", "list", **environment)["missions"]
    assert [one["mission"] for one in missions] == [str(completed.mission.id)]
    assert frasier.json("status", **environment)["missions"] == {"completed": 1}
    refused = frasier("pause", "last", code=3, **environment)
    assert "may only read, and so cannot pause a mission" in refused.err
    assert frasier.json("missions", "list")["missions"] == missions
    both = frasier("memory", "token", "create", "other", "--read-only", "--founder", code=3)
    assert "either the founder's or for reading alone" in both.err
    assert "watcher (reads only)" in frasier("memory", "token", "list").out


async def test_the_command_line_reads_and_shares_a_deliverable(frasier: FrasierProgram, completed: Planned):
    read = frasier("missions", "read")
    assert "75 degrees" in read.out
    as_json = frasier.json("missions", "read", "last", "--step", "report", "--version", "1")
    assert (as_json["version"], as_json["approved"], as_json["mission"]) == (
        1,
        True,
        str(completed.mission.id),
    )
    made = frasier.json("missions", "share", "last", "--days", "3")
    assert made["path"].startswith("/shared/")
    assert made["path"] not in frasier("missions", "shares").out
    assert frasier.json("missions", "shares")["shares"][0]["valid"] is True
    assert frasier.json("missions", "unshare", made["share"])["valid"] is False
    assert "revoked" in frasier("missions", "shares").out


def test_an_answer_is_read_again(frasier: FrasierProgram):
    message = frasier.json("say", "How are you?")
    again = frasier.json("answer", message["message"])
    assert (again["answer"], again["text"]) == (message["answer"], "How are you?")
