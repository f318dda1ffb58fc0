"""Edges between memories and what is read from them: the values of the causal graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput
from frasier.memory.types import MemoryKind


class Relation(StrEnum):
    """What the source of an edge is to its target: the source caused it, supersedes it, is derived from it…"""

    CAUSED = "caused"
    ENABLED = "enabled"
    SUPERSEDES = "supersedes"
    CONTRADICTS = "contradicts"
    DERIVED_FROM = "derived_from"
    SUPPORTS = "supports"


class EdgeOrigin(StrEnum):
    """Who drew an edge: a person or agent, a file's metadata, a correction, the gate at saving, an extractor."""

    MANUAL = "manual"
    FILE = "file"
    CORRECTION = "correction"
    GATE = "gate"
    AUTO = "auto"


class Direction(StrEnum):
    """Which way a question goes: to what led to a memory, to what came of it, or both."""

    CAUSES = "causes"
    EFFECTS = "effects"
    BOTH = "both"


class Role(StrEnum):
    """What the memory of a step is to the one before it on the path. The first five lead to causes."""

    CAUSED_BY = "caused_by"
    ENABLED_BY = "enabled_by"
    SUPPORTED_BY = "supported_by"
    DERIVED_FROM = "derived_from"
    SUPERSEDES = "supersedes"
    LED_TO = "led_to"
    ENABLES = "enables"
    SUPPORTS = "supports"
    DERIVATIVES = "derivatives"
    SUPERSEDED_BY = "superseded_by"
    CONTRADICTS = "contradicts"


class Standing(StrEnum):
    """Whether a memory would be recalled, and if not, why not."""

    LIVE = "live"
    EXPIRED = "expired"
    OUTDATED = "outdated"
    DEPRECATED = "deprecated"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """`strength` is above 0 and at most 1. `extractor` names the version that drew an automatic edge.

    `created_by` is the caller's name; of an automatic edge, the id of the memory whose text was read.
    """

    id: UUID
    source_id: UUID
    target_id: UUID
    relation: Relation
    strength: float
    evidence: str
    origin: EdgeOrigin
    extractor: str
    created_by: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """An edge that is there now. `created` is False where it was there before, and was updated or kept."""

    edge: Edge
    created: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedMemory:
    """A memory as the graph shows it. `snippet` is the beginning of its content."""

    id: UUID
    scope: str
    kind: MemoryKind
    title: str
    snippet: str
    standing: Standing

    @property
    def label(self) -> str:
        """How it is called in a sentence: by its title, or by how it begins."""
        return self.title or self.snippet


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One edge on the way from the memory that was asked about.

    `memory` is the far end of the edge. `depth` is the fewest hops after which the edge is met. `path` is the
    strongest way within the asked depth, from the asked memory to the far end; `path_strength` is the product
    of the strengths along it. `closes_cycle`: the far end stands on that way already, so something is among its
    own causes.
    """

    role: Role
    edge: Edge
    memory: LinkedMemory
    depth: int
    path: tuple[UUID, ...]
    path_strength: float
    closes_cycle: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """What is linked to a memory: nearest steps first, among equals the strongest.

    No edge stands twice on one side. One that is part of a cycle may stand on both, as it is truly both.
    `truncated` says that a cap left edges out, `depth_limit_reached` that a deeper question would find more.
    """

    memory: LinkedMemory
    steps: tuple[Step, ...]
    depth: int
    truncated: bool
    depth_limit_reached: bool
    hints: tuple[str | Advice, ...]

    def grouped(self) -> Mapping[Role, tuple[Step, ...]]:
        """The steps by role; every role is there."""
        return {role: tuple(step for step in self.steps if step.role is role) for role in Role}

    def edges(self) -> tuple[Edge, ...]:
        """Every edge once, in the order of the steps."""
        return tuple({step.edge.id: step.edge for step in self.steps}.values())

    def related(self) -> tuple[LinkedMemory, ...]:
        """Every other memory once, in the order of the steps."""
        found = {step.memory.id: step.memory for step in self.steps}
        found.pop(self.memory.id, None)
        return tuple(found.values())


def relation_of(text: str) -> Relation:
    """The relation that `text` names; raises InvalidInput (E102) where there is none of that name."""
    try:
        return Relation(text)
    except ValueError as error:
        raise InvalidInput(
            f"{text[:80]!r} is no relation.",
            number="E102",
            hint=f"Relations are {', '.join(Relation)}.",
        ) from error
