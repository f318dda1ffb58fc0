"""Several concepts at once: a memory must meet each of them, by its words or by its meaning."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from frasier.memory.lexical import distinct_terms
from frasier.memory.postings import TermKeys
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.recalling")

SIMILARITY_MIN = 0.5
"""The cosine from which on a memory means a concept; and the share of its words from which on it names it."""


async def meeting_all(
    tx: Tx,
    nums: Collection[int],
    concepts: Sequence[str],
    similar: Sequence[Mapping[int, float]],
    *,
    scopes: Collection[str],
) -> frozenset[int]:
    """Those of the memories that meet every concept. `similar` holds each concept's cosines, where vectors are.

    A concept that has no word to search for is met by meaning only.
    """
    keys = TermKeys()
    wanted = [
        [{keys.key(scope, term) for scope in scopes} for term in distinct_terms(concept)]
        for concept in concepts
    ]
    every = {key for terms in wanted for alternatives in terms for key in alternatives}
    rows = await _sql.all(tx, "keys_held", nums=list(nums), keys=list(every))
    held = {row["num"]: frozenset(row["held"]) for row in rows}
    met = set(nums)
    for terms, cosines in zip(wanted, similar, strict=True):
        met &= {
            num
            for num in met
            if cosines.get(num, 0.0) >= SIMILARITY_MIN or _named(terms, held.get(num, frozenset()))
        }
    return frozenset(met)


def _named(terms: Sequence[set[int]], held: frozenset[int]) -> bool:
    """Whether a memory holds at least half of a concept's words."""
    return bool(terms) and sum(not held.isdisjoint(term) for term in terms) >= SIMILARITY_MIN * len(terms)
