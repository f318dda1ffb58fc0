"""The lexical arm: the memories of some scopes that hold a query's words, by BM25."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil
from typing import Any
from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.tokenizer import words_and_terms
from frasier.memory.bm25 import FLOOR, length_slope, term_weight
from frasier.memory.postings import TermKeys
from frasier.memory.types import ALL_TIME, MemoryKind, Period
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory")

TERMS_MAX = 256  # distinct ones; further words of a query no longer change the best matches

# At most this many postings are summed, apart from those of the rarest term. The scores of commoner terms are looked up
# for the best _HEAD matches per requested result: a word that a tenth of a million memories hold decides nothing alone.
_POSTINGS = 20_000
_HEAD = 5

# How many matches are read per requested result, in turn: some may be archived or of other kinds. None is all.
_BEST = (1.5, 8, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeighedKey:
    """A term in a scope, of which `containing` memories hold it.

    `weight` is its (k1 + 1) · idf in all searched scopes.
    """

    key: int
    term: str
    word: str
    containing: int
    weight: float
    slope: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WordHits:
    """The lexical matches. `scores` by memory, best first, from 0 up; `keys` are the terms that occur in the scopes.

    `items` is the number of memories in the scopes; 0 if no term occurs.
    """

    scores: Mapping[int, float]
    keys: tuple[WeighedKey, ...]
    items: int = 0

    def containing(self) -> dict[str, int]:
        """Return the number of memories of all scopes that hold each term."""
        counted: dict[str, int] = {}
        for key in self.keys:
            counted[key.term] = counted.get(key.term, 0) + key.containing
        return counted


def distinct_terms(text: str) -> dict[str, str]:
    """Return each term of `text` once, with the first word that it came from."""
    terms: dict[str, str] = {}
    for word, term in words_and_terms(text):
        terms.setdefault(term, word)
        if len(terms) == TERMS_MAX:
            break
    return terms


async def search_words(
    tx: Tx,
    terms: Mapping[str, str],
    *,
    scopes: Collection[str],
    kinds: Collection[MemoryKind],
    agent_id: UUID | None = None,
    period: Period = ALL_TIME,
    limit: int,
    shares: Mapping[str, float] | None = None,
    replaced: bool = False,
) -> WordHits:
    """Return the `limit` best matches by BM25 (k1 1.2, b 0.75), measured against all searched scopes together.

    Measured against its own scope, a memory would lose to those of a larger one, where the same word is rarer. Exact as
    long as the terms have at most 20,000 postings together. Beyond that, the commonest terms only order the matches of
    the others.

    `terms` are those of distinct_terms. `shares` weighs single terms down (0 to 1), such as guessed ones. Memories that
    were `replaced` by others are searched only on request.
    """
    weighed, items = await _weigh(tx, sorted(set(scopes)), terms, shares or {}) if terms else ((), 0)
    if not weighed:
        return WordHits(scores={}, keys=())
    filters: dict[str, Any] = {
        "floor": FLOOR,
        "scopes": sorted(set(scopes)),
        "kinds": sorted(kinds),
        "agent_id": agent_id,
        "period": period.tstzrange(),
        "limit": limit,
    }
    scored = await _rank_twice(tx, weighed, filters) or await _rank(tx, weighed, filters)
    if replaced:
        earlier = await _sql.tuples(tx, "rank_replaced_items", **filters, **_columns(weighed))
        scored = sorted([*scored, *earlier], key=lambda match: (-match[1], match[0]))[:limit]
    return WordHits(scores=dict(scored), keys=weighed, items=items)


async def _rank(tx: Tx, weighed: Sequence[WeighedKey], filters: dict[str, Any]) -> list[tuple[int, float]]:
    """Return the best matches by all terms."""
    matches = sum(key.containing for key in weighed)
    scored: list[tuple[int, float]] = []
    for share in _BEST:
        best = None if share is None else ceil(share * filters["limit"])
        scored = await _sql.tuples(tx, "rank_items", **filters, **_columns(weighed), best=best)
        if len(scored) >= filters["limit"] or best is None or matches <= best:
            break
    return scored


async def _rank_twice(
    tx: Tx, weighed: Sequence[WeighedKey], filters: dict[str, Any]
) -> list[tuple[int, float]]:
    """Return the best matches by the rarer terms, ordered by all; [] if that saves no work or finds too few."""
    rarest_first = sorted(weighed, key=lambda key: (key.containing, key.key))
    through = list(accumulate(key.containing for key in rarest_first))
    split = max(1, bisect_right(through, _POSTINGS))
    if split == len(rarest_first):
        return []
    common = {f"common_{name}": column for name, column in _columns(rarest_first[split:]).items()}
    rare = _columns(rarest_first[:split])
    best = _HEAD * filters["limit"]
    scored = await _sql.tuples(tx, "rank_items_twice", **filters, **rare, **common, best=best)
    return scored if len(scored) >= filters["limit"] else []


def _columns(weighed: Sequence[WeighedKey]) -> dict[str, list[Any]]:
    return {
        "keys": [key.key for key in weighed],
        "weights": [key.weight for key in weighed],
        "slopes": [key.slope for key in weighed],
    }


async def _weigh(
    tx: Tx, scopes: list[str], terms: Mapping[str, str], shares: Mapping[str, float]
) -> tuple[tuple[WeighedKey, ...], int]:
    """Return the key of each term in each scope that holds it, with its weight in all; and the scopes' total size."""
    keys = TermKeys()
    lookups = [(scope, term, word, keys.key(scope, term)) for scope in scopes for term, word in terms.items()]
    rows = await _sql.all(tx, "scopes_with_terms", keys=[key for *_, key in lookups], scopes=scopes)
    containing = rows[0]["containing"]
    if not any(containing):
        return (), 0
    items, length = await _size(tx, rows)
    of_term: Counter[str] = Counter()
    for (_, term, _, _), count in zip(lookups, containing, strict=True):
        of_term[term] += count
    slope = length_slope(items=items, terms=length)
    weighed = tuple(
        WeighedKey(
            key=key,
            term=term,
            word=word,
            containing=count,
            weight=shares.get(term, 1.0) * term_weight(items=items, containing=of_term[term]),
            slope=slope,
        )
        for (_, term, word, key), count in zip(lookups, containing, strict=True)
        if count
    )
    return weighed, items


async def _size(tx: Tx, rows: Sequence[DictRow]) -> tuple[int, int]:
    """Return the number of memories in the scopes, and of their terms in total.

    They are as last counted; those of a scope without statistics are counted now.
    """
    uncounted = [row["scope"] for row in rows if row["items"] is None]
    counted = await _sql.all(tx, "size_of_scopes", scopes=uncounted) if uncounted else []
    known = {row["scope"]: row for row in (*rows, *counted)}.values()
    return sum(row["items"] for row in known), sum(row["terms"] for row in known)
