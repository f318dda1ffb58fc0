"""A named lease: which of many processes does a job that only one may do."""

from __future__ import annotations

from frasier.store.session import Tx
from frasier.store.statements import Statements

_sql = Statements("frasier.store")


async def take_lease(tx: Tx, name: str, *, holder: str, lease_s: float) -> bool:
    """Whether `holder` now holds the lease `name`, freshly or still, for `lease_s` seconds."""
    return await _sql.maybe(tx, "take_lease", name=name, holder=holder, lease_s=lease_s) is not None


async def drop_lease(tx: Tx, name: str, *, holder: str) -> None:
    """Gives the lease back, so that the next process need not wait for it to run out."""
    await _sql.run(tx, "drop_lease", name=name, holder=holder)
