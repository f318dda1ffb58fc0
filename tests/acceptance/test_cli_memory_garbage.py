"""Every command of `frasier memory`, typed as nobody means to: a refusal that helps, no traceback, and nothing lost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frasier.kernel.ids import new_id
from frasier.memory import EmbeddingSettings, MemoryKind, MemorySettings, NewMemory, open_engine, save_memory
from frasier.store import Database
from support.cli import Ended
from support.cli_inside import MemoryAlone, commands, run_inside
from support.garbage import KNOWN, ODD_TEXTS, SECRET, wicked_files
from support.memory_tool_examples import stock
from support.refusals import check_refusal, kept_now, out_of_reach_now, put_out_of_reach

FEW, MANY = 8, 60
USAGE, REFUSED = 2, 3
# They go on until they are stopped, or measure for minutes where their arguments are good.
STAYING = {"mcp", "serve", "bench"}

TYPED = (ODD_TEXTS | st.text(max_size=30)).filter(
    # What no system hands to a program: arguments end at a NUL, and half a pair has no bytes.
    lambda text: "\x00" not in text and not any("\ud800" <= one <= "\udbff" for one in text)
)
ODD_ARGUMENTS = st.sampled_from(
    [
        *("-", "--", "--no-such-option", "-x", "caf\udce9", "\udcff\udcfe", "@file", "1", "0", "-1"),
        *(
            "9" * 30,
            "1e3",
            "2026-13-45",
            "0001-01-01",
            "9999-12-31T23:59",
            "now",
            "caused=",
            "=",
            "likes=" + KNOWN,
        ),
        *("{", "[" * 5_000, '{"a": NaN}', '{"a": "\\u0000"}', '{"a": "\\ud800"}', "[]", '{"a": ' * 3_000),
        *(
            "shared",
            "founder",
            "project:x",
            "accepted",
            "good",
            "superseded",
            "caused",
            "active",
            "s-1",
            "monday",
        ),
    ]
)
GIVEN = st.sampled_from(
    [
        *(
            b"",
            b"y\n",
            b"n\n",
            b"\n",
            b"\xff\xfe\n",
            b"y\xff\n",
            b"\x00\x00\x00",
            b"\xef\xbb\xbfThe ferry sails at ten.",
        ),
        *(b"word " * 200_001, "é".encode() * 10_001, b"A text that is long enough to be saved, from a pipe."),
    ]
) | st.binary(max_size=40)


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The program over a memory, and what it held when it was laid out."""

    application: MemoryAlone
    url: str
    files: list[str]
    others: str


