"""`frasier task`, `board` and `skill install`, typed as nobody means to: a refusal that helps, and nothing lost."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frasier.interfaces.advice import ACTIONS
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from frasier.kernel.ids import new_id
from frasier.memory import EmbeddingSettings, MemorySettings
from frasier.store import Database
from support.attacked_board import (
    LOOKED_UP,
    SECRET,
    TOKEN_MARK,
    VAULT,
    AttackedBoard,
    changed,
    open_attacked_board,
    table_digests_now,
)
from support.board_garbage import BOMBS, LINKS
from support.board_team import BOARD, open_team
from support.cli_garbage import (
    GIVEN,
    ODD_ARGUMENTS,
    REFUSED,
    TYPED,
    USAGE,
    check_outcome,
    command_lines,
    leaf_commands,
)
from support.garbage import SECRET as SECRET_OF_FILES
from support.garbage import UNKNOWN, hostile_paths
from support.in_process_cli import BoardAlone, commands, run_inside

FEW, MANY = 6, 80
UNWRITABLE = 8
# It goes on until it is stopped; `board --watch` does the same.
STAYING = ("task", "watch")
ATTACKED = [path for path in leaf_commands(commands().commands["task"], ("task",)) if path != STAYING]
ATTACKED += [("board",), ("skill", "install")]
LOOKING = {
    *(("task", name) for name in ("recover", "list", "get", "history", "process", "wait", "commands")),
    *(("task", "decisions"), ("task", "member", "list"), ("task", "board", "list"), ("board",)),
    *(("task", "command", "list"), ("skill", "install")),
}
SHOWN_ONCE = ("task", "member", "add")
"""The one command that may print a token: that of a new member."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryClient:
    """The program over a board. `place` is where commands are typed, with files of every bad sort beside it."""

    application: BoardAlone
    url: str
    attacked_board: AttackedBoard
    place: Path
    files: list[str]

    def of(self, who: str) -> dict[str, str]:
        """The environment of a member, of nobody, or of the founder, who has no token."""
        return {"FRASIER_TOKEN": self.attacked_board.team.tokens.get(who, who)} if who != "boss" else {}


@pytest.fixture(scope="module")
def memory_client(server: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryClient]:
    name = f"t_{new_id().hex}"
    server.create_database(name, template="frasier_template")
    url = server.url("frasier_app", name)
    place = tmp_path_factory.mktemp("board") / "here"
    place.mkdir()

    async def open_board() -> AttackedBoard:
        async with Database(url) as db, open_team(db) as team:
            return await open_attacked_board(team)

    rules = MemorySettings(embedding=EmbeddingSettings(provider="none"))
    files = [path for path in hostile_paths(place, place.parent / "outside") if "\x00" not in path]
    attacked_board = asyncio.run(open_board())
    yield MemoryClient(
        application=BoardAlone(url, rules), url=url, attacked_board=attacked_board, place=place, files=files
    )
    server.drop_database(name)


def values_of(parameter: Any, memory_client: MemoryClient) -> st.SearchStrategy[str]:
    stand = memory_client.attacked_board.stand
    tasks = [
        *stand.names,
        f"{VAULT}/jewels",
        memory_client.attacked_board.jewels,
        UNKNOWN,
        "jewels",
        "../vault/jewels",
    ]
    match parameter.name:
        case "task" | "needs" | "about" | "history":
            return st.sampled_from(tasks) | TYPED
        case "board":
            return st.sampled_from([BOARD, VAULT]) | TYPED
        case "field" | "said":
            named = st.sampled_from(
                ["constraints", "pdsa_ref", "acceptance_criteria", "depends_on_reviewed", "x", ""]
            )
            signs = st.sampled_from(["=", ":=", "=@", "", "=="])
            paths = st.sampled_from(memory_client.files)
            said = st.tuples(named, signs, paths | LINKS.filter(str.isascii) | BOMBS | TYPED | ODD_ARGUMENTS)
            return said.map("".join)
        case "attempt" | "version" | "seen" | "priority":
            return st.integers(-1, 3).map(str) | st.sampled_from(["9" * 30, "-0", str(2**31)]) | TYPED
        case "timeout" | "limit" | "over_days" | "memory":
            return st.sampled_from(["0", "0.01", "-1", "nan", "inf", "1e309", "9" * 30, "600"])
        case "to":
            # Not any text at all: as root, that could be any place of the machine.
            return st.sampled_from(
                [*memory_client.files[:13], "x" * 300, "-", "", ".", "caf\udce9", "new/er", "*"]
            )
        case "decision":
            return st.sampled_from([stand.decision, stand.decision[-8:], UNKNOWN, "%%%%"]) | TYPED
        case "folder" | "report":
            return st.sampled_from(memory_client.files) | TYPED
        case "session":
            return st.just(stand.session) | TYPED
        case _:
            return TYPED | ODD_ARGUMENTS | st.sampled_from(["liaison", "ready", "unit", "kettle", "extra"])


def without_watching(command: Any) -> Any:
    """The command's parameters but for what would make it go on."""
    return type("Shown", (), {"params": [one for one in command.params if one.name != "watch"]})


def test_what_is_attacked_is_every_command_that_ends() -> None:
    assert {tuple(one.command.split()[:2]) for one in ACTIONS.values() if one.tool in TASK_OPERATIONS} <= set(
        ATTACKED
    )
    assert {*ATTACKED, STAYING} >= set(leaf_commands(commands().commands["task"], ("task",)))
    assert set(ATTACKED) >= LOOKING


