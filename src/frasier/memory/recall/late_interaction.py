"""Late interaction: each token of a query is matched with the best token of a memory. Pure, in numpy.

    score(d) = Σ over query tokens  weight · max over d's tokens of their cosine

divided by the sum of the weights, so that 1 means that every token was matched exactly. A turn of a conversation is
also matched, at a discount, through the turns around it: an answer often stands next to the words of the question.
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
    """The tokens of a query. `states` has shape (tokens, STATE_WIDTH), rows of length one.

    `own` marks tokens that only a memory's own tokens can match, not those of its neighbours.
    """

    states: NDArray[np.float32]
    weights: NDArray[np.float32]
    own: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The neighbourhood of a turn: its reach in turns, and the decay of a match per turn of distance."""

    reach: int = 3
    decay: float = 0.85


def late_scores(
    query: QueryTokens,
    states: Mapping[int, Sequence[bytes]],
    neighbours: Mapping[int, Mapping[int, int]],
    *,
    window: Window = Window(),
) -> dict[int, float]:
    """Score each memory in `states` (the token states of its parts), from -1 to 1.

    `neighbours` maps a memory in a thread to those around it with their distance in turns; they count if their own
    states are in `states`.
    """
    nums, matches = _matches(query.states, states)
    total = float(query.weights.sum())
    if total <= 0:
        return dict.fromkeys(nums, 0.0)
    met = _raise_to_neighbours(matches, query.own, _pairs(nums, neighbours, window))
    scores = met @ query.weights / total
    return {num: float(score) for num, score in zip(nums, scores, strict=True)}


def _pairs(
    nums: Sequence[int], neighbours: Mapping[int, Mapping[int, int]], window: Window
) -> list[tuple[int, int, float]]:
    """Return the pairs of neighbours: a memory's row, its neighbour's row, and the discount of a match there."""
    row = {num: at for at, num in enumerate(nums)}
    return [
        (row[num], row[beside], window.decay**distance)
        for num, distances in neighbours.items()
        if num in row
        for beside, distance in distances.items()
        if beside in row and distance <= window.reach
    ]


def _raise_to_neighbours(
    matches: NDArray[np.float32], own: NDArray[np.bool_], pairs: Sequence[tuple[int, int, float]]
) -> NDArray[np.float32]:
    """Raise the matches to those of the neighbours where these are better."""
    if not pairs:
        return matches
    at, beside, discounts = (np.array(column) for column in zip(*pairs, strict=True))
    starts = np.flatnonzero(np.diff(at, prepend=-1))  # pairs of one memory stand together
    discounted = np.where(own, _NOTHING, discounts.astype(np.float32)[:, None] * matches[beside])
    best = np.maximum.reduceat(discounted, starts, axis=0)
    met = matches.copy()
    met[at[starts]] = np.maximum(met[at[starts]], best)
    return met


def _matches(
    query: NDArray[np.float32], states: Mapping[int, Sequence[bytes]]
) -> tuple[list[int], NDArray[np.float32]]:
    """Return the best cosine for each memory and query token; memories without states are left out."""
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
