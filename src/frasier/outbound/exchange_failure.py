"""The ways in which an exchange ends without a whole reply."""

from __future__ import annotations

from enum import StrEnum


class ExchangeFailure(StrEnum):
    """The bound or the part of the network that ended an exchange."""

    TIMEOUT = "timeout"
    NOT_CONNECTED = "not_connected"
    NOT_TRUSTED = "not_trusted"
    BROKEN_OFF = "broken_off"
    TOO_LARGE = "too_large"
    NOT_UNPACKED = "not_unpacked"


class ExchangeFailed(Exception):
    """An exchange without a whole reply. After NOT_CONNECTED and NOT_TRUSTED the request was certainly not sent.

    `reason` says why no connection was made; it may hold a secret. `bytes_max` is the bound that was passed.
    """

    def __init__(self, failure: ExchangeFailure, reason: str = "", *, bytes_max: int = 0) -> None:
        super().__init__(failure)
        self.failure = failure
        self.reason = reason
        self.bytes_max = bytes_max
