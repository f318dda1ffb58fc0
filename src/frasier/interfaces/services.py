"""The services that the composition root provides to every interface."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from frasier.interfaces.advice import CommandLine, error_facts
from frasier.kernel.errors import OUT_OF_RESOURCES, SchemaMismatch, Stale, StoreError
from frasier.kernel.logging_setup import get_logger
from frasier.store import check_schema, has_unsettled_events, known_names, latest_effects

if TYPE_CHECKING:
    from uuid import UUID

    from frasier.board import BoardEngine
    from frasier.heartbeat import Heartbeat
    from frasier.interfaces.subscriptions import Subscriptions
    from frasier.llm import Gateway
    from frasier.memory import MemoryEngine
    from frasier.org.conversation import FounderMessage
    from frasier.org.missions import StoredPlan
    from frasier.org.people import CapabilityTable
    from frasier.org.skills import SkillSettings, SkillVetting
    from frasier.overview import SettingGroup, Setup
    from frasier.store import AuditLog, EventFeed, InTransaction, Outbox
    from frasier.work import Directive, PostMortemRecorder, StartedMission, Worker

log = get_logger()

# Passes over the outbox at the end: an effect with an unknown outcome is due again a second after it was looked up.
_FINAL_PASSES = 3
_FINAL_PAUSE_S = 1.0
_FINAL_EFFECTS = 20
# The wait for other transactions at the end, which withhold the last events from those who read them in order.
_SETTLE_S = 0.5
_SETTLE_PAUSE_S = 0.05
_ENCODER_CHECK_S = 60.0
_SCHEMA_CHECK_S = 2.0
_LOG_INTERVAL_S = 60.0


class NewWorker(Protocol):
    """A factory of workers.

    `concurrency` overrides the setting; `only` restricts the worker to one process, `mission_id` to one mission.
    """

    def __call__(
        self, *, concurrency: int | None = None, only: str | None = None, mission_id: UUID | None = None
    ) -> Worker: ...


class EditPlan(Protocol):
    """The edit of a mission's waiting plan, which has this digest; see frasier.work.edit_plan."""

    async def __call__(self, mission: str, text: str, digest: str) -> StoredPlan: ...


