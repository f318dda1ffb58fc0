"""Effects: actions outside the database, enqueued in the transaction that decides them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvariantBroken, NotFound
from frasier.kernel.ids import matching_id, new_id, only_match
from frasier.kernel.limits import EFFECT_PAYLOAD_BYTES_MAX
from frasier.kernel.text import canonical_json
from frasier.store.deferred import Tx
from frasier.store.events import append_event
from frasier.store.notify_listener import notify
from frasier.store.sql_statements import Statements

_sql = Statements("frasier.store")

EFFECTS_CHANNEL = "frasier_effects"
"""The channel of PostgreSQL that is notified when an effect was enqueued or confirmed."""

SENDER_GONE = "the sender ended before the outcome was known"
"""The error of an effect in doubt only because its sender was killed; if its channel can, it is looked up soon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """An action outside the database. `key` is its idempotency key: the same key is never carried out twice."""

    id: UUID
    kind: str
    key: str
    stream: UUID
    payload: dict[str, Any]
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectState:
    """The state of an effect. A pending one with an `error` waits for its next try."""

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

    @property
    def in_trouble(self) -> bool:
        """Whether it needs attention: it failed, is in doubt, or was refused and waits for its next try."""
        return self.state in {"failed", "unknown"} or (self.state == "pending" and self.error is not None)


async def enqueue_effect(tx: Tx, *, kind: str, key: str, stream: UUID, payload: Mapping[str, Any]) -> None:
    """Enqueue an effect as part of the open transaction. The same `key` again changes nothing."""
    body = canonical_json(dict(payload))
    if len(body.encode()) > EFFECT_PAYLOAD_BYTES_MAX:
        raise InvariantBroken(f"the payload of effect {kind} is larger than {EFFECT_PAYLOAD_BYTES_MAX} bytes")
    _sql.defer(tx, "enqueue_effect", id=new_id(), kind=kind, key=key, stream=stream, payload=body)
    await notify(tx, EFFECTS_CHANNEL)


async def effects_of(tx: Tx, stream: UUID) -> list[EffectState]:
    """Return every effect of one stream, oldest first."""
    return [EffectState(**row) for row in await _sql.all(tx, "effects_of_stream", stream=stream)]


async def open_effects(tx: Tx) -> list[EffectState]:
    """Return the effects in trouble, oldest first; see EffectState."""
    return [EffectState(**row) for row in await _sql.all(tx, "open_effects")]


async def resend_effect(tx: Tx, effect_id: UUID, *, actor: str) -> bool:
    """Make an effect in trouble due at once, at the request of a person; False where there is none."""
    row = await _sql.maybe(tx, "resend_effect", id=effect_id)
    if row is None:
        return False
    await notify(tx, EFFECTS_CHANNEL)
    await append_event(
        tx, stream=row["stream"], kind="effect.resent", actor=actor, payload={"key": row["key"]}
    )
    return True


async def resend_effects(tx: Tx, name: str | None, *, actor: str) -> list[EffectState]:
    """Make due at once the effect in trouble whose id is `name`, or begins or ends with it; all where it is None.

    Returns them as they were. Raises NotFound, and InvalidInput where several have that id.
    """
    effects = await open_effects(tx)
    if name is not None:
        effect = only_match(
            name, "effects", matching_id(name, effects), lambda effect: f"{effect.id} ({effect.kind})"
        )
        if effect is None:
            raise NotFound(
                f"No effect {name!r} is in trouble or in doubt.",
                kept="Nothing was sent.",
                advice=Advice("outbox.list", to="see those that are"),
            )
        effects = [effect]
    for effect in effects:
        await resend_effect(tx, effect.id, actor=actor)
    return effects
