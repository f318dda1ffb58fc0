"""Index jobs: postings for memories that were saved without them, and the sizes of large scopes."""

from __future__ import annotations

from typing import Any

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from frasier.memory.postings import TermKeys
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory")

_BATCH = 100  # even memories of the maximum length fit into one parameter

LIVE_COUNT_MAX = 5_000
"""Up to this size, counting a scope's memories during a recall costs about a millisecond."""


async def index_pending(tx: Tx, limit: int) -> int:
    """Make the postings of up to `limit` memories that have none, oldest first; return how many were indexed.

    Any number of processes may run it at once: each claims its own rows.
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
    """Return one memory's postings in the form that the statement reads."""
    postings = keys.postings(row)
    return {
        "num": row["num"],
        "length": postings.length,
        "term_keys": postings.keys,
        "frequencies": postings.frequencies,
    }


async def refresh_statistics(tx: Tx, *, larger_than: int = LIVE_COUNT_MAX) -> int:
    """Recount every scope of more than `larger_than` memories; return the number of such scopes.

    Scores of large scopes use the counts of the last refresh; smaller scopes are counted at every recall.
    Every few minutes is often enough: BM25 hardly changes while a large scope grows by a few per cent.
    """
    return await _sql.run(tx, "refresh_statistics", larger_than=larger_than)
