"""From what words and meaning found to one ranking: what lies around it is found from there, and all is fused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from frasier.memory.graph import graph_neighbours
from frasier.memory.recalling.by_words import ByWords
from frasier.memory.recalling.fusion import Arm, Fused, fuse, leaders
from frasier.memory.recalling.request import Sought
from frasier.memory.recalling.threads import around
from frasier.memory.settings import FusionSettings
from frasier.store import Tx

if TYPE_CHECKING:
    from frasier.memory.vectors import VectorHit

# From how many of the best is looked around, and how much the words of a neighbour count.
_LOOKED_AROUND = 60
_BESIDE_SHARE = 0.5
_GRAPH_SEEDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """`fused` is everything that some arm found, best first. `cosines` are the vector arm's own scores, `inherited` is
    what a link to a hit is worth (0 to 1).
    """

    fused: list[Fused]
    found: ByWords
    cosines: Mapping[int, float]
    inherited: Mapping[int, float]


async def join_arms(
    tx: Tx, sought: Sought, found: ByWords, vector_hits: Iterable[VectorHit], settings: FusionSettings
) -> Joined:
    """Asks the arms that look from what was found, context and graph, and fuses all five."""
    cosines = {hit.memory_num: hit.similarity for hit in vector_hits}
    rankings: dict[Arm, list[int]] = {
        Arm.LEXICAL: list(found.words.scores),
        Arm.VECTOR: list(cosines),
        Arm.TRIGGER: list(found.triggered),
    }
    weights = arm_weights(settings)
    seeds = leaders(rankings, weights, k=settings.k, most=_LOOKED_AROUND)
    if settings.context > 0:
        rankings[Arm.CONTEXT] = _by_context(found.words.scores, await around(tx, list(seeds)))
    inherited: dict[int, float] = {}
    if settings.graph > 0 and seeds:
        inherited = await graph_neighbours(
            tx,
            dict(islice(seeds.items(), _GRAPH_SEEDS)),
            scopes=sought.scopes,
            kinds=sought.kinds,
            limit=settings.pool,
        )
        rankings[Arm.GRAPH] = list(inherited)
    return Joined(
        fused=fuse(rankings, weights, k=settings.k), found=found, cosines=cosines, inherited=inherited
    )


def arm_weights(settings: FusionSettings) -> dict[Arm, float]:
    """The weight of each arm as the settings say."""
    return {
        Arm.LEXICAL: settings.lexical,
        Arm.VECTOR: settings.vector,
        Arm.CONTEXT: settings.context,
        Arm.GRAPH: settings.graph,
        Arm.TRIGGER: settings.trigger,
    }


def _by_context(scores: Mapping[int, float], beside: Mapping[int, Mapping[int, int]]) -> list[int]:
    """Turns by their own words and, for half, those of the best turn next to them."""
    turns = set(beside) | {num for near in beside.values() for num in near}
    nearby: dict[int, float] = dict.fromkeys(turns, 0.0)
    for num, near in beside.items():
        for other, distance in near.items():
            if distance == 1:
                nearby[num] = max(nearby[num], scores.get(other, 0.0))
                nearby[other] = max(nearby[other], scores.get(num, 0.0))
    total = {num: scores.get(num, 0.0) + _BESIDE_SHARE * near for num, near in nearby.items()}
    return sorted((num for num in total if total[num] > 0), key=lambda num: (-total[num], num))
