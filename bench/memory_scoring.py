"""Duration of scoring candidates, without the database."""

from __future__ import annotations

import random
import time

from bench.figures import Figure, at_most, p50, p95
from frasier.kernel.ids import new_id
from frasier.memory.forgetting.states import MemoryState
from frasier.memory.forgetting.usage_stats import UsageStats
from frasier.memory.lexical_search import WordHits
from frasier.memory.recall.candidates import Features, Pool
from frasier.memory.recall.fusion import Arm, Fused
from frasier.memory.recall.intents import Intent
from frasier.memory.recall.ranking import rank
from frasier.memory.recall.relevance import relevance
from frasier.memory.settings import ScoringSettings
from frasier.memory.types import ImportanceTier, MemoryKind, MemoryType

POOLS = (200, 1_000)
_REPETITIONS = 100
_KINDS = (MemoryKind.OBSERVATION, MemoryKind.LESSON, MemoryKind.DECISION, MemoryKind.PASSAGE)
_TYPES = tuple(MemoryType)


def measure_scoring() -> list[Figure]:
    """Measure the scoring of pools of candidates."""
    figures = []
    for size in POOLS:
        pool = _pool(size)
        durations_ms = []
        for _ in range(_REPETITIONS):
            started = time.perf_counter()
            ranked = rank(
                pool,
                relevance(pool, None),
                text="why did we leave the old storage engine",
                intent=Intent.UNDERSTAND,
                min_state=MemoryState.DORMANT,
                settings=ScoringSettings(),
            )
            durations_ms.append((time.perf_counter() - started) * 1000)
            assert ranked, "everything had faded"
        figures.append(
            Figure(
                what=f"scoring of {size:,} candidates, p95",
                value=p95(durations_ms),
                unit="ms",
                target=at_most(10),
                detail=f"p50 {p50(durations_ms):.2f} ms; relevance, decay, usage, importance, citation,"
                " query pattern, order",
            )
        )
    return figures


def _pool(size: int) -> Pool:
    rng = random.Random(1)
    features = {num: _features(num, rng) for num in range(size)}
    fused = [
        Fused(
            num=num,
            score=1 / (60 + num),
            share=60 / (60 + num),
            share_by_words=60 / (60 + num),
            ranks={Arm.LEXICAL: num + 1},
        )
        for num in range(size)
    ]
    return Pool(
        fused=fused,
        features=features,
        words=WordHits(scores={num: float(size - num) for num in range(size)}, keys=()),
        cosines={num: rng.random() for num in range(0, size, 2)},
        inherited={},
        triggered={},
        beside={},
        expansion=None,
    )


def _features(num: int, rng: random.Random) -> Features:
    kind = rng.choice(_KINDS)
    return Features(
        num=num,
        id=new_id(),
        title=f"What storage number {num} taught us" if num % 2 else "",
        triggers=(),
        speaker=None,
        thread=None,
        confidence=0.5,
        without_vector=False,
        usage_stats=UsageStats(
            kind=kind,
            tier=rng.choice((ImportanceTier.NORMAL, ImportanceTier.IMPORTANT)),
            memory_type=rng.choice(_TYPES),
            importance=rng.randint(1, 10),
            age_days=rng.uniform(0, 60),
            idle_days=rng.uniform(0, 60),
            stability=None if num % 3 else 4.0,
            use_count=rng.randint(0, 12),
            cited_days=None if num % 4 else rng.uniform(0, 90),
        ),
    )
