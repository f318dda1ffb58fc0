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
from support.cli_garbage import GIVEN, ODD_ARGUMENTS, TYPED, check_outcome, command_lines, leaf_commands
from support.garbage import KNOWN, SECRET, hostile_paths
from support.in_process_cli import MemoryAlone, commands, run_inside
from support.memory_tool_examples import save_example_memories
from support.refusals import memory_fingerprint_now, out_of_reach_fingerprint_now, save_out_of_reach

FEW, MANY = 8, 60
# They go on until they are stopped, or measure for minutes where their arguments are good.
STAYING = {"mcp", "serve", "bench"}


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryClient:
    """The program over a memory, and what it held when it was laid out."""

    application: MemoryAlone
    url: str
    files: list[str]
    others: str


COMMANDS = [
    path for path in leaf_commands(commands().commands["memory"], ("memory",)) if path[-1] not in STAYING
]


@pytest.fixture(scope="module")
def memory_client(server: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryClient]:
    name = f"t_{new_id().hex}"
    server.create_database(name, template="frasier_template")
    url = server.url("frasier_app", name)
    place = tmp_path_factory.mktemp("client")
    root = place / "notes"
    root.mkdir()
    rules = MemorySettings(roots=(root,), embedding=EmbeddingSettings(provider="none"))

    async def lay_out() -> str:
        async with Database(url) as db, open_engine(db, rules) as engine:
            await save_example_memories(engine, root)
            return await save_out_of_reach(engine)

    others = asyncio.run(lay_out())
    files = hostile_paths(root, place / "outside")
    yield MemoryClient(application=MemoryAlone(url, rules), url=url, files=files, others=others)
    server.drop_database(name)


def put_back(memory_client: MemoryClient) -> None:
    """The memory of which the arguments speak, where an earlier command took it away."""

    async def save() -> None:
        async with Database(memory_client.url) as db, db.transaction() as tx:
            new = NewMemory(
                kind=MemoryKind.OBSERVATION, scope="shared", content="The zanzibar release is on Monday."
            )
            saved = await save_memory(tx, new)
            await tx.execute("update memory_items set id = %s where id = %s", (KNOWN, saved))

    with psycopg.connect(memory_client.url) as connection:
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


@pytest.mark.parametrize("examples", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_no_garbage_brings_a_command_down(
    memory_client: MemoryClient, path: tuple[str, ...], examples: int
) -> None:
    command = commands()
    for word in path:
        command = command.commands[word]
    put_back(memory_client)

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(
        arguments=command_lines(command, lambda parameter: values_of(parameter, memory_client.files)),
        given_text=GIVEN,
    )
    def throw(arguments: list[str], given_text: bytes) -> None:
        before = memory_fingerprint_now(memory_client.url)
        ended = run_inside(memory_client.application, [*path, *arguments], given=given_text)
        check_outcome(ended, arguments)
        assert SECRET not in ended.out
        if ended.code:
            assert memory_fingerprint_now(memory_client.url) == before, "a refusal changed something"
        assert out_of_reach_fingerprint_now(memory_client.url) == memory_client.others

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
def test_a_file_that_is_none_is_refused_by_its_number(
    memory_client: MemoryClient, name: str, number: str
) -> None:
    arguments = ["memory", "save", "--file", f"{memory_client.files[0].rpartition('/')[0]}/{name}", "--json"]
    ended = run_inside(memory_client.application, arguments)
    check_outcome(ended, arguments)
    assert json.loads(ended.out)["error"]["number"] == number


@pytest.mark.parametrize("option", ["--title", "--tag", "--trigger", "--speaker"])
def test_what_is_no_text_is_refused_and_not_left_out(memory_client: MemoryClient, option: str) -> None:
    before = memory_fingerprint_now(memory_client.url)
    arguments = ["memory", "save", "The office is open until ten o'clock.", option, "caf\udce9", "--json"]
    ended = run_inside(memory_client.application, arguments)
    check_outcome(ended, arguments)
    assert json.loads(ended.out)["error"]["number"] == "E012"
    assert memory_fingerprint_now(memory_client.url) == before


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
    memory_client: MemoryClient, arguments: list[str], given_text: bytes
) -> None:
    put_back(memory_client)
    before = memory_fingerprint_now(memory_client.url)
    check_outcome(run_inside(memory_client.application, ["memory", *arguments], given=given_text), arguments)
    assert memory_fingerprint_now(memory_client.url) == before
