"""Rows by the id, or the part of one, that somebody typed."""

from __future__ import annotations

from collections.abc import Callable

from psycopg.rows import DictRow

from frasier.kernel.ids import CANDIDATES, id_part, only_match
from frasier.store.deferred import Tx
from frasier.store.sql_statements import Statements


async def find_row(
    tx: Tx, sql: Statements, statement: str, text: str, *, what: str, label: Callable[[DictRow], str]
) -> DictRow | None:
    """Fetch the only row whose id is `text`, or begins or ends with it; None without one.

    The statement takes `part`, `limit` and, where "last" means the newest, `newest`. Raises InvalidInput if several
    rows match.
    """
    rows = await sql.all(tx, statement, part=id_part(text), newest=text == "last", limit=CANDIDATES)
    return only_match(text, what, rows, label)
