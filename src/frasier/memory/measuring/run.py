"""Measuring retrieval: a collection is saved as memories would be, then every question is recalled, arm by arm."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from frasier.memory.access import Caller
from frasier.memory.engine import MemoryEngine
from frasier.memory.measuring.collection import Collection, Question, Text
from frasier.memory.measuring.metrics import Quality, mean, percentile, quality
from frasier.memory.recalling import Detail, RecallRequest
from frasier.memory.save import save_memories
from frasier.memory.settings import FusionSettings, MemorySettings, RerankSettings
from frasier.memory.types import MemoryKind, NewMemory

_BATCH = 500
_NO_RERANK = RerankSettings(method="none")

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmResult:
    """What one configuration reached. Times are in milliseconds, `tokens` the mean size of an answer."""

    arm: str
    overall: Quality
    by_category: Mapping[str, Quality]
    questions: int
    p50_ms: float
    p95_ms: float
    tokens: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    collection: str
    qrels: str
    memories: int
    save_s: float
    encode_s: float
    encoder: str
    arms: tuple[ArmResult, ...]


def configurations(settings: MemorySettings) -> Mapping[str, MemorySettings]:
    """The arms of the table by name. The last is what a recall does when nothing is set."""
    lexical = FusionSettings(vector=0, context=0, graph=0, trigger=0)
    vector = FusionSettings(lexical=0, context=0, graph=0, trigger=0)
    baseline = FusionSettings(lexical=1, vector=1, graph=1.5, context=0, trigger=0)
    return {
        "lexical only": settings.model_copy(update={"fusion": lexical, "rerank": _NO_RERANK}),
        "vector only": settings.model_copy(update={"fusion": vector, "rerank": _NO_RERANK}),
        "RRF baseline": settings.model_copy(update={"fusion": baseline, "rerank": _NO_RERANK}),
        "default": settings.model_copy(update={"rerank": _NO_RERANK}),
        "default + rerank": settings,
    }


async def measure(
    engine: MemoryEngine, collection: Collection, *, arms: Sequence[str] | None = None, progress: Progress
) -> Measured:
    """Saves the collection through `engine`, waits for its vectors, and asks every question in every arm.

    Each group of the collection is a scope of its own. Texts with a speaker are turns of a conversation, others
    are passages. The database should be empty, and is to be thrown away.
    """
    began = time.perf_counter()
    ids = await _save(engine, collection, progress)
    saved = time.perf_counter()
    await _encode(engine, len(collection.texts), progress)
    encoded = time.perf_counter()
    results = []
    for name, settings in configurations(engine.settings).items():
        if arms is None or name in arms:
            asked = await _ask(engine.configured(settings), name, collection, ids, progress)
            results.append(asked)
    encoder = await engine.encoder_name()
    return Measured(
        collection=collection.name,
        qrels=collection.qrels,
        memories=len(collection.texts),
        save_s=saved - began,
        encode_s=encoded - saved,
        encoder=encoder,
        arms=tuple(results),
    )


async def _save(engine: MemoryEngine, collection: Collection, progress: Progress) -> dict[UUID, str]:
    scopes = _scopes(collection)
    ids: dict[UUID, str] = {}
    for batch in _batches(collection.texts):
        async with engine.database.transaction() as tx:
            saved = await save_memories(tx, [_memory(text, scopes[text.group]) for text in batch])
        ids |= {memory_id: text.id for memory_id, text in zip(saved, batch, strict=True)}
        progress("saving", len(ids), len(collection.texts))
    return ids


def _memory(text: Text, scope: str) -> NewMemory:
    return NewMemory(
        kind=MemoryKind.CONVERSATION if text.speaker else MemoryKind.PASSAGE,
        scope=scope,
        title="" if text.text.startswith(text.title) else text.title,
        content=text.text.strip() or text.title or "(empty)",
        speaker=text.speaker,
        thread=text.thread,
        occurred_at=text.occurred_at,
    )


async def _encode(engine: MemoryEngine, count: int, progress: Progress) -> None:
    """Until no vector is owed any more; without an encoder nothing is."""
    done = 0
    while made := await engine.embed_due(limit=256):
        done += made
        progress("encoding", min(done, count), count)


async def _ask(
    engine: MemoryEngine, name: str, collection: Collection, ids: Mapping[UUID, str], progress: Progress
) -> ArmResult:
    scopes = _scopes(collection)
    kinds = frozenset({MemoryKind.CONVERSATION, MemoryKind.PASSAGE})
    request = RecallRequest(
        kinds=kinds, limit=10, cached=False, track=False, binding=False, detail=Detail.FULL
    )
    reached: list[tuple[Question, Quality]] = []
    took: list[float] = []
    tokens = 0
    for number, question in enumerate(collection.questions, 1):
        caller = Caller(name="bench", scopes=(scopes[question.group],))
        began = time.perf_counter()
        answer = await engine.recall(caller, replace(request, text=question.text[:10_000]))
        took.append((time.perf_counter() - began) * 1000)
        tokens += answer.tokens
        reached.append((question, quality([ids[hit.memory.id] for hit in answer.hits], question.relevant)))
        progress(name, number, len(collection.questions))
    return ArmResult(
        arm=name,
        overall=mean([one for _, one in reached]),
        by_category=_by_category(reached),
        questions=len(reached),
        p50_ms=percentile(took, 0.5),
        p95_ms=percentile(took, 0.95),
        tokens=tokens / len(reached),
    )


def _by_category(reached: Sequence[tuple[Question, Quality]]) -> dict[str, Quality]:
    categories = sorted({question.category for question, _ in reached} - {""})
    return {
        category: mean([one for question, one in reached if question.category == category])
        for category in categories
    }


def _scopes(collection: Collection) -> dict[str, str]:
    """A scope a group: names of scopes are narrower than what a collection may call its groups."""
    groups = dict.fromkeys((*collection.groups, *(question.group for question in collection.questions)))
    return {group: f"bench:{number}" for number, group in enumerate(groups)}


def _batches(texts: Sequence[Text]) -> Iterator[Sequence[Text]]:
    for start in range(0, len(texts), _BATCH):
        yield texts[start : start + _BATCH]
