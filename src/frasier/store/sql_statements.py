"""Named SQL statements: each package keeps them in `.sql` files beside its modules, named after their subjects.

-- name: claim_ready
-- Takes the next ready tasks, skipping those that another worker is taking.
update …
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, LiteralString

from psycopg.rows import DictRow, tuple_row

from frasier.kernel.errors import InvariantBroken
from frasier.store.deferred import Tx
from frasier.store.rows import Value, from_row

_HEADER = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


def parse_statements(*sources: str) -> dict[str, LiteralString]:
    """Parse the named statements of some files. A duplicate name is an error, in one file or in several."""
    parts = [part for source in sources for part in _HEADER.split(source)[1:]]
    names = parts[0::2]
    if len(names) != len(set(names)):
        raise InvariantBroken(f"a statement is named twice: {sorted(n for n in names if names.count(n) > 1)}")
    bodies = (body.strip().rstrip(";") for body in parts[1::2])
    # The text comes from a file of this package, never from a caller, as LiteralString requires.
    return dict(zip(names, bodies, strict=True))


@cache
def _statements_of(package: str) -> dict[str, LiteralString]:
    return parse_statements(
        *(path.read_text("utf-8") for path in files(package).iterdir() if path.name.endswith(".sql"))
    )


class Statements:
    """The named statements of one package, ready to run inside a transaction. Its files are read on first use."""

    def __init__(self, package: str) -> None:
        self.package = package

    @property
    def by_name(self) -> Mapping[str, LiteralString]:
        return _statements_of(self.package)

    async def all(self, tx: Tx, name: str, /, **parameters: Any) -> list[DictRow]:
        """Fetch all rows."""
        cursor = await tx.execute(self.by_name[name], parameters)
        return await cursor.fetchall()

    async def all_as(self, kind: type[Value], tx: Tx, name: str, /, **parameters: Any) -> list[Value]:
        """Fetch all rows, each as a value; see from_row."""
        return [from_row(kind, row) for row in await self.all(tx, name, **parameters)]

    async def tuples(self, tx: Tx, name: str, /, **parameters: Any) -> list[tuple[Any, ...]]:
        """Fetch all rows as tuples, in the order of the statement's columns: half the time where hundreds are read."""
        cursor = await tx.cursor(row_factory=tuple_row).execute(self.by_name[name], parameters)
        return await cursor.fetchall()

    async def maybe(self, tx: Tx, name: str, /, **parameters: Any) -> DictRow | None:
        """Fetch the first row, or None."""
        cursor = await tx.execute(self.by_name[name], parameters)
        return await cursor.fetchone()

    async def maybe_as(self, kind: type[Value], tx: Tx, name: str, /, **parameters: Any) -> Value | None:
        """Fetch the first row as a value, or None; see from_row."""
        row = await self.maybe(tx, name, **parameters)
        return None if row is None else from_row(kind, row)

    async def one(self, tx: Tx, name: str, /, **parameters: Any) -> DictRow:
        """Fetch the first row; raise InvariantBroken if there is none."""
        row = await self.maybe(tx, name, **parameters)
        if row is None:
            raise InvariantBroken(f"{self.package}.{name} returned no row")
        return row

    async def one_as(self, kind: type[Value], tx: Tx, name: str, /, **parameters: Any) -> Value:
        """Fetch the first row as a value; raise InvariantBroken if there is none; see from_row."""
        return from_row(kind, await self.one(tx, name, **parameters))

    async def run(self, tx: Tx, name: str, /, **parameters: Any) -> int:
        """Execute a statement; return the number of rows that it affected."""
        cursor = await tx.execute(self.by_name[name], parameters)
        return cursor.rowcount

    def defer(self, tx: Tx, name: str, /, **parameters: Any) -> None:
        """Call a function whose result is not needed: it is sent with the next statement, or with COMMIT."""
        tx.defer(self.by_name[name], parameters)