@dataclass(frozen=True, kw_only=True)
class Services:
    """The running product as an interface sees it.

    `in_transaction` runs one use case, or reads one view; `take_directive` starts a mission, `edit_plan` replaces a
    waiting plan, `take_message` stores a message of the founder. `new_worker` makes a worker of this process;
    `check_web_search` raises ConfigurationError if its settings are wrong, `search_web` counts the results of one
    search; `capabilities` is what roles and runs may do; `list_settings` lists every setting with its source;
    `serves_metrics` is whether the HTTP server answers at /metrics; `event_feed` gives new events to any number of
    subscribers; `setup` describes what it works with, `address` is where others reach the page, if set. Services that
    are slow to load (`gateway`, `memory`, `board`, `event_feed`, `subscriptions`, `outbox`, `heartbeat`,
    `post_mortems`) are made on first use, because most commands only read from the database.
    """

    in_transaction: InTransaction
    take_directive: Callable[[Directive], Awaitable[StartedMission]]
    take_message: Callable[[str, Sequence[Path]], Awaitable[FounderMessage]]
    edit_plan: EditPlan
    make_gateway: Callable[[], Gateway]
    make_memory: Callable[[], MemoryEngine]
    make_board_engine: Callable[[], BoardEngine]
    check_web_search: Callable[[], None]
    search_web: Callable[[str], Awaitable[int]]
    make_event_feed: Callable[[], EventFeed]
    make_subscriptions: Callable[[], Subscriptions]
    make_outbox: Callable[[], Outbox]
    make_heartbeat: Callable[[], Heartbeat]
    skill_settings: SkillSettings
    capabilities: CapabilityTable
    new_worker: NewWorker
    ensure_database: Callable[[], None]
    audit_log: AuditLog
    make_post_mortems: Callable[[], PostMortemRecorder]
    list_settings: Callable[[], Sequence[SettingGroup]]
    serves_metrics: bool
    setup: Setup
    address: str | None
    home: Path
    deliverables: Path

    def check_settings(self) -> None:
        """Create what a worker needs; raise ConfigurationError if a setting of the memory or the search is wrong.

        Call it before work is stored that this process is to do.
        """
        _ = self.memory
        self.check_web_search()

    @cached_property
    def post_mortems(self) -> PostMortemRecorder:
        """Storing the post-mortems of missions that have ended."""
        return self.make_post_mortems()

    @cached_property
    def gateway(self) -> Gateway:
        return self.make_gateway()

    @cached_property
    def memory(self) -> MemoryEngine:
        return self.make_memory()

    @cached_property
    def board(self) -> BoardEngine:
        return self.make_board_engine()

    @cached_property
    def skill_vetting(self) -> SkillVetting:
        from frasier.org.skills import SkillVetting  # noqa: PLC0415 (few commands read skills of third parties)

        return SkillVetting(self.skill_settings)

    @cached_property
    def event_feed(self) -> EventFeed:
        return self.make_event_feed()

    @cached_property
    def subscriptions(self) -> Subscriptions:
        return self.make_subscriptions()

    @cached_property
    def outbox(self) -> Outbox:
        return self.make_outbox()

    @cached_property
    def heartbeat(self) -> Heartbeat:
        return self.make_heartbeat()

    @asynccontextmanager
    async def running(
        self,
        *,
        worker: bool = True,
        housekeeping: bool = True,
        concurrency: int | None = None,
        only: str | None = None,
        mission_id: UUID | None = None,
        staying: bool = False,
    ) -> AsyncIterator[None]:
        """Run a worker and the housekeeping (heartbeat and outbox) while the body runs; stop them with it.

        `concurrency`, `only` and `mission_id` are for the worker, see NewWorker. Only processes that are `staying` do
        the housekeeping that can wait. An unexpected error in one of the tasks ends the body with that error, and so
        does a newer program that updates the database. When the body ends by itself, send the effects that are due,
        store the post-mortems of what ended and seal the new events before the return: no other process may be running
        afterwards.
        """
        stop = asyncio.Event()
        tasks: list[asyncio.Task[None]] = []
        body = asyncio.current_task()

        def on_task_done(task: asyncio.Task[None]) -> None:
            if not task.cancelled() and task.exception() and body and not stop.is_set():
                body.cancel()

        if worker:
            work = self.new_worker(concurrency=concurrency, only=only, mission_id=mission_id).work(stop)
            tasks.append(asyncio.create_task(work, name="worker"))
        if housekeeping:
            tasks.append(asyncio.create_task(self.heartbeat.beat(stop, staying=staying), name="heartbeat"))
            tasks.append(asyncio.create_task(self.outbox.run(stop), name="outbox"))
            deliveries = self.subscriptions.deliveries
            tasks.append(asyncio.create_task(deliveries.run(stop), name="deliveries"))
        tasks.append(asyncio.create_task(self._watch_schema(stop), name="schema"))
        tasks.append(asyncio.create_task(self._release_encoder(stop), name="encoder"))
        if self.setup.database_address is None:
            tasks.append(asyncio.create_task(self._keep_database(stop), name="database"))
        for task in tasks:
            task.add_done_callback(on_task_done)
        try:
            yield
        except asyncio.CancelledError:
            for task in tasks:
                if task.done() and not task.cancelled() and (error := task.exception()):
                    raise error from None
            raise
        finally:
            stop.set()
            await asyncio.gather(*tasks, return_exceptions=True)
        if housekeeping:
            await self._send_due_effects()
            await self._wait_for_unsettled_events()
            await self._deliver_new_events()
            await self._record_post_mortems()
            await self._seal_new_events()

    async def _send_due_effects(self) -> None:
        try:
            for _ in range(_FINAL_PASSES):
                await self.outbox.drain()
                unsent = await self.in_transaction(latest_effects, limit=_FINAL_EFFECTS, sent=False)
                fresh = (effect for effect in unsent if effect.state == "pending" and not effect.in_trouble)
                if not any(effect.attempts <= 1 for effect in fresh):
                    return
                await asyncio.sleep(_FINAL_PAUSE_S)
        except (StoreError, Stale) as error:
            log.warning("outbox.left_for_later", error=error.message)

    async def _wait_for_unsettled_events(self) -> None:
        """Wait until no other transaction withholds an event, at most for _SETTLE_S."""
        give_up_at = time.monotonic() + _SETTLE_S
        try:
            while await self.in_transaction(has_unsettled_events):
                if time.monotonic() > give_up_at:
                    log.info("events.left_for_later", error="another transaction is still open")
                    return
                await asyncio.sleep(_SETTLE_PAUSE_S)
        except (StoreError, Stale) as error:
            log.warning("events.left_for_later", error=error.message)

    async def _deliver_new_events(self) -> None:
        """Attempt each delivery once that is due now; what waits for the one before it is left for another process."""
        try:
            await self.subscriptions.deliveries.dispatch()
            await self.subscriptions.deliveries.deliver()
        except (StoreError, Stale) as error:
            log.warning("deliveries.left_for_later", error=error.message)

    async def _record_post_mortems(self) -> None:
        try:
            await self.post_mortems.record_new()
        except (StoreError, Stale) as error:
            log.warning("post_mortems.left_for_later", error=error.message)

    async def _seal_new_events(self) -> None:
        try:
            await self.audit_log.seal()
        except (StoreError, Stale, OSError) as error:
            log.warning("events.left_unsealed", error=str(error))

    async def _watch_schema(self, stop: asyncio.Event) -> None:
        """End with an error where a newer program updates the database, whose tables this one does not know then."""
        known = known_names()
        while not stop.is_set():
            try:
                await self.in_transaction(check_schema, known)
            except SchemaMismatch:
                raise
            except (StoreError, Stale) as error:
                log.info("schema.unchecked", error=error.message)
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), _SCHEMA_CHECK_S)

    async def _release_encoder(self, stop: asyncio.Event) -> None:
        """Release an idle encoder, even if the heartbeat is another process: each one loads its own encoder."""
        while not stop.is_set():
            try:
                await asyncio.wait_for(stop.wait(), _ENCODER_CHECK_S)
            except TimeoutError:
                if "memory" in self.__dict__:
                    await self.memory.release_if_idle()

    async def _keep_database(self, stop: asyncio.Event) -> None:
        """Restart the embedded database server whenever it was killed.

        If it does not start, or no file descriptor is left to find out, log that once a minute and try again.
        """
        next_log_at = 0.0
        while not stop.is_set():
            try:
                await asyncio.to_thread(self.ensure_database)
            except (OSError, StoreError) as error:
                if isinstance(error, OSError) and error.errno not in OUT_OF_RESOURCES:
                    raise
                if time.monotonic() >= next_log_at:
                    next_log_at = time.monotonic() + _LOG_INTERVAL_S
                    _log_database_error(error)
            try:
                await asyncio.wait_for(stop.wait(), 1.0)
            except TimeoutError:
                continue


def _log_database_error(error: OSError | StoreError) -> None:
    if isinstance(error, OSError):
        reason, hint = (
            error.strerror,
            "Allow the process more open files (ulimit -n), or stop what holds them.",
        )
    else:
        reason, hint = error.message, error_facts(error, CommandLine()).get("hint", "")
    log.error("database.check_failed", error=reason, hint=hint)
