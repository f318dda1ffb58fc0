"""Pages that stay current: what changed is rendered anew, and sent to every tab that shows it.

A tab says which page it shows (`since`) and when it leaves it. One of a browser's tabs listens for all of them
(`stream`), and names them, as one that broke off could not say so. While somebody listens, every page that is shown is
read again after each event; the fragments whose HTML differs are sent. So a page and its patches are the same by
construction, and a page that nobody looks at costs nothing.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from frasier.interfaces.sse import KEEP_ALIVE, encode_message, encode_retry
from frasier.interfaces.web.page import Fragment, PageContent
from frasier.interfaces.web.rendering import render_fragment
from frasier.interfaces.web.sessions import Viewer
from frasier.interfaces.web.watched_pages import ReadContent, WatchedPage, WatchedPages
from frasier.kernel.errors import FrasierError, StoreError
from frasier.kernel.logging_setup import get_logger
from frasier.kernel.text import fingerprint
from frasier.store import NotifyListener

log = get_logger()

CSRF_MARK = secrets.token_hex(16)
"""Stands in shared HTML for the token of the session that it is sent to."""

_QUEUE_MAX = 64
# The time in which changes are collected for one reading.
_PAUSE_S = 0.01
# The seconds that reading may be ahead of resting: a few changes in a row are shown at once.
_BUSY_S_MAX = 0.25
_BEAT_S = 15.0
_RECONNECT_MS = 1_000


@dataclass(slots=True)
class _Reading:
    """A page as it was read. `html` is that of the fragments that had to be rendered to compare them."""

    content: PageContent
    values: dict[str, Any]
    html: dict[str, str] = field(default_factory=dict)

    def render(self, fragment: Fragment) -> str:
        if fragment.id not in self.html:
            self.html[fragment.id] = render_fragment(fragment, self.values)
        return self.html[fragment.id]

    def version(self, fragment: Fragment) -> object:
        """Return what differs if and only if the fragment does."""
        return fingerprint(self.render(fragment)) if fragment.signature is None else fragment.signature


class _Stream:
    """One browser that listens."""

    def __init__(self, viewer: Viewer) -> None:
        self.session = viewer.session.id
        self.csrf = viewer.csrf
        self.read_only = viewer.read_only
        self.queue: asyncio.Queue[bytes] = asyncio.Queue(_QUEUE_MAX)

    def send(self, message: bytes) -> None:
        """Queue a message; a browser that does not keep up is told to reload."""
        if self.queue.full():
            while not self.queue.empty():
                self.queue.get_nowait()
            message = RELOAD
        self.queue.put_nowait(message)


class LivePages:
    """The pages that tabs show and the browsers that listen. `time_zone` is that of the times on them.

    `listen` returns what is woken by each event when it is committed.
    """

    def __init__(self, listen: Callable[[], NotifyListener], *, time_zone: str) -> None:
        self._listen = listen
        self._time_zone = time_zone
        self._pages = WatchedPages()
        self._streams: set[_Stream] = set()
        self._task: asyncio.Task[None] | None = None
        # Goes on growing over restarts, so that a tab can tell older HTML from newer.
        self._sequence = time.time_ns() // 1_000_000

    @property
    def sequence(self) -> int:
        return self._sequence

    def values(self, address: str, *, read_only: bool) -> dict[str, Any]:
        """Return the values that pages and patches are rendered with alike."""
        return {
            "csrf": CSRF_MARK,
            "page": address,
            "now": datetime.now(UTC),
            "time_zone": self._time_zone,
            "read_only": read_only,
        }

    async def watch(self, viewer: Viewer, address: str, read: ReadContent) -> tuple[PageContent, int]:
        """Read a page that this viewer's tab shows from now on; return it with its place in the sequence."""
        page = self._pages.add(viewer, address, read)
        async with page.reading:
            return (await self._read(page)).content, self._sequence

    async def since(
        self, viewer: Viewer, address: str, read: ReadContent, after: int, tab: str = ""
    ) -> tuple[str, int]:
        """Return the fragments of the page that came to be after a place in the sequence, and the place now."""
        page = self._pages.add(viewer, address, read, tab)
        async with page.reading:
            html = _changes(page, await self._read(page), after)
            return html.replace(CSRF_MARK, viewer.csrf), self._sequence

    def leave(self, viewer: Viewer, address: str, tab: str) -> None:
        """Take a tab to show the page no more."""
        self._pages.leave(viewer, address, tab)

    def keep_tabs(self, viewer: Viewer, tabs: Collection[str]) -> None:
        """Take the other tabs of this viewer's browser to be gone; without any, it does not know its tabs."""
        if tabs:
            self._pages.keep_tabs(viewer, tabs)

    async def stream(
        self, viewer: Viewer, still_open: Callable[[], Awaitable[bool]], stop: asyncio.Event
    ) -> AsyncIterator[bytes]:
        """Yield the messages for one browser, as server-sent events, until its session ends or the server stops."""
        with self._listening(viewer) as stream:
            yield encode_retry(_RECONNECT_MS)
            stopping = asyncio.create_task(stop.wait())
            try:
                check_at = time.monotonic() + _BEAT_S
                while not stop.is_set():
                    message = await _next(stream.queue, stopping)
                    if message is None or time.monotonic() >= check_at:
                        check_at = time.monotonic() + _BEAT_S
                        if not await still_open():
                            message = RELOAD
                    yield message or KEEP_ALIVE
                    if message is RELOAD:
                        return
            finally:
                stopping.cancel()

    @contextmanager
    def _listening(self, viewer: Viewer) -> Iterator[_Stream]:
        stream = _Stream(viewer)
        self._streams.add(stream)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._follow(), name="live-pages")
        try:
            yield stream
        finally:
            self._streams.discard(stream)
            if not self._streams and self._task is not None:
                self._task.cancel()
                self._task = None

    async def _follow(self) -> None:
        busy_s, ended = 0.0, time.monotonic()
        while True:
            try:
                async with self._listen() as wakeup:
                    while True:
                        began = time.monotonic()
                        await self._update()
                        busy_s = max(0.0, busy_s - (began - ended))
                        ended = time.monotonic()
                        busy_s += ended - began
                        # In the long run at most half of the time is spent on this, however many events come.
                        await asyncio.sleep(max(_PAUSE_S, busy_s - _BUSY_S_MAX))
                        await wakeup.wait(self._seconds_to_refresh())
            except StoreError as error:
                log.info("live.database_lost", error=error.message)
                await asyncio.sleep(1)
            except Exception:
                log.exception("live.failed")
                self._send_to_all(RELOAD)
                await asyncio.sleep(1)

    def _seconds_to_refresh(self) -> float:
        due = [page.refresh_at for page in self._pages if page.refresh_at is not None]
        return max(0.0, min([*due, time.monotonic() + _BEAT_S]) - time.monotonic())

    async def _update(self) -> None:
        self._pages.expire()
        listening = {stream.session for stream in self._streams}
        for page in reversed([*self._pages]):  # what somebody has just turned to comes first
            if listening & page.sessions:
                await self._send_changes(page)

    async def _send_changes(self, page: WatchedPage) -> None:
        async with page.reading:
            before = page.sent or 0
            try:
                reading = await self._read(page)
            except StoreError:
                raise
            except Exception as error:
                if not isinstance(
                    error, FrasierError
                ):  # a defect of one page, which must not stop the others
                    log.exception("live.page_failed")
                self._pages.remove(page)  # what it shows is gone
                self._send(page, RELOAD)
                return
            page.sent = self._sequence
            if html := _changes(page, reading, before):
                self._send(page, _message("patch", self._sequence, f"{page.address}\n{html}"))

    async def _read(self, page: WatchedPage) -> _Reading:
        """Read a page; give each fragment that differs from before the next place in the sequence."""
        try:
            content = await page.read()
        except Exception:
            if not page.versions:  # nobody was ever shown it
                self._pages.remove(page)
            raise
        reading = _Reading(content, self.values(page.address, read_only=page.read_only))
        known = page.versions
        page.versions = {}
        self._sequence += 1
        for one in content.fragments:
            version = reading.version(one)
            before, at = known.get(one.id, (None, self._sequence))
            page.versions[one.id] = (version, at if before == version else self._sequence)
        if page.sent is None:  # nobody shows it but who reads it now
            page.sent = self._sequence
        page.refresh_at = None if content.refresh_s is None else time.monotonic() + content.refresh_s
        return reading

    def _send(self, page: WatchedPage, message: bytes) -> None:
        """Send a message to those who show the page; what several streams of a session get is made once."""
        messages: dict[str, bytes] = {}
        sessions = page.sessions
        for stream in self._streams:
            if stream.session in sessions and stream.read_only == page.read_only:
                if stream.csrf not in messages:
                    messages[stream.csrf] = message.replace(CSRF_MARK.encode(), stream.csrf.encode())
                stream.send(messages[stream.csrf])

    def _send_to_all(self, message: bytes) -> None:
        for stream in self._streams:
            stream.send(message)


def _changes(page: WatchedPage, reading: _Reading, after: int) -> str:
    """Return the HTML of the fragments that came to be after a place in the sequence."""
    changed = [one for one in reading.content.fragments if page.versions[one.id][1] > after]
    return "\n".join(map(reading.render, changed))


async def _next(queue: asyncio.Queue[bytes], stopping: asyncio.Task[Any]) -> bytes | None:
    """Return the next message; None after a while without one, or when the server stops."""
    getting = asyncio.create_task(queue.get())
    try:
        done, _ = await asyncio.wait(
            {getting, stopping}, timeout=_BEAT_S, return_when=asyncio.FIRST_COMPLETED
        )
        return getting.result() if getting in done else None
    finally:  # also when the browser goes
        getting.cancel()


def _message(event: str, place: int, data: str) -> bytes:
    return encode_message(data, event=event, id=str(place))


RELOAD = _message("reload", 0, "")
