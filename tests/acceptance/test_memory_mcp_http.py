"""`frasier memory mcp --http`: streamable HTTP on loopback, and the token that it takes."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from frasier.memory import issue_token, revoke_token
from frasier.store import Database
from support.cli import DEADLINE_S, FrasierProgram, read_until

SCOPE = "project:kestrel"
LISTING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


@pytest.fixture
def url(frasier: FrasierProgram) -> Iterator[str]:
    """The address of a server that is running."""
    options = ("memory", "mcp", "--http", "--port", "0", "--all")
    with frasier.running(*options, FRASIER_MEMORY__EMBEDDING__PROVIDER="none") as process:
        said = read_until(process.stderr, "http://")
        yield next(word.rstrip(";") for word in said.split() if word.startswith("http://"))
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_S) == 0, process.stderr.read()
        assert process.stdout.read() == ""


async def token_for(db: Database, name: str, *, founder: bool = False) -> str:
    async with db.transaction() as tx:
        return await issue_token(tx, name, [SCOPE, "shared"], founder=founder)


@asynccontextmanager
async def client_of(url: str, token: str) -> Any:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client


async def post(url: str, body: Any = LISTING, **headers: str) -> httpx2.Response:
    sent = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json", **headers}
    async with httpx2.AsyncClient(timeout=30) as http:
        return await http.post(url, content=json.dumps(body), headers=sent)


async def test_the_token_says_who_it_is_and_what_it_may(url: str, db: Database) -> None:
    async with client_of(url, await token_for(db, "agent")) as client:
        saved = await client.call_tool("memory_save", {"content": "The kestrel listens on port 8093."})
        assert not saved.is_error, saved.content
        binding = {"content": "Nobody deploys on a Friday.", "tier": "constitutional"}
        assert (await client.call_tool("memory_save", binding)).is_error
        foreign = await client.call_tool("memory_search", {"query": "x", "scopes": ["founder"]})
        assert foreign.is_error
        assert json.loads(foreign.content[0].text)["code"] == "not_allowed"
    async with client_of(url, await token_for(db, "boss", founder=True)) as client:
        assert not (await client.call_tool("memory_save", binding)).is_error
    async with client_of(url, await token_for(db, "reader")) as client:
        found = await client.call_tool("memory_search", {"query": "which port has the kestrel?"})
        data = found.structured_content["data"]
        assert "8093" in data["results"][0]["text"]
        assert data["binding"][0]["text"] == "Nobody deploys on a Friday."
        whole = await client.call_tool("memory_get", {"id": data["results"][0]["id"]})
        assert whole.structured_content["data"]["provenance"]["saved_by"] == "token:agent"


async def test_nobody_comes_in_without_a_valid_token(url: str, db: Database) -> None:
    token = await token_for(db, "agent")
    assert (await post(url, Authorization=f"Bearer {token}")).status_code == 200
    for headers in ({}, {"Authorization": "Bearer nonsense"}, {"Authorization": f"Basic {token}"}):
        refused = await post(url, **headers)
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"].startswith("Bearer")
        assert refused.json()["error"]["hint"]
    async with db.transaction() as tx:
        await revoke_token(tx, "agent")
    assert (await post(url, Authorization=f"Bearer {token}")).status_code == 401


async def test_a_page_in_a_browser_reaches_nothing(url: str, db: Database) -> None:
    """Not by a name that it makes resolve to this machine, and not from a site of its own."""
    key = f"Bearer {await token_for(db, 'agent')}"
    assert (await post(url, Authorization=key, Host="evil.example:8765")).status_code == 421
    assert (await post(url, Authorization=key, Origin="https://evil.example")).status_code == 403
    assert (await post(url, Authorization=key, Host="localhost:1")).status_code == 200
    form = await post(url, Authorization=key, **{"Content-Type": "text/plain"})
    assert form.status_code == 400


async def test_a_body_that_is_too_large_is_not_read(url: str, db: Database) -> None:
    body = {**LISTING, "params": {"padding": "x" * 3_000_000}}
    refused = await post(url, body, Authorization=f"Bearer {await token_for(db, 'agent')}")
    assert refused.status_code == 413


def test_a_port_that_is_taken_is_told(url: str, frasier: FrasierProgram) -> None:
    port = url.rpartition(":")[2].partition("/")[0]
    ended = frasier("memory", "mcp", "--http", "--port", port, code=8)
    assert port in ended.err
    assert ended.out == ""


def test_over_http_nobody_is_named_by_an_option(frasier: FrasierProgram) -> None:
    ended = frasier("memory", "mcp", "--http", "--scope", "founder", code=2)
    assert "token" in ended.err
