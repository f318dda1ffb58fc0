"""Named leases, which elect one of many processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from frasier.kernel.errors import FrasierError
from frasier.kernel.logging_setup import get_logger
from frasier.store.database import Database
from frasier.store.deferred import Tx
from frasier.store.process_identity import holder_name
from frasier.store.sql_statements import Statements

log = get_logger()
_sql = Statements("frasier.store")


async def take_lease(tx: Tx, name: str, *, holder: str, lease_s: float) -> bool:
    """Take or renew the lease `name` for `lease_s` seconds; False if another holder has it."""
    return await _sql.maybe(tx, "take_lease", name=name, holder=holder, lease_s=lease_s) is not None


async def drop_lease(tx: Tx, name: str, *, holder: str) -> None:
    """Give the lease back, so that the next process need not wait for it to expire."""
    await _sql.run(tx, "drop_lease", name=name, holder=holder)


@asynccontextmanager
async def hold_lease(database: Database, name: str, *, lease_s: float) -> AsyncIterator[bool]:
    """Hold the lease `name` during the body, renewed three times in `lease_s`; False if another process holds it.

    A holder that dies keeps it for at most `lease_s`. Losing the lease does not stop the body.
    """
    holder = holder_name()
    async with database.transaction() as tx:
        leads = await take_lease(tx, name, holder=holder, lease_s=lease_s)
    if not leads:
        yield False
        return
    renewing = asyncio.create_task(_renew(database, name, holder, lease_s))
    try:
        yield True
    finally:
        renewing.cancel()
        await asyncio.gather(renewing, return_exceptions=True)
        try:
            async with database.transaction() as tx:
                await drop_lease(tx, name, holder=holder)
        except FrasierError as error:  # it expires by itself
            log.info("lease.not_dropped", lease=name, error=error.message)


async def _renew(database: Database, name: str, holder: str, lease_s: float) -> None:
    while True:
        await asyncio.sleep(lease_s / 3)
        try:
            async with database.transaction() as tx:
                if not await take_lease(tx, name, holder=holder, lease_s=lease_s):
                    log.warning("lease.lost", lease=name)
        except FrasierError as error:
            log.warning("lease.not_renewed", lease=name, error=error.message)
