"""The worker, which claims ready tasks, runs them, and moves them by their outcomes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from uuid import UUID

import structlog

from frasier.board import busy_workers, worker_lease
from frasier.kernel.advice import Advice
from frasier.kernel.errors import FrasierError, LeaseLost, Stale, StoreError, TransitionRefused
from frasier.kernel.fault_points import fault_point
from frasier.kernel.logging_setup import get_logger
from frasier.llm import Gateway, book_unknown
from frasier.memory import MemoryEngine
from frasier.org.execution import ask_about_block, worker_actor
from frasier.org.governance import evaluation_group
from frasier.org.people import CapabilityTable
from frasier.store import (
    Database,
    NotifyListener,
    Tx,
    drop_lease,
    holder_name,
    process_has_ended,
    take_lease,
)
from frasier.work.conclude import conclude
from frasier.work.error_outcomes import outcome_of_error
from frasier.work.mission_means import find_mismatch, missions_of_others
from frasier.work.outages import end_outage_delays
from frasier.work.run_capabilities import capabilities_of_run
from frasier.work.run_lease import Run, RunKind, RunPausedError
from frasier.work.run_log import begin_runs, end_lost_runs, end_run, end_runs_of, workers_of_open_runs
from frasier.work.run_outcomes import Paused, RetryLater, RunOutcome
from frasier.work.run_web import ReadLinks, ReadPages
from frasier.work.settings import WorkerSettings
from frasier.workflow import (
    BLOCKED,
    FAILED_RUNS_MAX,
    READY_CHANNEL,
    LeaseHeartbeat,
    Task,
    claim,
    expire_leases_of,
    next_ready_in_s,
    recover_expired,
)

log = get_logger()

_BACKGROUND_MAX = 1
_LOOK_FOR_OUTAGES_S = 5.0
_STOPPED = "the worker was stopped"
_GAVE_WAY = "it gave way to work that was ready"


class Worker:
    """A worker. Any number of them share one database, on any number of machines.

    Tasks of the `background_kinds` run one at a time beside its places, and never take one of these. Where only one
    call may be in flight they run while nothing else is ready, and are given back as soon as something is. Its runs
    have what `capabilities` declares, and read the web by `pages` and `links`. With `mission_id` it works on that
    mission only, and spends on no other. `time_zone` is the founder's, by its name in the IANA database; empty for that
    of the machine.
    """

    def __init__(
        self,
        *,
        database: Database,
        direct_url: str,
        gateway: Gateway,
        memory: MemoryEngine,
        pages: ReadPages[Run],
        links: ReadLinks,
        capabilities: CapabilityTable,
        kinds: Sequence[RunKind],
        background_kinds: Sequence[RunKind] = (),
        settings: WorkerSettings,
        time_zone: str = "",
        mission_id: UUID | None = None,
    ) -> None:
        self.name = holder_name()
        self._actor = worker_actor(self.name)
        self._database = database
        self._direct_url = direct_url
        self._gateway = gateway
        self._memory = memory
        self._pages = pages
        self._links = links
        self._capabilities = capabilities
        self._kinds = {kind.process: kind for kind in (*kinds, *background_kinds)}
        self._foreground = [kind.process for kind in kinds]
        self._background = [kind.process for kind in background_kinds]
        self._in_background: set[UUID] = set()
        self._settings = settings
        self._time_zone = time_zone
        self._mission_id = mission_id
        self._next_ready_in_s: float | None = None
        self._lease = worker_lease(self.name, mission_id, rehearsal=gateway.is_rehearsal)
        self._announce_at = 0.0
        self._look_for_outages_at = 0.0
        self._others: list[UUID] = []
        self._running: dict[UUID, asyncio.Task[None]] = {}
        self._unrecorded_ends: dict[tuple[UUID, int], tuple[Task, RunOutcome | None]] = {}

    async def work(self, stop: asyncio.Event) -> None:
        """Claim and run tasks until `stop` is set; then cancel the runs and give their leases back, so that another
        worker continues from the last checkpoint.
        """
        with LeaseHeartbeat(self._direct_url, self.name, self._settings.lease_s) as beat:
            async with NotifyListener(self._direct_url, READY_CHANNEL) as wakeup:
                try:
                    await self._expire_leases_of_dead_workers()
                    while not stop.is_set():
                        await self._turn(beat)
                        await self._pause(wakeup, stop)
                finally:
                    await self._end(list(self._running))
                    await self._record_ends()
                    await self._withdraw()

    async def _turn(self, beat: LeaseHeartbeat) -> None:
        # A run that has lost its task can write nothing; it should not ask models either.
        await self._end(list(beat.lost))
        await self._record_ends()
        at_work = len(self._running) - len(self._in_background)
        if at_work:
            await self._give_way()
        free = self._settings.concurrency - at_work
        spare = _BACKGROUND_MAX - len(self._in_background) if self._background else 0
        if at_work and self._gateway.has_one_slot:
            spare = 0
        if free <= 0 and spare <= 0:
            return
        try:
            claimed = await self._claim(max(free, 0), max(spare, 0))
            if any(task.process not in self._background for task in claimed):
                await self._give_way()
            for task in claimed:
                fault_point("claim.committed")
                # A worker that slept past its lease may claim the very task that it still runs.
                await self._end([task.id])
                beat.hold(task.id)
                if task.process in self._background:
                    self._in_background.add(task.id)
                running = asyncio.create_task(self._carry(task, beat))
                self._running[task.id] = running
                running.add_done_callback(partial(self._forget, task))
        except (StoreError, Stale) as error:
            log.warning("worker.store_trouble", error=error.message)

    async def _expire_leases_of_dead_workers(self) -> None:
        """End the leases of dead workers on this machine, without waiting for their expiry."""
        try:
            async with self._database.transaction() as tx:
                dead_workers = [worker.name for worker in await busy_workers(tx) if worker.has_ended]
                if dead_workers:
                    await expire_leases_of(tx, dead_workers)
                unfinished = [name for name in await workers_of_open_runs(tx) if process_has_ended(name)]
                if unfinished:
                    await end_runs_of(tx, unfinished)
        except (StoreError, Stale) as error:
            log.warning("worker.store_trouble", error=error.message)

    async def _announce(self, tx: Tx) -> None:
        """Let others see that somebody looks for tasks; while all places are taken, the tasks that it holds say so."""
        now = time.monotonic()
        if now >= self._announce_at:
            lease_s = self._settings.lease_s
            await take_lease(tx, self._lease, holder=self.name, lease_s=lease_s)
            self._announce_at = now + lease_s / 3

    async def _withdraw(self) -> None:
        try:
            async with self._database.transaction() as tx:
                await drop_lease(tx, self._lease, holder=self.name)
        except (StoreError, Stale) as error:
            log.info("worker.lease_kept", error=error.message)  # it expires by itself

    def _forget(self, task: Task, running: asyncio.Task[None]) -> None:
        if self._running.get(task.id) is running:
            del self._running[task.id]
            self._in_background.discard(task.id)
        if not running.cancelled() and (error := running.exception()):
            # The lease expires by itself here too.
            log.error("run.defect", task=task.slug, exc_info=error)

    async def _give_way(self) -> None:
        """Give back what runs in the background where it would hold the only slot for calls."""
        if self._in_background and self._gateway.has_one_slot:
            await self._end(list(self._in_background), _GAVE_WAY)

    async def _end(self, task_ids: Sequence[UUID], reason: str = _STOPPED) -> None:
        """Cancel the runs of these tasks, and wait until each has given back what it holds."""
        ending = [self._running[task_id] for task_id in task_ids if task_id in self._running]
        for running in ending:
            running.cancel(reason)
        await asyncio.gather(*ending, return_exceptions=True)

    async def _claim(self, limit: int, background_limit: int) -> list[Task]:
        async with self._database.transaction() as tx:
            await self._announce(tx)
            recovered = await recover_expired(tx, list(self._kinds))
            for task in recovered:
                if task.status == BLOCKED:
                    await ask_about_block(
                        tx,
                        task,
                        reason=f"its runs failed {FAILED_RUNS_MAX} times.",
                        action="look at the events, then continue or cancel",
                        advice=(Advice("event.tail", to="see them"),),
                    )
            self._others = await missions_of_others(tx, self._mission_id, self._gateway)
            await self._end_outage_delays(tx)
            claimed = await self._take(tx, self._foreground, limit, self._mission_id)
            evaluations = evaluation_group(self._mission_id) if self._mission_id else None
            if claimed and self._gateway.has_one_slot:
                background_limit = 0
            beside = await self._take(tx, self._background, background_limit, evaluations)
            # Calls in flight of an ended attempt may have been billed, so they are booked.
            over = {task.id: task.attempt + 1 for task in recovered} | {
                task.id: task.attempt for task in (*claimed, *beside)
            }
            for task_id, before_attempt in over.items():
                await book_unknown(tx, task_id=task_id, before_attempt=before_attempt)
            await end_lost_runs(tx, over)
            await begin_runs(tx, [*claimed, *beside], worker=self.name)
            self._next_ready_in_s = None
            if len(claimed) < limit:
                self._next_ready_in_s = await next_ready_in_s(
                    tx, names=self._foreground, group_id=self._mission_id, except_groups=self._others
                )
        return [*claimed, *beside]

    async def _take(self, tx: Tx, names: Sequence[str], limit: int, group_id: UUID | None) -> list[Task]:
        if limit <= 0 or not names:
            return []
        return await claim(
            tx,
            worker=self.name,
            names=names,
            lease_s=self._settings.lease_s,
            limit=limit,
            group_id=group_id,
            except_groups=self._others,
        )

    async def _pause(self, wakeup: NotifyListener, stop: asyncio.Event) -> None:
        """Wait for a hint, a finished run, a delayed task, the stop, or the poll's turn."""
        poll_s = self._settings.poll_s
        timeout_s = poll_s if self._next_ready_in_s is None else min(self._next_ready_in_s, poll_s)
        waits = [
            asyncio.ensure_future(wakeup.wait(timeout_s)),
            asyncio.ensure_future(stop.wait()),
            *self._running.values(),
        ]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits[:2]:
                wait.cancel()
            await asyncio.gather(*waits[:2], return_exceptions=True)

    async def _carry(self, task: Task, beat: LeaseHeartbeat) -> None:
        run = Run(
            task,
            database=self._database,
            gateway=self._gateway,
            memory=self._memory,
            worker=self._actor,
            pages=self._pages,
            links=self._links,
            time_zone=self._time_zone,
        )
        started = time.monotonic()
        try:
            with structlog.contextvars.bound_contextvars(task=task.slug, attempt=task.attempt):
                try:
                    outcome = await self._run(run)
                    took_s = round(time.monotonic() - started, 2)
                    log.info("run.ended", outcome=type(outcome).__name__, seconds=took_s)
                    await self._conclude(run, outcome)
                except asyncio.CancelledError as error:
                    reason = str(error) or _STOPPED
                    await self._conclude(run, RetryLater(reason, after_s=0.0))
                    raise
        except (LeaseLost, TransitionRefused) as error:
            # Another worker holds the task, or the founder ended it: the outcome of this run does not count.
            log.info("run.lease_lost", task=task.slug, attempt=task.attempt, error=error.message)
            await self._note_end(run, None)
        except (StoreError, Stale) as error:
            # The lease expires by itself, and the next attempt continues from the last checkpoint.
            log.warning("run.store_trouble", task=task.slug, attempt=task.attempt, error=error.message)
        finally:
            beat.drop(task.id)

    async def _run(self, run: Run) -> RunOutcome:
        try:
            async with self._database.transaction() as tx:
                mismatch = await find_mismatch(tx, run.task, rehearsal=self._gateway.is_rehearsal)
                if mismatch is not None:
                    return mismatch
                run.capabilities = await capabilities_of_run(tx, run.task, self._capabilities)
            return await self._kinds[run.task.process].run(run)
        except LeaseLost:
            raise
        except StoreError as error:
            # The task is given back as soon as the database answers again, long before its lease expires.
            log.warning("run.store_trouble", task=run.task.slug, error=error.message)
            return RetryLater(error.message)
        except RunPausedError:
            return Paused()
        except FrasierError as error:
            return outcome_of_error(error)
        except Exception as error:
            log.exception("run.defect", task=run.task.slug)
            return RetryLater(f"a defect in Frasier: {type(error).__name__}: {error}")

    async def _conclude(self, run: Run, outcome: RunOutcome) -> None:
        await self._note_end(run, await conclude(run, outcome, self._settings))

    async def _note_end(self, run: Run, outcome: RunOutcome | None) -> None:
        self._unrecorded_ends[run.task.id, run.task.attempt] = (run.task, outcome)
        await self._record_ends()

    async def _record_ends(self) -> None:
        """Record the runs that have ended; what the database does not take now is tried again at the next turn."""
        ends = dict(self._unrecorded_ends)
        if not ends:
            return
        try:
            async with self._database.transaction() as tx:
                for task, outcome in ends.values():
                    await end_run(tx, task, outcome)
        except (StoreError, Stale) as error:
            log.warning("run.end_unrecorded", runs=len(ends), error=error.message)
            return
        for key in ends:
            self._unrecorded_ends.pop(key, None)

    async def _end_outage_delays(self, tx: Tx) -> None:
        now = time.monotonic()
        if now < self._look_for_outages_at:
            return
        probe_s = self._settings.probe_s
        self._look_for_outages_at = now + min(probe_s, _LOOK_FOR_OUTAGES_S)
        await end_outage_delays(
            tx,
            list(self._kinds),
            rehearsal=self._gateway.is_rehearsal,
            group_id=self._mission_id,
            except_groups=self._others,
            probe_s=probe_s,
        )
