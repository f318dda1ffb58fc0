"""A database that a newer program updates: the update is told, and what still runs of an older program ends in order."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import psycopg
import pytest

from frasier.kernel.ids import new_id
from frasier.store import migrate
from frasier.store.embedded import EmbeddedServer
from frasier.store.migration_runner import known_migrations
from support.cli import DEADLINE_S, FrasierProgram, read_until

OF_A_NEWER = "9999_teapots.sql"
LAST = len(known_migrations())


@pytest.fixture
def empty_database(server: EmbeddedServer) -> Iterator[str]:
    name = f"e_{new_id().hex}"
    server.create_database(name)
    yield name
    server.drop_database(name)


def addresses(server: EmbeddedServer, name: str) -> dict[str, str]:
    return {
        "FRASIER_DATABASE_URL": server.url("frasier_app", name),
        "FRASIER_DATABASE__OWNER_URL": server.url("frasier_owner", name),
    }


@pytest.mark.usefixtures("home")
async def test_the_first_command_of_a_newer_program_says_that_it_has_updated_the_database(
    frasier: FrasierProgram, server: EmbeddedServer, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = known_migrations()[:-2]
    with monkeypatch.context() as patched:
        patched.setattr(sys.modules["frasier.store.migration_runner"], "known_migrations", lambda: older)
        await migrate(server.url("frasier_owner", empty_database))
    status = frasier("status", "--json", **addresses(server, empty_database))
    assert status.err.startswith(f"Updated the database from version {LAST - 2} to {LAST}; ")
    assert status.err.count("\n") == 1
    assert json.loads(status.out)
    assert frasier("status", "--json", **addresses(server, empty_database)).err == ""


@pytest.mark.usefixtures("home")
async def test_a_new_database_is_no_update(
    frasier: FrasierProgram, server: EmbeddedServer, empty_database: str
) -> None:
    assert frasier("status", "--json", **addresses(server, empty_database)).err == ""


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    "command", [("worker",), ("up", "--no-web"), ("heartbeat",), ("memory", "serve", "--port", "0")]
)
async def test_what_runs_ends_with_a_message_when_a_newer_program_updates_the_database(
    frasier: FrasierProgram, owner_url: str, command: tuple[str, ...]
) -> None:
    with frasier.running(*command) as process:
        serving = process.stderr if command[0] == "memory" else process.stdout
        read_until(serving, "http://" if command[0] == "memory" else "Frasier is up")
        with psycopg.connect(owner_url) as owner:
            owner.execute("insert into store_migrations values (%s, '', now())", [OF_A_NEWER])
        _, told = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 7
    assert told.splitlines()[-3:] == [
        f"Error: A newer Frasier has updated the database, to {OF_A_NEWER}, which this one does not know.",
        "Everything that was stored before is kept; what was begun goes on at the next start.",
        "Start this again with the new version.",
    ]
