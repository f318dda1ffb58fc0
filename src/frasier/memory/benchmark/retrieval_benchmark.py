"""Measure retrieval: save a collection as memories, then recall every question once per configuration.

The default configuration is measured again after simulated use of the memories, half of it on wrong hits: use must
not make recall worse.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from frasier.memory.access import Caller
from frasier.memory.benchmark.abstention import Abstention, measure_abstention
from frasier.memory.benchmark.collection import Collection, JudgedQuery, Text
from frasier.memory.benchmark.metrics import Quality, mean, percentile, quality
from frasier.memory.engine import MemoryEngine
from frasier.memory.forgetting.reviews import mark_cited
from frasier.memory.recall.types import Detail, RecallAnswer, RecallHit, RecallRequest
from frasier.memory.save import save_memories
from frasier.memory.settings import FusionSettings, MemorySettings, RerankSettings
from frasier.memory.types import MemoryKind

_BATCH = 500
_NO_RERANK = RerankSettings(method="none")
_DEFAULT = "default + rerank"
_AFTER_USE = f"{_DEFAULT}, after use"
_PASSES = 2
_SEED = 4

_REQUEST = RecallRequest(
    kinds=frozenset({MemoryKind.CONVERSATION, MemoryKind.PASSAGE}),
    limit=10,
    cached=False,
    track=False,
    binding=False,
    detail=Detail.FULL,
)

Progress = Callable[[str, int, int], None]
"""Callback with the name of the stage, the number of completed items, and their total."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmResult:
    """The quality and cost of one configuration. Times are in milliseconds; `tokens` is the mean size of an answer.

    `not_reranked` counts the answers that should have been reranked and were not; None if the configuration does
    not rerank. `reranker_off` is the reason why the reranker was off, if it was.
    """

    arm: str
    overall: Quality
    by_category: Mapping[str, Quality]
    questions: int
    p50_ms: float
    p95_ms: float
    tokens: float
    not_reranked: int | None
    reranker_off: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The results of measuring one collection. `abstention` is that of the default, empty if it was not measured."""

    collection: str
    qrels: str
    memories: int
    save_s: float
    encode_s: float
    encoder: str
    arms: tuple[ArmResult, ...]
    abstention: tuple[Abstention, ...] = ()

    @property
    def reranker_off(self) -> str:
        """The reason why the reranker was off although a configuration uses it; empty if it worked."""
        return next((arm.reranker_off for arm in self.arms if arm.reranker_off), "")


def configurations(settings: MemorySettings) -> Mapping[str, MemorySettings]:
    """The configurations to compare, by name; the last is the default, which is measured again after use (_use)."""
    lexical = FusionSettings(vector=0, context=0, graph=0, trigger=0)
    vector = FusionSettings(lexical=0, context=0, graph=0, trigger=0)
    baseline = FusionSettings(lexical=1, vector=1, graph=1.5, context=0, trigger=0)
    return {
        "lexical only": settings.model_copy(update={"fusion": lexical, "rerank": _NO_RERANK}),
        "vector only": settings.model_copy(update={"fusion": vector, "rerank": _NO_RERANK}),
        "RRF baseline": settings.model_copy(update={"fusion": baseline, "rerank": _NO_RERANK}),
        "default": settings.model_copy(update={"rerank": _NO_RERANK}),
        _DEFAULT: settings,
    }


async def measure(
    engine: MemoryEngine, collection: Collection, *, arms: Sequence[str] | None = None, progress: Progress
) -> Measured:
    """Save the collection through `engine`, wait for its vectors, and recall every question in every configuration.

    Each group of the collection becomes a scope. The database should be empty and disposable.
    """
    began = time.perf_counter()
    ids = await _save(engine, collection, progress)
    saved = time.perf_counter()
    await _encode(engine, len(collection.texts), progress)
    encoded = time.perf_counter()
    results = []
    abstention: tuple[Abstention, ...] = ()
    for name, settings in configurations(engine.settings).items():
        if arms is None or name in arms:
            configured = engine.configured(settings)
            results.append(await _ask(configured, name, collection, ids, progress))
            if name == _DEFAULT:
                abstention = await _abstain(configured, collection, ids, progress)
                await _use(configured, collection, ids, progress)
                results.append(await _ask(configured, _AFTER_USE, collection, ids, progress, track=True))
    encoder = await engine.encoder_name()
    return Measured(
        collection=collection.name,
        qrels=collection.qrels,
        memories=len(collection.texts),
        save_s=saved - began,
        encode_s=encoded - saved,
        encoder=encoder,
        arms=tuple(results),
        abstention=abstention,
    )


async def _save(engine: MemoryEngine, collection: Collection, progress: Progress) -> dict[UUID, str]:
    scopes = _scopes(collection)
    ids: dict[UUID, str] = {}
    for batch in _batches(collection.texts):
        async with engine.database.transaction() as tx:
            saved = await save_memories(tx, [text.as_memory(scopes[text.group]) for text in batch])
        ids |= {memory_id: text.id for memory_id, text in zip(saved, batch, strict=True)}
        progress("saving", len(ids), len(collection.texts))
    return ids


async def _encode(engine: MemoryEngine, count: int, progress: Progress) -> None:
    """Embed until no vector is missing; returns at once without an encoder."""
    done = 0
    while embedded := await engine.embed_due(limit=256):
        done += embedded
        progress("encoding", min(done, count), count)


async def _abstain(
    engine: MemoryEngine, collection: Collection, ids: dict[UUID, str], progress: Progress
) -> tuple[Abstention, ...]:
    scopes = _scopes(collection)
    asked = 0

    async def ask(question: JudgedQuery, group: str) -> tuple[RecallHit, ...]:
        nonlocal asked
        asked += 1
        progress("abstaining", asked, len(collection.questions) * min(len(collection.groups), 2))
        caller = Caller(name="bench", scopes=(scopes[group],))
        return (await engine.recall(caller, replace(_REQUEST, text=question.text[:10_000]))).hits

    return await measure_abstention(collection.questions, collection.groups, ids, ask)


async def _use(
    engine: MemoryEngine, collection: Collection, ids: Mapping[UUID, str], progress: Progress
) -> None:
    """Recall every question twice, with tracking, and fetch and cite one hit of each answer.

    The hit is relevant in half of the cases and irrelevant in the rest, where the answer has both, by a fixed seed.
    """
    draw = random.Random(_SEED)
    scopes = _scopes(collection)
    count = len(collection.questions)
    for number in range(_PASSES):
        use_relevant = [position % 2 == 0 for position in range(count)]
        draw.shuffle(use_relevant)
        for done, (question, relevant) in enumerate(zip(collection.questions, use_relevant, strict=True), 1):
            caller = Caller(name="bench", scopes=(scopes[question.group],))
            answer = await engine.recall(caller, replace(_REQUEST, text=question.text[:10_000], track=True))
            hits = [hit.memory.id for hit in answer.hits]
            eligible = [hit for hit in hits if (ids[hit] in question.relevant) is relevant]
            if hits:
                used = draw.choice(eligible or hits)
                await engine.note_fetched(used)
                async with engine.database.transaction() as tx:
                    await mark_cited(tx, caller, [used])
            progress("using", number * count + done, _PASSES * count)


async def _ask(
    engine: MemoryEngine,
    name: str,
    collection: Collection,
    ids: Mapping[UUID, str],
    progress: Progress,
    *,
    track: bool = False,
) -> ArmResult:
    scopes = _scopes(collection)
    scored: list[tuple[JudgedQuery, Quality]] = []
    times_ms: list[float] = []
    tokens = 0
    watch = _RerankWatch(engine)
    for number, question in enumerate(collection.questions, 1):
        caller = Caller(name="bench", scopes=(scopes[question.group],))
        began = time.perf_counter()
        answer = await engine.recall(caller, replace(_REQUEST, text=question.text[:10_000], track=track))
        times_ms.append((time.perf_counter() - began) * 1000)
        tokens += answer.tokens
        watch.note(answer)
        scored.append((question, quality([ids[hit.memory.id] for hit in answer.hits], question.relevant)))
        progress(name, number, len(collection.questions))
    return ArmResult(
        arm=name,
        overall=mean([measured for _, measured in scored]),
        by_category=_by_category(scored),
        questions=len(scored),
        p50_ms=percentile(times_ms, 0.5),
        p95_ms=percentile(times_ms, 0.95),
        tokens=tokens / len(scored),
        not_reranked=watch.missed if _DEFAULT in name else None,
        reranker_off=watch.why_off() if _DEFAULT in name else "",
    )


class _RerankWatch:
    """Counter of the answers that were not reranked, and the reason if the reranker was off."""

    def __init__(self, engine: MemoryEngine) -> None:
        self._engine = engine
        self._answers = 0
        self.missed = 0
        self._slow = False
        self._degraded = ""

    def note(self, answer: RecallAnswer) -> None:
        self._answers += 1
        self.missed += not answer.reranked
        self._slow = self._slow or self._engine.rerank_off
        self._degraded = self._degraded or answer.degraded

    def why_off(self) -> str:
        """The reason why the reranker was off; empty if it worked."""
        rerank = self._engine.settings.rerank
        if rerank.method == "none":
            return "The reranker is disabled in the settings."
        if self._slow:
            return f"The reranker switched itself off: its 95th percentile exceeded {rerank.slow_ms:g} ms."
        if self.missed == self._answers:
            return f"No answer was reranked. {self._degraded}".rstrip()
        return ""


def _by_category(scored: Sequence[tuple[JudgedQuery, Quality]]) -> dict[str, Quality]:
    categories = sorted({question.category for question, _ in scored} - {""})
    return {
        category: mean([measured for question, measured in scored if question.category == category])
        for category in categories
    }


def _scopes(collection: Collection) -> dict[str, str]:
    """A numbered scope for each group, because group names need not be valid scope names."""
    groups = dict.fromkeys((*collection.groups, *(question.group for question in collection.questions)))
    return {group: f"bench:{number}" for number, group in enumerate(groups)}


def _batches(texts: Sequence[Text]) -> Iterator[Sequence[Text]]:
    for start in range(0, len(texts), _BATCH):
        yield texts[start : start + _BATCH]
