"""Services that the composition root hands to every interface, ready to use."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from frasier.interfaces.advice import CommandLine, error_facts
from frasier.kernel.errors import OUT_OF_RESOURCES, Stale, StoreError
from frasier.kernel.logging_setup import get_logger
from frasier.store import latest_effects

if TYPE_CHECKING:
    from uuid import UUID

    from frasier.board import BoardEngine
    from frasier.heartbeat import Heartbeat
    from frasier.llm import Gateway
    from frasier.memory import MemoryEngine
    from frasier.overview import Setup
    from frasier.store import AuditLog, InTransaction, Outbox
    from frasier.work import Directive, StartedMission, Worker

log = get_logger()

# What is waited for at the end: an effect that was left in doubt is due again a second after it was looked up.
_LAST_PASSES = 3
_LAST_PAUSE_S = 1.0
_LAST_EFFECTS = 20
_LOOK_AT_ENCODER_S = 60.0
_TROUBLE_LINE_S = 60.0


class NewWorker(Protocol):
    """Makes a worker. `concurrency` takes the place of the setting; `only` names the one process it works on,
    `mission_id` the one mission.
    """

    def __call__(
        self, *, concurrency: int | None = None, only: str | None = None, mission_id: UUID | None = None
    ) -> Worker: ...


@dataclass(frozen=True, kw_only=True)
class Services:
    """The running product as an interface sees it.

    `in_transaction` runs one use case, or reads one view; `take_directive` starts a mission. `new_worker` makes a
    worker of this process, `setup` is what it works with. What takes long to load (`gateway`, `memory`, `board`,
    `outbox`, `heartbeat`) is made on first use, because most commands only read from the database.
    """

    in_transaction: InTransaction
    take_directive: Callable[[Directive], Awaitable[StartedMission]]
    make_gateway: Callable[[], Gateway]
    make_memory: Callable[[], MemoryEngine]
    make_board_engine: Callable[[], BoardEngine]
    make_outbox: Callable[[], Outbox]
    make_heartbeat: Callable[[], Heartbeat]
    new_worker: NewWorker
    ensure_database: Callable[[], None]
    audit_log: AuditLog
    setup: Setup
    home: Path
    deliverables: Path

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
        """Runs a worker and the housekeeping (heartbeat and outbox) beside the body; stops them with it.

        `concurrency`, `only` and `mission_id` are for the worker, see NewWorker. Housekeeping that can wait is
        left to processes that are `staying`.
        A part that ends by a defect ends the body too, with that defect. When the body ends by itself, the effects
        that it led to are carried out before the return, and what happened is sealed: nobody might be there afterwards.
        """
        stop = asyncio.Event()
        parts: list[asyncio.Task[None]] = []
        body = asyncio.current_task()

        def ended(part: asyncio.Task[None]) -> None:
            if not part.cancelled() and part.exception() and body and not stop.is_set():
                body.cancel()

        if worker:
            works = self.new_worker(concurrency=concurrency, only=only, mission_id=mission_id).work(stop)
            parts.append(asyncio.create_task(works, name="worker"))
        if housekeeping:
            parts.append(asyncio.create_task(self.heartbeat.beat(stop, staying=staying), name="heartbeat"))
            parts.append(asyncio.create_task(self.outbox.run(stop), name="outbox"))
        parts.append(asyncio.create_task(self._release_encoder(stop), name="encoder"))
        if self.setup.database_address is None:
            parts.append(asyncio.create_task(self._keep_database(stop), name="database"))
        for part in parts:
            part.add_done_callback(ended)
        try:
            yield
        except asyncio.CancelledError:
            for part in parts:
                if part.done() and not part.cancelled() and (error := part.exception()):
                    raise error from None
            raise
        finally:
            stop.set()
            await asyncio.gather(*parts, return_exceptions=True)
        if housekeeping:
            await self._send_what_is_due()
            await self._seal_what_is_new()

    async def _send_what_is_due(self) -> None:
        try:
            for _ in range(_LAST_PASSES):
                await self.outbox.drain()
                unsent = await self.in_transaction(latest_effects, limit=_LAST_EFFECTS, sent=False)
                fresh = (one for one in unsent if one.state == "pending" and not one.in_trouble)
                if not any(one.attempts <= 1 for one in fresh):
                    return
                await asyncio.sleep(_LAST_PAUSE_S)
        except (StoreError, Stale) as error:
            log.warning("outbox.left_for_later", error=error.message)

    async def _seal_what_is_new(self) -> None:
        try:
            await self.audit_log.seal()
        except (StoreError, Stale, OSError) as error:
            log.warning("events.left_unsealed", error=str(error))

    async def _release_encoder(self, stop: asyncio.Event) -> None:
        """Also where the heartbeat is another process: each that recalls has loaded an encoder of its own."""
        while not stop.is_set():
            try:
                await asyncio.wait_for(stop.wait(), _LOOK_AT_ENCODER_S)
            except TimeoutError:
                if "memory" in self.__dict__:
                    await self.memory.release_if_idle()

    async def _keep_database(self, stop: asyncio.Event) -> None:
        """Starts the embedded server again where something killed it.

        Where it does not start, or no file descriptor is left to find out, that is said once a minute, and tried again.
        """
        next_line = 0.0
        while not stop.is_set():
            try:
                await asyncio.to_thread(self.ensure_database)
            except (OSError, StoreError) as error:
                if isinstance(error, OSError) and error.errno not in OUT_OF_RESOURCES:
                    raise
                if time.monotonic() >= next_line:
                    next_line = time.monotonic() + _TROUBLE_LINE_S
                    _tell_trouble(error)
            try:
                await asyncio.wait_for(stop.wait(), 1.0)
            except TimeoutError:
                continue


def _tell_trouble(error: OSError | StoreError) -> None:
    if isinstance(error, OSError):
        said, hint = error.strerror, "Allow the process more open files (ulimit -n), or end what holds them."
    else:
        said, hint = error.message, error_facts(error, CommandLine()).get("hint", "")
    log.error("database.not_looked_after", error=said, hint=hint)


OpenServices = Callable[[], AbstractAsyncContextManager[Services]]
"""Opens the services of this process: starts what they need, and stops it at the end."""
