"""Links to link-local and cloud metadata addresses: refused over every interface, never opened, and nobody is advised
to open them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from mcp import Client

from frasier.interfaces.operations.organisation.tool_set import all_tools
from frasier.store.embedded import EmbeddedServer
from frasier.work.research.web import Fetcher, WebLinks
from frasier.work.research.web.settings import WebSettings
from support.board_team import Team, open_team
from support.cli_task import TaskProgram, task_program
from support.mcp_server import served_to
from support.task_walk import open_http_board

METADATA = (
    "169.254.169.254",
    "169.254.169.254:8080",
    "169.254.10.20",
    "[fe80::1]",
    "[fd00:ec2::254]",
    "[fd20:ce::254]",
    "[fd00:42::42]",
    "[fd00:c1::a9fe:a9fe]",
    "100.100.100.200",
    "192.0.0.192",
    "168.63.129.16",
    "[::ffff:169.254.169.254]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b:1::a9fe:a9fe]",
    "[64:ff9b:1:a9fe:a9:fe00::]",
    "[2001:0:53aa:64c:0:0:5601:5601]",
    "[2002:a9fe:a9fe::1]",
    "metadata.google.internal",
    "metadata.google.internal:8080",
)


async def _resolver(_host: str, _port: int) -> tuple[str, ...]:
    return ("169.254.169.254",)


@pytest.fixture
async def team(db) -> AsyncIterator[Team]:
    """A team whose links are looked up by the guarded fetcher, with every one of these addresses allowed."""
    named = frozenset(host if host.rpartition(":")[2].isdecimal() else f"{host}:443" for host in METADATA)
    settings = WebSettings(allow_private_hosts=named | {f"{host}:443" for host in METADATA[3:5]})
    async with open_team(db) as team, Fetcher(settings, resolver=_resolver) as fetcher:
        yield replace(team, board=replace(team.board, links=WebLinks(lambda: fetcher)))


def _delivery(team: Team, host: str, contribution: str) -> dict[str, object]:
    fields = {"pdsa_ref": f"https://{host}/latest", "memory_contribution_id": contribution}
    return {"task": "tea", "attempt": 1, "fields": fields}


def _check(host: str, said: str) -> None:
    assert "pdsa_ref does not resolve" in said, host
    assert "is refused: it is a link-local or cloud metadata address" in said, host
    assert "ALLOW_PRIVATE" not in said, host


async def test_no_agent_is_advised_to_open_a_metadata_address_over_mcp_or_http(team: Team):
    await team.claim("anna", await team.ready("tea"))
    learned = await team.learned("anna")
    server = served_to(lambda: team.callers["anna"], team.engine, all_tools(), board=team.board)
    async with open_http_board(team) as wire, Client(server) as client:
        for host in METADATA:
            given = _delivery(team, host, learned)
            answered = await wire(team.tokens["anna"], "task_deliver", **given)
            assert answered.status_code >= 400, host
            _check(host, answered.text)
            called = await client.call_tool("task_deliver", given)
            assert called.is_error, host
            _check(host, str(called.content))


@pytest.fixture(scope="module")
def kettle(server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TaskProgram]:
    with task_program(server, tmp_path_factory.mktemp("kettle"), real=False) as program:
        yield program


def test_no_person_is_advised_to_open_a_metadata_address_on_the_command_line(
    kettle: TaskProgram, tmp_path: Path
):
    name = kettle.ready()
    kettle.output("anna", "claim", name, "--session", kettle.asked("anna"))
    link = ["-f", "pdsa_ref=https://169.254.169.254/latest"]
    link += ["-f", f"memory_contribution_id={kettle.learned('anna')}"]
    allowed = {"FRASIER_WEB__ALLOW_PRIVATE_HOSTS": '["169.254.169.254:443"]'}
    refused = kettle.frasier(
        "task", "deliver", name, "--attempt", "1", *link, code=3, **kettle.of("anna"), **allowed
    )
    _check("169.254.169.254", refused.err)
