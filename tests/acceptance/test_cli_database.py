"""`frasier db`: the embedded server is started, kept, shown and stopped; an address never shows its password."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from frasier.kernel.errors import ConfigurationError, DatabaseUnreachable, SchemaMismatch
from frasier.memory import Caller, MemorySettings, RecallRequest, open_engine
from frasier.settings import load_settings
from frasier.store import Database, mask_address, migrate
from support.cli import FrasierProgram
from support.embedded_places import open_place

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def own() -> Iterator[FrasierProgram]:
    """The program with an embedded server in its home."""
    with open_place() as place:
        home = place / "home"
        home.mkdir(mode=0o755)
        yield FrasierProgram(home, None)


def test_the_example_of_the_memory_document_runs_as_it_stands_on_an_empty_home(own: FrasierProgram):
    page = (ROOT / "docs" / "MEMORY.md").read_text("utf-8")
    [example] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    [commands] = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    (own.home / "example.py").write_text(example)
    programs = own.home / "bin"
    programs.mkdir()
    for name, options in (("frasier", "-m frasier "), ("python", "")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {options}"$@"\n')
        (programs / name).chmod(0o755)
    told = own._environment | {"PATH": f"{programs}:{os.environ['PATH']}"}
    ended = subprocess.run(
        ["sh", "-e", "-c", commands], env=told, cwd=own.home, capture_output=True, text=True, check=False
    )
    own("db", "stop")
    assert ended.returncode == 0, ended.stderr
    assert "1 We left SQLite because … — " in ended.stdout


async def test_a_program_on_an_empty_home_is_told_what_is_missing(own: FrasierProgram):
    url = own.json("db", "url")["url"]
    with pytest.raises(DatabaseUnreachable) as refused:
        await migrate(url)
    assert [advice.action for advice in refused.value.advice] == ["database.start"]
    await asyncio.to_thread(own, "db", "start")
    with pytest.raises(SchemaMismatch, match="this role cannot change it") as refused:
        await migrate(url)
    assert [advice.action for advice in refused.value.advice] == ["database.migrate"]
    async with Database(url) as database, open_engine(database, MemorySettings()) as engine:
        with pytest.raises(SchemaMismatch) as refused:
            await engine.recall(
                Caller(name="coder", scopes=("shared",)), RecallRequest(text="why did we leave SQLite?")
            )
    assert [advice.action for advice in refused.value.advice] == ["database.migrate"]
    await asyncio.to_thread(own, "db", "stop")


def test_the_embedded_server_stays_between_commands_from_start_to_stop(own: FrasierProgram):
    asleep = own.json("db", "status")
    assert (asleep["embedded"], asleep["running"]) == (True, False)
    started = own.json("db", "start")
    assert started["running"] is True
    own("status")  # a command that comes and goes in between
    awake = own.json("db", "status")
    assert (awake["running"], awake["pid"], awake["keeps_running"]) == (True, started["pid"], True)
    assert awake["pending"] == []
    assert awake["vector"]
    with psycopg.connect(own("db", "url").out.strip()) as connection:
        assert connection.execute("select count(*) from org_agents").fetchone() == (7,)
    stopped = own.json("db", "stop")
    assert (stopped["running"], stopped["was_running"]) == (False, True)
    assert own.json("db", "status")["running"] is False
    assert "was not running" in own("db", "stop").out


def test_a_home_that_can_be_none_is_refused_by_every_command_and_nothing_is_made_elsewhere(
    own: FrasierProgram,
):
    file, link = own.home / "file", own.home / "link"
    file.write_text("mine")
    link.symlink_to(own.home / "nowhere")
    nothing = f"is a link to {own.home / 'nowhere'}, which is not there."
    for command, home, why in (
        ("start", file, f"{file} is not a directory."),
        ("stop", file / "below", f"{file} is not a directory."),
        ("status", link, nothing),
    ):
        refused = own.json("db", command, code=8, FRASIER_HOME=str(home))["error"]
        assert str(home) in refused["message"]
        assert refused["message"].endswith(why)
        assert "FRASIER_HOME" in refused["hint"]
    assert own("db", "status", code=8, FRASIER_HOME="").err.startswith(
        "Error: A setting is wrong: FRASIER_HOME"
    )
    assert sorted(own.home.iterdir()) == [file, link]
    assert file.read_text() == "mine"


def test_a_home_that_this_user_cannot_write_is_refused_before_the_database_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("FRASIER_HOME", str(tmp_path / "not-made-yet"))
    assert load_settings().home == tmp_path / "not-made-yet"
    monkeypatch.setattr(os, "access", lambda place, *_how, **_more: place != tmp_path)
    with pytest.raises(ConfigurationError, match=f"this user cannot write to {tmp_path}"):
        load_settings()
    assert load_settings(database_url="postgresql://elsewhere/db").home == tmp_path / "not-made-yet"


def test_without_start_the_last_command_stops_the_server(own: FrasierProgram):
    applied = own.json("db", "migrate")["applied"]
    assert applied[0] == "0001_store.sql"
    assert own.json("db", "status")["running"] is False
    assert own("db", "migrate").out == "The schema is up to date.\n"


def test_somebody_elses_database_is_shown_but_neither_started_nor_stopped(frasier: FrasierProgram):
    status = frasier.json("db", "status")
    assert (status["embedded"], status["role"]) == (False, "frasier_app")
    assert "frasier_app" in frasier("db", "status").out
    for command in ("start", "stop"):
        refused = frasier.json("db", command, code=3)["error"]
        assert refused["kept"] == "Nothing was changed."
    assert frasier.json("db", "migrate") == {"applied": []}


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:geheim@db.example:5432/x?sslmode=require",
        "postgresql://:geheim@db.example/x",
        "postgresql://db.example/x?user=me&password=geheim",
        "host=db.example user=me password=geheim dbname=x",
        "host=db.example password='geheim wort' dbname=x",
    ],
)
def test_an_address_is_masked_in_every_spelling(address: str):
    masked = mask_address(address)
    assert "geheim" not in masked
    assert conninfo_to_dict(masked) == {**conninfo_to_dict(address), "password": "***"}


def test_an_address_is_shown_without_its_password_unless_asked_for(frasier: FrasierProgram):
    address = "postgresql://me:geheim@db.example:5432/x"
    assert frasier("db", "url", FRASIER_DATABASE_URL=address).out == "postgresql://me:***@db.example:5432/x\n"
    assert frasier("db", "url", "--show-password", FRASIER_DATABASE_URL=address).out == f"{address}\n"


def test_an_address_that_is_none_is_refused_without_being_shown(frasier: FrasierProgram):
    for command in (["status"], ["db", "url"], ["db", "migrate"]):
        error = frasier.json(*command, code=8, FRASIER_DATABASE_URL="me:geheim@localhost")["error"]
        assert error["code"] == "configuration_error"
        assert "geheim" not in str(error)
