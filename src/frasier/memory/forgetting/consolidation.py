"""Consolidation: facts stated by several episodes become lasting memories, and covered episodes are archived.

It has five phases, as in sleep: replay the episodes older than a week; abstract the facts that at least two of them
state; integrate each as one semantic memory, derived from them; prune the covered episodes; strengthen frequently used
memories. Without `apply` nothing is written, and the report says what would be.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias
from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.kernel.copy_fields import copy_fields
from frasier.kernel.errors import InvalidInput
from frasier.memory.access import Caller
from frasier.memory.cache_invalidation import note_change
from frasier.memory.forgetting.archive import archive
from frasier.memory.forgetting.consolidation_plan import (
    ConsolidationPlan,
    Episode,
    KnownFact,
    PlannedFact,
    plan_consolidation,
)
from frasier.memory.graph.link import link_memories
from frasier.memory.graph.types import EdgeOrigin, Relation
from frasier.memory.save import save_memory
from frasier.memory.strength.adjustments import adjust
from frasier.memory.strength.replay import Cause, Quantity, StrengthOperation
from frasier.memory.types import ImportanceTier, MemoryKind, MemoryType, NewMemory
from frasier.store import Statements, Tx, from_row

_sql = Statements("frasier.memory.forgetting")

EXTRACTOR = "consolidation-1"
REPLAYED_MAX = 100
REPLAYED_AFTER_DAYS = 7.0

# Conversation is recalled only on request, so its words must not become facts; passages, markers and directives are
# records that stay as they are.
_REPLAYED_KINDS = frozenset(
    {MemoryKind.OBSERVATION, MemoryKind.TASK, MemoryKind.LESSON, MemoryKind.APPROACH, MemoryKind.DECISION}
)
_KNOWN_MAX = 500
_EDGE_STRENGTH = 0.5  # moderate, because nobody stated the relation
_OFTEN = 5
_STRENGTHENED_MAX = 100
_STRENGTHENING = 1.3

MakeCheckpoint: TypeAlias = Callable[[Tx, str], Awaitable[UUID]]
"""Creates a named checkpoint of all memories in the same transaction; returns its id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidatedFact:
    """A fact in its scope, and the episodes that state it. `memory_id` is None if it would be a new memory."""

    scope: str
    content: str
    strength: float
    tier: ImportanceTier
    episodes: tuple[UUID, ...]
    memory_id: UUID | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrunedEpisode:
    """An episode that was (or would be) archived; `coverage` (0 to 1) is the share of it that facts hold."""

    memory_id: UUID
    coverage: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationReport:
    """The changes made, if `applied`, else the changes planned. `replayed` counts the episodes read.

    `facts` are those with newly linked episodes. `checkpoint` is the one to restore, made only if episodes were pruned.
    """

    applied: bool
    replayed: int
    facts: tuple[ConsolidatedFact, ...]
    pruned: tuple[PrunedEpisode, ...]
    strengthened: tuple[UUID, ...]
    checkpoint: UUID | None = None

    @property
    def changes(self) -> bool:
        return bool(self.facts or self.pruned or self.strengthened)


async def consolidate(
    tx: Tx, caller: Caller, *, apply: bool = False, checkpoint: MakeCheckpoint | None = None
) -> ConsolidationReport:
    """Consolidate each of the caller's scopes separately: its newest hundred episodes older than a week.

    `apply` requires a `checkpoint`, which is made before anything is written if episodes will be archived; none is
    deleted. A second run finds nothing to do. Frequent use strengthens once for every five uses, and once per run.
    Raises InvalidInput without a checkpoint.
    """
    if apply and checkpoint is None:
        raise InvalidInput(
            "A consolidation archives episodes, so it requires a checkpoint.",
            kept="Nothing was changed.",
            hint="Pass a function that makes one, or run without apply.",
        )
    await _sql.run(tx, "lock_consolidation")
    read = {scope: await _replay(tx, scope) for scope in sorted(caller.scopes)}
    plans = {
        scope: await asyncio.to_thread(plan_consolidation, *replayed) for scope, replayed in read.items()
    }
    report = ConsolidationReport(
        applied=apply,
        replayed=sum(len(episodes) for episodes, _ in read.values()),
        facts=tuple(_consolidated(scope, fact) for scope, plan in plans.items() for fact in _unlinked(plan)),
        pruned=tuple(
            PrunedEpisode(memory_id=memory_id, coverage=coverage)
            for plan in plans.values()
            for memory_id, coverage in plan.covered.items()
        ),
        strengthened=await _often_used(tx, caller, plans),
    )
    if checkpoint is None or not apply or not report.changes:
        return report
    return await _apply(tx, caller, report, plans, checkpoint)


