"""Okapi BM25: the part that is computed before SQL sums it up.

A memory's score is the sum over the distinct terms that it shares with the query of

    idf · (k1 + 1) · tf / (tf + k1 · (1 − b + b · length / mean length))

with idf = ln(1 + (N − df + 0.5) / (df + 0.5)), N, df and the mean length being those of all searched scopes.
SQL computes weight · tf / (tf + FLOOR + slope · length), which is the same with the constants folded.
"""

from __future__ import annotations

import math

K1 = 1.2
B = 0.75
FLOOR = K1 * (1 - B)


def term_weight(*, items: int, containing: int) -> float:
    """Return (k1 + 1) · idf of a term that `containing` of `items` memories hold.

    Always positive: a count of the scope that is older than the postings is raised to `containing`.
    """
    absent = max(items, containing) - containing
    return (K1 + 1) * math.log(1 + (absent + 0.5) / (containing + 0.5))


def length_slope(*, items: int, terms: int) -> float:
    """Return k1 · b / mean length, for a scope of `items` memories with `terms` terms in total."""
    return K1 * B * items / terms if terms else 0.0
