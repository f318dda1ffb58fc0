"""The pages that tabs show, and the sessions to which the tabs belong. Every session has its share of the room."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from uuid import UUID

from frasier.interfaces.web.page import PageContent
from frasier.interfaces.web.sessions import Viewer

WATCH_S = 150.0
"""The seconds for which a tab is taken to show a page after it said so."""

_PAGES_MAX = 500
_PAGES_OF_SESSION_MAX = 50

ReadContent = Callable[[], Awaitable[PageContent]]


@dataclass(slots=True)
class WatchedPage:
    """A page that tabs show. `versions` has the fingerprint of each fragment and its place in the sequence; what came
    to be after the place `sent` was not sent yet: who loads the page reads it, too, and others must not miss that.
    `viewers` are sessions with the time until which they are taken to show it.
    """

    address: str
    read_only: bool
    read: ReadContent
    versions: dict[str, tuple[object, int]] = field(default_factory=dict)
    viewers: dict[UUID, float] = field(default_factory=dict)
    refresh_at: float | None = None
    sent: int | None = None
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)


class WatchedPages:
    """The pages that tabs show, by address and whether the session may only read; those shown last come last."""

    def __init__(self) -> None:
        self._pages: dict[tuple[str, bool], WatchedPage] = {}

    def __iter__(self) -> Iterator[WatchedPage]:
        return iter(list(self._pages.values()))

    def add(self, viewer: Viewer, address: str, read: ReadContent) -> WatchedPage:
        """Return the page, which this viewer's session shows from now on; forget others beyond the limits."""
        key, session = (address, viewer.read_only), viewer.session.id
        page = self._pages.pop(key, None) or WatchedPage(address, viewer.read_only, read)
        page.viewers.pop(session, None)
        page.viewers[session] = time.monotonic() + WATCH_S
        self._pages[key] = page
        if sum(session in one.viewers for one in self._pages.values()) > _PAGES_OF_SESSION_MAX:
            self._forget_oldest(session)
        while len(self._pages) > _PAGES_MAX:
            self._forget_oldest(self._largest_session())
        return page

    def remove(self, page: WatchedPage) -> None:
        """Forget a page, whoever shows it."""
        self._pages.pop((page.address, page.read_only), None)

    def expire(self) -> None:
        """Forget what no tab has said to show for a while."""
        now = time.monotonic()
        for page in self:
            page.viewers = {session: ends for session, ends in page.viewers.items() if ends > now}
            if not page.viewers:
                self.remove(page)

    def _largest_session(self) -> UUID:
        """Return the session that shows most pages: it makes room, so that none takes that of the others."""
        shown = Counter(session for page in self._pages.values() for session in page.viewers)
        return shown.most_common(1)[0][0]

    def _forget_oldest(self, session: UUID) -> None:
        """Take the session to show the page no more that it has not spoken of for the longest time."""
        page = min(
            (one for one in self._pages.values() if session in one.viewers),
            key=lambda one: one.viewers[session],
        )
        del page.viewers[session]
        if not page.viewers:
            self.remove(page)
