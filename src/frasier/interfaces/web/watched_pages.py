"""The pages that tabs show, and the sessions to which the tabs belong. Every session has its share of the room."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator
from dataclasses import dataclass, field
from uuid import UUID

from frasier.interfaces.web.page import PageContent
from frasier.interfaces.web.sessions import Viewer

WATCH_S = 150.0
"""The seconds for which a tab is taken to show a page after it said so."""

LOADED_S = 5.0
"""The seconds for which a page that was loaded is taken to be shown, until its tab says so."""

_PAGES_MAX = 500
_PAGES_OF_SESSION_MAX = 50
_LEFT_MAX = 1_000
_NO_TAB = ""

ReadContent = Callable[[], Awaitable[PageContent]]


@dataclass(slots=True)
class WatchedPage:
    """A page that tabs show. `versions` has the fingerprint of each fragment and its place in the sequence; what came
    to be after the place `sent` was not sent yet: who loads the page reads it, too, and others must not miss that.
    `viewers` are tabs, each with its session and the time until which it is taken to show the page.
    """

    address: str
    read_only: bool
    read: ReadContent
    versions: dict[str, tuple[object, int]] = field(default_factory=dict)
    viewers: dict[tuple[UUID, str], float] = field(default_factory=dict)
    refresh_at: float | None = None
    sent: int | None = None
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def sessions(self) -> set[UUID]:
        return {session for session, _ in self.viewers}


class WatchedPages:
    """The pages that tabs show, by address and whether the session may only read; those shown last come last."""

    def __init__(self) -> None:
        self._pages: dict[tuple[str, bool], WatchedPage] = {}
        self._left: dict[tuple[UUID, str], None] = {}

    def __iter__(self) -> Iterator[WatchedPage]:
        return iter(list(self._pages.values()))

    def add(self, viewer: Viewer, address: str, read: ReadContent, tab: str = _NO_TAB) -> WatchedPage:
        """Return the page, which this tab shows from now on, unless it has left; forget others beyond the limits."""
        key, session = (address, viewer.read_only), viewer.session.id
        page = self._pages.pop(key, None) or WatchedPage(address, viewer.read_only, read)
        page.viewers.pop((session, _NO_TAB), None)  # that was this tab, when it loaded the page
        if (session, tab) not in self._left:
            page.viewers[session, tab] = time.monotonic() + (LOADED_S if tab == _NO_TAB else WATCH_S)
        self._pages[key] = page
        if sum(session in one.sessions for one in self) > _PAGES_OF_SESSION_MAX:
            self._forget_oldest(session)
        while len(self._pages) > _PAGES_MAX:
            self._forget_oldest(self._largest_session())
        return page

    def leave(self, viewer: Viewer, address: str, tab: str) -> None:
        """Take a tab to show the page no more, also when its request to be kept current is overtaken by this one."""
        if tab != _NO_TAB:
            self._left[viewer.session.id, tab] = None
            if len(self._left) > _LEFT_MAX:
                del self._left[next(iter(self._left))]
        page = self._pages.get((address, viewer.read_only))
        if page is not None:
            page.viewers.pop((viewer.session.id, tab), None)
            self._drop_unseen(page)

    def keep_tabs(self, viewer: Viewer, tabs: Collection[str]) -> None:
        """Take the other tabs of a session to show their pages no more: they broke off and could not say so."""
        session = viewer.session.id
        for page in self:
            page.viewers = {
                (whose, tab): ends
                for (whose, tab), ends in page.viewers.items()
                if whose != session or tab == _NO_TAB or tab in tabs
            }
            self._drop_unseen(page)

    def remove(self, page: WatchedPage) -> None:
        """Forget a page, whoever shows it."""
        self._pages.pop((page.address, page.read_only), None)

    def expire(self) -> None:
        """Forget what no tab has said to show for a while."""
        now = time.monotonic()
        for page in self:
            page.viewers = {viewer: ends for viewer, ends in page.viewers.items() if ends > now}
            self._drop_unseen(page)

    def _largest_session(self) -> UUID:
        """Return the session that shows most pages: it makes room, so that none takes that of the others."""
        shown = Counter(session for page in self for session in page.sessions)
        return shown.most_common(1)[0][0]

    def _forget_oldest(self, session: UUID) -> None:
        """Take the session to show no more the page that came to be shown longest ago."""
        page = next(one for one in self if session in one.sessions)
        page.viewers = {viewer: ends for viewer, ends in page.viewers.items() if viewer[0] != session}
        self._drop_unseen(page)

    def _drop_unseen(self, page: WatchedPage) -> None:
        if not page.viewers:
            self.remove(page)
