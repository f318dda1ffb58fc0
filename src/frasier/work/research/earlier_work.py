"""Results of earlier missions that may become sources of a mission."""

from __future__ import annotations

from uuid import UUID

from frasier.kernel.tokenizer import tokenize
from frasier.memory import Memory, MemoryKind, Query, recall_by_words
from frasier.org.execution import EARLIER_WORK
from frasier.org.missions import REHEARSAL
from frasier.store import Tx

_HITS = 4
_COVERAGE = 0.6  # of a query's words; a text that shares fewer is about something else


async def find_earlier_work(tx: Tx, query: str, *, mission_id: UUID, rehearsed: bool) -> list[Memory]:
    """Return the passages of deliverables of other missions that match a query. Rehearsed ones are for rehearsals only.

    Matching goes by words shared with the query, so the search is lexical, and in the transaction of the caller.
    """
    hits = await recall_by_words(
        tx, Query(text=query, scopes=(EARLIER_WORK,), kinds=frozenset({MemoryKind.PASSAGE}), limit=_HITS)
    )
    words = max(len(set(tokenize(query))), 1)
    return [
        hit.memory
        for hit in hits
        if str(hit.memory.provenance["mission"]) != str(mission_id)
        and len(set(hit.reasons)) / words >= _COVERAGE
        and (rehearsed or not hit.memory.provenance.get(REHEARSAL))
    ]
