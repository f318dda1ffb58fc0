"""Late interaction: a query's tokens each look for their best match among a memory's tokens. Pure, in numpy.

    score(d) = Σ over query tokens  weight · max over d's tokens of their cosine

divided by the sum of the weights, so that 1 means every token was met exactly. A turn of a conversation is also
met, at a discount, by the turns around it: what answers a question often stands beside the words of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

STATE_WIDTH = 128
_NOTHING = -1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTokens:
    """`states` has shape (tokens, STATE_WIDTH), rows of length one. `own` marks tokens that only a memory's own
    tokens can meet, not those around it.
    """

    states: NDArray[np.float32]
    weights: NDArray[np.float32]
    own: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """How far around a turn is looked, and what a match that many turns away is worth."""

    reach: int = 3
    decay: float = 0.85


def late_scores(
    query: QueryTokens,
    states: Mapping[int, Sequence[bytes]],
    neighbours: Mapping[int, Mapping[int, int]],
    *,
    window: Window = Window(),
) -> dict[int, float]:
    """The score of each memory in `states` (the token states of its parts), from -1 to 1.

    `neighbours` gives, for a memory in a thread, those around it with their distance in turns; they count as far
    as their own states are among `states`.
    """
    nums, matches = _matches(query.states, states)
    total = float(query.weights.sum())
    if total <= 0:
        return dict.fromkeys(nums, 0.0)
    met = _met_around(matches, query.own, _pairs(nums, neighbours, window))
    scores = met @ query.weights / total
    return {num: float(score) for num, score in zip(nums, scores, strict=True)}


def _pairs(
    nums: Sequence[int], neighbours: Mapping[int, Mapping[int, int]], window: Window
) -> list[tuple[int, int, float]]:
    """For each memory the rows around it: its own row, the other's, and what a match there is worth."""
    row = {num: at for at, num in enumerate(nums)}
    return [
        (row[num], row[beside], window.decay**distance)
        for num, around in neighbours.items()
        if num in row
        for beside, distance in around.items()
        if beside in row and distance <= window.reach
    ]


def _met_around(
    matches: NDArray[np.float32], own: NDArray[np.bool_], pairs: Sequence[tuple[int, int, float]]
) -> NDArray[np.float32]:
    """The matches, raised to those around where these are better."""
    if not pairs:
        return matches
    at, beside, worth = (np.array(column) for column in zip(*pairs, strict=True))
    starts = np.flatnonzero(np.diff(at, prepend=-1))  # pairs of one memory stand together
    discounted = np.where(own, _NOTHING, worth.astype(np.float32)[:, None] * matches[beside])
    best = np.maximum.reduceat(discounted, starts, axis=0)
    met = matches.copy()
    met[at[starts]] = np.maximum(met[at[starts]], best)
    return met


def _matches(
    query: NDArray[np.float32], states: Mapping[int, Sequence[bytes]]
) -> tuple[list[int], NDArray[np.float32]]:
    """For each memory and query token the best cosine; memories without states are left out."""
    nums: list[int] = []
    starts: list[int] = []
    pieces: list[bytes] = []
    length = 0
    for num, parts in states.items():
        tokens = sum(len(part) for part in parts) // STATE_WIDTH
        if tokens == 0:
            continue
        nums.append(num)
        starts.append(length)
        pieces += parts
        length += tokens
    if not nums:
        return [], np.zeros((0, len(query)), np.float32)
    tokens_ = np.frombuffer(b"".join(pieces), np.int8).reshape(-1, STATE_WIDTH).astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", tokens_, tokens_))
    cosines = (tokens_ @ query.T) / np.maximum(lengths, 1e-6)[:, None]
    return nums, np.maximum.reduceat(cosines, starts, axis=0)
