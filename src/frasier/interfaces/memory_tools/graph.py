"""The causal graph: why a memory is there, drawing and removing edges, and how well memories are linked."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from frasier.interfaces.memory_tools.fields import MemoryRef
from frasier.interfaces.tools import Layer, Reply, Surroundings, Tool, ToolInput, as_json, told
from frasier.kernel.advice import Advice
from frasier.memory import (
    CausalStep,
    Direction,
    Edge,
    LinkCoverage,
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


class WhyInput(ToolInput):
    id: MemoryRef
    depth: int = Field(3, ge=1, le=10)
    direction: Direction = Direction.BOTH
    relations: tuple[Relation, ...] = Field((), description="Default: all")
    min_strength: float = Field(0.0, ge=0, le=1, description="Of the whole path")
    limit: int = Field(50, ge=1, le=1000)


async def _why(around: Surroundings, given: WhyInput) -> Reply:
    _, found = await around.engine.on_memory(
        around.caller,
        given.id,
        why,
        depth=given.depth,
        direction=given.direction,
        relations=given.relations or None,
        min_strength=given.min_strength,
        limit=given.limit,
    )
    grouped = {
        role.value: [_step(step) for step in steps] for role, steps in found.grouped().items() if steps
    }
    edges = len(found.edges())
    return Reply(
        summary=f"{edges} edges lead to or from it." if edges else "Nothing is linked to it.",
        data=told(memory=found.memory, narrative=narrate(found))
        | grouped
        | told(total_edges=edges, truncated=found.truncated, depth_limit_reached=found.depth_limit_reached),
        hints=found.hints,
    )


def _step(step: CausalStep) -> dict[str, Any]:
    return told(
        id=step.memory.id,
        title=step.memory.label,
        standing=step.memory.standing,
        relation=step.edge.relation,
        edge_id=step.edge.id,
        strength=step.edge.strength,
        evidence=step.edge.evidence,
        origin=step.edge.origin,
        depth=step.depth,
        path=step.path if len(step.path) > 2 else None,
        path_strength=step.path_strength,
        closes_cycle=step.closes_cycle or None,
    )


class LinkInput(ToolInput):
    source: MemoryRef
    target: MemoryRef
    relation: Relation = Field(description="What the source is to the target: source caused target, …")
    strength: float = Field(1.0, gt=0, le=1)
    evidence: str = Field("", max_length=_EVIDENCE_CHARS, description="How you know")


async def _link(around: Surroundings, given: LinkInput) -> Reply:
    source, target = await around.engine.in_transaction(
        find_memories, around.caller, [given.source, given.target]
    )
    linked = await around.engine.in_transaction(
        link_memories,
        around.caller,
        source.id,
        target.id,
        given.relation,
        strength=given.strength,
        evidence=given.evidence,
    )
    return Reply(
        summary="Linked."
        if linked.created
        else "They were linked so before; strength and evidence are updated.",
        data=_edge(linked.edge) | told(created=linked.created),
    )


def _edge(edge: Edge) -> dict[str, Any]:
    return told(
        edge_id=edge.id,
        source=edge.source_id,
        target=edge.target_id,
        relation=edge.relation,
        strength=edge.strength,
        evidence=edge.evidence,
        origin=edge.origin,
    )


class UnlinkInput(ToolInput):
    edge_id: str = Field(
        max_length=60, description="As memory_why shows it; its first or last 8 digits will do"
    )


async def _unlink(around: Surroundings, given: UnlinkInput) -> Reply:
    called = await around.engine.in_transaction(find_edge, around.caller, given.edge_id)
    edge = await around.engine.in_transaction(unlink_memories, around.caller, called)
    again = Advice(
        "memory.link",
        to="draw it again",
        source=str(edge.source_id),
        relation=edge.relation.value,
        target=str(edge.target_id),
    )
    return Reply(summary="Unlinked.", data=_edge(edge), hints=(again,))


class NoInput(ToolInput):
    pass


async def _stats(around: Surroundings, _given: NoInput) -> Reply:
    stats = await around.engine.in_transaction(graph_stats, around.caller)
    return Reply(
        summary=f"{stats.edges} edges; {stats.coverage.percent:.0f} % of the memories are linked.",
        data=as_json(stats)
        | {
            "coverage": _coverage(stats.coverage),
            "per_scope": [_coverage(coverage) for coverage in stats.per_scope],
            "target_reached": stats.target_reached,
        },
        hints=()
        if stats.target_reached
        else (
            Advice("memory.link", to="link what led to a memory"),
            Advice("memory.why", to="be told of it later"),
        ),
    )


def _coverage(coverage: LinkCoverage) -> dict[str, Any]:
    return {
        **as_json(coverage),
        "percent": round(coverage.percent, 1),
        "percent_without_automatic": round(coverage.percent_without_automatic, 1),
    }


class DropExtractedInput(ToolInput):
    extractor: str | None = Field(None, max_length=100, description="Only this version's edges")


async def _drop_extracted(around: Surroundings, given: DropExtractedInput) -> Reply:
    dropped = await around.engine.in_transaction(drop_extracted, around.caller, given.extractor)
    return Reply(summary=f"{dropped} automatic edges removed.", data={"dropped": dropped})


GRAPH = (
    Tool(
        name="memory_why",
        title="Why",
        layer=Layer.EXPLORATION,
        about="What led to a memory and what came of it, with the evidence along the way.",
        input=WhyInput,
        run=_why,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        name="memory_link",
        title="Link memories",
        layer=Layer.SURGICAL,
        about="Say how one memory relates to another: what caused, enabled, supports or replaces it.",
        input=LinkInput,
        run=_link,
        idempotent=True,
    ),
    Tool(
        name="memory_unlink",
        title="Unlink memories",
        layer=Layer.SURGICAL,
        about="Remove one edge between memories.",
        input=UnlinkInput,
        run=_unlink,
        destructive=True,
    ),
    Tool(
        name="memory_graph_stats",
        title="How well memories are linked",
        layer=Layer.DISCOVERY,
        about="Edges by relation and origin, and the share of memories that are linked.",
        input=NoInput,
        run=_stats,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        name="memory_drop_extracted",
        title="Remove automatic links",
        layer=Layer.DETAIL,
        about="Remove the edges that were read out of texts automatically; what people drew stays.",
        input=DropExtractedInput,
        run=_drop_extracted,
        destructive=True,
        idempotent=True,
    ),
)
