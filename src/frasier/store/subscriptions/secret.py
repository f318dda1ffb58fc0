"""The secrets of subscriptions, derived from a key of the home: no database, dump or setting holds them."""

from __future__ import annotations

import base64
import hashlib
import hmac
from pathlib import Path
from uuid import UUID

from frasier.store.key_file import read_key

_PREFIX = "whsec_"


class SubscriptionSecrets:
    """The secrets of all subscriptions. Every process that delivers for one database needs the same key."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def bytes_of(self, subscription: UUID, version: int) -> bytes:
        """Return a version of the secret, for signing."""
        text = f"event subscription secret\n{subscription}\n{version}".encode()
        return hmac.digest(read_key(self._path), text, hashlib.sha256)

    def text_of(self, subscription: UUID, version: int) -> str:
        """Return a version of the secret as the receiver gets it, in the spelling of Standard Webhooks."""
        return _PREFIX + base64.b64encode(self.bytes_of(subscription, version)).decode()

    def digest_of(self, subscription: UUID, version: int) -> str:
        """Return what tells whether the secret is still the same, and nothing of it."""
        return hashlib.sha256(self.bytes_of(subscription, version)).hexdigest()[:16]
