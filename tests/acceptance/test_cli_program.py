"""The program as a whole: its help is light, its errors tell what to do, and it behaves on every kind of output."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

from support.cli import SOURCE, FrasierProgram
from support.cli_states import new_mission

COMMANDS = [
    "init",
    "demo",
    "run",
    "say",
    "answer",
    "resume",
    "watch",
    "ask",
    "revise",
    "steer",
    "up",
    "status",
    "inbox",
    "decide",
    "approve",
    "reject",
    "board",
    "pause",
    "cancel",
    "retry",
    "costs",
    "telemetry",
    "postmortem",
    "evaluations",
    "evaluate",
    "doctor",
    "worker",
    "heartbeat",
    "serve",
    "web",
    "mcp",
    "missions",
    "steps",
    "agents",
    "teams",
    "routine",
    "proposals",
    "directives",
    "skills",
    "policy",
    "memory",
    "task",
    "skill",
    "events",
    "outbox",
    "subscriptions",
    "db",
]
UNREACHABLE = "postgresql://me:geheim@localhost:1/nothing"


def test_help_names_every_command_and_none_is_cut_off(frasier: FrasierProgram):
    shown = frasier("--help").out
    listed = re.findall(r"^  ([a-z]+)  ", shown.split("Commands:")[1], re.MULTILINE)
    assert listed == COMMANDS
    assert "..." not in shown.split("Commands:")[1]


def test_help_loads_nothing_heavy():
    script = (
        "import sys; sys.argv = ['frasier', '--help']\n"
        "from frasier.app import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted(sys.modules), file=sys.stderr)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(SOURCE), "PATH": os.environ["PATH"]},
    )
    modules = set(json.loads(ran.stderr.splitlines()[-1].replace("'", '"')))
    loaded = {name.partition(".")[0] for name in modules}
    assert not loaded & {
        "rich",
        "psycopg",
        "pydantic",
        "openai",
        "structlog",
        "trafilatura",
        "httpx2",
        "asyncio",
    }
    assert [
        name
        for name in modules
        if name.startswith(("frasier.interfaces.cli.memory.", "frasier.interfaces.cli.task."))
    ] == []


def test_the_end_of_the_program_searches_nothing_for_garbage():
    script = (
        "import atexit, gc, sys; sys.argv = ['frasier', '--version']\n"
        "from frasier.app import main\n"
        "atexit.register(lambda: print(gc.get_freeze_count(), len(gc.get_objects())))\n"
        "main()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(SOURCE), "PATH": os.environ["PATH"]},
    )
    frozen, searched = map(int, ran.stdout.splitlines()[-1].split())
    assert frozen > 10_000
    assert searched < 100


UNUSED = {
    "httpx2",
    "numpy",
    "openai",
    "structlog",
    "tokenizers",
    "trafilatura",
    "frasier.llm.prompt_inputs",
    "frasier.org.planning.plan",
    "frasier.work.research.mission_sources",
}
"""What no command needs that only reads and shows. Each takes 5 to 50 ms to load."""
OF_VIEWS = {
    "yaml",
    "Stemmer",
    "frasier.kernel.redaction",
    "frasier.llm.reply_schemas",
    "frasier.memory.engine",
    "frasier.workflow.tasks.create",
    "frasier.workflow.transitions.move",
}
"""What the founder's views do not need either: their operations change nothing."""


def modules_of(frasier: FrasierProgram, *command: str) -> set[str]:
    """What a process that runs this command has loaded at its end."""
    imports = frasier(*command, PYTHONPROFILEIMPORTTIME="1").err
    return {line.rpartition("|")[2].strip() for line in imports.splitlines()}


