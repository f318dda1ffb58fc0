"""Pages that stay current: what changed is rendered anew, and sent to every tab that shows it.

A tab says which page it shows (`watch`), and one of a browser's tabs listens for all of them (`stream`). While somebody
listens, every page that is shown is read again after each event; the fragments whose HTML differs are sent. So a page
and its patches are the same by construction, and a page that nobody looks at costs nothing.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from frasier.interfaces.web.event_follower import FollowEvents
from frasier.interfaces.web.page import Fragment, PageContent
from frasier.interfaces.web.rendering import render_fragment
from frasier.interfaces.web.sessions import Viewer
from frasier.kernel.errors import FrasierError, StoreError
from frasier.kernel.logging_setup import get_logger
from frasier.kernel.text import fingerprint

log = get_logger()

CSRF_MARK = secrets.token_hex(16)
"""Stands in shared HTML for the token of the session that it is sent to."""

WATCH_S = 150.0
"""The seconds for which a tab is taken to show a page after it said so."""

_QUEUE_MAX = 64
_WATCHES_MAX = 500
_PAUSE_S = 0.03
_BEAT_S = 15.0
_LINE_END = re.compile(r"\r\n|\r|\n")

ReadContent = Callable[[], Awaitable[PageContent]]


@dataclass(slots=True)
class _Watch:
    """A page that tabs show. `versions` has the fingerprint of each fragment and its place in the sequence; what came
    to be after the place `sent` was not sent yet: who loads the page reads it, too, and others must not miss that.
    """

    address: str
    read_only: bool
    read: ReadContent
    versions: dict[str, tuple[object, int]] = field(default_factory=dict)
    viewers: dict[UUID, float] = field(default_factory=dict)
    refresh_at: float | None = None
    sent: int | None = None
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)


class _Stream:
    """One browser that listens."""

    def __init__(self, viewer: Viewer) -> None:
        self.session = viewer.session.id
        self.csrf = viewer.csrf
        self.read_only = viewer.read_only
        self.queue: asyncio.Queue[str] = asyncio.Queue(_QUEUE_MAX)

    def send(self, message: str) -> None:
        """Queue a message; a browser that does not keep up is told to reload."""
        if self.queue.full():
            while not self.queue.empty():
                self.queue.get_nowait()
            message = RELOAD
        self.queue.put_nowait(message)


class LivePages:
    """The pages that tabs show and the browsers that listen. `time_zone` is that of the times on them."""

    def __init__(self, follow_events: FollowEvents, *, time_zone: str) -> None:
        self._follow_events = follow_events
        self._time_zone = time_zone
        self._watches: dict[tuple[str, bool], _Watch] = {}
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
        watch = self._watch(viewer, address, read)
        async with watch.reading:
            return await self._read(watch), self._sequence

    async def since(self, viewer: Viewer, address: str, read: ReadContent, after: int) -> tuple[str, int]:
        """Return the fragments of the page that came to be after a place in the sequence, and the place now."""
        watch = self._watch(viewer, address, read)
        values = self.values(address, read_only=viewer.read_only)
        async with watch.reading:
            content = await self._read(watch)
            changed = [one for one in content.fragments if watch.versions[one.id][1] > after]
            html = "\n".join(render_fragment(one, values) for one in changed)
            return html.replace(CSRF_MARK, viewer.csrf), self._sequence

    async def stream(
        self, viewer: Viewer, still_open: Callable[[], Awaitable[bool]], stop: asyncio.Event
    ) -> AsyncIterator[str]:
        """Yield the messages for one browser, as server-sent events, until its session ends or the server stops."""
        with self._listening(viewer) as stream:
            yield "retry: 1000\n: here\n\n"
            stopping = asyncio.create_task(stop.wait())
            try:
                check_at = time.monotonic() + _BEAT_S
                while not stop.is_set():
                    message = await _next(stream.queue, stopping)
                    if message is None or time.monotonic() >= check_at:
                        check_at = time.monotonic() + _BEAT_S
                        if not await still_open():
                            message = RELOAD
                    yield message or ": beat\n\n"
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

    def _watch(self, viewer: Viewer, address: str, read: ReadContent) -> _Watch:
        key = (address, viewer.read_only)
        watch = self._watches.pop(key, None) or _Watch(address, viewer.read_only, read)
        watch.viewers[viewer.session.id] = time.monotonic() + WATCH_S
        self._watches[key] = watch
        while len(self._watches) > _WATCHES_MAX:
            del self._watches[next(iter(self._watches))]
        return watch

    async def _follow(self) -> None:
        while True:
            try:
                async with self._follow_events() as wait:
                    await self._update()  # what happened before anybody listened
                    while True:
                        if await wait(self._seconds_to_refresh()):
                            self._send_to_all(RELOAD)
                        began = time.monotonic()
                        await self._update()
                        # At most half of the time is spent on this, however many events come.
                        await asyncio.sleep(max(_PAUSE_S, time.monotonic() - began))
            except StoreError as error:
                log.info("live.database_lost", error=error.message)
                await asyncio.sleep(1)
            except Exception:
                log.exception("live.failed")
                self._send_to_all(RELOAD)
                await asyncio.sleep(1)

    def _seconds_to_refresh(self) -> float:
        due = [watch.refresh_at for watch in self._watches.values() if watch.refresh_at is not None]
        return max(0.0, min([*due, time.monotonic() + _BEAT_S]) - time.monotonic())

    async def _update(self) -> None:
        now = time.monotonic()
        listening = {stream.session for stream in self._streams}
        for key, watch in list(self._watches.items()):
            watch.viewers = {viewer: ends for viewer, ends in watch.viewers.items() if ends > now}
            if not watch.viewers:
                del self._watches[key]
            elif listening & watch.viewers.keys():
                await self._send_changes(watch)

    async def _send_changes(self, watch: _Watch) -> None:
        async with watch.reading:
            before = watch.sent or 0
            try:
                content = await self._read(watch)
            except StoreError:
                raise
            except Exception as error:
                if not isinstance(
                    error, FrasierError
                ):  # a defect of one page, which must not stop the others
                    log.exception("live.page_failed")
                self._watches.pop((watch.address, watch.read_only), None)  # what it shows is gone
                self._send(watch, RELOAD)
                return
            watch.sent = self._sequence
            values = self.values(watch.address, read_only=watch.read_only)
            changed = [one for one in content.fragments if watch.versions[one.id][1] > before]
            if changed:
                html = "\n".join(render_fragment(one, values) for one in changed)
                self._send(watch, _message("patch", self._sequence, f"{watch.address}\n{html}"))

    async def _read(self, watch: _Watch) -> PageContent:
        """Read a page; give each fragment that differs from before the next place in the sequence."""
        try:
            content = await watch.read()
        except Exception:
            if not watch.versions:  # nobody was ever shown it
                self._watches.pop((watch.address, watch.read_only), None)
            raise
        values = self.values(watch.address, read_only=watch.read_only)
        known = watch.versions
        watch.versions = {}
        self._sequence += 1
        for one in content.fragments:
            version = _version(one, values)
            before, at = known.get(one.id, (None, self._sequence))
            watch.versions[one.id] = (version, at if before == version else self._sequence)
        if watch.sent is None:  # nobody shows it but who reads it now
            watch.sent = self._sequence
        watch.refresh_at = None if content.refresh_s is None else time.monotonic() + content.refresh_s
        return content

    def _send(self, watch: _Watch, message: str) -> None:
        for stream in self._streams:
            if stream.session in watch.viewers and stream.read_only == watch.read_only:
                stream.send(message.replace(CSRF_MARK, stream.csrf))

    def _send_to_all(self, message: str) -> None:
        for stream in self._streams:
            stream.send(message)


async def _next(queue: asyncio.Queue[str], stopping: asyncio.Task[Any]) -> str | None:
    """Return the next message; None after a while without one, or when the server stops."""
    getting = asyncio.create_task(queue.get())
    try:
        done, _ = await asyncio.wait(
            {getting, stopping}, timeout=_BEAT_S, return_when=asyncio.FIRST_COMPLETED
        )
        return getting.result() if getting in done else None
    finally:  # also when the browser goes
        getting.cancel()


def _version(fragment: Fragment, values: dict[str, Any]) -> object:
    if fragment.signature is not None:
        return fragment.signature
    return fingerprint(render_fragment(fragment, values))


def _message(event: str, sequence: int, data: str) -> str:
    """Return a server-sent event. Every line end is one: a lone CR in a text must not begin a field."""
    lines = "".join(f"data: {line}\n" for line in _LINE_END.split(data))
    return f"id: {sequence}\nevent: {event}\n{lines}\n"


RELOAD = _message("reload", 0, "")
