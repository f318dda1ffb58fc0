"""A fresh memory: it is found at its place while its vector is still to be made, it is said of it, and the vector follows."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from mcp import Client

from frasier.interfaces.cli import run_operation
from frasier.interfaces.operations.memory.registry import MEMORY_OPERATIONS, memory_tools
from frasier.memory import (
    Caller,
    MemoryEngine,
    MemoryKind,
    MemorySettings,
    NewMemory,
    RecallRequest,
    open_engine,
    save_memories,
)
from frasier.store import Database
from support.brain import open_memory_api
from support.in_process_cli import MemoryAlone, run_inside
from support.mcp_server import served_to
from support.memory_client import WordVectors

ME = Caller(name="tester", scopes=("shared", "team"))

# What was known, the question, and what was learned a moment ago.
CASES = [
    (
        "which port does the staging database use",
        "The staging database uses port 6543 since Tuesday.",
        [
            "The production database listens on 5432.",
            "Production databases run on different hosts.",
            "Use the staging database for every migration first.",
        ],
    ),
    (
        "who is on call for the billing service",
        "Maren is on call for the billing service now.",
        [
            "Jonas wrote the billing service.",
            "The on-call person of the billing service answers within an hour.",
            "Calls to the help desk are logged.",
        ],
    ),
    (
        "what is the budget of the autumn campaign",
        "The autumn campaign has a budget of 40,000 euros after the cut.",
        [
            "The spring campaign cost 60,000 euros.",
            "The autumn campaign begins in September.",
            "Every campaign has a budget and an owner.",
        ],
    ),
    (
        "how long are the backups of the archive kept",
        "Backups of the archive are kept for ninety days from now on.",
        [
            "Logs are kept for thirty days.",
            "The archive is backed up every night and the copies are kept elsewhere.",
            "How long something is kept is decided by the founder.",
        ],
    ),
    (
        "which library renders the charts of the report",
        "The charts of the report are rendered with Vega now.",
        [
            "The dashboard draws its charts with matplotlib.",
            "Charts belong into every quarterly report.",
            "A library of reports was set up last year.",
        ],
    ),
    (
        "when does the weekly review meeting start",
        "The weekly review meeting starts at nine from this week.",
        [
            "The daily meeting starts at ten.",
            "Review meetings are held weekly, and start on time.",
            "The meeting about the review was weekly at first.",
        ],
    ),
    (
        "where is the signing key of the releases stored",
        "The signing key of the releases is stored in the vault in Bergen.",
        [
            "The build server stores the artefacts of every release.",
            "Releases are signed with a key of their own.",
            "The handbook of releases names who may sign.",
        ],
    ),
    (
        "which supplier delivers the sensors of the pump",
        "Nordlicht delivers the sensors of the pump since the change of supplier.",
        [
            "Kestrel delivers the valves.",
            "A supplier of sensors delivers within a week.",
            "The pump has four sensors of one supplier.",
        ],
    ),
]


def note(text: str) -> NewMemory:
    return NewMemory(kind=MemoryKind.OBSERVATION, scope="shared", content=text)


async def stored(db: Database, *texts: str) -> list[Any]:
    """Saves without anybody who encodes: as from a process that has ended since."""
    async with db.transaction() as tx:
        return await save_memories(tx, [note(text) for text in texts])


@pytest.mark.parametrize("reranked", [True, False], ids=["reranked", "not reranked"])
async def test_a_new_fact_comes_first_in_eight_of_eight_although_its_vector_is_pending(db, reranked):
    async with open_engine(db, MemorySettings()) as engine:
        await engine.embed_due()  # opens the space
        await stored(db, *(text for _, _, known in CASES for text in known))
        while await engine.embed_due():
            pass
        fresh = await stored(db, *(new for _, new, _ in CASES))

        async def first() -> list[bool]:
            answers = [
                await engine.recall(
                    ME, RecallRequest(text=question, rerank=reranked, cached=False, track=False)
                )
                for question, _, _ in CASES
            ]
            assert not any(answer.degraded for answer in answers)
            assert all(answer.reranked is reranked for answer in answers)
            return [answer.hits[0].memory.id == new for answer, new in zip(answers, fresh, strict=True)]

        pending = await first()
        while await engine.embed_due():
            pass
        assert await first() == [True] * len(CASES), "once encoded"
        assert pending == [True] * len(CASES)


async def some_with_and_one_without(db: Database, engine: MemoryEngine) -> None:
    await engine.embed_due()
    await stored(db, "The green crane stands at pier nine.", "The blue crane was sold.")
    assert await engine.embed_due() == 2
    await stored(db, "The red crane was repaired.")


async def test_every_answer_says_which_hits_have_no_vector_yet_and_how_many_memories(db):
    async with (
        open_engine(db, MemorySettings(), provider=WordVectors()) as engine,
        Client(served_to(lambda: ME, engine, memory_tools(MEMORY_OPERATIONS))) as client,
    ):
        await some_with_and_one_without(db, engine)
        answer = await engine.recall(ME, RecallRequest(text="which crane?"))
        assert {hit.memory.content: hit.without_vector for hit in answer.hits} == {
            "The green crane stands at pier nine.": False,
            "The blue crane was sold.": False,
            "The red crane was repaired.": True,
        }
        assert answer.without_vector == 1
        assert any("1 memory of the searched scopes has no vector yet" in hint for hint in answer.hints)
        for tool, arguments in (
            ("memory_search", {"query": "which crane?"}),
            ("memory_search", {"query": "which crane?", "detail": "minimal"}),
            ("memory_context", {"input": "which crane?"}),
        ):
            said = (await client.call_tool(tool, arguments)).structured_content
            assert said["data"]["without_vector"] == 1
            flagged = [hit["text"] for hit in said["data"]["results"] if hit.get("without_vector")]
            assert flagged == ["The red crane was repaired."]
        assert await engine.embed_due() == 1
        answer = await engine.recall(ME, RecallRequest(text="which crane?"))
        assert not any(hit.without_vector for hit in answer.hits), "the answer of before was given again"
        assert (answer.without_vector, answer.hints) == (0, ())


async def test_what_others_are_owed_and_what_failed_is_not_counted(db, monkeypatch):
    monkeypatch.setattr("frasier.memory.recall.page._OWED_COUNTED", 2)
    async with open_engine(db, MemorySettings(), provider=WordVectors()) as engine:
        await engine.embed_due()
        async with db.transaction() as tx:
            for number in range(5):
                text = f"The crane number {number} of others."
                await save_memories(
                    tx, [NewMemory(kind=MemoryKind.OBSERVATION, scope="project:others", content=text)]
                )
        await stored(db, "The red crane was repaired.", "The blue crane was sold.")
        async with db.transaction() as tx:
            await tx.execute(
                "update memory_embedding_jobs set failed = true where memory_num ="
                " (select num from memory_items where content like '%blue%')"
            )
        answer = await engine.recall(ME, RecallRequest(text="which crane?"))
        assert (answer.without_vector, len(answer.hits)) == (1, 2)
        assert any("1 memory of the searched scopes has no vector yet" in hint for hint in answer.hints)


async def test_the_http_api_says_it_too(db):
    async with open_memory_api(db, provider=WordVectors()) as brain:
        await some_with_and_one_without(db, brain.engine)
        data = (await brain.post("query", {"query": "which crane?"})).json()["data"]
        assert data["without_vector"] == 1
        assert sorted(hit["without_vector"] for hit in data["hits"]) == [False, False, True]
        spoken = (await brain.post("memory", {"prompt": "which crane?"})).json()
        assert spoken["without_vector"] == 1
        assert sorted(hit["without_vector"] for hit in spoken["result"]["sources"]) == [False, False, True]


async def test_nothing_is_said_of_vectors_where_none_are_wanted(db):
    async with open_memory_api(db) as brain:
        await stored(db, "The red crane was repaired.")
        data = (await brain.post("query", {"query": "which crane?"})).json()["data"]
        assert (data["without_vector"], data["hits"][0]["without_vector"]) == (0, False)


async def test_a_short_save_gets_its_vector_at_once_over_mcp_and_http_and_in_python(db):
    async with (
        open_memory_api(db, MEMORY_OPERATIONS, provider=WordVectors()) as brain,
        Client(served_to(lambda: ME, brain.engine, memory_tools(MEMORY_OPERATIONS))) as client,
    ):
        await brain.engine.embed_due()
        # A backlog of long texts is older and must not be in the way.
        await stored(db, *(f"Chapter {number}. {'More of it. ' * 500}" for number in range(40)))
        await client.call_tool(
            "memory_save", {"content": "The green crane stands at pier nine.", "scope": "team"}
        )
        await brain.post("contribute", {"content": "The blue crane was sold.", "scope": "team"})
        await brain.engine.save(
            ME, NewMemory(kind=MemoryKind.LESSON, scope="team", content="The red crane fell.")
        )
        request = RecallRequest(text="which crane?", scopes=("team",))
        async with asyncio.timeout(20):
            while (answer := await brain.engine.recall(ME, request)).without_vector:
                await asyncio.sleep(0.01)
        assert len(answer.hits) == 3
        assert (await brain.engine.recall(ME, RecallRequest(text="chapter"))).without_vector == 40


async def test_a_save_does_not_wait_for_an_encoder_that_hangs_nor_does_the_end(db):
    forever = asyncio.Event()
    async with asyncio.timeout(20):
        async with open_engine(db, MemorySettings(), provider=WordVectors(watch=forever.wait)) as engine:
            await engine.save(ME, note("The green crane stands at pier nine."))
            await asyncio.sleep(0)
    async with open_engine(db, MemorySettings(), provider=WordVectors()) as engine:
        assert await engine.embed_due() == 1, "it was given back at the end"


def test_a_command_that_saves_loads_no_encoder(frasier, database_url, monkeypatch):
    saved = frasier.json("memory", "save", "The green crane stands at pier nine.")
    assert saved["data"]["id"]
    # The bound is for an idle machine: a busy one may take longer to load the encoder.
    monkeypatch.setattr(run_operation, "_CATCH_UP_S", 60.0)
    recalled = run_inside(
        MemoryAlone(database_url, MemorySettings()), ["memory", "recall", "crane", "--json"]
    )
    assert json.loads(recalled.out)["data"]["results"]
    assert "without_vector" not in recalled.out, "a recall makes what is owed, while that is quick"
