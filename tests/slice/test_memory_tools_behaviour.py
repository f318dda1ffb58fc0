"""What the tools add to the use cases: budgets, routing, what comes up by itself, and honest words about both."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from pydantic import Field

from frasier.interfaces.advice import ToolCalls
from frasier.interfaces.operations import Envelope, OperationContext, OperationInput, short_schema
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.kernel.errors import InvalidInput, NotAllowed
from frasier.memory import Caller, EmbeddingSettings, MemoryEngine, MemorySettings, open_engine
from frasier.store import Database
from support.call_tool import call_tool
from support.memory_tool_examples import AGENT, FOUNDER, MemorySet, save_example_memories


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


async def call(
    engine: MemoryEngine, tool: str, caller: Caller = AGENT, **arguments: Any
) -> Envelope[dict[str, Any]]:
    return await call_tool(
        MEMORY_OPERATIONS,
        OperationContext(engine=engine, caller=caller, dialect=ToolCalls()),
        tool,
        arguments,
    )


@pytest.mark.parametrize(
    ("said", "mode"),
    [
        ("continue where we left off", "resume"),
        ("refactor and simplify the storage module", "deep"),
        ("why does the backup crash with an error?", "focused"),
        ("tell me about storage", "focused"),
    ],
)
async def test_context_chooses_its_mode_by_the_words(
    engine: MemoryEngine, memory_set: MemorySet, said: str, mode: str
) -> None:
    envelope = await call(engine, "memory_context", input=said)
    assert envelope.data["mode"] == mode
    assert envelope.data["why_this_mode"]


@pytest.mark.parametrize(
    ("mode", "budget"), [("quick", 800), ("resume", 1200), ("focused", 1500), ("deep", 2000)]
)
async def test_context_keeps_within_the_budget_of_its_mode(
    engine: MemoryEngine, mode: str, budget: int
) -> None:
    await call(engine, "session_save", session="s", task="storage notes " * 50)
    for number in range(30):
        content = f"Storage note {number} {uuid4()} tells of disks and tapes. " * 20
        await call(engine, "memory_save", content=content, force=True)
    for number in range(4):
        rule = f"Rule {number}: " + f"never write secret number {number} to storage. " * 30
        await call(engine, "memory_save", FOUNDER, content=rule, tier="constitutional", force=True)
    envelope = await call(engine, "memory_context", input="storage notes about disks", mode=mode)
    texts = [hit["text"] for hit in envelope.data["results"]]
    texts += [bound.get("text", "") for bound in envelope.data["binding"]]
    texts.append(str(envelope.data.get("session", "")))
    assert envelope.data["results"]
    assert len(envelope.data["binding"]) == 4
    assert sum(engine.counter.count(text) for text in texts) <= budget


async def test_resuming_gives_the_state_of_the_session_and_what_it_was_about(
    engine: MemoryEngine, memory_set: MemorySet
) -> None:
    envelope = await call(engine, "memory_context", input="resume")
    assert envelope.data["session"]["pending_work"] == "check the tape"
    assert "Backup" in {hit["title"] for hit in envelope.data["results"]}


async def test_in_a_session_nothing_is_given_twice_and_what_was_given_is_named(
    engine: MemoryEngine, memory_set: MemorySet
) -> None:
    first = await call(engine, "memory_search", query="nightly backup", session="talk")
    again = await call(engine, "memory_search", query="nightly backup", session="talk")
    assert memory_set.backup in {hit["id"] for hit in first.data["results"]}
    assert memory_set.backup not in {hit["id"] for hit in again.data["results"]}
    assert memory_set.backup in {stub["id"] for stub in again.data["seen"]}
    assert again.data["tokens_saved"] > 0
    repeated = await call(engine, "memory_search", query="nightly backup", session="talk", repeat=True)
    assert memory_set.backup in {hit["id"] for hit in repeated.data["results"]}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("memory_context", {"input": "Tell me which database we use"}),
        ("memory_search", {"query": "which database is quick", "kinds": ["lesson"]}),
        ("memory_match_triggers", {"prompt": "Tell me which database we use"}),
        ("memory_list", {"kinds": ["lesson"]}),
        ("memory_save", {"content": "Nobody told us which database the other team has."}),
        ("memory_index_scan", {}),
    ],
)
async def test_what_binds_comes_up_with_every_tool_that_knows_of_memories(
    engine: MemoryEngine, memory_set: MemorySet, tool: str, arguments: dict[str, Any]
) -> None:
    rule = "Nobody deploys on a Friday."
    await call(engine, "memory_save", FOUNDER, content=rule, tier="constitutional", scope="shared")
    envelope = await call(engine, tool, **arguments)
    assert [bound["text"] for bound in envelope.data["binding"]] == [rule]
    if tool in {"memory_search", "memory_save"}:
        assert [called["id"] for called in envelope.data["called"]] == [memory_set.storage]


@pytest.mark.parametrize(("kind", "named"), [("observation", "An observation"), ("lesson", "A lesson")])
async def test_a_memory_without_a_title_is_named_by_its_kind(engine: MemoryEngine, kind: str, named: str):
    saved = await call(
        engine, "memory_save", content="The nightly backup runs at three.", kind=kind, title=""
    )
    shown = await call(engine, "memory_get", id=saved.data["id"])
    assert shown.summary.startswith(f"{named} of ")


async def test_the_parts_of_a_memory_that_are_asked_for_are_given(
    engine: MemoryEngine, memory_set: MemorySet
) -> None:
    part = await call(engine, "memory_get", id=memory_set.storage, anchors=["summary", "decisions"])
    assert part.data["content"].strip() == "PostgreSQL, because of concurrent writers."
    assert part.data["anchors_missing"] == ["decisions"]
    assert part.data["saved_tokens"] > 0
    nothing = await call(engine, "memory_get", id=memory_set.backup, anchors=["summary"])
    assert nothing.data["content"].startswith("The nightly backup")
    assert "saved_tokens" not in nothing.data
    assert nothing.hints


async def test_a_dry_run_tells_and_changes_nothing(engine: MemoryEngine, memory_set: MemorySet) -> None:
    before = (await call(engine, "memory_stats")).data["total"]
    told = await call(engine, "memory_save", content="A wholly new thing is said here.", dry_run=True)
    assert told.data["action"] == "created"
    assert "id" not in told.data
    path = str(memory_set.roots / "notes.md")
    told = await call(engine, "memory_save", file_path=path, dry_run=True)
    assert told.data["action"] == "indexed"
    assert (await call(engine, "memory_stats")).data["total"] == before


async def test_a_file_is_written_and_read_back_as_a_memory(
    engine: MemoryEngine, memory_set: MemorySet
) -> None:
    saved = await call(
        engine, "memory_save", content="The tapes lie in the blue room.", file_path="tapes.md", title="Tapes"
    )
    assert "The tapes lie in the blue room." in (memory_set.roots / "tapes.md").read_text()
    whole = await call(engine, "memory_get", id=saved.data["id"])
    assert whole.data["title"] == "Tapes"
    again = await call(engine, "memory_save", file_path=str(memory_set.roots / "tapes.md"))
    assert (again.data["id"], again.data["action"]) == (saved.data["id"], "unchanged")


@pytest.mark.parametrize("path", ["/etc/passwd", "../outside.md", "/proc/self/environ"])
async def test_no_tool_leaves_the_memory_folders(engine: MemoryEngine, path: str) -> None:
    for arguments in ({"file_path": path}, {"file_path": path, "content": "It must not be written."}):
        with pytest.raises(InvalidInput):
            await call(engine, "memory_save", **arguments)
    with pytest.raises(InvalidInput):
        await call(engine, "memory_index_scan", folder=path)
    with pytest.raises(InvalidInput):
        await call(engine, "session_save", continue_folder=path)


async def test_a_link_that_is_refused_does_not_take_the_memory_back(
    engine: MemoryEngine, memory_set: MemorySet
) -> None:
    rule = await call(engine, "memory_save", FOUNDER, content="Only the founder says so.", tier="critical")
    saved = await call(
        engine,
        "memory_save",
        content="Somebody else says otherwise now.",
        links=[{"relation": "supersedes", "to": rule.data["id"]}],
    )
    assert any("not linked" in warning for warning in saved.data["warnings"])
    assert (await call(engine, "memory_get", id=saved.data["id"])).data["content"].startswith("Somebody")


async def test_an_update_changes_the_given_fields_only_and_is_taken_back(
    engine: MemoryEngine, memory_set: MemorySet
) -> None:
    changed = await call(engine, "memory_update", id=memory_set.storage, importance=9, tags=["db"])
    assert changed.data["changed"] == ["importance", "tags"]
    whole = (await call(engine, "memory_get", id=memory_set.storage, versions=True)).data
    assert (whole["importance"], whole["tags"], whole["title"]) == (9, ["db"], "Storage")
    assert whole["triggers"] == ["which database"]
    assert [version["version"] for version in whole["versions"]] == [1]
    again = await call(engine, "memory_update", id=memory_set.storage, importance=9)
    assert "changed" not in again.data
    with pytest.raises(InvalidInput):
        await call(engine, "memory_update", id=memory_set.storage)
    with pytest.raises((InvalidInput, NotAllowed)):
        await call(engine, "memory_update", id=memory_set.storage, tier="critical")


async def test_what_was_deleted_in_bulk_comes_back_from_its_checkpoint(
    engine: MemoryEngine, memory_set: MemorySet
) -> None:
    gone = await call(engine, "memory_bulk_delete", tier="normal", confirm=True)
    assert gone.data["deleted"] >= 2
    assert (await call(engine, "memory_search", query="nightly backup")).data["results"] == []
    back = await call(engine, "checkpoint_restore", name=gone.data["checkpoint"])
    assert back.data["added"] == gone.data["deleted"]
    assert (await call(engine, "memory_search", query="nightly backup")).data["results"]


async def test_a_session_is_written_down_for_whoever_goes_on(
    engine: MemoryEngine, memory_set: MemorySet
) -> None:
    saved = await call(
        engine, "session_save", session="s-1", summary="half way", continue_folder=str(memory_set.roots)
    )
    assert "half way" in Path(saved.data["continue_file"]).read_text()
    done = await call(engine, "session_save", session="s-1", done=True)
    assert done.data["status"] == "completed"
    assert (await call(engine, "session_recover")).data == {"recovered": False}


class Everything(OperationInput):
    title: str = ""
    maybe: int | None = Field(None, ge=1, description="How many")
    flag: bool = False
    some: tuple[str, ...] = Field((), max_length=3)
    needed: str


def test_a_schema_says_what_is_needed_and_nothing_twice() -> None:
    assert short_schema(Everything) == {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "title": {"type": "string"},
            "maybe": {"type": "integer", "minimum": 1, "description": "How many"},
            "flag": {"type": "boolean"},
            "some": {"type": "array", "items": {"type": "string"}},
            "needed": {"type": "string"},
        },
        "required": ["needed"],
    }


async def test_a_reason_is_kept_without_what_cannot_be_stored_and_without_secrets(
    engine: MemoryEngine,
) -> None:
    saved = (await call(engine, "memory_save", content="The kettle is red.")).data["id"]
    reason = "it was\0 painted with password=hunter2hunter2"
    await call(engine, "memory_update", id=saved, content="The kettle is blue.", reason=reason)
    [before] = (await call(engine, "memory_versions", id=saved)).data["versions"]
    assert before["reason"].startswith("it was painted with password=")
    assert "hunter2" not in before["reason"]


async def test_what_says_the_same_once_it_is_cleaned_is_the_same(engine: MemoryEngine) -> None:
    await call(engine, "memory_save", content="The kettle is red.")
    other = (await call(engine, "memory_save", content="A crane stands in the harbour.")).data["id"]
    with pytest.raises(InvalidInput) as refused:
        await call(engine, "memory_update", id=other, content="The kettle\x1f is red.")
    assert refused.value.number == "E084"
