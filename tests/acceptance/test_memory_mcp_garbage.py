"""Every tool over MCP, called with what nobody means to send: an answer or a refusal that helps, and nothing lost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client

from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS, memory_tools
from frasier.kernel.ids import new_id
from frasier.memory import (
    EmbeddingSettings,
    MemoryEngine,
    MemoryKind,
    MemorySettings,
    NewMemory,
    open_engine,
    save_memory,
)
from frasier.store import Database
from support.garbage import ANYTHING, KNOWN, SECRET, TEXTS, USUAL, hostile_paths, objects
from support.mcp_server import served_to
from support.memory_tool_examples import AGENT, SCOPE, save_example_memories
from support.refusals import check_refusal, memory_fingerprint, out_of_reach_fingerprint, save_out_of_reach

FEW, MANY = 12, 250
KNOWN_TEXT = "The zanzibar release goes out on Tuesdays."


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackedBoard:
    """An engine with memories, some of them out of the caller's reach, and files of every bad sort."""

    engine: MemoryEngine
    files: list[str]
    others: str


@pytest.fixture(scope="module")
async def attacked_board(
    server: Any, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[AttackedBoard]:
    name = f"t_{new_id().hex}"
    server.create_database(name, template="frasier_template")
    place = tmp_path_factory.mktemp("attacked")
    root = place / "notes"
    root.mkdir()
    rules = MemorySettings(roots=(root,), embedding=EmbeddingSettings(provider="none"))
    async with Database(server.url("frasier_app", name)) as db, open_engine(db, rules) as engine:
        await save_example_memories(engine, root)
        others = await save_out_of_reach(engine)
        yield AttackedBoard(engine=engine, files=hostile_paths(root, place / "outside"), others=others)
    server.drop_database(name)


async def put_back(engine: MemoryEngine) -> None:
    """The memory of which the arguments speak, where an earlier call took it away."""
    async with engine.database.transaction() as tx:
        [row] = await (
            await tx.execute("select count(*) as n from memory_items where id = %s", (KNOWN,))
        ).fetchall()
        if not row["n"]:
            new = NewMemory(kind=MemoryKind.OBSERVATION, scope=SCOPE, content=KNOWN_TEXT)
            saved = await save_memory(tx, new)
            await tx.execute("update memory_items set id = %s where id = %s", (KNOWN, saved))


async def called(client: Client, attacked_board: AttackedBoard, name: str, arguments: Any) -> None:
    """Calls a tool, and checks what came of it."""
    before = await memory_fingerprint(attacked_board.engine.database)
    result = await client.call_tool(name, arguments)
    said = json.loads(result.content[0].text)
    if result.is_error:
        check_refusal(said)
        assert await memory_fingerprint(attacked_board.engine.database) == before, (
            "a refusal changed something"
        )
    else:
        assert set(said) == {"summary", "data", "hints", "meta"}
        assert SECRET not in result.content[0].text
    assert await out_of_reach_fingerprint(attacked_board.engine.database) == attacked_board.others


@pytest.mark.parametrize("examples", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", MEMORY_OPERATIONS)
async def test_no_garbage_brings_a_tool_down(attacked_board: AttackedBoard, name: str, examples: int) -> None:
    schema = MEMORY_OPERATIONS[name].input.model_json_schema()
    paths = st.sampled_from(attacked_board.files) | TEXTS
    usual = USUAL | {"file_path": paths, "folder": paths, "scope": st.just(SCOPE)}
    fitting = objects(schema, schema, usual=usual)
    wild = objects(schema, schema, more=ANYTHING, usual=usual)
    unknown = st.dictionaries(TEXTS, ANYTHING, max_size=3)
    arguments = fitting | wild | unknown | st.tuples(fitting, unknown).map(lambda both: both[1] | both[0])
    loop = asyncio.get_running_loop()
    await put_back(attacked_board.engine)
    async with Client(
        served_to(lambda: AGENT, attacked_board.engine, memory_tools(MEMORY_OPERATIONS))
    ) as client:

        @settings(
            max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None
        )
        @given(arguments=arguments)
        def throw(arguments: Any) -> None:
            asyncio.run_coroutine_threadsafe(called(client, attacked_board, name, arguments), loop).result(60)

        await asyncio.to_thread(throw)
        assert not (await client.call_tool("memory_stats", {})).is_error


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("memory_revert", {"id": KNOWN, "version": 2**31}),
        ("memory_revert", {"id": KNOWN, "version": 2**70}),
        ("checkpoint_restore", {"name": "\x00"}),
        ("checkpoint_restore", {"name": "\ud800"}),
        ("checkpoint_delete", {"name": "\x00"}),
        ("memory_drop_extracted", {"extractor": "\x00"}),
        ("memory_index_scan", {"folder": "x" * 300}),
        ("memory_correct", {"id": KNOWN, "type": "superseded", "reason": "%", "replacement": ""}),
    ],
)
async def test_what_once_was_a_defect_or_left_without_advice_is_answered(
    attacked_board: AttackedBoard, name: str, arguments: Any
) -> None:
    await put_back(attacked_board.engine)
    server = served_to(lambda: AGENT, attacked_board.engine, memory_tools(MEMORY_OPERATIONS))
    async with Client(server) as client:
        await called(client, attacked_board, name, arguments)