@pytest.mark.parametrize(
    ("command", "unused"),
    [
        (("status",), UNUSED | OF_VIEWS),
        (("inbox",), UNUSED | OF_VIEWS),
        (("missions", "list"), UNUSED | OF_VIEWS),
        (("task", "list"), UNUSED),
        (("memory", "list"), UNUSED | {"frasier.interfaces.operations.memory.graph"}),
    ],
)
def test_a_command_loads_only_what_it_uses(
    frasier: FrasierProgram, command: tuple[str, ...], unused: set[str]
):
    loaded = modules_of(frasier, *command)
    assert "psycopg" in loaded
    assert sorted(loaded & unused) == []
    commands = {"status", "inbox", "missions", "run", "doctor", "processes"} - set(command)
    assert not loaded & {f"frasier.interfaces.cli.{name}" for name in commands}


@pytest.mark.parametrize(
    "group", ["missions", "steps", "agents", "memory", "task", "skill", "events", "outbox", "db"]
)
def test_a_group_alone_shows_its_commands(frasier: FrasierProgram, group: str):
    shown = frasier(group, code=2)
    assert "Commands:" in shown.out + shown.err


def test_an_unknown_command_is_refused_with_the_nearest_one(frasier: FrasierProgram):
    assert "Did you mean 'status'" in frasier("statsu", code=2).err
    assert frasier.json("statsu", code=2)["error"]["code"] == "usage"


@pytest.mark.parametrize("command", [["status"], ["events", "verify"], ["db", "status"]])
def test_an_unreachable_database_is_told_on_the_right_stream_without_the_password(
    frasier: FrasierProgram, command: list[str]
):
    error = frasier.json(*command, code=7, FRASIER_DATABASE_URL=UNREACHABLE)["error"]
    assert error["code"] == "database_unreachable"
    assert "frasier doctor" in error["hint"]
    assert "geheim" not in str(error)


def test_an_error_for_people_says_what_was_kept_and_what_to_do(frasier: FrasierProgram):
    told = frasier("status", code=7, FRASIER_DATABASE_URL=UNREACHABLE)
    assert told.out == ""
    assert told.err.startswith("Error: The database does not answer")
    assert "Everything committed before is in the database." in told.err
    assert "Traceback" not in told.err


def test_a_reader_that_leaves_ends_the_program_without_a_word(frasier: FrasierProgram):
    process = frasier.start("agents", "list")
    process.stdout.close()
    told = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 141
    assert told == ""


async def test_without_a_terminal_lines_are_whole_and_plain(db, home, frasier: FrasierProgram):
    title = "Compare " + "the many teas " * 8
    async with db.transaction() as tx:
        await new_mission(tx, home, title)
    listed = frasier("missions", "list", COLUMNS="40").out
    assert "\x1b" not in listed
    (line,) = [line for line in listed.splitlines() if "Compare" in line]
    assert title.strip() in line
    assert not any(line != line.rstrip() for line in listed.splitlines())


async def test_a_narrow_terminal_gets_lines_that_fit_it(db, home, frasier: FrasierProgram):
    async with db.transaction() as tx:
        mission = await new_mission(tx, home, "Compare how teas are brewed and stored")
    drawn = frasier.on_terminal("missions", "list", columns=40)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", drawn)
    assert max(map(len, plain.splitlines())) <= 40
    assert f"mission {str(mission.id)[-8:]}" in plain


async def test_colours_are_for_terminals_that_want_them(db, home, frasier: FrasierProgram):
    async with db.transaction() as tx:
        await new_mission(tx, home)
    assert "\x1b[" in frasier.on_terminal("missions", "list", columns=100)
    assert not re.search(r"\x1b\[3\d", frasier.on_terminal("missions", "list", columns=100, NO_COLOR="1"))


async def test_what_a_page_or_model_wrote_cannot_steer_the_terminal(db, home, frasier: FrasierProgram):
    async with db.transaction() as tx:
        mission = await new_mission(tx, home)
        await tx.execute(
            "update org_missions set title = %s where id = %s",
            ["Tea\x1b[2J\x1b]0;owned\x07 [bold]", mission.id],
        )
    shown = frasier("missions", "list").out
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "[bold]" in shown


async def test_a_terminal_without_our_signs_gets_others(db, home, frasier: FrasierProgram):
    async with db.transaction() as tx:
        await new_mission(tx, home)
    assert "?" in frasier("missions", "list", PYTHONIOENCODING="ascii").out
