"""The causal graph: edges between memories, why a memory is there, and what lies near the memories found.

A caller sees an edge where both of its ends are in the caller's scopes.
"""

from frasier.memory.graph.arm import HOP_DECAY, RELATION_WEIGHTS, SEEDS_MAX, graph_neighbours
from frasier.memory.graph.coverage import (
    COVERAGE_TARGET_PERCENT,
    Coverage,
    GraphHealth,
    GraphStats,
    graph_stats,
)
from frasier.memory.graph.extraction import AUTO_EDGES_MAX, EXTRACTOR, asks_for_links, extract_links
from frasier.memory.graph.linking import (
    EVIDENCE_CHARS_MAX,
    closes_lineage,
    drop_extracted,
    find_edge,
    link_memories,
    unlink_memories,
)
from frasier.memory.graph.narrative import narrate
from frasier.memory.graph.types import (
    Direction,
    Edge,
    EdgeOrigin,
    Linked,
    LinkedMemory,
    Relation,
    Role,
    Standing,
    Step,
    Why,
    relation_of,
)
from frasier.memory.graph.walking import HUB_EDGES_MAX
from frasier.memory.graph.why import DEPTH_MAX, STEPS_MAX, why

__all__ = [
    "AUTO_EDGES_MAX",
    "COVERAGE_TARGET_PERCENT",
    "DEPTH_MAX",
    "EVIDENCE_CHARS_MAX",
    "EXTRACTOR",
    "HOP_DECAY",
    "HUB_EDGES_MAX",
    "RELATION_WEIGHTS",
    "SEEDS_MAX",
    "STEPS_MAX",
    "Coverage",
    "Direction",
    "Edge",
    "EdgeOrigin",
    "GraphHealth",
    "GraphStats",
    "Linked",
    "LinkedMemory",
    "Relation",
    "Role",
    "Standing",
    "Step",
    "Why",
    "asks_for_links",
    "closes_lineage",
    "drop_extracted",
    "extract_links",
    "find_edge",
    "graph_neighbours",
    "graph_stats",
    "link_memories",
    "narrate",
    "relation_of",
    "unlink_memories",
    "why",
]
