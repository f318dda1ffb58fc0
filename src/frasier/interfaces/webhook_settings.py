"""The settings of webhooks. Plain values: nothing heavy is imported here."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class WebhookSettings(BaseModel):
    """The settings of subscriptions that send events to an address.

    `allow_private_hosts` are the "host:port" of the founder's own network that may be sent events, also without TLS.
    Every other private address, and other ports than 80 and 443, are refused; link-local and cloud metadata addresses
    always.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    allow_private_hosts: frozenset[str] = frozenset()
    timeout_s: float = Field(default=10.0, gt=0, le=30)
