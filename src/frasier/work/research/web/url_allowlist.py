"""The allowlist of addresses to fetch. A model never adds one."""

from __future__ import annotations

from collections.abc import Iterable

from frasier.kernel.errors import SourceError
from frasier.work.research.web.urls import normalise_url

_URLS_MAX = 50_000


class UrlLedger:
    """The links of the directive, the results of searches and the links of pages that were read."""

    def __init__(self) -> None:
        self._why: dict[str, str] = {}

    def allow(self, urls: Iterable[str], why: str) -> int:
        """Allow the web addresses in `urls`; `why` names their origin. Returns the number of new ones."""
        before = len(self._why)
        for url in urls:
            if len(self._why) >= _URLS_MAX:
                break
            try:
                self._why.setdefault(normalise_url(url), why)
            except SourceError:
                continue  # pages link to much that is no page
        return len(self._why) - before

    def may_fetch(self, url: str) -> bool:
        return self.why(url) is not None

    def why(self, url: str) -> str | None:
        """Return the first origin of `url`, or None if it is not allowed. Raises SourceError for an invalid address."""
        return self._why.get(normalise_url(url))
