"""Queries with several concepts: a memory must match each of them, by words or by vector."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from frasier.memory.lexical_search import distinct_terms
from frasier.memory.postings import TermKeys
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.recall")

SIMILARITY_MIN = 0.5
"""The minimum cosine for a match by vector; and the minimum share of a concept's words for a match by words."""


async def meeting_all(
    tx: Tx,
    nums: Collection[int],
    concepts: Sequence[str],
    similar: Sequence[Mapping[int, float]],
    *,
    scopes: Collection[str],
) -> frozenset[int]:
    """Return the memories that match every concept. `similar` holds each concept's cosines, if there are vectors.

    A concept without a searchable word is matched by vector only.
    """
    keys = TermKeys()
    required = [
        [{keys.key(scope, term) for scope in scopes} for term in distinct_terms(concept)]
        for concept in concepts
    ]
    every = {key for terms in required for alternatives in terms for key in alternatives}
    rows = await _sql.all(tx, "keys_held", nums=list(nums), keys=list(every))
    held = {row["num"]: frozenset(row["held"]) for row in rows}
    met = set(nums)
    for terms, cosines in zip(required, similar, strict=True):
        met &= {
            num
            for num in met
            if cosines.get(num, 0.0) >= SIMILARITY_MIN or _named(terms, held.get(num, frozenset()))
        }
    return frozenset(met)


def _named(terms: Sequence[set[int]], held: frozenset[int]) -> bool:
    """Return whether a memory holds at least half of a concept's words."""
    return bool(terms) and sum(not held.isdisjoint(term) for term in terms) >= SIMILARITY_MIN * len(terms)
