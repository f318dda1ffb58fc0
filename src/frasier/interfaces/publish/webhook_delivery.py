"""The delivery of subscriptions by webhooks, whose channel is made when something is first sent."""

from __future__ import annotations

from contextlib import AsyncExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from frasier.board import board_names
from frasier.interfaces.subscriptions import WEBHOOK, Subscriptions
from frasier.interfaces.webhook_settings import WebhookSettings
from frasier.store import Database, Deliveries, EventSubjects, Subscriber, SubscriptionSecrets
from frasier.workflow import groups_of

if TYPE_CHECKING:
    from frasier.interfaces.publish.webhook import WebhookChannel


def subscribe_webhooks(
    database: Database, settings: WebhookSettings, home: Path, closing: AsyncExitStack
) -> Subscriptions:
    """Return the subscriptions of a process. `closing` closes their channel if it was made."""
    secrets = SubscriptionSecrets(home / "subscriptions.key")

    @cache
    def channel() -> WebhookChannel:
        from frasier.interfaces.publish.webhook import WebhookChannel  # noqa: PLC0415 (loads the HTTP library)

        webhooks = WebhookChannel(settings, secrets)
        closing.push_async_callback(webhooks.close)
        return webhooks

    async def send_test(subscriber: Subscriber) -> str:
        return await channel().test(subscriber)

    return Subscriptions(
        deliveries=Deliveries(database, {WEBHOOK: channel}, EventSubjects(groups_of, board_names)),
        secrets=secrets,
        check_address=lambda address: channel().check_address(address),
        needed_setting=lambda address: channel().needed_setting(address),
        send_test=send_test,
    )
