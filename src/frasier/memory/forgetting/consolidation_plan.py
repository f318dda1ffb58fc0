"""The plan of a consolidation, computed before anything is written. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.tokenizer import tokenize
from frasier.memory.forgetting.clusters import Cluster, clusters_of
from frasier.memory.forgetting.retrievability import fades
from frasier.memory.forgetting.sentence_facts import Fact, facts_of, similarity
from frasier.memory.types import ImportanceTier, MemoryKind, MemoryType

COVERAGE_MIN = 0.85
IMPORTANT_STRENGTH_MIN = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """A replayed memory. `filed` ones are stored in a file, which would restore them."""

    id: UUID
    kind: MemoryKind
    tier: ImportanceTier
    title: str
    content: str
    tags: tuple[str, ...]
    importance: int
    agent_id: UUID | None
    filed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFact:
    """A fact of an earlier consolidation; not `active` if it no longer holds.

    `linked` are the memories that an edge leads to from here, or that lead here themselves.
    """

    id: UUID
    content: str
    active: bool
    linked: frozenset[UUID]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFact:
    """A fact that several memories state. `memory_id` is the memory that already is the fact, if there is one.

    `strength` (0 to 1) is the mean similarity of the episodes' wordings, times n/(n+1) for n episodes. Of the
    `episodes`, those in `unlinked` have no edge to it yet.
    """

    content: str
    strength: float
    tier: ImportanceTier
    importance: int
    tags: tuple[str, ...]
    episodes: tuple[UUID, ...]
    unlinked: tuple[UUID, ...]
    memory_id: UUID | None
    adopted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationPlan:
    """A planned consolidation. `covered` maps each covered episode to its coverage (0.85 to 1)."""

    facts: tuple[PlannedFact, ...]
    covered: dict[UUID, float]


def plan_consolidation(episodes: Sequence[Episode], known: Sequence[KnownFact]) -> ConsolidationPlan:
    """Plan the facts that at least two of the episodes state, or one of them and an earlier consolidation.

    An episode is covered if the facts hold at least 0.85 of its words, unless it does not fade, is stored in a file, or
    is itself the fact. An earlier fact that was deprecated or archived is not made again.
    """
    earlier = {fact.id: fact for fact in known}
    by_id = {episode.id: episode for episode in episodes if episode.id not in earlier}
    centres = [fact for item in known for fact in facts_of(item.id, item.content)]
    facts = [fact for episode in by_id.values() for fact in facts_of(episode.id, episode.content)]
    planned: list[PlannedFact] = []
    stated: dict[UUID, set[Fact]] = {}
    for cluster in clusters_of(facts, centres):
        knowing = earlier.get(cluster.middle.source)
        if not cluster.members or (knowing and not knowing.active):
            continue
        planned.append(_planned(cluster, by_id, knowing))
        for member in cluster.members:
            stated.setdefault(member.source, set()).add(member)
    adopted = {fact.memory_id for fact in planned if fact.adopted}
    covered = {
        episode.id: coverage
        for episode in by_id.values()
        if episode.id not in adopted
        and _may_be_archived(episode)
        and (coverage := _coverage(episode, stated.get(episode.id, ()))) >= COVERAGE_MIN
    }
    return ConsolidationPlan(facts=tuple(planned), covered=covered)


def _planned(cluster: Cluster, episodes: Mapping[UUID, Episode], known: KnownFact | None) -> PlannedFact:
    likeness: dict[UUID, float] = {}
    for member in cluster.members:
        alike = similarity(cluster.middle, member)
        likeness[member.source] = max(alike, likeness.get(member.source, 0.0))
    stating = [episode for memory_id, episode in episodes.items() if memory_id in likeness]
    strength = sum(likeness.values()) / (len(likeness) + 1)
    adopted = (
        None
        if known
        else next((episode.id for episode in stating if _says_only(episode, cluster.middle.text)), None)
    )
    linked = known.linked if known else frozenset({adopted})
    return PlannedFact(
        content=known.content if known else cluster.middle.text,
        strength=strength,
        tier=ImportanceTier.IMPORTANT if strength >= IMPORTANT_STRENGTH_MIN else ImportanceTier.NORMAL,
        importance=max(episode.importance for episode in stating),
        tags=_common([episode.tags for episode in stating]),
        episodes=tuple(episode.id for episode in stating),
        unlinked=tuple(episode.id for episode in stating if episode.id not in linked),
        memory_id=known.id if known else adopted,
        adopted=adopted is not None,
    )


def _says_only(episode: Episode, text: str) -> bool:
    """Return whether the episode is exactly `text` as an observation of no agent, so that saving would reuse it."""
    return (
        episode.content == text
        and episode.kind is MemoryKind.OBSERVATION
        and episode.agent_id is None
        and not episode.filed
    )


def _may_be_archived(episode: Episode) -> bool:
    return fades(episode.kind, episode.tier, MemoryType.EPISODIC) and not episode.filed


def _coverage(episode: Episode, stated: Collection[Fact]) -> float:
    """Return the share of an episode's words that the facts hold; words only in its title count as well."""
    held = sum(fact.length for fact in stated)
    words = frozenset(term for fact in stated for term in fact.bag)
    total = len(tokenize(episode.content)) + sum(term not in words for term in tokenize(episode.title))
    return min(1.0, held / total) if total else 0.0


def _common(tags: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the tags common to all."""
    first, *others = tags
    return tuple(sorted(set(first).intersection(*others)))
