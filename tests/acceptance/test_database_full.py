"""Many processes at one database: each server of an agent needs few connections, and a full database says so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import psycopg

from frasier.store.embedded import EmbeddedServer, default_root
from support.cli import FrasierProgram
from support.line_server import HELLO, READY
from support.mcp_host import hosted

AT_MOST = 6
LIMIT = 14


@contextmanager
def small_server(program: FrasierProgram) -> Iterator[EmbeddedServer]:
    """The embedded server of the program's home, which accepts few connections."""
    root = default_root(program.home, explicit=True)
    settings = {"max_connections": str(LIMIT), "autovacuum": "off", "fsync": "off"}
    with EmbeddedServer(root, settings=settings, home=program.home) as server:
        yield server


def test_a_full_database_says_who_is_connected_and_what_to_do(alone: FrasierProgram) -> None:
    with small_server(alone) as server, ExitStack() as connections:
        assert alone("task", "board", "make", "kettle").code == 0
        url = f"{server.url()}&application_name=greedy"
        for _ in range(LIMIT - 3):  # PostgreSQL keeps three for the superuser
            connections.enter_context(psycopg.connect(url))
        for command in (("task", "board", "list"), ("status",)):
            refused = alone(*command, code=7)
            assert (
                "The database accepts no more connections: too many processes are connected." in refused.err
            )
            assert f"{LIMIT - 3} of {LIMIT} connections are in use (greedy: {LIMIT - 3})" in refused.err
            assert "End processes that are not needed" in refused.err
            assert "FRASIER_DATABASE_URL" not in refused.err
        examined = alone.json("doctor", "--json", code=7)
        checks = {check["name"]: check for check in examined["checks"]}
        assert checks["connections"]["state"] == "fail"
        assert "greedy" in checks["connections"]["found"]
        assert "End processes" in checks["connections"]["hint"]
    with small_server(alone):
        assert alone("task", "board", "list").code == 0


def test_the_server_of_one_agent_holds_few_connections(alone: FrasierProgram) -> None:
    with small_server(alone) as server, hosted(alone, "mcp") as agent:
        agent.ask(HELLO)
        agent.send(READY)
        calls = [
            {
                "jsonrpc": "2.0",
                "id": number,
                "method": "tools/call",
                "params": {"name": "memory_search", "arguments": {"query": f"kettle {number}"}},
            }
            for number in range(20)
        ]
        agent.send(*calls)
        for _ in calls:
            assert "error" not in agent.answer()
        connected = server.connected()
        assert list(connected.connections) == [f"frasier mcp (process {agent.process.pid})"]
        assert connected.count <= AT_MOST
