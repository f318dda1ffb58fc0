"""The graph arm of a recall: memories linked to those that the other arms found."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from frasier.kernel.errors import InvalidInput
from frasier.memory.graph.types import Relation
from frasier.memory.types import MemoryKind
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.graph")

HOP_DECAY = 0.5
SEEDS_MAX = 200

_EDGES_A_NODE = 20  # the strongest are followed, so that a hub does not fill the arm
_REACHED_FIRST_MAX = 500  # limit of the memories one hop away that the second hop starts from

RELATION_WEIGHTS: Mapping[Relation, tuple[float, float]] = MappingProxyType(
    {
        Relation.SUPERSEDES: (0.25, 1.0),
        Relation.CAUSED: (0.87, 0.87),
        Relation.ENABLED: (0.73, 0.73),
        Relation.SUPPORTS: (0.67, 0.67),
        Relation.RESEMBLES: (0.67, 0.67),
        Relation.DERIVED_FROM: (0.67, 0.67),
        Relation.CONTRADICTS: (0.53, 0.53),
    }
)
"""Weight of each relation along and against its direction: the usual weights divided by the largest, 1.5.

A superseded memory pulls in its successor with full weight; the successor hardly pulls in what it replaced.
"""


async def graph_neighbours(
    tx: Tx, seeds: Mapping[int, float], *, scopes: Collection[str], kinds: Collection[MemoryKind], limit: int
) -> dict[int, float]:
    """Find the memories within two hops of the `seeds` (number to score), with scores, best first; one statement.

    The score of a path is the seed's score times, for each hop, strength × 0.5 × the relation's weight; the best
    path to a memory counts, and weights of at most 1 make cycles useless. Paths lead only through memories of
    `scopes`, whatever their state: a deprecated one leads to its successor. Only recallable ones of `kinds` are
    returned, without the seeds. Of each memory the 20 strongest edges are followed. Raises InvalidInput (E032)
    for a limit below 1 or more than 200 seeds.
    """
    if limit < 1 or len(seeds) > SEEDS_MAX:
        raise InvalidInput(
            f"Cannot find {limit} neighbours of {len(seeds)} seeds.",
            number="E032",
            hint=f"Use at most {SEEDS_MAX} seeds and a limit of at least 1.",
        )
    if not seeds:
        return {}
    rows = await _sql.tuples(
        tx,
        "graph_neighbours",
        nums=list(seeds),
        scores=list(seeds.values()),
        scopes=sorted(set(scopes)),
        kinds=sorted(set(kinds)),
        relations=list(RELATION_WEIGHTS),
        along=[HOP_DECAY * along for along, _ in RELATION_WEIGHTS.values()],
        against=[HOP_DECAY * against for _, against in RELATION_WEIGHTS.values()],
        edges=_EDGES_A_NODE,
        reached=_REACHED_FIRST_MAX,
        limit=limit,
    )
    return dict(rows)
