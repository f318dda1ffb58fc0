"""Agents outside of the program, each with its own token, over MCP or HTTP, and the founder.

An agent is called with the name of a tool and its arguments. It returns the data of the result, or raises Refused.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from frasier.kernel.ids import new_id
from frasier.store import Database
from support.cli import DEADLINE_S, FrasierProgram, read_until

SERVE = ("serve", "--port", "0")
SERVE_MCP = ("mcp", "--http", "--port", "0")


class Refused(Exception):
    """A refusal as the agent reads it."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(f"{error.get('code')}: {error.get('message')} {error.get('hint')}")
        self.code = str(error["code"])
        self.message = str(error["message"])


class Agent(Protocol):
    """An agent that calls tools."""

    async def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]: ...


@dataclass(frozen=True)
class McpAgent:
    """An agent that uses the official SDK."""

    client: Client

    async def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self.client.call_tool(tool, arguments)
        if answer.is_error:
            raise Refused(json.loads(answer.content[0].text))
        data: dict[str, Any] = answer.structured_content["data"]
        return data


@dataclass(frozen=True)
class HttpAgent:
    """An agent that uses a plain HTTP client."""

    client: httpx2.AsyncClient

    async def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self.client.post(f"tools/{tool}", json=arguments)
        if answer.status_code != httpx2.codes.OK:
            raise Refused(answer.json()["error"])
        data: dict[str, Any] = answer.json()["data"]
        return data


@asynccontextmanager
async def over_mcp(url: str, token: str) -> AsyncIterator[Agent]:
    """Connect an agent whose host uses `frasier mcp --http`."""
    async with (
        httpx2.AsyncClient(headers=_bearer(token), timeout=DEADLINE_S) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield McpAgent(client)


@asynccontextmanager
async def over_http(base: str, token: str) -> AsyncIterator[Agent]:
    """Connect an agent that posts to `frasier serve`."""
    async with httpx2.AsyncClient(base_url=f"{base}/", headers=_bearer(token), timeout=DEADLINE_S) as http:
        yield HttpAgent(http)


@dataclass(frozen=True)
class Host:
    """A host with its own `frasier mcp`, which can be killed."""

    agent: Agent
    pid: int

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)


@asynccontextmanager
async def over_stdio(
    frasier: FrasierProgram, token: str, environment: Mapping[str, str]
) -> AsyncIterator[Host]:
    """Connect an agent whose host starts `frasier mcp` with the token in its environment."""
    number = frasier.home / f"{new_id()}.pid"
    server = StdioServerParameters(
        command="/bin/sh",
        args=[
            "-c",
            f'echo $$ > "{number}"; exec "$@"',
            "sh",
            sys.executable,
            "-m",
            "frasier",
            "mcp",
        ],
        env={**frasier._environment, **environment, "FRASIER_TOKEN": token},
        cwd=frasier.home,
    )
    async with Client(server) as client:
        yield Host(McpAgent(client), int(number.read_text()))


@contextmanager
def serving(
    frasier: FrasierProgram, *commands: tuple[str, ...], environment: Mapping[str, str]
) -> Iterator[list[str]]:
    """Start servers at once and yield their addresses; stop each cleanly at the end."""
    if not commands:
        yield []
        return
    with frasier.running(*commands[0], **environment) as process:
        with serving(frasier, *commands[1:], environment=environment) as others:
            output = read_until(process.stderr, "served at http://")
            yield [next(word.rstrip(";.") for word in output.split() if word.startswith("http://")), *others]
        process.send_signal(signal.SIGTERM)
        _, output = process.communicate(timeout=DEADLINE_S)
        assert process.returncode == 0, output


@dataclass(frozen=True)
class Founder:
    """The founder at the command line, over the database of the program."""

    frasier: FrasierProgram
    db: Database

    async def __call__(self, *command: str) -> str:
        """Run `frasier task …` and return its output."""
        return (await asyncio.to_thread(self.frasier, "task", *command)).out.strip()

    async def token(self) -> str:
        """Create a token of the founder, for use outside of the command line."""
        created = await asyncio.to_thread(self.frasier, "memory", "token", "create", "boss", "--founder")
        return created.out.strip()


def web_environment(authority: Path, host: str) -> dict[str, str]:
    """Return an environment in which the program may check links at `host` on this machine."""
    return {
        "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
        "FRASIER_WEB__ALLOW_PRIVATE_HOSTS": json.dumps([host]),
        "FRASIER_WEB__MIN_DELAY_S_PER_HOST": "0",
        "SSL_CERT_FILE": str(authority),
    }


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