async def _apply(
    tx: Tx,
    caller: Caller,
    report: ConsolidationReport,
    plans: Mapping[str, ConsolidationPlan],
    checkpoint: MakeCheckpoint,
) -> ConsolidationReport:
    made = await checkpoint(tx, "consolidation") if report.pruned else None
    facts = [
        replace(_consolidated(scope, fact), memory_id=await _integrate(tx, caller, scope, fact))
        for scope, plan in plans.items()
        for fact in _unlinked(plan)
    ]
    await archive(tx, [episode.memory_id for episode in report.pruned])
    for memory_id in report.strengthened:
        await adjust(
            tx,
            memory_id,
            cause=Cause.CONSOLIDATION,
            quantity=Quantity.STABILITY,
            operation=StrengthOperation.MULTIPLY,
            amount=_STRENGTHENING,
        )
    await note_change(tx, caller.scopes)
    return replace(report, facts=tuple(facts), checkpoint=made)


async def _replay(tx: Tx, scope: str) -> tuple[list[Episode], list[KnownFact]]:
    """Read the episodes of a scope, oldest first, and the facts of earlier consolidations."""
    rows = await _sql.all(
        tx,
        "episodes",
        scope=scope,
        kinds=sorted(_REPLAYED_KINDS),
        older_than_days=REPLAYED_AFTER_DAYS,
        limit=REPLAYED_MAX,
    )
    episodes = [from_row(Episode, row) for row in reversed(rows)]
    known = [
        KnownFact(id=row["id"], content=row["content"], active=row["active"], linked=frozenset(row["linked"]))
        for row in reversed(
            await _sql.all(tx, "consolidated", scope=scope, extractor=EXTRACTOR, limit=_KNOWN_MAX)
        )
    ]
    return episodes, known


def _unlinked(plan: ConsolidationPlan) -> list[PlannedFact]:
    return [fact for fact in plan.facts if fact.unlinked]


def _consolidated(scope: str, fact: PlannedFact) -> ConsolidatedFact:
    return copy_fields(ConsolidatedFact, fact, scope=scope)


async def _often_used(tx: Tx, caller: Caller, plans: Mapping[str, ConsolidationPlan]) -> tuple[UUID, ...]:
    pruned = [memory_id for plan in plans.values() for memory_id in plan.covered]
    rows = await _sql.all(
        tx,
        "often_used",
        scopes=list(caller.scopes),
        pruned=pruned,
        often=_OFTEN,
        limit=_STRENGTHENED_MAX,
    )
    return tuple(row["memory_id"] for row in rows)


async def _integrate(tx: Tx, caller: Caller, scope: str, fact: PlannedFact) -> UUID:
    """Save the semantic memory that states the fact, linked to its episodes; return its id."""
    known = fact.memory_id is not None and not fact.adopted
    provenance = {
        "consolidation": {
            "episodes": [str(memory_id) for memory_id in fact.episodes],
            "strength": round(fact.strength, 3),
            "extractor": EXTRACTOR,
        }
    }
    memory_id = fact.memory_id
    if memory_id is None:
        memory_id = await save_memory(
            tx,
            NewMemory(
                kind=MemoryKind.OBSERVATION,
                scope=scope,
                content=fact.content,
                tags=fact.tags,
                tier=fact.tier,
                importance=fact.importance,
                provenance=provenance,
                memory_type=MemoryType.SEMANTIC,
            ),
        )
    if not known:
        # The same words may be saved already as an episode: then that becomes the fact.
        await _sql.run(tx, "settle", memory_id=memory_id, tier=fact.tier, provenance=Jsonb(provenance))
    for episode in fact.unlinked:
        await _derive(tx, caller, memory_id, episode, evidence=f"Stated by {len(fact.episodes)} episodes.")
    return memory_id


async def _derive(tx: Tx, caller: Caller, memory_id: UUID, episode: UUID, *, evidence: str) -> None:
    try:
        await link_memories(
            tx,
            caller,
            memory_id,
            episode,
            Relation.DERIVED_FROM,
            strength=_EDGE_STRENGTH,
            evidence=evidence,
            origin=EdgeOrigin.AUTO,
            extractor=EXTRACTOR,
        )
    except InvalidInput as refused:
        # The episode was derived from the memory that now states the fact: they are linked already.
        if refused.number != "E101":
            raise
