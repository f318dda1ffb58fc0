"""kill -9 of a program that saves and encodes: nothing committed is lost, and nothing is half there.

The memory's other fault points are tried where they are passed: scans in test_memory_files_scan, restoring in
test_memory_checkpoints_restore, a change of models in test_memory_reembedding_crash.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import psycopg
import pytest

from frasier.memory import Caller, MemorySettings, RecallRequest, open_engine

CALLER = Caller(name="tester", scopes=("shared",))

SAVING = """
import asyncio, sys
from frasier.memory import Caller, MemoryKind, MemorySettings, NewMemory, open_engine
from frasier.store import Database

async def main():
    async with Database(sys.argv[1]) as database, open_engine(
        database, MemorySettings(), encode_saves=False
    ) as engine:
        caller = Caller(name="tester", scopes=("shared",))
        for number in range(4):
            new = NewMemory(kind=MemoryKind.OBSERVATION, scope="shared", content=f"Crane {number} is green.",
                            triggers=(f"crane number {number}",))
            saved = await engine.save(caller, new, gate=False)
            print(saved.id, flush=True)
        while await engine.embed_due(limit=1):
            pass

asyncio.run(main())
"""

HALVES = {
    "postings of nothing": """select count(*) from memory_terms t
        where not exists (select from memory_items i where i.num = t.memory_num)""",
    "memories without their postings": """select count(*) from memory_items i
        where cardinality(term_keys) <> (select count(*) from memory_terms t where t.memory_num = i.num)""",
    "memories without their phrases": """select count(*) from memory_items i
        where not exists (select from memory_triggers t where t.memory_id = i.id)""",
    "vectors without token states": """select count(*) from memory_vectors v where not exists
        (select from memory_token_states s where s.memory_num = v.memory_num and s.part = v.part)""",
    "memories with neither a vector nor a debt": """select count(*) from memory_items i
        where not exists (select from memory_vectors v where v.memory_num = i.num)
            and not exists (select from memory_embedding_jobs j where j.memory_num = i.num)
            and exists (select from memory_spaces)""",
}


def killed(url: str, fault: str) -> list[str]:
    """What the program said before it was killed at that point."""
    child = subprocess.run(
        [sys.executable, "-c", SAVING, url],
        env=os.environ | {"FRASIER_FAULT": f"{fault}:kill:3"},
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert child.returncode == -signal.SIGKILL, child.stderr
    return child.stdout.split()


@pytest.mark.parametrize(("fault", "kept"), [("save.before_commit", 2), ("vectors.before_commit", 4)])
async def test_whatever_was_acknowledged_is_there_and_whole(db, database_url, fault, kept):
    said = killed(database_url, fault)
    assert len(said) == kept
    async with await psycopg.AsyncConnection.connect(database_url) as connection:
        for what, count in HALVES.items():
            (row,) = await (await connection.execute(count)).fetchall()
            assert row[0] == 0, what
    async with open_engine(db, MemorySettings()) as engine:
        await engine.retry_embeddings(CALLER)
        async with db.transaction() as tx:
            await tx.execute("update memory_embedding_jobs set next_try_at = now()")
        while await engine.embed_due():
            pass
        answer = await engine.recall(CALLER, RecallRequest(text="green crane"))
        health = await engine.health()
    assert sorted(str(hit.memory.id) for hit in answer.hits) == sorted(said)
    assert answer.degraded == ""
    assert (health.pending, health.retry, health.failed) == (0, 0, 0)
