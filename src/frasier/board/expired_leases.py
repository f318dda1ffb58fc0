"""Give back tasks whose lease has expired, for whoever reads them: no other process may be running that does it."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import psycopg

from frasier.kernel.errors import FrasierError
from frasier.kernel.logging_setup import get_logger
from frasier.store import Tx
from frasier.workflow import Task

log = get_logger()


async def release_expired(tx: Tx, processes: Sequence[str], *, task_id: UUID | None = None) -> list[Task]:
    """Give back the tasks of the processes whose lease has expired, or only that task, and return those.

    If it cannot be written, that is logged, and none is given back: reading goes on with what is recorded.
    """
    from frasier.workflow import recover_expired  # noqa: PLC0415 (whoever only reads loads no moves)

    try:
        async with tx.transaction():  # a savepoint
            return await recover_expired(tx, processes, task_id=task_id)
    except (psycopg.Error, FrasierError) as error:
        log.warning("board.leases_not_released", kind=type(error).__name__, error=str(error))
        return []