@pytest.mark.parametrize("examples", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("path", ATTACKED, ids=" ".join)
def test_no_garbage_brings_a_command_down(
    memory_client: MemoryClient, path: tuple[str, ...], examples: int
) -> None:
    command = commands()
    for word in path:
        command = command.commands[word]
    # Whoever waits without saying how long waits for half a minute.
    first = ["--timeout", "0"] if path == ("task", "wait") else []
    callers = st.sampled_from(["boss", "lia", "anna", "nobody", "gone", "", "frasier_sk-none", "caf\udce9"])
    codes = (USAGE, REFUSED, UNWRITABLE) if path[0] == "skill" else (USAGE, REFUSED)
    looked_up = LOOKED_UP.get("_".join(path), set())

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(
        who=callers,
        arguments=command_lines(
            without_watching(command), lambda parameter: values_of(parameter, memory_client)
        ),
        given_text=GIVEN,
    )
    def throw(who: str, arguments: list[str], given_text: bytes) -> None:
        before = table_digests_now(memory_client.url)
        with chdir(memory_client.place), patch.dict(os.environ, memory_client.of(who)):
            ended = run_inside(memory_client.application, [*path, *first, *arguments], given=given_text)
        check_outcome(ended, arguments, codes=codes)
        touched = changed(before, table_digests_now(memory_client.url))
        said = ended.out + ended.err
        assert path == SHOWN_ONCE or TOKEN_MARK not in said.replace("frasier_sk-…", "")
        if ended.code:
            assert touched <= looked_up, "a refusal changed something"
        elif path in LOOKING:
            assert touched == set(), "it was looked at, and something changed"
        if who != "boss":
            assert "vault" not in touched
            assert SECRET not in said
            assert SECRET_OF_FILES not in said

    throw()


@pytest.mark.parametrize(
    "arguments",
    [
        *(("task", name) for name in ("list", "recover", "decisions", "commands")),
        *(("task", "board", "list"), ("board",), ("task", "list", "--board", VAULT), ("board", VAULT)),
        *(("task", name, f"{VAULT}/jewels") for name in ("get", "history")),
    ],
    ids=" ".join,
)
def test_what_another_team_has_is_not_shown(memory_client: MemoryClient, arguments: tuple[str, ...]) -> None:
    with patch.dict(os.environ, memory_client.of("lia")):
        ended = run_inside(memory_client.application, [*arguments, "--json"])
    check_outcome(ended, [*arguments, "--json"])
    assert (ended.code == REFUSED) is any(VAULT in one for one in arguments)
    assert SECRET not in ended.out
    assert ended.code or VAULT not in ended.out


@pytest.mark.parametrize("examples", [FEW * 3, pytest.param(MANY * 3, marks=pytest.mark.slow)])
def test_no_garbage_costs_a_changed_skill_or_leaves_half_a_file(
    memory_client: MemoryClient, examples: int
) -> None:
    page = memory_client.place / ".claude" / "skills" / "frasier-task-board" / "SKILL.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    command = commands().commands["skill"].commands["install"]

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(arguments=command_lines(command, lambda parameter: values_of(parameter, memory_client)))
    def throw(arguments: list[str]) -> None:
        page.write_text("My own rules.\n")
        with chdir(memory_client.place):
            ended = run_inside(memory_client.application, ["skill", "install", *arguments])
        check_outcome(ended, arguments, codes=(USAGE, REFUSED, UNWRITABLE))
        assert "--force" in arguments or page.read_text() == "My own rules.\n"
        there = [
            name for _, folders, files in os.walk(memory_client.place.parent) for name in (*folders, *files)
        ]
        assert [name for name in there if name.startswith((".frasier-", ".SKILL"))] == []

    throw()


@pytest.mark.parametrize(
    "arguments",
    [
        ("member", "remove", "caf\udce9"),
        ("member", "add", "caf\udce9", "--role", "dev"),
        ("board", "make", "caf\udce9"),
        ("board", "mode", "caf\udce9", "semi"),
        ("command", "enable", "unit", "--board", "caf\udce9"),
        ("command", "declare", "x", "/bin/echo", "--folder", "/caf\udce9", "--board", BOARD),
        ("note", '{"a": ' * 800 + "1" + "}" * 800),
        ("note", "a:=" + "[" * 800 + "]" * 800),
        ("note", "a:=NaN"),
        ("note", "a:=" + "9" * 5_000),
        ("edit", "TASK", "--field", "constraints:=" + "[" * 800 + "]" * 800),
        ("renew", "TASK", "--attempt", str(2**31)),
        ("edit", "TASK", "--field", "constraints=x", "--version", str(2**31)),
        ("block", "TASK", "--reason", " ", "--owner", "liaison", "--action", " "),
        ("create", "cup", "--title", " ", "--description", "d", "--criterion", "c"),
        ("create", "cup", "--title", "t", "--description", "d", "--criterion", "c", "--needs", "nothing"),
    ],
    ids=lambda arguments: f"{arguments[0]} {arguments[-1][:12]}",
)
def test_what_once_was_a_defect_or_left_without_advice_is_answered(
    memory_client: MemoryClient, arguments: tuple[str, ...]
) -> None:
    named = [memory_client.attacked_board.stand.tasks["new"] if one == "TASK" else one for one in arguments]
    before = table_digests_now(memory_client.url)
    who = "boss" if named[0] in {"member", "board", "command"} else "lia"
    with patch.dict(os.environ, memory_client.of(who)):
        ended = run_inside(memory_client.application, ["task", *named, "--json"])
    assert ended.code in {USAGE, REFUSED}, ended.err
    check_outcome(ended, [*named, "--json"])
    assert table_digests_now(memory_client.url) == before
