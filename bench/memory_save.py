"""Duration of a durable save with admission, beside a bare durable commit; and the rate of bulk saves."""

from __future__ import annotations

import time
from typing import NamedTuple

from bench.commits import commit_once
from bench.figures import Figure, at_most, p50, p95, quietest
from bench.memory_dataset import CALLER, MemoryDataset
from bench.memory_load import SCOPE
from bench.timing import timed
from frasier.memory.admission.save_gate import GateAction
from frasier.memory.engine import MemoryEngine, open_engine
from frasier.memory.save import save_memories
from frasier.memory.settings import MemorySettings
from frasier.memory.types import MemoryKind, NewMemory
from frasier.memory.vectors.types import VectorEntry

_WARM_UP = 20
_ROUNDS = 3
_BATCH = 500


async def measure_save(dataset: MemoryDataset, count: int) -> list[Figure]:
    """Measure saves one after another, `count` in each round, in turn with bare commits."""
    corpus = dataset.corpus
    texts = [corpus.text(words) for words in corpus.held_out(_WARM_UP + _ROUNDS * count).words]
    async with open_engine(dataset.database, MemorySettings()) as engine:
        pairs = [
            _Pair(await timed(commit_once(dataset.database)), await timed(_save(engine, text)))
            for text in texts
        ][_WARM_UP:]
    rounds = [pairs[start : start + count] for start in range(0, len(pairs), count)]
    counted, rounds_text = quietest(rounds, lambda pair: pair.save)
    commits, saves = [pair.commit for pair in counted], [pair.save for pair in counted]
    size = corpus.size
    bare = f"a bare commit: p50 {p50(commits):.2f} ms, p95 {p95(commits):.2f} ms"
    return [
        Figure(
            what=f"save at {size:,} memories, durable, p95",
            value=p95(saves),
            unit="ms",
            target=at_most(10),
            detail=f"p50 {p50(saves):.2f} ms, n = {count}, {rounds_text}; through the gate, found by its words at once;"
            f" {bare}",
        ),
        Figure(
            what=f"save at {size:,} against a bare durable commit, p50 to p50",
            value=p50(saves) / p50(commits),
            unit="×",
            detail=f"p95 to p95 {p95(saves) / p95(commits):.1f} ×; in turn with as many bare commits",
        ),
    ]


class _Pair(NamedTuple):
    """The milliseconds of a bare commit and of the save after it."""

    commit: float
    save: float


async def measure_bulk_save(dataset: MemoryDataset, count: int) -> list[Figure]:
    """Measure saves in batches, with precomputed vectors, in addition to the memories of the dataset."""
    corpus = dataset.corpus
    chunk = corpus.held_out(count)
    started = time.perf_counter()
    for start in range(0, count, _BATCH):
        end = min(start + _BATCH, count)
        news = [_memory(corpus.text(words), MemoryKind.PASSAGE) for words in chunk.words[start:end]]
        async with dataset.database.transaction() as tx:
            ids = await save_memories(tx, news)
            rows = await (
                await tx.execute("select id, num from memory_items where id = any(%s)", [ids])
            ).fetchall()
            nums = {row["id"]: row["num"] for row in rows}
            entries = [
                VectorEntry(
                    memory_num=nums[memory_id],
                    memory_id=memory_id,
                    scope=SCOPE,
                    kind=MemoryKind.PASSAGE,
                    part=0,
                    vector=vector,
                )
                for memory_id, vector in zip(ids, chunk.vectors[start:end], strict=True)
            ]
            await dataset.store.upsert(tx, dataset.space, entries)
    seconds = time.perf_counter() - started
    return [
        Figure(
            what=f"memories saved a second beside {corpus.size:,}, {_BATCH} at once",
            value=count / seconds,
            unit="/s",
            detail=f"{count:,} in all, each batch durable, with postings, vectors given, all indexes kept",
        )
    ]


async def _save(engine: MemoryEngine, text: str) -> None:
    saved = await engine.save(CALLER, _memory(text, MemoryKind.OBSERVATION))
    assert saved.action is GateAction.CREATED, f"a new text was {saved.action}"


def _memory(text: str, kind: MemoryKind) -> NewMemory:
    return NewMemory(kind=kind, scope=SCOPE, content=text)
