"""The memory over the Model Context Protocol, with the SDK's own client, in this process."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from frasier.interfaces.mcp import LiveSessions
from frasier.interfaces.operations import TOKEN_BUDGETS, Envelope, choose_tools
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS, memory_tools
from frasier.interfaces.tool_catalog import DEFAULT_MEMORY_TOOLS
from frasier.kernel.errors import InvalidInput
from frasier.memory import (
    Caller,
    EmbeddingSettings,
    MemoryEngine,
    MemorySettings,
    SessionStatus,
    list_sessions,
    open_engine,
    upkeep,
)
from frasier.store import Database
from support.mcp_server import served_to
from support.memory_tool_examples import AGENT, EXAMPLES, MemorySet, save_example_memories


@pytest.fixture
async def engine(db: Database, tmp_path: Path) -> AsyncIterator[MemoryEngine]:
    root = tmp_path / "notes"
    root.mkdir()
    settings = MemorySettings(roots=(root,), embedding=EmbeddingSettings(provider="none"))
    async with open_engine(db, settings) as opened:
        yield opened


@pytest.fixture
async def memory_set(engine: MemoryEngine) -> MemorySet:
    return await save_example_memories(engine, engine.settings.roots[0])


def server_of(engine: MemoryEngine, tools: Any = MEMORY_OPERATIONS, caller: Caller = AGENT) -> Any:
    return served_to(lambda: caller, engine, memory_tools(tools))


def chosen_tools(**wanted: Any) -> Any:
    return choose_tools(MEMORY_OPERATIONS, default=DEFAULT_MEMORY_TOOLS, **wanted)


def told(result: Any) -> dict[str, Any]:
    """What a tool answered, as the text says it; the structured content is the same."""
    said: dict[str, Any] = json.loads(result.content[0].text)
    assert result.is_error or result.structured_content == said
    return said


@pytest.mark.parametrize("name", MEMORY_OPERATIONS)
async def test_every_tool_answers_an_envelope_to_a_client(
    name: str, engine: MemoryEngine, memory_set: MemorySet
) -> None:
    async with Client(server_of(engine)) as client:
        if name == "memory_revert":
            await client.call_tool("memory_update", EXAMPLES["memory_update"].good(memory_set))
        # The client holds the answer against the tool's output schema by itself.
        result = await client.call_tool(name, dict(EXAMPLES[name].good(memory_set)))
        assert not result.is_error, result.content
        assert EXAMPLES[name].holds in Envelope.model_validate(told(result)).data
        refused = await client.call_tool(name, dict(EXAMPLES[name].bad))
    assert refused.is_error
    said = told(refused)
    assert said["code"] == EXAMPLES[name].code
    assert said["message"]
    assert said["hint"]


async def test_tools_are_listed_with_layer_hints_and_plain_schemas(engine: MemoryEngine) -> None:
    async with Client(server_of(engine)) as client:
        listed = (await client.list_tools()).tools
    assert [tool.name for tool in listed] == list(MEMORY_OPERATIONS)
    for tool in listed:
        ours = MEMORY_OPERATIONS[tool.name]
        least, most = TOKEN_BUDGETS[ours.layer]
        assert tool.description.startswith(f"[L{ours.layer.value}|{least}-{most}t] ")
        assert tool.input_schema["type"] == "object"
        assert not {"oneOf", "anyOf", "allOf", "$ref", "$defs"} & tool.input_schema.keys()
        assert "$ref" not in json.dumps(tool.input_schema)
        assert tool.output_schema["required"] == ["summary", "data", "hints", "meta"]
        assert tool.annotations.read_only_hint is ours.read_only
        assert tool.annotations.destructive_hint is ours.destructive
        assert not (ours.read_only and ours.destructive)


def test_what_a_host_gets_by_default_costs_its_model_less_than_3000_tokens() -> None:
    chosen = chosen_tools()
    assert list(chosen) == [name for name in MEMORY_OPERATIONS if name in DEFAULT_MEMORY_TOOLS]
    assert len(chosen) <= 12
    shown = [
        {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}
        for tool in chosen.values()
    ]
    # Four characters a token, as is usual for JSON.
    assert len(json.dumps(shown, separators=(",", ":"))) / 4 < 3_000


def test_a_host_chooses_by_layer_and_by_name() -> None:
    assert {tool.layer for tool in chosen_tools(layers=[1, 2]).values()} == {1, 2}
    assert list(chosen_tools(names=["memory_save", "memory_context"])) == ["memory_context", "memory_save"]
    with pytest.raises(InvalidInput):
        chosen_tools(names=["memory_browse"])
    with pytest.raises(InvalidInput):
        chosen_tools(layers=[6])


async def test_a_tool_that_was_not_chosen_cannot_be_called(engine: MemoryEngine) -> None:
    async with Client(server_of(engine, chosen_tools())) as client:
        result = await client.call_tool("memory_bulk_delete", {"tier": "normal", "confirm": True})
    assert result.is_error
    assert told(result)["code"] == "not_found"


async def test_a_client_that_knows_only_the_list_saves_recalls_asks_why_corrects_and_undoes(
    engine: MemoryEngine,
) -> None:
    """Every argument name is read from the schemas that tools/list gave."""
    async with Client(server_of(engine, chosen_tools())) as client:
        names = {
            tool.name: set(tool.input_schema["properties"]) for tool in (await client.list_tools()).tools
        }

        async def call(tool: str, **arguments: Any) -> dict[str, Any]:
            assert arguments.keys() <= names[tool]
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, result.content
            data: dict[str, Any] = told(result)["data"]
            return data

        cause = await call("memory_save", content="Several workers write at the same time.", title="Writers")
        saved = await call(
            "memory_save",
            content="We keep our data in PostgreSQL.",
            title="Database",
            links=[{"relation": "derived_from", "to": cause["id"]}],
        )
        found = await call("memory_search", query="where is our data kept?")
        assert found["results"][0]["id"] == saved["id"]
        assert found["results"][0]["sources"]
        why = await call(
            "memory_why", id=saved["id"][:8] if saved["id"][:8] != cause["id"][:8] else saved["id"]
        )
        assert why["derived_from"][0]["id"] == cause["id"]
        corrected = await call(
            "memory_correct",
            id=saved["id"],
            type="superseded",
            reason="we moved",
            replacement="We keep our data in CockroachDB.",
        )
        found = await call("memory_search", query="where is our data kept?")
        assert saved["id"] not in {hit["id"] for hit in found["results"]}
        assert corrected["replacement_id"] in {hit["id"] for hit in found["results"]}
        undone = told(
            await client.call_tool("memory_correct_undo", {"correction_id": corrected["correction_id"]})
        )
        # What was given as right is not undone with it: whoever undoes is told, and how to be rid of it.
        assert any(
            f'memory_delete with id="{corrected["replacement_id"]}"' in hint for hint in undone["hints"]
        )
        found = await call("memory_search", query="where is our data kept?")
        assert saved["id"] in {hit["id"] for hit in found["results"]}


async def test_a_host_that_asks_for_it_is_told_how_far_a_scan_is(
    db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frasier.interfaces.mcp.server._PROGRESS_INTERVAL_S", 0)
    roots = (tmp_path / "one", tmp_path / "two")
    for root in roots:
        root.mkdir()
        for number in range(2):
            (root / f"{number}.md").write_text(f"The buoy {number} of {root.name} is red.\n")
    told_so_far: list[tuple[float, float | None]] = []

    async def tell(done: float, total: float | None, _message: str | None) -> None:
        told_so_far.append((done, total))

    settings = MemorySettings(roots=roots, embedding=EmbeddingSettings(provider="none"))
    async with open_engine(db, settings) as engine, Client(server_of(engine)) as client:
        scanned = await client.call_tool("memory_index_scan", {}, progress_callback=tell)
        assert told(scanned)["data"]["indexed"] == 4
        assert not (await client.call_tool("memory_index_scan", {"force": True})).is_error
    assert told_so_far == [(1, 2), (2, 2), (3, 4), (4, 4)]


async def test_a_session_is_read_without_being_taken_up(engine: MemoryEngine, memory_set: MemorySet) -> None:
    async with Client(server_of(engine)) as client:
        read = told(await client.call_tool("session_get", {"session": "s-1"}))
        assert read["data"]["pending_work"] == "check the tape"
        assert "recovered" not in read["data"]
        again = told(await client.call_tool("session_get", {"session": "s-1"}))
        assert again["data"]["active_at"] == read["data"]["active_at"]


async def test_a_file_is_written_over_with_the_hash_that_was_given(engine: MemoryEngine) -> None:
    async with Client(server_of(engine, chosen_tools())) as client:

        async def save(content: str, **given: str) -> dict[str, Any]:
            arguments = {"content": content, "file_path": "pier.md", **given}
            return told(await client.call_tool("memory_save", arguments))

        first = (await save("The pier is closed on Sundays."))["data"]
        written = await save("The pier is open on Sundays.", expected_hash=first["file_hash"])
        assert (written["data"]["id"], written["data"]["version"]) == (first["id"], 2)
        assert (await save("The pier is gone.", expected_hash=first["file_hash"]))["number"] == "E083"


async def test_a_defect_is_answered_readably_and_without_what_it_says(
    engine: MemoryEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def breaks(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a secret from deep inside")

    monkeypatch.setattr(engine, "recall", breaks)
    async with Client(server_of(engine)) as client:
        result = await client.call_tool("memory_search", {"query": "x"})
        assert not (await client.call_tool("memory_stats", {})).is_error
    assert result.is_error
    assert told(result)["code"] == "defect"
    assert "secret" not in result.content[0].text


async def test_half_a_surrogate_pair_is_refused_and_ends_nothing(engine: MemoryEngine) -> None:
    async with Client(server_of(engine)) as client:
        for tool, arguments in (
            ("memory_get", {"id": "\ud800\ud800\ud800\ud800\ud800"}),
            ("memory_search", {"query": "half \udfff pair"}),
            ("session_save", {"session": "s", "state": {"key": "\ud800"}}),
        ):
            result = await client.call_tool(tool, arguments)
            assert result.content[0].text.encode()
        assert not (await client.call_tool("memory_stats", {})).is_error


@pytest.mark.parametrize("tier", ["constitutional", "critical"])
async def test_who_is_not_the_founder_saves_nothing_that_binds(engine: MemoryEngine, tier: str) -> None:
    async with Client(server_of(engine)) as client:
        result = await client.call_tool(
            "memory_save", {"content": "Everybody must obey this from now on.", "tier": tier}
        )
    assert result.is_error
    assert "founder" in told(result)["message"].lower()


async def test_a_session_that_is_used_is_kept_from_being_taken_for_interrupted(engine: MemoryEngine) -> None:
    sessions = LiveSessions()
    server = served_to(lambda: AGENT, engine, memory_tools(MEMORY_OPERATIONS), sessions)
    async with Client(server) as client:
        await client.call_tool("memory_search", {"query": "x", "session": "long-talk"})
        given = told(await client.call_tool("session_save", {"task": "think"}))["data"]["session"]
    async with engine.database.transaction() as tx:
        await tx.execute("update memory_sessions set heartbeat_at = now() - interval '1 hour'")
    await sessions.beat(engine)
    [recover] = [run for name, _, run in upkeep(engine) if name == "sessions"]
    await recover()
    async with engine.database.transaction() as tx:
        active = await list_sessions(tx, AGENT, status=SessionStatus.ACTIVE)
    assert {session.id for session in active} == {"long-talk", given}
