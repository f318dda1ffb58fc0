"""kill -9 while all vectors are made anew by another model: the old ones serve until the new ones are complete."""

from __future__ import annotations

import math
import os
import signal
import struct
import subprocess
import sys
from contextlib import asynccontextmanager

import pytest

from frasier.kernel.fault_points import FAULT_POINTS
from frasier.memory import (
    Caller,
    EmbeddingSettings,
    MemoryKind,
    MemorySettings,
    NewMemory,
    RecallRequest,
    open_engine,
)
from support.embedding_server import EmbeddingServer, bag_of_words, well

CALLER = Caller(name="tester", scopes=("shared",))
MEMORIES = 9
# Both models have as many dimensions: were their vectors compared, nothing would fail, and the answer would be wrong.
DIMENSION = 8
KEPT = (
    "select id, content, title, tags, tier, version, archived_at, content_hash from memory_items order by num"
)

REEMBEDDING = """
import asyncio, sys
from frasier.memory import EmbeddingSettings, MemorySettings, open_engine
from frasier.store import Database

async def main():
    encoder = EmbeddingSettings(provider="openai", model="new", base_url=sys.argv[2], dimension=8)
    settings = MemorySettings(embedding=encoder)
    async with Database(sys.argv[1]) as database, open_engine(database, settings) as engine:
        while await engine.embed_due(limit=2):
            pass
        await engine.tend_vectors()

asyncio.run(main())
"""


def settings_of(model: str, server: EmbeddingServer) -> MemorySettings:
    encoder = EmbeddingSettings(
        provider="openai", model=model, base_url=server.base_url, dimension=DIMENSION, query_timeout_s=30
    )
    return MemorySettings(embedding=encoder)


def reembedding(url: str, server: EmbeddingServer, fault: str = "") -> subprocess.Popen[str]:
    """A program with the new model, which makes all vectors anew until it ends or the fault fires."""
    return subprocess.Popen(
        [sys.executable, "-c", REEMBEDDING, url, server.base_url],
        env=os.environ | ({"FRASIER_FAULT": fault} if fault else {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def killed(url: str, server: EmbeddingServer, where: str) -> None:
    """Lets the program be killed at a passage of a fault point, or while the encoder is asked for that time."""
    name, _, passage = where.partition(":")
    answer, running = server.answer, []
    if name not in FAULT_POINTS:
        asked = 0

        def kill_at(texts):
            nonlocal asked
            asked += 1
            if asked == int(passage):
                running[0].kill()
            return answer(texts)

        server.answer = kill_at
    running.append(reembedding(url, server, f"{name}:kill:{passage}" if name in FAULT_POINTS else ""))
    _, errors = running[0].communicate(timeout=90)
    server.answer = answer
    assert running[0].returncode == -signal.SIGKILL, errors


async def rows(db, statement: str):
    async with db.transaction() as tx:
        return await (await tx.execute(statement)).fetchall()


async def spaces(db) -> dict[str, str]:
    return {row["model"]: row["state"] for row in await rows(db, "select model, state from memory_spaces")}


async def models_of_vectors(db) -> dict[str, list[list[float]]]:
    """Each model's vectors to five digits, in the order of their memories."""
    found = await rows(
        db,
        "select s.model, v.embedding::text as said from memory_vectors v"
        " join memory_spaces s on s.id = v.space_id order by s.model, v.memory_num",
    )
    vectors: dict[str, list[list[float]]] = {}
    for row in found:
        vectors.setdefault(row["model"], []).append(
            [round(float(one), 5) for one in row["said"][1:-1].split(",")]
        )
    return vectors


def of_model(salt: str, texts: list[str]) -> list[list[float]]:
    """What that model makes of the texts: of length 1, in half precision, as they are stored."""
    made = []
    for text in texts:
        vector = bag_of_words(text, DIMENSION, salt)
        length = math.hypot(*vector)
        made.append([round(*struct.unpack("e", struct.pack("e", one / length)), 5) for one in vector])
    return made


def found_by(answer) -> set[str]:
    return {str(arm) for hit in answer.hits for arm in hit.ranks}


@asynccontextmanager
async def serving(db, model: str, server: EmbeddingServer):
    """An engine that has the model, and has used it."""
    async with open_engine(db, settings_of(model, server)) as engine:
        await engine.embed_due()
        yield engine


@pytest.mark.parametrize(
    "where",
    [
        "vectors.before_commit:3",
        "asked:2",
        "spaces.before_switch:1",
        pytest.param("vectors.before_commit:1", marks=pytest.mark.slow),
        pytest.param("asked:4", marks=pytest.mark.slow),
        pytest.param("vectors.before_commit:5", marks=pytest.mark.slow),
    ],
)
async def test_a_change_of_models_that_is_killed_comes_to_its_end(db, database_url, where):
    question = RecallRequest(text="green crane", cached=False)
    with EmbeddingServer(well(DIMENSION, "old")) as old, EmbeddingServer(well(DIMENSION, "new")) as new:
        async with open_engine(db, settings_of("old", old), encode_saves=False) as engine:
            for number in range(MEMORIES):
                memory = NewMemory(
                    kind=MemoryKind.OBSERVATION, scope="shared", content=f"Crane {number} is green."
                )
                await engine.save(CALLER, memory, gate=False)
            assert await engine.embed_due() == MEMORIES
            texts = [row["content"] for row in await rows(db, KEPT)]
            before = await rows(db, KEPT)

            killed(database_url, new, where)

            assert await spaces(db) == {"old": "active", "new": "building"}, "never half switched"
            held = await models_of_vectors(db)
            assert held["old"] == of_model("old", texts)
            assert held.get("new", []) == of_model("new", texts)[: len(held.get("new", []))]
            if "switch" not in where:
                assert len(held.get("new", [])) < MEMORIES, "killed before the end"
            # Who still has the old model is served as ever; with the new one it is by words, and is said to be.
            answer = await engine.recall(CALLER, question)
            assert (len(answer.hits), answer.degraded) == (MEMORIES, "")
            assert "vector" in found_by(answer)
            async with open_engine(db, settings_of("new", new)) as changed:
                answer = await changed.recall(CALLER, question)
                assert "until all are remade" in answer.degraded
                assert (await changed.health()).building == "new"
                if "switch" not in where:
                    while await changed.embed_due(limit=2):
                        pass
                    await changed.tend_vectors()
                    assert await spaces(db) == {"old": "active", "new": "building"}, (
                        "what was claimed is owed"
                    )
            assert len(answer.hits) == MEMORIES
            assert "vector" not in found_by(answer)

            # The claim of who was killed lasts for minutes.
            async with db.transaction() as tx:
                await tx.execute("update memory_embedding_jobs set next_try_at = now()")
            again = reembedding(database_url, new)
            _, errors = again.communicate(timeout=90)
            assert again.returncode == 0, errors

            assert await spaces(db) == {"new": "active"}, "the old space is gone"
            assert await models_of_vectors(db) == {"new": of_model("new", texts)}
            assert await rows(db, "select * from memory_embedding_jobs") == []
            assert await rows(db, KEPT) == before
            stale = await engine.recall(CALLER, question)
            assert "vector" not in found_by(stale)
            assert "until all are remade" in stale.degraded
        async with open_engine(db, settings_of("new", new)) as changed:
            answer = await changed.recall(CALLER, question)
            health = await changed.health()
    assert (len(answer.hits), answer.degraded) == (MEMORIES, "")
    assert "vector" in found_by(answer)
    assert (health.pending, health.retry, health.failed, health.building) == (0, 0, 0, "")
