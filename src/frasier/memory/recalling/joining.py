"""From what words and meaning found to one ranking: what lies around it is found from there, and all is fused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from frasier.memory.graph import graph_neighbours
from frasier.memory.recalling.by_words import ByWords
from frasier.memory.recalling.fusion import Arm, Fused, fuse, leaders
from frasier.memory.recalling.request import Sought
from frasier.memory.settings import FusionSettings
from frasier.store import Tx

if TYPE_CHECKING:
    from frasier.memory.vectors import VectorHit

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
    """Asks the arm that looks from what was found, the graph, and fuses all five."""
    cosines = {hit.memory_num: hit.similarity for hit in vector_hits}
    rankings: dict[Arm, Sequence[int]] = {
        Arm.LEXICAL: list(found.words.scores),
        Arm.VECTOR: list(cosines),
        Arm.TRIGGER: list(found.triggered),
    }
    weights = arm_weights(settings)
    seeds = leaders(rankings, weights, k=settings.k, most=_GRAPH_SEEDS)
    rankings[Arm.CONTEXT] = found.context
    inherited: dict[int, float] = {}
    if settings.graph > 0 and seeds:
        inherited = await graph_neighbours(
            tx,
            seeds,
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
