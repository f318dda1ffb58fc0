"""The stream of a browser that goes away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from frasier.interfaces.web.live_pages import LivePages
from frasier.interfaces.web.sessions import Viewer
from frasier.kernel.ids import new_id
from frasier.org.governance import PageSession


async def test_a_browser_that_goes_leaves_no_task():
    @asynccontextmanager
    async def follow_nothing() -> AsyncIterator[Callable[[float | None], Awaitable[bool]]]:
        async def wait(_seconds: float | None) -> bool:
            return await asyncio.Event().wait()

        yield wait

    async def still_open() -> bool:
        return True

    now = datetime.now(UTC)
    session = PageSession(
        id=new_id(),
        read_only=False,
        device="",
        created_at=now,
        seen_at=now,
        expires_at=now,
        revoked_at=None,
    )
    before = asyncio.all_tasks()
    pages = LivePages(follow_nothing, time_zone="")
    stream = pages.stream(Viewer(session=session, csrf=""), still_open, asyncio.Event())
    assert "here" in await anext(stream)
    waits = asyncio.ensure_future(anext(stream))
    await asyncio.wait({waits}, timeout=0.05)
    waits.cancel()
    await asyncio.wait({waits})
    await stream.aclose()
    left = {task for task in asyncio.all_tasks() - before if not task.cancelling()}
    assert left == set()
