"""The jobs of this slice: postings for what was saved without them, and the sizes of large scopes."""

from __future__ import annotations

from typing import Any

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from frasier.memory.postings import TermKeys
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory")

_BATCH = 100  # in one go even memories of the greatest length fit into one parameter

LIVE_COUNT_MAX = 5_000
"""Up to here counting a scope's memories during a recall costs about a millisecond."""


async def index_pending(tx: Tx, limit: int) -> int:
    """Makes the postings of up to `limit` memories that have none, oldest first; returns of how many.

    Any number of processes may do it at once: each takes rows that no other has.
    """
    keys = TermKeys()
    indexed = 0
    while indexed < limit:
        rows = await _sql.all(tx, "take_unindexed", limit=min(limit - indexed, _BATCH))
        if not rows:
            break
        await _sql.run(tx, "index_items", items=Jsonb([_item(row, keys) for row in rows]))
        indexed += len(rows)
    return indexed


def _item(row: DictRow, keys: TermKeys) -> dict[str, Any]:
    """One memory's postings as the statement reads them."""
    num = row.pop("num")
    postings = keys.postings(**row)
    return {
        "num": num,
        "length": postings.length,
        "term_keys": postings.keys,
        "frequencies": postings.frequencies,
    }


async def refresh_statistics(tx: Tx, *, larger_than: int = LIVE_COUNT_MAX) -> int:
    """Recounts every scope of more than `larger_than` memories; returns how many there are.

    Scores of large scopes use the counts of the last refresh; smaller scopes are counted at every recall.
    Every few minutes is often enough: BM25 hardly moves while a large scope grows by a few per cent.
    """
    return await _sql.run(tx, "refresh_statistics", larger_than=larger_than)
