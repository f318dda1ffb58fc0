"""Outages as lines of a log: one where each begins, and one where it ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping

OVER_AFTER_S = 10.0
"""The seconds without a failure after which an outage has ended; a service that fails now and then has one."""


class OutageLines:
    """The lines about outages of a process that looks for them again and again. `clock` is monotonic, in seconds."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failed_at: dict[str, float] = {}

    def of(self, failing: Mapping[str, str]) -> Iterator[str]:
        """Yield what is new about the services that fail now, each with its cause and what happens next."""
        now = self._clock()
        for service, cause in failing.items():
            if service not in self._failed_at:
                yield f"An outage of {service} begins: {cause}"
            self._failed_at[service] = now
        for service, failed_at in list(self._failed_at.items()):
            if now - failed_at >= OVER_AFTER_S:
                del self._failed_at[service]
                yield f"The outage of {service} is over: nothing waits for it any more."
