"""Recall by words within a transaction: the memories of some scopes that match a text best.

For whoever must find within its own transaction: what it saved in it and may roll back again (the health probe),
or what it acts upon at once, judging by words (the adoption of earlier work). Everybody else asks the engine.
"""

from __future__ import annotations

from frasier.kernel.errors import InvalidInput
from frasier.memory.lexical import distinct_terms, search_words
from frasier.memory.rows import memory_of
from frasier.memory.scopes import check_scope
from frasier.memory.types import MemoryKind, Query, Recalled
from frasier.memory.weighting import worth
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory")

QUERY_CHARS_MAX = 10_000
LIMIT_MAX = 100
SCOPES_MAX = 20

# How many matches are weighed by their worth for each one that is returned, and the least number of them.
_POOL_FACTOR = 5
_POOL_MIN = 50

_ASKED_FOR = frozenset({MemoryKind.MARKER, MemoryKind.CONVERSATION})


async def recall(tx: Tx, query: Query) -> list[Recalled]:
    """The `query.limit` best matches by words, best first; [] where the text holds nothing to search for.

    Score: BM25 times a memory's worth (see weighting). Expired, archived and deprecated memories are never
    found. Reading changes nothing. Raises InvalidInput for a text over 10,000 characters, a limit outside 1 to
    100, or a wrong scope.
    """
    _check(query)
    found = await search_words(
        tx,
        distinct_terms(query.text),
        scopes=query.scopes,
        kinds=_kinds(query),
        agent_id=query.agent_id,
        limit=max(_POOL_MIN, _POOL_FACTOR * query.limit),
    )
    keys = {key.key: key.word for key in found.keys}
    rows = {
        row["num"]: row for row in await _sql.all(tx, "found_items", nums=list(found.scores), keys=list(keys))
    }
    memories = {num: memory_of(row) for num, row in rows.items()}
    scores = {
        num: score * worth(memories[num].kind, memories[num].tier, memories[num].importance)
        for num, score in found.scores.items()
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
            hint=f"Ask with at most {QUERY_CHARS_MAX} characters.",
        )
    if not 1 <= query.limit <= LIMIT_MAX:
        raise InvalidInput(
            f"A limit of {query.limit} is not between 1 and {LIMIT_MAX}.",
            number="E032",
            hint="Ask for fewer at once.",
        )
    if not 1 <= len(query.scopes) <= SCOPES_MAX:
        raise InvalidInput(
            f"A query names 1 to {SCOPES_MAX} scopes, this one {len(query.scopes)}.",
            number="E032",
            hint="Name those that are needed.",
        )
    for scope in query.scopes:
        check_scope(scope)


def _kinds(query: Query) -> frozenset[MemoryKind]:
    kinds = frozenset(MemoryKind) - _ASKED_FOR if query.kinds is None else query.kinds
    return kinds | {MemoryKind.MARKER} if query.include_markers else kinds
