"""Webhooks: send each event to an address, signed as Standard Webhooks says (standardwebhooks.com)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

import httpx2

from frasier.interfaces.webhook_settings import WebhookSettings
from frasier.kernel.errors import ConfigurationError, InvalidInput, ProviderUnavailable, SourceError
from frasier.kernel.ids import new_id
from frasier.outbound import ExchangeFailed, ServiceErrors, reason_in
from frasier.outbound.http_client import HttpClient
from frasier.store import Effect, Subscriber, SubscriberGone, SubscriptionSecrets
from frasier.work import AddressGuard, PinnedTransport, Resolver, normalise_url, resolve_host

_PROVIDER = "webhook"
_SETTING = "FRASIER_WEBHOOKS__ALLOW_PRIVATE_HOSTS"
_DELIVERERS = "`frasier up`, `frasier serve` or a run"
_REPLY_BYTES_MAX = 16_384
_GONE = 410


class WebhookChannel:
    """The channel of webhooks. The same event has the same `webhook-id` in every attempt. Close it.

    `resolver` and `clock` are for tests.
    """

    def __init__(
        self,
        settings: WebhookSettings,
        secrets: SubscriptionSecrets,
        *,
        resolver: Resolver = resolve_host,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._settings = settings
        self._secrets = secrets
        self._clock = clock
        self._guard = AddressGuard(settings.allow_private_hosts, resolver, setting=_SETTING)
        self._client = HttpClient(
            headers={"User-Agent": "Frasier-Webhooks/1.0"},
            use_proxy=False,
            # A kept connection belongs to an address, and another name on that address must not inherit it.
            keep_connections=False,
            wrap_transport=lambda network: PinnedTransport(self._guard, network),
        )

    async def close(self) -> None:
        """End the connections."""
        await self._client.close()

    def check_address(self, address: str) -> str:
        """Return the address as it is stored; raise InvalidInput for one that cannot be sent events."""
        try:
            normalise_url(address)
        except SourceError as error:
            raise InvalidInput(error.message, kept="Nothing was added.", hint=error.hint) from error
        url = httpx2.URL(address)
        if url.scheme != "https" and not self._guard.is_named(url.host, url.port or 80):
            raise InvalidInput(
                "Events are sent to an address that begins with https:// only.",
                kept="Nothing was added.",
                hint=f"For a host of your own network, name its host and port in {_SETTING}.",
            )
        return address

    def needed_setting(self, address: str) -> str:
        """Return the name of the setting without which an address is refused; empty if it needs none."""
        url = httpx2.URL(address)
        port = url.port or (443 if url.scheme == "https" else 80)
        return _SETTING if self._guard.is_named(url.host, port) else ""

    async def send(self, subscriber: Subscriber, effect: Effect) -> str:
        """Send one event; return the status of the answer, which is a success."""
        try:
            return await self._post(subscriber, f"msg_{effect.id.hex}", effect.payload)
        except SourceError as error:
            # Read where the setting may well be there: in the shell from which the subscription was added.
            lacks = (
                f" The process that delivers ({_DELIVERERS}) does not have {_SETTING} for it. {error.hint}"
            )
            told = lacks if _SETTING in (error.hint or "") else ""
            raise ProviderUnavailable(f"{error.message}{told}", provider=_PROVIDER) from None

    async def test(self, subscriber: Subscriber) -> str:
        """Send an event of the kind `frasier.test` once; return the status of the answer, or raise as `send` does."""
        payload = {
            "type": "frasier.test",
            "timestamp": datetime.fromtimestamp(self._clock(), UTC).isoformat(),
            "data": {"subscription": subscriber.name},
        }
        try:
            return await self._post(subscriber, f"msg_{new_id().hex}", payload)
        except SourceError as error:
            raise ProviderUnavailable(error.message, provider=_PROVIDER, hint=error.hint) from None

    async def _post(self, subscriber: Subscriber, message: str, payload: Mapping[str, object]) -> str:
        errors = ServiceErrors(name=f"The receiver of {subscriber.name}", provider=_PROVIDER)
        body = json.dumps(payload).encode()
        headers = signed_headers(message, int(self._clock()), body, self._keys(subscriber))
        try:
            reply = await self._client.send(
                "POST",
                subscriber.target,
                seconds=self._settings.timeout_s,
                headers=headers,
                content=body,
                bytes_max={"": _REPLY_BYTES_MAX},
                cut=True,
            )
        except ExchangeFailed as failed:
            raise errors.from_failure(failed, seconds=self._settings.timeout_s) from None
        if reply.status == _GONE:
            raise SubscriberGone(
                f"The receiver of {subscriber.name} answered 410: it wants no more events.",
                kept="Its events are kept.",
            )
        if not 200 <= reply.status < 300:
            raise errors.from_status(reply.status, reason_in(reply.body), reply.headers)
        return str(reply.status)

    def _keys(self, subscriber: Subscriber) -> list[bytes]:
        version = subscriber.secret_version
        if self._secrets.digest_of(subscriber.id, version) != subscriber.secret_digest:
            raise ConfigurationError(
                f"The secret of {subscriber.name} was made with another key than that of this home.",
                kept="Its events are kept.",
                hint="Put the key file of the home back, or make a new secret and give it to the receiver.",
            )
        versions = [version, version - 1] if subscriber.previous_signs and version > 1 else [version]
        return [self._secrets.bytes_of(subscriber.id, one) for one in versions]


def signed_headers(message: str, timestamp: int, body: bytes, keys: Sequence[bytes]) -> dict[str, str]:
    """Return the headers of a message, with a signature for each key."""
    signed = f"{message}.{timestamp}.".encode() + body
    signatures = (base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode() for key in keys)
    return {
        "webhook-id": message,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(f"v1,{signature}" for signature in signatures),
    }
