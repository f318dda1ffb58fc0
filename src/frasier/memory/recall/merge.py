"""Merging of the arms: expands the lexical and vector matches along the graph, and fuses all rankings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from frasier.memory.graph.recall_arm import graph_neighbours
from frasier.memory.recall.fusion import Arm, Fused, fuse, leaders
from frasier.memory.recall.lexical import LexicalMatches
from frasier.memory.recall.request import RecallQuery
from frasier.memory.settings import FusionSettings
from frasier.store import Tx

if TYPE_CHECKING:
    from frasier.memory.vectors.types import VectorHit

_GRAPH_SEEDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedArms:
    """The merged arms. `fused` holds the matches of all arms, best first.

    `cosines` are the vector arm's own scores, `inherited` those of the graph arm (0 to 1).
    """

    fused: list[Fused]
    lexical: LexicalMatches
    cosines: Mapping[int, float]
    inherited: Mapping[int, float]


async def merge_arms(
    tx: Tx,
    query: RecallQuery,
    lexical: LexicalMatches,
    vector_hits: Iterable[VectorHit],
    settings: FusionSettings,
) -> MergedArms:
    """Search the graph arm from the best matches so far, and fuse all five arms."""
    cosines = {hit.memory_num: hit.similarity for hit in vector_hits}
    rankings: dict[Arm, Sequence[int]] = {
        Arm.LEXICAL: list(lexical.words.scores),
        Arm.VECTOR: list(cosines),
        Arm.TRIGGER: list(lexical.triggered),
    }
    weights = arm_weights(settings)
    seeds = leaders(rankings, weights, k=settings.k, limit=_GRAPH_SEEDS)
    rankings[Arm.CONTEXT] = lexical.context
    inherited: dict[int, float] = {}
    if settings.graph > 0 and seeds:
        inherited = await graph_neighbours(
            tx,
            seeds,
            scopes=query.scopes,
            kinds=query.kinds,
            limit=settings.pool,
        )
        rankings[Arm.GRAPH] = list(inherited)
    return MergedArms(
        fused=fuse(rankings, weights, k=settings.k), lexical=lexical, cosines=cosines, inherited=inherited
    )


def arm_weights(settings: FusionSettings) -> dict[Arm, float]:
    """Return the configured weight of each arm."""
    return {
        Arm.LEXICAL: settings.lexical,
        Arm.VECTOR: settings.vector,
        Arm.CONTEXT: settings.context,
        Arm.GRAPH: settings.graph,
        Arm.TRIGGER: settings.trigger,
    }
