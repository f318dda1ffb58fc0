"""The subscriptions to events as interfaces use them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from frasier.store import Deliveries, Subscriber, SubscriptionSecrets

WEBHOOK = "webhook"
"""The kind of subscriptions that send events to an address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscriptions:
    """The delivery of events to subscribers.

    `check_address` returns an address as it is stored, or raises InvalidInput; `needed_setting` names the setting
    without which an address is refused, if it needs one; `send_test` sends one event that means
    nothing, and returns what the receiver answers, or raises a FrasierError.
    """

    deliveries: Deliveries
    secrets: SubscriptionSecrets
    check_address: Callable[[str], str]
    needed_setting: Callable[[str], str]
    send_test: Callable[[Subscriber], Awaitable[str]]
