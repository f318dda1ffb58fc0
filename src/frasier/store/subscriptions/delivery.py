"""Deliver the effects of subscriptions: at least once each, and those of one stream in order."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.kernel.copy_fields import copy_fields
from frasier.kernel.errors import FrasierError, ProviderError, Stale, StoreError
from frasier.kernel.fault_points import fault_point
from frasier.kernel.logging_setup import get_logger
from frasier.kernel.text import shorten
from frasier.store.database import Database
from frasier.store.deferred import Tx
from frasier.store.effects import Effect
from frasier.store.sql_statements import Statements
from frasier.store.subscriptions.dispatch import EventSubjects, dispatch_events
from frasier.store.subscriptions.subscription import Subscription

log = get_logger()
_sql = Statements("frasier.store")

BACKOFF_S = (5.0, 30.0, 120.0, 600.0, 1_800.0, 3_600.0, 10_800.0, 21_600.0)
"""The waits before each further attempt; the last is repeated."""
ATTEMPTS_MAX = 16
"""The attempts after which a delivery has failed, two days after the first."""

_LEASE_S = 60.0
_TIMEOUT_S = 40.0
_AT_ONCE = 16
_OF_ONE_AT_ONCE = 4
_POLL_S = 0.5
_DISPATCH_S = 1.0
_DELETE_S = 600.0
# A receiver that failed for longer is sent at once what waits for its next try.
_OUTAGE_S = 60.0
_STATUS_CHARS = 1_000  # room for what is wrong and what to do about it
_KEPT_S = 7 * 86_400.0
_DELETED_AT_ONCE = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscriber:
    """The receiver of an effect. `previous_signs` says that the secret before its present one is still valid."""

    id: UUID
    name: str
    target: str
    secret_version: int
    secret_digest: str
    previous_signs: bool = False

    @classmethod
    def of(cls, subscription: Subscription) -> Subscriber:
        """Return the receiver of a subscription, for a message that its present secret alone signs."""
        return copy_fields(cls, subscription, previous_signs=False)


class SubscriberGone(FrasierError):
    """The receiver says that it wants nothing any more."""

    code = "subscriber_gone"


class SubscriberChannel(Protocol):
    """The means by which subscriptions of one kind are delivered.

    `send` returns the receiver's answer in a few words. It raises SubscriberGone, or any other error where the receiver
    may not have the effect: it is sent again then, with the same id.
    """

    async def send(self, subscriber: Subscriber, effect: Effect) -> str: ...


class Deliveries:
    """Deliver effects of subscriptions. Any number of these may run, in any number of processes.

    `channels` by kind are made when something is sent.
    """

    def __init__(
        self,
        database: Database,
        channels: Mapping[str, Callable[[], SubscriberChannel]],
        subjects: EventSubjects,
    ) -> None:
        self._database = database
        self._channels = channels
        self._subjects = subjects

    async def dispatch(self) -> int:
        """Turn new events into effects; see dispatch_events."""
        return await dispatch_events(self._database, self._subjects)

    async def delete_delivered(self) -> int:
        """Delete the deliveries that were made more than a week ago, some at a time; return their number."""
        async with self._database.transaction() as tx:
            return await _sql.run(tx, "delete_delivered", kept_s=_KEPT_S, limit=_DELETED_AT_ONCE)

    async def run(self, stop: asyncio.Event) -> None:
        """Turn new events into effects and deliver what is due until `stop` is set, then finish what has begun.

        A receiver that does not answer keeps at most its own few, and while it fails, one.
        """
        stopping = asyncio.ensure_future(stop.wait())
        dispatching = asyncio.create_task(self._dispatch_until(stop))
        sending: set[asyncio.Task[None]] = set()
        try:
            while not stop.is_set():
                if dispatching.done():
                    dispatching.result()
                claimed = await self._claim_or_wait(_AT_ONCE - len(sending))
                sending |= {asyncio.create_task(self._attempt(*one)) for one in claimed}
                if not claimed:
                    await asyncio.wait(
                        {*sending, stopping}, timeout=_POLL_S, return_when=asyncio.FIRST_COMPLETED
                    )
                for done in [task for task in sending if task.done()]:
                    sending.discard(done)
                    done.result()
        finally:
            stopping.cancel()
            dispatching.cancel()
            await asyncio.gather(dispatching, *sending, return_exceptions=True)

    async def _dispatch_until(self, stop: asyncio.Event) -> None:
        """Turn new events into effects every second, and now and then delete old deliveries.

        Several processes may do so: each subscription is locked by one at a time.
        """
        delete_at = time.monotonic() + _DELETE_S
        while not stop.is_set():
            try:
                await self.dispatch()
                if time.monotonic() >= delete_at:
                    delete_at = time.monotonic() + _DELETE_S
                    await self.delete_delivered()
            except (StoreError, Stale) as error:
                log.warning("deliveries.store_trouble", error=error.message)
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), _DISPATCH_S)

    async def deliver(self) -> int:
        """Attempt what is due now, and return the number of attempts."""
        claimed = await self._claim(_AT_ONCE)
        await asyncio.gather(*(self._attempt(*one) for one in claimed))
        return len(claimed)

    async def _claim_or_wait(self, limit: int) -> list[tuple[Subscriber, Effect]]:
        if not limit:
            return []
        try:
            return await self._claim(limit)
        except (StoreError, Stale) as error:
            log.warning("deliveries.store_trouble", error=error.message)
            return []

    async def _claim(self, limit: int) -> list[tuple[Subscriber, Effect]]:
        async with self._database.transaction() as tx:
            rows = await _sql.all(
                tx,
                "claim_deliveries",
                kinds=list(self._channels),
                lease_s=_LEASE_S,
                each=_OF_ONE_AT_ONCE,
                limit=limit,
            )
            if not rows:
                return []
            ids = [row.pop("subscription_id") for row in rows]
            subscribers = {
                row["id"]: Subscriber(**row) for row in await _sql.all(tx, "subscribers", ids=list(set(ids)))
            }
        return [(subscribers[one], Effect(**row)) for one, row in zip(ids, rows, strict=True)]

    async def _attempt(self, subscriber: Subscriber, effect: Effect) -> None:
        try:
            await self._send(subscriber, effect)
        except (StoreError, Stale) as error:
            log.warning("deliveries.store_trouble", error=error.message)  # sent again once its lease ends

    async def _send(self, subscriber: Subscriber, effect: Effect) -> None:
        fault_point("delivery.claimed")
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                status = await self._channels[effect.kind]().send(subscriber, effect)
        except FrasierError as error:
            await self._failed(subscriber, effect, error.message, error)
        except Exception as error:  # noqa: BLE001  whatever it was, the receiver may not have it: it is sent again
            log.warning("delivery.defect", subscription=subscriber.name, kind=type(error).__name__)
            await self._failed(subscriber, effect, f"The delivery broke off: {type(error).__name__}.", error)
        else:
            fault_point("delivery.sent")
            async with self._database.transaction() as tx:
                await _delivered(tx, subscriber, effect, status)

    async def _failed(self, subscriber: Subscriber, effect: Effect, status: str, error: Exception) -> None:
        gone = isinstance(error, SubscriberGone)
        log.info("delivery.failed", subscription=subscriber.name, status=status, attempts=effect.attempts)
        facts: dict[str, Any] = {
            "id": effect.id,
            "attempts": effect.attempts,
            "error": shorten(status, _STATUS_CHARS),
        }
        async with self._database.transaction() as tx:
            if effect.attempts >= ATTEMPTS_MAX and not gone:
                await _sql.run(tx, "give_up", **facts)
            else:
                await _sql.run(tx, "try_later", **facts, delay_s=_wait_s(effect.attempts, error))
            await _sql.run(
                tx, "note_failed", id=subscriber.id, status=shorten(status, _STATUS_CHARS), gone=gone
            )


def _wait_s(attempts: int, error: Exception) -> float:
    """Return the seconds until the next attempt: longer each time, and at least what the receiver asks for."""
    wait_s = BACKOFF_S[min(attempts, len(BACKOFF_S)) - 1]
    asked_s = error.retry_after_s if isinstance(error, ProviderError) else None
    return max(wait_s, min(asked_s or 0.0, BACKOFF_S[-1]))


async def _delivered(tx: Tx, subscriber: Subscriber, effect: Effect, status: str) -> None:
    receipt: Mapping[str, Any] = {"status": shorten(status, _STATUS_CHARS)}
    await _sql.run(tx, "delivered", id=effect.id, receipt=Jsonb(receipt))
    await _sql.run(
        tx, "note_delivered", id=subscriber.id, status=shorten(status, _STATUS_CHARS), failed_s=_OUTAGE_S
    )
