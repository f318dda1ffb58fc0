"""The causal graph: edges between memories, causes and effects of a memory, and neighbours for recall.

A caller sees an edge if both of its ends are in the caller's scopes.
"""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.memory.graph.recall_arm import (
        HOP_DECAY as HOP_DECAY,
        RELATION_WEIGHTS as RELATION_WEIGHTS,
        SEEDS_MAX as SEEDS_MAX,
        graph_neighbours as graph_neighbours,
    )
    from frasier.memory.graph.coverage import (
        COVERAGE_TARGET_PERCENT as COVERAGE_TARGET_PERCENT,
        LinkCoverage as LinkCoverage,
        GraphHealth as GraphHealth,
        GraphStats as GraphStats,
        graph_stats as graph_stats,
    )
    from frasier.memory.graph.extraction import (
        AUTO_EDGES_MAX as AUTO_EDGES_MAX,
        EXTRACTOR as EXTRACTOR,
        asks_for_links as asks_for_links,
        extract_links as extract_links,
    )
    from frasier.memory.graph.link import (
        EVIDENCE_CHARS_MAX as EVIDENCE_CHARS_MAX,
        closes_lineage as closes_lineage,
        drop_extracted as drop_extracted,
        find_edge as find_edge,
        link_memories as link_memories,
        unlink_memories as unlink_memories,
    )
    from frasier.memory.graph.narrative import narrate as narrate
    from frasier.memory.graph.types import (
        Direction as Direction,
        Edge as Edge,
        EdgeOrigin as EdgeOrigin,
        Linked as Linked,
        LinkedMemory as LinkedMemory,
        Relation as Relation,
        LinkRole as LinkRole,
        RecallStatus as RecallStatus,
        CausalStep as CausalStep,
        Why as Why,
        relation_of as relation_of,
    )
    from frasier.memory.graph.traversal import HUB_EDGES_MAX as HUB_EDGES_MAX
    from frasier.memory.graph.why import DEPTH_MAX as DEPTH_MAX, STEPS_MAX as STEPS_MAX, why as why
else:
    lazy_exports(__name__)
