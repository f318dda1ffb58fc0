"""The runner of recurring jobs. A lease in the database elects the process that does them; the others stand by."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from frasier.kernel.errors import OUT_OF_RESOURCES, UNWRITABLE, FrasierError
from frasier.kernel.logging_setup import get_logger
from frasier.store import Database, drop_lease, holder_name, take_lease

log = get_logger()

_LEASE = "heartbeat"
_LEASE_S = 15.0
_TICK_S = 1.0
_GRACE_S = 2.0  # the time that a job waiting for an outside service gets at the end


@dataclass(frozen=True, slots=True)
class Job:
    """A task that recurs every `every_s` seconds. It must be safe to repeat and to cancel.

    A `patient` job is left to long-lived processes: one that serves a single mission does not wait for it.
    """

    name: str
    every_s: float
    do: Callable[[], Awaitable[object]]
    patient: bool = False


class Heartbeat:
    """A loop that does the jobs while it holds the lease. A failed job is logged and tried again at its next turn."""

    def __init__(self, database: Database, jobs: Sequence[Job]) -> None:
        self._database = database
        self._jobs = jobs
        self._holder = holder_name()
        self._due = {job.name: 0.0 for job in jobs}

    async def beat(self, stop: asyncio.Event, *, staying: bool = True) -> None:
        """Do due jobs until `stop` is set, then give the lease back. Unless `staying`, leave patient jobs to others.

        A job in progress then has two seconds before it is cancelled.
        """
        stopping = asyncio.ensure_future(stop.wait())
        try:
            while not stop.is_set():
                await self._turn_until(stopping, staying=staying)
                await asyncio.wait([stopping], timeout=_TICK_S)
        finally:
            stopping.cancel()
            await self._step_down()

    async def _turn_until(self, stopping: asyncio.Future[Any], *, staying: bool) -> None:
        turn: asyncio.Future[Any] = asyncio.ensure_future(self._turn(staying=staying))
        try:
            await asyncio.wait([turn, stopping], return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait([turn], timeout=_GRACE_S)
        finally:
            turn.cancel()
            await asyncio.gather(turn, return_exceptions=True)
        if not turn.cancelled():
            turn.result()

    async def _turn(self, *, staying: bool) -> None:
        try:
            async with self._database.transaction() as tx:
                leads = await take_lease(tx, _LEASE, holder=self._holder, lease_s=_LEASE_S)
        except FrasierError as error:
            log.warning("heartbeat.store_trouble", error=error.message)
            return
        if not leads:
            return
        for job in self._jobs:
            if (staying or not job.patient) and time.monotonic() >= self._due[job.name]:
                self._due[job.name] = time.monotonic() + job.every_s
                await self._do(job)

    async def _do(self, job: Job) -> None:
        try:
            await job.do()
        except FrasierError as error:
            log.warning("job.failed", job=job.name, error=error.message)
        except Exception as error:
            if isinstance(error, OSError) and error.errno in OUT_OF_RESOURCES | UNWRITABLE:
                _log_condition(job, error)
            else:
                log.exception("job.defect", job=job.name)

    async def _step_down(self) -> None:
        try:
            async with self._database.transaction() as tx:
                await drop_lease(tx, _LEASE, holder=self._holder)
        except FrasierError as error:
            log.info("heartbeat.lease_kept", error=error.message)


def _log_condition(job: Job, error: OSError) -> None:
    """Log a condition of the machine in one line: as an error where somebody must act before the job can be done."""
    report = log.error if error.errno in UNWRITABLE else log.warning
    report("job.failed", job=job.name, error=error.strerror, file=error.filename)
