"""Add, list and change subscriptions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound, Stale
from frasier.kernel.ids import new_id
from frasier.store.deferred import Tx
from frasier.store.event_kinds import check_kinds
from frasier.store.events import append_event
from frasier.store.sql_statements import Statements
from frasier.store.subscriptions.secret import SubscriptionSecrets

_sql = Statements("frasier.store")

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")
_OVERLAP_S = 86_400.0
"""The time for which the secret before a new one signs as well."""

SubscriptionState = Literal["active", "paused", "disabled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """A subscription with its health. `waiting` effects are not delivered yet, `failed` ones are given up.

    It is failing since `failing_since` if that is not None; `last_status` is what the receiver answered last.
    """

    id: UUID
    name: str
    kind: str
    target: str
    kinds: tuple[str, ...]
    state: SubscriptionState
    secret_version: int
    previous_secret_until: datetime | None
    secret_digest: str
    failing_since: datetime | None
    last_status: str | None
    last_attempt_at: datetime | None
    last_delivered_at: datetime | None
    created_at: datetime
    waiting: int
    failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FailingSubscription:
    """A subscription whose receiver does not take what it is sent, or is gone."""

    id: UUID
    name: str
    state: SubscriptionState
    failing_since: datetime
    last_status: str
    undelivered: int


async def add_subscription(
    tx: Tx,
    secrets: SubscriptionSecrets,
    *,
    name: str,
    kind: str,
    target: str,
    kinds: Iterable[str],
    actor: str,
) -> str:
    """Subscribe `target` to the events from now on whose kinds match, all where none is named; return the secret.

    Raises InvalidInput for a name that is malformed or taken, and for a malformed kind.
    """
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"{name[:60]!r} is not a valid name of a subscription.",
            kept="Nothing was added.",
            hint="Use 1 to 100 lower-case letters, digits, dots, dashes and underscores.",
        )
    wanted = check_kinds(kinds)
    subscription = new_id()
    row = await _sql.maybe(
        tx,
        "add_subscription",
        id=subscription,
        name=name,
        kind=kind,
        target=target,
        kinds=list(wanted),
        secret_digest=secrets.digest_of(subscription, 1),
    )
    if row is None:
        raise InvalidInput(
            f"There is a subscription {name} already.", kept="It is unchanged.", hint="Choose another name."
        )
    await _record(tx, subscription, "added", name, actor, kinds=list(wanted))
    return secrets.text_of(subscription, 1)


async def list_subscriptions(tx: Tx) -> list[Subscription]:
    """List all subscriptions, oldest first."""
    return await _list(tx, None)


async def get_subscription(tx: Tx, name: str) -> Subscription:
    """Fetch one subscription; raises NotFound."""
    found = await _list(tx, name)
    if not found:
        raise _unknown(name)
    return found[0]


async def pause_subscription(tx: Tx, name: str, *, actor: str) -> Subscription:
    """Deliver nothing until it is resumed; nothing is lost meanwhile."""
    return await _set_state(tx, name, "paused", actor)


async def resume_subscription(tx: Tx, name: str, *, actor: str) -> Subscription:
    """Go on with what was not delivered, also after it was disabled; what had failed is tried again."""
    subscription = await _set_state(tx, name, "active", actor)
    await _sql.run(tx, "make_waiting_due", id=subscription.id)
    return await get_subscription(tx, name)


async def remove_subscription(tx: Tx, name: str, *, actor: str) -> None:
    """Remove a subscription with what it has not delivered."""
    row = await _sql.maybe(tx, "remove_subscription", name=name)
    if row is None:
        raise _unknown(name)
    await _record(tx, row["id"], "removed", name, actor)


async def rotate_secret(tx: Tx, secrets: SubscriptionSecrets, name: str, *, actor: str) -> str:
    """Begin a new secret and return it; the one before signs as well for a day."""
    subscription = await get_subscription(tx, name)
    version = subscription.secret_version + 1
    digest = secrets.digest_of(subscription.id, version)
    row = await _sql.maybe(
        tx, "rotate_secret", name=name, version=version, secret_digest=digest, overlap_s=_OVERLAP_S
    )
    if row is None:
        raise Stale("Somebody else has just made a new secret.", kept="That one is valid.")
    await _record(tx, subscription.id, "secret_rotated", name, actor)
    return secrets.text_of(subscription.id, version)


async def failing_subscriptions(tx: Tx) -> list[FailingSubscription]:
    """List the subscriptions whose receiver does not take what is sent, longest first."""
    return [FailingSubscription(**row) for row in await _sql.all(tx, "failing_subscriptions")]


async def _list(tx: Tx, name: str | None) -> list[Subscription]:
    rows = await _sql.all(tx, "list_subscriptions", name=name)
    return [Subscription(**row | {"kinds": tuple(row["kinds"])}) for row in rows]


async def _set_state(tx: Tx, name: str, state: SubscriptionState, actor: str) -> Subscription:
    row = await _sql.maybe(tx, "set_subscription_state", name=name, state=state)
    if row is None:
        raise _unknown(name)
    await _record(tx, row["id"], "paused" if state == "paused" else "resumed", name, actor)
    return await get_subscription(tx, name)


async def _record(
    tx: Tx, subscription: UUID, what: str, name: str, actor: str, **facts: Collection[str]
) -> None:
    await append_event(
        tx, stream=subscription, kind=f"subscription.{what}", actor=actor, payload={"name": name, **facts}
    )


def _unknown(name: str) -> NotFound:
    return NotFound(
        f"There is no subscription {name[:60]!r}.",
        kept="Nothing was changed.",
        advice=Advice("subscription.list", to="see those that exist"),
    )
