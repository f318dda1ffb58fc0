"""Recall: the memories of some scopes that match a text best."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.errors import InvalidInput
from frasier.memory.bm25 import FLOOR, length_slope, term_weight
from frasier.memory.postings import TermKeys
from frasier.memory.rows import memory_of
from frasier.memory.scopes import SHARED_SCOPE, agent_scope, check_scope
from frasier.memory.tokens import words_and_terms
from frasier.memory.types import ImportanceTier, Memory, MemoryKind, Query, Recalled
from frasier.memory.weighting import worth
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory")

QUERY_CHARS_MAX = 10_000
LIMIT_MAX = 100
SCOPES_MAX = 20
_TERMS_MAX = 256  # distinct ones; what a query says after that many no longer changes what is best

# How many matches are weighed by their worth for each one that is returned, and the least number of them.
_POOL_FACTOR = 5
_POOL_MIN = 50

_ASKED_FOR = frozenset({MemoryKind.MARKER, MemoryKind.CONVERSATION})


async def recall(tx: Tx, query: Query) -> list[Recalled]:
    """The `query.limit` best matches, best first; [] where the text holds nothing to search for.

    Score: BM25 (k1 1.2, b 0.75) over the distinct terms of the query, each memory measured against its own
    scope, times its worth (see weighting). Expired, archived and deprecated memories are never found. Reading
    changes nothing. Raises InvalidInput for a text over 10,000 characters, a limit outside 1 to 100, or a
    wrong scope.
    """
    _check(query)
    terms = _distinct_terms(query.text)
    if not terms:
        return []
    scopes = sorted(set(query.scopes))
    weighed = await _weigh(tx, scopes, terms)
    if not weighed:
        return []
    keys = [key.key for key in weighed]
    found = await _sql.all(
        tx,
        "rank_items",
        keys=keys,
        weights=[key.weight for key in weighed],
        slopes=[key.slope for key in weighed],
        floor=FLOOR,
        scopes=scopes,
        kinds=sorted(_kinds(query)),
        agent_id=query.agent_id,
        limit=max(_POOL_MIN, _POOL_FACTOR * query.limit),
    )
    scores = {
        row["num"]: row["score"]
        * worth(MemoryKind(row["kind"]), ImportanceTier(row["tier"]), row["importance"])
        for row in found
    }
    best = sorted(scores, key=lambda num: (-scores[num], num))[: query.limit]
    words = {key.key: key.word for key in weighed}
    rows = {row["num"]: row for row in await _sql.all(tx, "found_items", nums=best, keys=keys)}
    return [
        Recalled(
            memory=memory_of(rows[num]),
            score=scores[num],
            rank=rank,
            reasons=tuple(sorted({words[key] for key in rows[num]["matched"]})),
        )
        for rank, num in enumerate(best, start=1)
    ]


async def lessons_for(tx: Tx, *, agent_id: UUID, text: str, limit: int = 5) -> list[Memory]:
    """The lessons of the agent, and those that all share, that match `text` best.

    Among equal matches the weightier comes first. `text` is what the work is about, however long: its first
    10,000 characters count.
    """
    query = Query(
        text=text[:QUERY_CHARS_MAX],
        scopes=(agent_scope(agent_id), SHARED_SCOPE),
        kinds=frozenset({MemoryKind.LESSON}),
        limit=limit,
    )
    return [recalled.memory for recalled in await recall(tx, query)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _WeighedKey:
    key: int
    word: str
    weight: float
    slope: float


def _check(query: Query) -> None:
    if len(query.text) > QUERY_CHARS_MAX:
        raise InvalidInput(
            f"A query of {len(query.text)} characters is too long.",
            hint=f"Ask with at most {QUERY_CHARS_MAX} characters.",
        )
    if not 1 <= query.limit <= LIMIT_MAX:
        raise InvalidInput(f"A limit of {query.limit} is not between 1 and {LIMIT_MAX}.")
    if not 1 <= len(query.scopes) <= SCOPES_MAX:
        raise InvalidInput(f"A query names 1 to {SCOPES_MAX} scopes, this one {len(query.scopes)}.")
    for scope in query.scopes:
        check_scope(scope)


def _distinct_terms(text: str) -> dict[str, str]:
    """Each term of `text` once, with the first word that it came from."""
    terms: dict[str, str] = {}
    for word, term in words_and_terms(text):
        terms.setdefault(term, word)
        if len(terms) == _TERMS_MAX:
            break
    return terms


def _kinds(query: Query) -> frozenset[MemoryKind]:
    kinds = frozenset(MemoryKind) - _ASKED_FOR if query.kinds is None else query.kinds
    return kinds | {MemoryKind.MARKER} if query.include_markers else kinds


async def _weigh(tx: Tx, scopes: list[str], terms: dict[str, str]) -> list[_WeighedKey]:
    """The key of each term in each scope that holds it, with its share in a score."""
    keys = TermKeys()
    wanted = [(scope, word, keys.key(scope, term)) for scope in scopes for term, word in terms.items()]
    frequencies = {
        row["term_key"]: row["containing"]
        for row in await _sql.all(tx, "term_frequencies", keys=[key for *_, key in wanted])
    }
    if not frequencies:
        return []
    sizes = {row["scope"]: row for row in await _sql.all(tx, "scope_sizes", scopes=scopes)}
    return [
        _WeighedKey(
            key=key,
            word=word,
            weight=term_weight(items=sizes[scope]["items"], containing=frequencies[key]),
            slope=length_slope(items=sizes[scope]["items"], terms=sizes[scope]["terms"]),
        )
        for scope, word, key in wanted
        if key in frequencies
    ]
