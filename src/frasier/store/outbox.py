"""Effects outside the database, asked for in the transaction that decides them and carried out afterwards.

Mark before execute (D-020): an effect is `sending` before it is tried. Where the outcome is unknown it is looked
up outside; where that is impossible a person is shown it. So it never happens twice, and is never silently lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

import structlog
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from frasier.kernel.errors import FrasierError, InvariantBroken, ProviderError, StoreError
from frasier.kernel.faults import fault_point
from frasier.kernel.ids import new_id
from frasier.kernel.limits import EFFECT_PAYLOAD_BYTES_MAX
from frasier.kernel.text import canonical_json
from frasier.store.database import Database, Tx
from frasier.store.events import append_event
from frasier.store.statements import Statements

log = structlog.get_logger()
_sql = Statements("frasier.store")

SEND_LEASE_S = 120.0
ATTEMPTS_MAX = 6
BACKOFF_S = (1.0, 5.0, 15.0, 60.0, 300.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Something to do outside. `key` is its idempotency key: the same key is never carried out twice."""

    id: UUID
    kind: str
    key: str
    stream: UUID
    payload: dict[str, Any]
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectState:
    """An effect as a person is shown it."""

    id: UUID
    kind: str
    key: str
    stream: UUID
    payload: dict[str, Any]
    state: str
    attempts: int
    receipt: dict[str, Any] | None
    error: str | None
    created_at: datetime
    settled_at: datetime | None


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
"""What follows in the same transaction when an effect is confirmed."""


async def enqueue_effect(tx: Tx, *, kind: str, key: str, stream: UUID, payload: Mapping[str, Any]) -> None:
    """Asks for an effect as part of the open transaction. The same `key` again changes nothing."""
    body = dict(payload)
    if len(canonical_json(body).encode()) > EFFECT_PAYLOAD_BYTES_MAX:
        raise InvariantBroken(f"the payload of effect {kind} is larger than {EFFECT_PAYLOAD_BYTES_MAX} bytes")
    await _sql.run(tx, "enqueue_effect", id=new_id(), kind=kind, key=key, stream=stream, payload=Jsonb(body))


async def effects_of(tx: Tx, stream: UUID) -> list[EffectState]:
    """Every effect asked for on behalf of one stream, oldest first."""
    return [_state(row) for row in await _sql.all(tx, "effects_of_stream", stream=stream)]


async def open_effects(tx: Tx) -> list[EffectState]:
    """Effects that failed for good or whose outcome nobody knows."""
    return [_state(row) for row in await _sql.all(tx, "open_effects")]


async def resend_effect(tx: Tx, effect_id: UUID, *, actor: str) -> bool:
    """Tries a failed or unknown effect again because a person asked for it; False where there is none."""
    row = await _sql.maybe(tx, "find_effect", id=effect_id)
    if row is None or row["state"] not in {"unknown", "failed"}:
        return False
    await _sql.run(tx, "requeue_effect", id=effect_id, error=None, delay_s=0.0)
    await append_event(
        tx, stream=row["stream"], kind="effect.resent", actor=actor, payload={"key": row["key"]}
    )
    return True


def _state(row: DictRow) -> EffectState:
    return EffectState(**row)


class Outbox:
    """Carries effects out. Any number of these may run, in any number of processes."""

    def __init__(
        self, database: Database, channels: list[Channel], confirmed: Mapping[str, Confirmed] | None = None
    ) -> None:
        self._database = database
        self._channels = {channel.kind: channel for channel in channels}
        self._confirmed = dict(confirmed or {})

    async def run(self, stop: asyncio.Event, *, poll_s: float = 0.5) -> None:
        """Carries effects out as they come due, until `stop` is set."""
        while not stop.is_set():
            try:
                moved = await self.drain()
            except StoreError as error:
                log.warning("outbox.store_trouble", error=error.message)
                moved = 0
            if not moved:
                with suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), poll_s)

    async def drain(self, limit: int = 20) -> int:
        """Carries out what is due and settles what was left in doubt; returns how many effects moved."""
        kinds = list(self._channels)
        async with self._database.transaction() as tx:
            await _sql.run(tx, "expire_sending")
            claimed = await _sql.all(tx, "claim_effects", kinds=kinds, limit=limit, lease_s=SEND_LEASE_S)
            readable = [kind for kind, channel in self._channels.items() if channel.reads_back]
            doubtful = await _sql.all(tx, "unknown_effects", kinds=readable, limit=limit)
        for row in claimed:
            fault_point("outbox.claimed")
            await self._send(Effect(**row))
        for row in doubtful:
            await self._reconcile(Effect(**row))
        return len(claimed) + len(doubtful)

    async def _send(self, effect: Effect) -> None:
        try:
            receipt = await self._channels[effect.kind].send(effect)
        except FrasierError as error:
            await self._not_sent(effect, error)
            return
        except Exception as error:  # noqa: BLE001  whatever it was, the outcome is unknown: say so, don't guess
            log.warning("effect.in_doubt", kind=effect.kind, key=effect.key, error=repr(error))
            async with self._database.transaction() as tx:
                await _sql.run(tx, "doubt_effect", id=effect.id, error=repr(error)[:500])
            return
        fault_point("outbox.sent")
        await self._confirm(effect, receipt)
        fault_point("outbox.confirmed")

    async def _not_sent(self, effect: Effect, error: FrasierError) -> None:
        retryable = isinstance(error, ProviderError) and error.retryable and effect.attempts < ATTEMPTS_MAX
        async with self._database.transaction() as tx:
            if retryable:
                delay_s = BACKOFF_S[min(effect.attempts, len(BACKOFF_S)) - 1]
                await _sql.run(tx, "requeue_effect", id=effect.id, error=error.message[:500], delay_s=delay_s)
                return
            if await _sql.run(tx, "fail_effect", id=effect.id, error=error.message[:500]):
                await append_event(
                    tx,
                    stream=effect.stream,
                    kind="effect.failed",
                    actor="system",
                    payload={"key": effect.key, "effect": effect.kind, "error": error.message[:500]},
                )

    async def _reconcile(self, effect: Effect) -> None:
        try:
            receipt = await self._channels[effect.kind].find(effect)
        except ProviderError as error:
            # Not known yet: it stays in doubt and is looked up again, after a while.
            async with self._database.transaction() as tx:
                await _sql.run(
                    tx, "doubt_longer", id=effect.id, error=error.message[:500], delay_s=BACKOFF_S[-1]
                )
            return
        if receipt is not None:
            await self._confirm(effect, receipt)
            return
        async with self._database.transaction() as tx:
            await _sql.run(
                tx, "requeue_effect", id=effect.id, error="read back: it had not happened", delay_s=0.0
            )

    async def _confirm(self, effect: Effect, receipt: Mapping[str, Any]) -> None:
        async with self._database.transaction() as tx:
            if not await _sql.run(tx, "settle_effect", id=effect.id, receipt=Jsonb(dict(receipt))):
                return
            await append_event(
                tx,
                stream=effect.stream,
                kind="effect.sent",
                actor="system",
                payload={"key": effect.key, "effect": effect.kind},
            )
            if follow := self._confirmed.get(effect.kind):
                await follow(tx, effect, receipt)