def leaves(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words of every command below a group."""
    for name, command in sorted(group.commands.items()):
        if hasattr(command, "commands"):
            yield from leaves(command, (*path, name))
        elif name not in STAYING:
            yield (*path, name)


COMMANDS = list(leaves(commands().commands["memory"], ("memory",)))


@pytest.fixture(scope="module")
def desk(server: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    name = f"t_{new_id().hex}"
    server.create_database(name, template="frasier_template")
    url = server.url("frasier_app", name)
    place = tmp_path_factory.mktemp("desk")
    root = place / "notes"
    root.mkdir()
    rules = MemorySettings(roots=(root,), embedding=EmbeddingSettings(provider="none"))

    async def lay_out() -> str:
        async with Database(url) as db, open_engine(db, rules) as engine:
            await stock(engine, root)
            return await put_out_of_reach(engine)

    others = asyncio.run(lay_out())
    files = wicked_files(root, place / "outside")
    yield Desk(application=MemoryAlone(url, rules), url=url, files=files, others=others)
    server.drop_database(name)


def put_back(desk: Desk) -> None:
    """The memory of which the arguments speak, where an earlier command took it away."""

    async def save() -> None:
        async with Database(desk.url) as db, db.transaction() as tx:
            new = NewMemory(
                kind=MemoryKind.OBSERVATION, scope="shared", content="The zanzibar release is on Monday."
            )
            saved = await save_memory(tx, new)
            await tx.execute("update memory_items set id = %s where id = %s", (KNOWN, saved))

    with psycopg.connect(desk.url) as connection:
        there = connection.execute("select from memory_items where id = %s", (KNOWN,)).fetchall()
    if not there:
        asyncio.run(save())


def values_of(parameter: Any, files: list[str]) -> st.SearchStrategy[str]:
    paths = st.sampled_from([path for path in files if "\x00" not in path])
    match parameter.name:
        case "memory" | "memories" | "source" | "target" | "replacement":
            return st.sampled_from([KNOWN, KNOWN[-8:]]) | TYPED | ODD_ARGUMENTS
        case "file" | "folder":
            return paths | TYPED
        case "text":
            return st.just("-") | TYPED | ODD_ARGUMENTS
        case "scope":
            return st.just("shared") | TYPED
        case "limit" | "depth" | "importance" | "version" | "knowledge" | "uncertainty" | "context":
            return st.integers(1, 9).map(str) | TYPED | ODD_ARGUMENTS
        case _:
            return TYPED | ODD_ARGUMENTS


def typed(command: Any, files: list[str]) -> st.SearchStrategy[list[str]]:
    """Its arguments, of which one may be missing or too many, and some of its options with good and bad values."""
    parts: list[st.SearchStrategy[list[str]]] = []
    options: list[st.SearchStrategy[list[str]]] = [st.just(["--json"]), ODD_ARGUMENTS.map(lambda one: [one])]
    for parameter in command.params:
        values = values_of(parameter, files)
        if parameter.param_type_name == "argument":
            least = 1 if parameter.required else 0
            parts.append(st.lists(values, min_size=least, max_size=2 if parameter.nargs == -1 else 1))
        elif parameter.is_flag:
            options.append(st.sampled_from([[name] for name in (*parameter.opts, *parameter.secondary_opts)]))
        elif parameter.name != "help":
            flagged = values.map(lambda value, name=parameter.opts[0]: [name, value])
            options.append(flagged)
            if parameter.required:
                parts.append(flagged)
    few = st.lists(st.one_of(options), max_size=3)
    return st.tuples(*parts, few).map(lambda pieces: [word for piece in pieces for word in flat(piece)])


def flat(piece: Any) -> Iterator[str]:
    for part in piece:
        if isinstance(part, str):
            yield part
        else:
            yield from part


def check(ended: Ended, arguments: list[str]) -> None:
    """Its answer, or what a person and a script are owed where there is none."""
    assert "Traceback" not in ended.err + ended.out, ended.err
    assert SECRET not in ended.out
    if ended.code == 0:
        return
    assert ended.code in {USAGE, REFUSED}, (ended.code, ended.err)
    if "--json" in arguments:
        document = json.loads(ended.out)
        assert set(document) == {"error"}
        check_refusal(document["error"])
        return
    assert ended.out == ""
    said = ended.err.strip().splitlines()
    assert any(line.startswith("Error") for line in said), ended.err
    assert len(said) > 1, f"nothing tells what to do: {ended.err}"


@pytest.mark.parametrize("examples", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_no_garbage_brings_a_command_down(desk: Desk, path: tuple[str, ...], examples: int) -> None:
    command = commands()
    for word in path:
        command = command.commands[word]
    put_back(desk)

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(arguments=typed(command, desk.files), given_text=GIVEN)
    def throw(arguments: list[str], given_text: bytes) -> None:
        before = kept_now(desk.url)
        ended = run_inside(desk.application, [*path, *arguments], given=given_text)
        check(ended, arguments)
        if ended.code:
            assert kept_now(desk.url) == before, "a refusal changed something"
        assert out_of_reach_now(desk.url) == desk.others

    throw()


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("out.md", "E011"),
        ("loop.md", "E011"),
        ("away/secret.md", "E011"),
        ("../outside/secret.md", "E014"),
        ("folder.md", "E011"),
        ("missing.md", "E010"),
        ("broken.md", "E012"),
        ("huge.md", "PF031"),
        ("bomb.md", "E090"),
        ("caf\udce9.md", "E012"),
    ],
)
def test_a_file_that_is_none_is_refused_by_its_number(desk: Desk, name: str, number: str) -> None:
    arguments = ["memory", "save", "--file", f"{desk.files[0].rpartition('/')[0]}/{name}", "--json"]
    ended = run_inside(desk.application, arguments)
    check(ended, arguments)
    assert json.loads(ended.out)["error"]["number"] == number


@pytest.mark.parametrize("option", ["--title", "--tag", "--trigger", "--speaker"])
def test_what_is_no_text_is_refused_and_not_left_out(desk: Desk, option: str) -> None:
    before = kept_now(desk.url)
    arguments = ["memory", "save", "The office is open until ten o'clock.", option, "caf\udce9", "--json"]
    ended = run_inside(desk.application, arguments)
    check(ended, arguments)
    assert json.loads(ended.out)["error"]["number"] == "E012"
    assert kept_now(desk.url) == before


@pytest.mark.parametrize(
    ("arguments", "given_text"),
    [
        (["token", "revoke", "caf\udce9"], b""),
        (["delete", KNOWN], b"\xff\n"),
        (["checkpoint", "delete", "monday"], b"\x80"),
        (["session", "save", "s-1", "--state", '{"a": ' * 100_000], b""),
        (["revert", KNOWN, str(2**31)], b""),
        (["save", "no words", "--json", "--no-such-option"], b""),
    ],
)
def test_what_once_was_a_defect_or_left_without_advice_is_answered(
    desk: Desk, arguments: list[str], given_text: bytes
) -> None:
    put_back(desk)
    before = kept_now(desk.url)
    check(run_inside(desk.application, ["memory", *arguments], given=given_text), arguments)
    assert kept_now(desk.url) == before
