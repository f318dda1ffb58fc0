"""Values of the causal graph: relations, edges, steps and answers."""

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
    """Relation of the source of an edge to its target: the source caused it, supersedes it, is derived from it…

    Contradicts and resembles have no direction and say nothing about causes.
    """

    CAUSED = "caused"
    ENABLED = "enabled"
    SUPERSEDES = "supersedes"
    CONTRADICTS = "contradicts"
    DERIVED_FROM = "derived_from"
    SUPPORTS = "supports"
    RESEMBLES = "resembles"


class EdgeOrigin(StrEnum):
    """Origin of an edge: a person or agent, a file's metadata, a correction, the gate at saving, an extractor."""

    MANUAL = "manual"
    FILE = "file"
    CORRECTION = "correction"
    GATE = "gate"
    AUTO = "auto"


class Direction(StrEnum):
    """Direction of a question about a memory: to its causes, its effects, or both."""

    CAUSES = "causes"
    EFFECTS = "effects"
    BOTH = "both"


class LinkRole(StrEnum):
    """Relation of a step's memory to the one before it on the path. The first five lead to causes."""

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
    RESEMBLES = "resembles"

    @property
    def is_mutual(self) -> bool:
        """Whether it has no direction: it leads neither to causes nor to effects."""
        return self in {LinkRole.CONTRADICTS, LinkRole.RESEMBLES}


class RecallStatus(StrEnum):
    """Recall status of a memory: live if a recall can find it, else the reason why not."""

    LIVE = "live"
    EXPIRED = "expired"
    OUTDATED = "outdated"
    DEPRECATED = "deprecated"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """An edge between two memories. `strength` is above 0 and at most 1.

    `extractor` is the name and version of the rules that drew an automatic edge. `created_by` is the caller's name;
    for an automatic edge, the id of the memory whose text was read.
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
    """The result of drawing an edge. `created` is False if it existed and was updated or left unchanged."""

    edge: Edge
    created: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedMemory:
    """A memory in an answer of the graph. `snippet` is the beginning of its content."""

    id: UUID
    scope: str
    kind: MemoryKind
    title: str
    snippet: str
    standing: RecallStatus

    @property
    def label(self) -> str:
        """The title, or the snippet if there is none."""
        return self.title or self.snippet


@dataclass(frozen=True, slots=True, kw_only=True)
class CausalStep:
    """One edge on a path from the queried memory.

    `memory` is the far end of the edge. `depth` is the smallest number of hops that reaches the edge. `path` is the
    strongest path within the queried depth, from the queried memory to the far end; `path_strength` is the product
    of the strengths along it. `closes_cycle` means that the far end is on that path already, so that a memory is
    among its own causes.
    """

    role: LinkRole
    edge: Edge
    memory: LinkedMemory
    depth: int
    path: tuple[UUID, ...]
    path_strength: float
    closes_cycle: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """The causes, effects, contradictions and likenesses of a memory: nearest steps first, among equals the strongest.

    Each edge occurs once per side; an edge of a cycle may be on both sides. `truncated` means that a limit left
    edges out, `depth_limit_reached` that a greater depth would find more.
    """

    memory: LinkedMemory
    steps: tuple[CausalStep, ...]
    depth: int
    truncated: bool
    depth_limit_reached: bool
    hints: tuple[str | Advice, ...]

    def grouped(self) -> Mapping[LinkRole, tuple[CausalStep, ...]]:
        """The steps by role; every role is a key."""
        return {role: tuple(step for step in self.steps if step.role is role) for role in LinkRole}

    def edges(self) -> tuple[Edge, ...]:
        """Every edge once, in the order of the steps."""
        return tuple({step.edge.id: step.edge for step in self.steps}.values())

    def related(self) -> tuple[LinkedMemory, ...]:
        """Every other memory once, in the order of the steps."""
        memories = {step.memory.id: step.memory for step in self.steps}
        memories.pop(self.memory.id, None)
        return tuple(memories.values())


def relation_of(text: str) -> Relation:
    """Parse the name of a relation; raises InvalidInput (E102) for an unknown one."""
    try:
        return Relation(text)
    except ValueError as error:
        raise InvalidInput(
            f"Unknown relation {text[:80]!r}.",
            number="E102",
            hint=f"Relations are {', '.join(Relation)}.",
        ) from error
