"""Every tool of the memory, reached through the registry on a real database, well and badly called."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from frasier.interfaces.advice import ToolCalls
from frasier.interfaces.operations import OperationContext, read_arguments
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS
from frasier.kernel.errors import FrasierError, InvalidInput
from frasier.memory import EmbeddingSettings, MemoryEngine, MemorySettings, open_engine
from frasier.store import Database
from support.call_tool import call_tool
from support.memory_tool_examples import AGENT, EXAMPLES, STRANGER, MemorySet, save_example_memories


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


@pytest.fixture
async def engine(db: Database, root: Path) -> AsyncIterator[MemoryEngine]:
    settings = MemorySettings(roots=(root,), embedding=EmbeddingSettings(provider="none"))
    async with open_engine(db, settings) as opened:
        yield opened


@pytest.fixture
async def memory_set(engine: MemoryEngine, root: Path) -> MemorySet:
    return await save_example_memories(engine, root)


def test_every_tool_has_an_example() -> None:
    assert EXAMPLES.keys() == MEMORY_OPERATIONS.keys()


@pytest.mark.parametrize("name", MEMORY_OPERATIONS)
async def test_a_tool_does_what_it_says(name: str, engine: MemoryEngine, memory_set: MemorySet) -> None:
    if name == "memory_revert":
        arguments = EXAMPLES["memory_update"].good(memory_set)
        await call_tool(
            MEMORY_OPERATIONS,
            OperationContext(engine=engine, caller=AGENT, dialect=ToolCalls()),
            "memory_update",
            arguments,
        )
    example = EXAMPLES[name]
    envelope = await call_tool(
        MEMORY_OPERATIONS,
        OperationContext(engine=engine, caller=AGENT, dialect=ToolCalls()),
        name,
        example.good(memory_set),
    )
    assert example.holds in envelope.data
    assert envelope.summary
    assert envelope.meta.tool == name
    assert envelope.meta.tokens > 0


async def test_tokens_are_counted_only_where_they_are_shown(engine: MemoryEngine) -> None:
    context = OperationContext(engine=engine, caller=AGENT, dialect=ToolCalls(), counts_tokens=False)
    envelope = await call_tool(MEMORY_OPERATIONS, context, "memory_stats", {})
    assert envelope.meta.tokens == 0


@pytest.mark.parametrize("name", MEMORY_OPERATIONS)
async def test_a_tool_refuses_what_is_wrong_and_says_why(
    name: str, engine: MemoryEngine, memory_set: MemorySet
) -> None:
    example = EXAMPLES[name]
    with pytest.raises(FrasierError) as refused:
        await call_tool(
            MEMORY_OPERATIONS,
            OperationContext(engine=engine, caller=AGENT, dialect=ToolCalls()),
            name,
            example.bad,
        )
    assert refused.value.code == example.code
    assert refused.value.hint or refused.value.advice
    if example.number:
        assert refused.value.number == example.number


@pytest.mark.parametrize("name", MEMORY_OPERATIONS)
def test_an_unknown_argument_is_refused_not_ignored(name: str) -> None:
    with pytest.raises(InvalidInput, match="specFolder"):
        read_arguments(MEMORY_OPERATIONS[name], {"specFolder": "x"}, ToolCalls())


@pytest.mark.parametrize("name", MEMORY_OPERATIONS)
async def test_no_tool_shows_a_stranger_what_is_not_his(
    name: str, engine: MemoryEngine, memory_set: MemorySet
) -> None:
    try:
        envelope = await call_tool(
            MEMORY_OPERATIONS,
            OperationContext(engine=engine, caller=STRANGER, dialect=ToolCalls()),
            name,
            EXAMPLES[name].good(memory_set),
        )
    except FrasierError as refused:
        said = str(refused.as_dict())
    else:
        said = envelope.model_dump_json()
    assert "PostgreSQL, because" not in said
    assert "twenty minutes" not in said
    assert "move the backup" not in said
