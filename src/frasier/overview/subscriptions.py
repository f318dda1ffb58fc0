"""Subscriptions whose receiver fails, as outages: one cause each, however many events wait."""

from __future__ import annotations

from frasier.board import Outage
from frasier.kernel.humanize import plural
from frasier.store import FailingSubscription, Tx, failing_subscriptions


async def read_outages_of_subscriptions(tx: Tx) -> tuple[Outage, ...]:
    """Read the subscriptions that fail or were disabled because their receiver is gone."""
    return tuple(_outage(one) for one in await failing_subscriptions(tx))


def _outage(subscription: FailingSubscription) -> Outage:
    then = "It is disabled" if subscription.state == "disabled" else "It is tried again by itself"
    why = f"{subscription.last_status} {then}; {plural(subscription.undelivered, 'event')} not delivered."
    return Outage(
        id=subscription.id,
        what=f"subscription {subscription.name}",
        why=why,
        began_at=subscription.failing_since,
    )
