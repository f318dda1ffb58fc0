"""The causal graph: explain a memory by its links, draw and remove edges, and measure the coverage of links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Self
from uuid import UUID

from pydantic import Field

from frasier.interfaces.operations import (
    CliOption,
    Layer,
    NoInput,
    OperationContext,
    OperationInput,
    Output,
    Result,
    declare,
)
from frasier.interfaces.operations.memory.fields import MemoryRef
from frasier.kernel.advice import Advice
from frasier.memory import (
    CausalStep,
    Direction,
    Edge,
    EdgeOrigin,
    GraphHealth,
    LinkCoverage,
    LinkedMemory,
    LinkRole,
    RecallStatus,
    Relation,
    drop_extracted,
    find_edge,
    find_memories,
    graph_stats,
    link_memories,
    narrate,
    unlink_memories,
    why,
)

_EVIDENCE_CHARS = 2_000


class WhyInput(OperationInput):
    id: MemoryRef
    depth: Annotated[int, CliOption(flags=("--depth", "-d"), help="How many links far, 1 to 10.")] = Field(
        3, ge=1, le=10
    )
    direction: Annotated[Direction, CliOption(help="To its causes, to its effects, or both.")] = (
        Direction.BOTH
    )
    relations: Annotated[
        tuple[Relation, ...],
        CliOption(flags=("--relation", "-r"), help="Only this relation, such as caused; repeatable."),
    ] = Field((), description="Default: all")
    min_strength: Annotated[float, CliOption(help="The least strength of a whole path, 0 to 1.")] = Field(
        0.0, ge=0, le=1, description="Of the whole path"
    )
    limit: Annotated[
        int, CliOption(flags=("--limit", "-n"), help="How many links to show at most, 1 to 1000.")
    ] = Field(50, ge=1, le=1000)


class LinkStep(Output):
    """A link on a path from the memory in question, and the memory at its far end.

    `path` names the memories on the strongest path, where it goes over others; `path_strength` is the strength of all.
    """

    id: UUID
    title: str = ""
    standing: RecallStatus
    relation: Relation
    edge_id: UUID
    strength: float
    evidence: str = ""
    origin: EdgeOrigin
    depth: int
    path: tuple[UUID, ...] = ()
    path_strength: float
    closes_cycle: bool = False

    @classmethod
    def of_step(cls, step: CausalStep) -> Self:
        """Describe a step by its edge and the memory that it leads to."""
        return cls.of(
            step,
            step.edge,
            id=step.memory.id,
            title=step.memory.label,
            standing=step.memory.standing,
            edge_id=step.edge.id,
            path=step.path if len(step.path) > 2 else (),
        )


class WhyOutput(Output):
    """The links that lead to a memory and from it, by the role of their far end."""

    memory: LinkedMemory
    narrative: str = ""
    caused_by: tuple[LinkStep, ...] = ()
    enabled_by: tuple[LinkStep, ...] = ()
    supported_by: tuple[LinkStep, ...] = ()
    derived_from: tuple[LinkStep, ...] = ()
    supersedes: tuple[LinkStep, ...] = ()
    led_to: tuple[LinkStep, ...] = ()
    enables: tuple[LinkStep, ...] = ()
    supports: tuple[LinkStep, ...] = ()
    derivatives: tuple[LinkStep, ...] = ()
    superseded_by: tuple[LinkStep, ...] = ()
    contradicts: tuple[LinkStep, ...] = ()
    resembles: tuple[LinkStep, ...] = ()
    total_edges: int
    truncated: bool
    depth_limit_reached: bool

    def steps(self, role: LinkRole) -> Sequence[LinkStep]:
        """Return the links whose far end has that role."""
        steps: tuple[LinkStep, ...] = getattr(self, role)
        return steps


async def _why(context: OperationContext, request: WhyInput) -> Result[WhyOutput]:
    _, links = await context.memory.on_memory(
        context.caller,
        request.id,
        why,
        depth=request.depth,
        direction=request.direction,
        relations=request.relations or None,
        min_strength=request.min_strength,
        limit=request.limit,
    )
    edges = len(links.edges())
    return Result(
        summary=f"{edges} edges lead to or from it." if edges else "Nothing is linked to it.",
        data=WhyOutput.of(
            links,
            memory=links.memory,
            narrative=narrate(links),
            total_edges=edges,
            **{role: tuple(map(LinkStep.of_step, steps)) for role, steps in links.grouped().items()},
        ),
        hints=links.hints,
    )


class LinkInput(OperationInput):
    source: MemoryRef
    relation: Annotated[
        Relation,
        CliOption(
            argument="RELATION",
            help="caused, enabled, supersedes, contradicts, derived_from, supports or resembles.",
        ),
    ] = Field(description="What the source is to the target: source caused target, …")
    target: MemoryRef
    strength: Annotated[float, CliOption(help="How sure that is, up to 1.")] = Field(1.0, gt=0, le=1)
    evidence: Annotated[str, CliOption(flags=("--evidence", "-e"))] = Field(
        "", max_length=_EVIDENCE_CHARS, description="How you know"
    )


class EdgeOutput(Output):
    """An edge between two memories."""

    edge_id: UUID
    source: UUID
    target: UUID
    relation: Relation
    strength: float
    evidence: str = ""
    origin: EdgeOrigin

    @classmethod
    def of_edge(cls, edge: Edge, *sources: object) -> Self:
        """Describe an edge; `sources` give the fields of a subclass."""
        return cls.of(edge, *sources, edge_id=edge.id, source=edge.source_id, target=edge.target_id)


class LinkOutput(EdgeOutput):
    """An edge that was drawn, or was there before."""

    created: bool


async def _link(context: OperationContext, request: LinkInput) -> Result[LinkOutput]:
    source, target = await context.memory.in_transaction(
        find_memories, context.caller, [request.source, request.target]
    )
    linked = await context.memory.in_transaction(
        link_memories,
        context.caller,
        source.id,
        target.id,
        request.relation,
        strength=request.strength,
        evidence=request.evidence,
    )
    return Result(
        summary="Linked."
        if linked.created
        else "They were linked so before; strength and evidence are updated.",
        data=LinkOutput.of_edge(linked.edge, linked),
    )


class UnlinkInput(OperationInput):
    edge_id: Annotated[
        str,
        CliOption(
            argument="EDGE", help="A link's id, as `why --edges` shows it; its last 8 characters are enough."
        ),
    ] = Field(max_length=60, description="As memory_why shows it; its first or last 8 digits will do")


async def _unlink(context: OperationContext, request: UnlinkInput) -> Result[EdgeOutput]:
    edge_id = await context.memory.in_transaction(find_edge, context.caller, request.edge_id)
    edge = await context.memory.in_transaction(unlink_memories, context.caller, edge_id)
    again = Advice(
        "memory.link",
        to="draw it again",
        source=str(edge.source_id),
        relation=edge.relation.value,
        target=str(edge.target_id),
    )
    return Result(summary="Unlinked.", data=EdgeOutput.of_edge(edge), hints=(again,))


class CoverageOutput(Output):
    """The linked memories of a scope, or of all if `scope` is empty; the shares are percentages."""

    scope: str
    memories: int
    linked: int
    linked_deliberately: int
    percent: float
    percent_without_automatic: float

    @classmethod
    def of_coverage(cls, coverage: LinkCoverage) -> Self:
        """Round the shares to what says something."""
        return cls.of(
            coverage,
            percent=round(coverage.percent, 1),
            percent_without_automatic=round(coverage.percent_without_automatic, 1),
        )


class GraphStatsOutput(Output):
    """Counts of links, and the share of memories that are linked. Orphans lack one of their memories."""

    edges: int
    by_relation: dict[Relation, int]
    by_origin: dict[EdgeOrigin, int]
    average_strength: float | None
    sources: int
    targets: int
    coverage: CoverageOutput
    per_scope: tuple[CoverageOutput, ...]
    target_percent: float
    orphans: int
    health: GraphHealth
    target_reached: bool


async def _stats(context: OperationContext, _request: NoInput) -> Result[GraphStatsOutput]:
    stats = await context.memory.in_transaction(graph_stats, context.caller)
    return Result(
        summary=f"{stats.edges} edges; {stats.coverage.percent:.0f} % of the memories are linked.",
        data=GraphStatsOutput.of(
            stats,
            coverage=CoverageOutput.of_coverage(stats.coverage),
            per_scope=tuple(map(CoverageOutput.of_coverage, stats.per_scope)),
        ),
        hints=()
        if stats.target_reached
        else (
            Advice("memory.link", to="link what led to a memory"),
            Advice("memory.why", to="be told of it later"),
        ),
    )


class DropExtractedInput(OperationInput):
    extractor: Annotated[str | None, CliOption(help="Only the links that this version drew.")] = Field(
        None, max_length=100, description="Only this version's edges"
    )


class DropExtractedOutput(Output):
    """The number of automatic edges removed."""

    dropped: int


async def _drop_extracted(
    context: OperationContext, request: DropExtractedInput
) -> Result[DropExtractedOutput]:
    dropped = await context.memory.in_transaction(drop_extracted, context.caller, request.extractor)
    return Result(summary=f"{dropped} automatic edges removed.", data=DropExtractedOutput(dropped=dropped))


WHY = declare(
    _why,
    name="memory_why",
    title="Why",
    layer=Layer.EXPLORATION,
    about="What led to a memory and what came of it, with the evidence along the way.",
    read_only=True,
)
LINK = declare(
    _link,
    name="memory_link",
    title="Link memories",
    layer=Layer.SURGICAL,
    about="Say how one memory relates to another: what caused, enabled, supports or replaces it.",
    idempotent=True,
)
UNLINK = declare(
    _unlink,
    name="memory_unlink",
    title="Unlink memories",
    layer=Layer.SURGICAL,
    about="Remove one edge between memories.",
    destructive=True,
)
GRAPH_STATS = declare(
    _stats,
    name="memory_graph_stats",
    title="How well memories are linked",
    layer=Layer.DISCOVERY,
    about="Edges by relation and origin, and the share of memories that are linked.",
    read_only=True,
)
DROP_EXTRACTED = declare(
    _drop_extracted,
    name="memory_drop_extracted",
    title="Remove automatic links",
    layer=Layer.DETAIL,
    about="Remove the edges that were read out of texts automatically; what people drew stays.",
    destructive=True,
    idempotent=True,
)
