"""What use does to a recall: being recalled counts for nothing, and what is done with a memory counts little."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client

from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS, memory_tools
from frasier.kernel.ids import new_id
from frasier.memory import Caller, open_engine
from frasier.store import Database
from support.brain import open_memory_api
from support.cli_memory import MemoryProgram, memory_program
from support.mcp_server import served_to
from support.memory_client import NO_VECTORS, open_memory_client

PAIRS = 20
ASKED = 12
MOST = 62 / 61
"""Below this all that use can raise a memory by stays: by so much the first place of an arm is ahead of its second."""


@pytest.fixture(scope="module")
def program(server, tmp_path_factory):
    with memory_program(server, tmp_path_factory.mktemp("memory")) as program:
        yield program


class AtTheCommandLine:
    def __init__(self, program: MemoryProgram) -> None:
        self._program = program

    async def _data(self, *arguments: str) -> Any:
        return (await asyncio.to_thread(self._program.envelope, *arguments))["data"]

    async def save(self, text: str) -> str:
        return str((await self._data("save", text, "--force"))["id"])

    async def recall(self, query: str) -> list[tuple[str, float]]:
        return [(hit["id"], hit["score"]) for hit in (await self._data("recall", query))["results"]]

    async def use(self, memory_id: str) -> None:
        """Fetched whole, cited, and said to have been useful."""
        await self._data("show", memory_id)
        await self._data("cite", memory_id)
        await self._data("validate", memory_id, "--useful")


class OverTools:
    """MCP and HTTP, which take and answer the same."""

    def __init__(self, call: Any) -> None:
        self._call = call

    async def save(self, text: str) -> str:
        return str((await self._call("memory_save", content=text, force=True))["id"])

    async def recall(self, query: str) -> list[tuple[str, float]]:
        hits = (await self._call("memory_search", query=query, bypass_cache=True))["results"]
        return [(hit["id"], hit["score"]) for hit in hits]

    async def use(self, memory_id: str) -> None:
        await self._call("memory_get", id=memory_id)
        await self._call("memory_cite", ids=[memory_id])
        await self._call("memory_validate", id=memory_id, useful=True)


@asynccontextmanager
async def reached(interface: str, program: MemoryProgram, db: Database) -> AsyncIterator[Any]:
    """The memory over that interface."""
    if interface == "cli":
        yield AtTheCommandLine(program)
    elif interface == "mcp":
        agent = Caller(name="agent", scopes=("project:use",))
        async with (
            open_engine(db, NO_VECTORS) as engine,
            Client(served_to(lambda: agent, engine, memory_tools(MEMORY_OPERATIONS))) as client,
        ):

            async def call(tool: str, **arguments: Any) -> Any:
                return (await client.call_tool(tool, arguments)).structured_content["data"]

            yield OverTools(call)
    else:
        async with open_memory_api(db, MEMORY_OPERATIONS) as brain:

            async def post(tool: str, **arguments: Any) -> Any:
                return (await brain.post(f"tools/{tool}", arguments)).json()["data"]

            yield OverTools(post)


everywhere = pytest.mark.parametrize("interface", ["cli", "mcp", "http"])


@everywhere
async def test_a_stale_fact_never_rises_by_being_recalled(interface, program, db):
    async with reached(interface, program, db) as memory:
        mark = new_id().hex
        stale = await memory.save(f"The relay {mark} listens on port 7001, the relay port.")
        fresh = await memory.save(f"The relay {mark} listens on port 7002 since May.")
        question = f"On which port does the relay {mark} listen, the relay port?"
        first = await memory.recall(question)
        assert {memory_id for memory_id, _ in first} == {stale, fresh}
        for _ in range(4):
            assert await memory.recall(question) == first


async def test_of_twenty_contradicting_pairs_no_stale_fact_ever_rises_by_being_recalled(db):
    async with open_memory_client(db) as memory_client:
        for number in range(PAIRS):
            await memory_client.save(
                f"Gate{number} opens at {number + 1} o'clock, the opening hour of gate{number}."
            )
            await memory_client.save(f"Gate{number} opens at {number + 2} o'clock since the new timetable.")
        for number in range(PAIRS):
            # One place only, so that what stands there is shown and the other is not.
            question = {"query": f"opening hour of gate{number}", "bypass_cache": True}
            before = [(hit["id"], hit["score"]) for hit in await memory_client.search(**question, limit=5)]
            for _ in range(ASKED):
                await memory_client.search(**question, limit=1)
            after = [(hit["id"], hit["score"]) for hit in await memory_client.search(**question, limit=5)]
            assert [one for one, _ in after] == [one for one, _ in before], number
            # A score may fall in the fourth place while time passes.
            assert all(later <= earlier for (_, later), (_, earlier) in zip(after, before, strict=True)), (
                number
            )


async def test_of_two_old_contradicting_facts_no_score_moves_by_being_recalled(db):
    async with open_memory_client(db) as memory_client:
        stale = await memory_client.save("Gate nine opens at one o'clock, the opening hour of gate nine.")
        fresh = await memory_client.save("Gate nine opens at two o'clock since the new timetable.")
        for memory_id in (stale, fresh):
            await memory_client.age(memory_id, 40)
        question = {"query": "opening hour of gate nine", "bypass_cache": True}
        first = [(hit["id"], round(hit["score"], 6)) for hit in await memory_client.search(**question)]
        assert {memory_id for memory_id, _ in first} == {stale, fresh}
        for limit in (1, 1, 1, 5, 5):
            await memory_client.search(**question, limit=limit)
        after = [(hit["id"], round(hit["score"], 6)) for hit in await memory_client.search(**question)]
        assert after == first


@everywhere
async def test_what_is_recalled_stands_no_higher_among_the_latest(interface, program, db):
    async with reached(interface, program, db) as memory:
        mark = new_id().hex
        first, second = [await memory.save(f"The {name}{mark} note.") for name in ("alder", "birch")]
        for _ in range(3):
            await memory.recall(f"alder{mark}")
        latest = [memory_id for memory_id, _ in await memory.recall("") if memory_id in {first, second}]
        assert latest == [second, first]


@everywhere
async def test_what_is_cited_validated_and_fetched_whole_rises_and_by_little(interface, program, db):
    async with reached(interface, program, db) as memory:
        mark = new_id().hex
        right = await memory.save(f"The harbour crane {mark} lifts nine tonnes at most.")
        wrong = await memory.save(
            f"The harbour {mark} has a crane museum, and much else beside it to look at."
        )
        question = f"how many tonnes does the harbour crane {mark} lift"
        before = dict(await memory.recall(question))
        for _ in range(3):
            await memory.use(wrong)
        after = await memory.recall(question)
        assert 1 < dict(after)[wrong] / before[wrong] < MOST
        assert dict(after)[right] == before[right]
        assert [memory_id for memory_id, _ in after] == [right, wrong]


async def test_only_a_whole_memory_that_is_fetched_counts(db):
    async with open_memory_client(db) as memory_client:
        text = "<!-- ANCHOR:state -->\nThe crane is green.\n<!-- /ANCHOR:state -->\n\nAnd more of it."
        crane = await memory_client.save(text)
        used = [
            (await memory_client("memory_get", id=crane, **arguments))["used"]
            for arguments in ({"anchors": ["state"]}, {"anchors": ["state"]}, {}, {})
        ]
        assert used == [0, 0, 0, 1], "what a fetch says is of before it"


@pytest.mark.parametrize(("outcome", "uses"), [("accepted", 1), ("modified", 1), ("rejected", 0)])
async def test_work_that_was_rejected_is_no_use_of_what_it_rested_on(db, outcome, uses):
    async with open_memory_client(db) as memory_client:
        crane = await memory_client.save("The crane is green.")
        await memory_client("memory_outcome", ids=[crane], outcome=outcome)
        assert (await memory_client("memory_get", id=crane))["used"] == uses


async def test_a_vote_against_a_memory_is_no_use_and_lowers_it(db):
    async with open_memory_client(db) as memory_client:
        crane = await memory_client.save("The crane is green.")
        [before] = await memory_client.search("crane", bypass_cache=True)
        scores = [before["score"]]
        for _ in range(3):
            await memory_client("memory_validate", id=crane, useful=False)
            scores.append((await memory_client.search("crane", bypass_cache=True))[0]["score"])
        assert all(one > other for one, other in itertools.pairwise(scores))
        assert (await memory_client("memory_get", id=crane))["used"] == 0
