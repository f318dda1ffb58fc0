"""The graph's arm of a recall: what is linked to the memories that the other arms found."""

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

_EDGES_A_NODE = 20  # the strongest that are followed, so that a hub does not fill the arm
_REACHED_FIRST_MAX = 500  # of what lies one hop away, how many the second hop goes out from

RELATION_WEIGHTS: Mapping[Relation, tuple[float, float]] = MappingProxyType(
    {
        Relation.SUPERSEDES: (0.25, 1.0),
        Relation.CAUSED: (0.87, 0.87),
        Relation.ENABLED: (0.73, 0.73),
        Relation.SUPPORTS: (0.67, 0.67),
        Relation.DERIVED_FROM: (0.67, 0.67),
        Relation.CONTRADICTS: (0.53, 0.53),
    }
)
"""What a relation carries along its direction, and against it: the usual weights divided by the largest, 1.5.

A memory that was superseded pulls its successor with full weight; the successor hardly pulls what it replaced.
"""


async def graph_neighbours(
    tx: Tx, seeds: Mapping[int, float], *, scopes: Collection[str], kinds: Collection[MemoryKind], limit: int
) -> dict[int, float]:
    """The memories within two hops of the `seeds` (number to score), with their scores, best first; one statement.

    The score of a way is the seed's score times, for each hop, strength × 0.5 × the relation's weight; the best
    way to a memory counts, and a weight of at most 1 makes going round a cycle useless. Only memories of
    `scopes` are walked through, whatever their state: a deprecated one leads to its successor. Only recallable
    ones of `kinds` are returned, without the seeds. Of one memory the 20 strongest edges are followed. Raises
    InvalidInput (E032) for a limit or more seeds (200) out of range.
    """
    if limit < 1 or len(seeds) > SEEDS_MAX:
        raise InvalidInput(
            f"There is no way from {len(seeds)} seeds to {limit} memories.",
            number="E032",
            hint=f"Ask for what is around at most {SEEDS_MAX} seeds, and for at least 1 memory.",
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
