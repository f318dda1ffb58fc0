"""Recall by words within a transaction: the memories of some scopes that match a text best.

For callers that must search within their own transaction: to find what they saved in it and may roll back (the health
probe), or to act at once on what the words match (the adoption of earlier work). Everybody else uses the engine.
"""

from __future__ import annotations

from frasier.kernel.errors import InvalidInput
from frasier.memory.importance_boost import importance_boost
from frasier.memory.lexical_search import distinct_terms, search_words
from frasier.memory.scopes import check_scope
from frasier.memory.types import ASKED_FOR, Memory, MemoryKind, Query, Recalled
from frasier.store import Statements, Tx, from_row

_sql = Statements("frasier.memory")

QUERY_CHARS_MAX = 10_000
LIMIT_MAX = 100
SCOPES_MAX = 20

# How many matches are boosted by importance for each one that is returned, and the minimum.
_POOL_FACTOR = 5
_POOL_MIN = 50


async def recall_by_words(tx: Tx, query: Query) -> list[Recalled]:
    """Return the `query.limit` best matches by words, best first; [] if the text holds nothing to search for.

    Score: BM25 times the importance boost of the memory (see weighting). Expired, archived and deprecated memories
    are never found. Reading changes nothing. Raises InvalidInput for a text over 10,000 characters, a limit outside
    1 to 100, or a malformed scope.
    """
    _check(query)
    hits = await search_words(
        tx,
        distinct_terms(query.text),
        scopes=query.scopes,
        kinds=_kinds(query),
        agent_id=query.agent_id,
        limit=max(_POOL_MIN, _POOL_FACTOR * query.limit),
    )
    keys = {key.key: key.word for key in hits.keys}
    rows = {
        row["num"]: row for row in await _sql.all(tx, "found_items", nums=list(hits.scores), keys=list(keys))
    }
    memories = {num: from_row(Memory, row) for num, row in rows.items()}
    scores = {
        num: score * importance_boost(memories[num].kind, memories[num].tier, memories[num].importance)
        for num, score in hits.scores.items()
        if num in memories
    }
    best = sorted(scores, key=lambda num: (-scores[num], num))[: query.limit]
    return [
        Recalled(
            memory=memories[num],
            score=scores[num],
            rank=rank,
            reasons=tuple(sorted({keys[key] for key in rows[num]["matched"]})),
        )
        for rank, num in enumerate(best, start=1)
    ]


def _check(query: Query) -> None:
    if len(query.text) > QUERY_CHARS_MAX:
        raise InvalidInput(
            f"A query of {len(query.text)} characters is too long.",
            hint=f"Use at most {QUERY_CHARS_MAX} characters.",
        )
    if not 1 <= query.limit <= LIMIT_MAX:
        raise InvalidInput(
            f"A limit of {query.limit} is not between 1 and {LIMIT_MAX}.",
            number="E032",
            hint="Ask for fewer memories.",
        )
    if not 1 <= len(query.scopes) <= SCOPES_MAX:
        raise InvalidInput(
            f"A query must name 1 to {SCOPES_MAX} scopes; this one names {len(query.scopes)}.",
            number="E032",
            hint="Name only the scopes that are needed.",
        )
    for scope in query.scopes:
        check_scope(scope)


def _kinds(query: Query) -> frozenset[MemoryKind]:
    kinds = frozenset(MemoryKind) - ASKED_FOR if query.kinds is None else query.kinds
    return kinds | {MemoryKind.MARKER} if query.include_markers else kinds
