"""The outbox: carry out enqueued effects, each at most once.

Mark before execute (D-020): an effect is `sending` before it is tried. An unknown outcome is looked up outside; if
that is impossible, a person decides. So no effect happens twice, and none is silently lost.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

import stamina
from psycopg.types.json import Jsonb

from frasier.kernel.errors import FrasierError, ProviderError, Stale, StoreError
from frasier.kernel.fault_points import fault_point
from frasier.kernel.logging_setup import get_logger
from frasier.store.database import Database
from frasier.store.deferred import Tx
from frasier.store.effects import EFFECTS_CHANNEL, SENDER_GONE, Effect
from frasier.store.events import append_event
from frasier.store.notify_listener import NotifyListener, notify
from frasier.store.sql_statements import Statements

log = get_logger()
_sql = Statements("frasier.store")

SEND_LEASE_S = 60.0
"""The time for which an effect counts as being sent. After that its sender counts as dead."""
SEND_TIMEOUT_S = 40.0
"""The time-out of a channel. An attempt is abandoned well before its lease ends, and looked up."""
SETTLE_S = 20.0
"""The delay before an abandoned attempt is looked up, in which the service may still finish it."""
ATTEMPTS_MAX = 50
"""The attempts after which an effect has failed: with the delays below, about four hours after it was enqueued."""
BACKOFF_S = (1.0, 5.0, 15.0, 60.0, 300.0)
_ERROR_CHARS = 500


class Channel(Protocol):
    """One kind of effect.

    `send` carries it out and returns a receipt. It raises a FrasierError only where the effect certainly did not
    happen; a retryable ProviderError is tried again. Any other exception leaves the outcome unknown.
    `find` reads back: the receipt where the effect did happen, None where it certainly did not.
    A channel that cannot read back has `reads_back` False, and a person decides.
    """

    @property
    def kind(self) -> str: ...

    @property
    def reads_back(self) -> bool: ...

    async def send(self, effect: Effect) -> Mapping[str, Any]: ...

    async def find(self, effect: Effect) -> Mapping[str, Any] | None: ...


Confirmed = Callable[[Tx, Effect, Mapping[str, Any]], Awaitable[None]]
"""A follow-up in the transaction that confirms an effect."""


class Outbox:
    """Carry out effects. Any number of outboxes may run, in any number of processes.

    `direct_url` reaches the server past any pooler; the database's own by default.
    """

    def __init__(
        self,
        database: Database,
        channels: list[Channel],
        confirmed: Mapping[str, Confirmed] | None = None,
        *,
        direct_url: str = "",
    ) -> None:
        self._database = database
        self._direct_url = direct_url or database.url
        self._channels = {channel.kind: channel for channel in channels}
        self._readable = [channel.kind for channel in channels if channel.reads_back]
        self._confirmed = dict(confirmed or {})

    async def run(self, stop: asyncio.Event, *, poll_s: float = 0.5) -> None:
        """Carry out effects as they come due, until `stop` is set."""
        async with NotifyListener(self._direct_url, EFFECTS_CHANNEL) as wakeup:
            while not stop.is_set():
                try:
                    moved = await self.drain()
                except (StoreError, Stale) as error:
                    log.warning("outbox.store_trouble", error=error.message)
                    moved = 0
                if not moved:
                    await wakeup.wait_or_stop(stop, poll_s)

    async def drain(self, limit: int = 20) -> int:
        """Carry out due effects and look up those in doubt; return the number of effects handled.

        One effect of each kind at a time: a slow channel does not hold up the others for long, and no effect waits in
        this process while its lease runs.
        """
        taken = 0
        while taken < limit:
            claimed_at = time.monotonic()
            claimed, doubtful = await self._claim()
            if not claimed and not doubtful:
                break
            outcomes = await asyncio.gather(
                *(self._send(effect, claimed_at) for effect in claimed),
                *(self._look_up(effect) for effect in doubtful),
                return_exceptions=True,
            )
            for outcome in outcomes:
                if isinstance(outcome, (StoreError, Stale)):
                    # It keeps its mark until its lease ends; then it is looked up.
                    log.warning("outbox.store_trouble", error=outcome.message)
                elif isinstance(outcome, BaseException):
                    raise outcome
            taken += len(outcomes)
        return taken

    async def _claim(self) -> tuple[list[Effect], list[Effect]]:
        async with self._database.transaction() as tx:
            for row in await _sql.all(tx, "expire_sending", error=SENDER_GONE):
                error = row.pop("error")
                await _record(tx, Effect(**row), "effect.in_doubt", error=error)
            claimed = await _sql.all(tx, "claim_effects", kinds=list(self._channels), lease_s=SEND_LEASE_S)
            doubtful = await _sql.all(tx, "claim_doubtful", kinds=self._readable, lease_s=SEND_LEASE_S)
        return [Effect(**row) for row in claimed], [Effect(**row) for row in doubtful]

    async def _send(self, effect: Effect, claimed_at: float) -> None:
        fault_point("outbox.claimed")
        if time.monotonic() - claimed_at > SEND_LEASE_S - SEND_TIMEOUT_S:
            # This process was suspended for a while: another may handle the effect by now.
            log.warning("effect.claim_too_old", kind=effect.kind, effect=effect.key)
            return
        try:
            async with asyncio.timeout(SEND_TIMEOUT_S):
                receipt = await self._channels[effect.kind].send(effect)
        except FrasierError as error:
            await self._not_sent(effect, error)
            return
        except Exception as error:  # noqa: BLE001  whatever it was, the outcome is unknown: say so, don't guess
            await self._doubt(effect, repr(error), delay_s=SETTLE_S)
            return
        fault_point("outbox.sent")
        await self._confirm(effect, receipt)
        fault_point("outbox.confirmed")

    async def _look_up(self, effect: Effect) -> None:
        try:
            async with asyncio.timeout(SEND_TIMEOUT_S):
                receipt = await self._channels[effect.kind].find(effect)
        except Exception as error:  # noqa: BLE001  not known yet: it stays in doubt and is looked up again
            await self._doubt(effect, f"could not be looked up: {error!r}", delay_s=BACKOFF_S[-1])
            return
        if receipt is None:
            await self._again(effect, "looked up: it had not happened")
        else:
            await self._confirm(effect, receipt)

    async def _not_sent(self, effect: Effect, error: FrasierError) -> None:
        if isinstance(error, (StoreError, Stale)):
            await self._again(effect, error.message)
        elif isinstance(error, ProviderError) and error.retryable:
            await self._again(effect, error.message, error=error.message)
        else:
            await self._fail(effect, error.message)

    async def _again(self, effect: Effect, reason: str, *, error: str | None = None) -> None:
        """Schedule another attempt, later each time; fail after the last. An `error` from outside marks the effect as
        in trouble until then.
        """
        log.warning("effect.tried_again", kind=effect.kind, effect=effect.key, reason=reason)
        if effect.attempts >= ATTEMPTS_MAX:
            await self._fail(effect, reason)
            return
        delay_s = BACKOFF_S[min(effect.attempts, len(BACKOFF_S)) - 1]
        async with self._database.transaction() as tx:
            await _sql.run(
                tx,
                "requeue_effect",
                id=effect.id,
                attempts=effect.attempts,
                error=error and error[:_ERROR_CHARS],
                delay_s=delay_s,
            )

    async def _fail(self, effect: Effect, error: str) -> None:
        async with self._database.transaction() as tx:
            if await _sql.run(
                tx, "fail_effect", id=effect.id, attempts=effect.attempts, error=error[:_ERROR_CHARS]
            ):
                await _record(tx, effect, "effect.failed", error=error)

    async def _doubt(self, effect: Effect, error: str, *, delay_s: float) -> None:
        log.warning("effect.in_doubt", kind=effect.kind, effect=effect.key, error=error)
        facts = {
            "id": effect.id,
            "attempts": effect.attempts,
            "error": error[:_ERROR_CHARS],
            "delay_s": delay_s,
        }
        async with self._database.transaction() as tx:
            if await _sql.run(tx, "doubt_effect", **facts):
                await _record(tx, effect, "effect.in_doubt", error=error)
            else:
                await _sql.run(tx, "doubt_longer", **facts)

    async def _confirm(self, effect: Effect, receipt: Mapping[str, Any]) -> None:
        """Store the receipt and run the follow-up; retry while the store fails, because the effect has happened."""
        try:
            async for attempt in stamina.retry_context(
                on=(StoreError, Stale), attempts=6, timeout=SEND_LEASE_S - SEND_TIMEOUT_S
            ):
                with attempt:
                    await self._settle(effect, receipt)
        except (StoreError, Stale):
            raise
        except Exception as error:
            # The follow-up failed, not the effect: it stays in doubt, where a person sees it.
            log.exception("effect.follow_up_failed", kind=effect.kind, effect=effect.key)
            await self._doubt(
                effect, f"it happened, but its follow-up failed: {error!r}", delay_s=BACKOFF_S[-1]
            )

    async def _settle(self, effect: Effect, receipt: Mapping[str, Any]) -> None:
        async with self._database.transaction() as tx:
            if not await _sql.run(tx, "settle_effect", id=effect.id, receipt=Jsonb(dict(receipt))):
                return
            await _record(tx, effect, "effect.sent")
            await notify(tx, EFFECTS_CHANNEL)
            if follow := self._confirmed.get(effect.kind):
                await follow(tx, effect, receipt)


async def _record(tx: Tx, effect: Effect, kind: str, *, error: str = "") -> None:
    facts = {"key": effect.key, "effect": effect.kind}
    if error:
        facts["error"] = error[:_ERROR_CHARS]
    await append_event(tx, stream=effect.stream, kind=kind, actor="system", payload=facts)
