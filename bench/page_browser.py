"""Chromium with the founder's page: first paint, how fast changes arrive, and the streams of many tabs."""

from __future__ import annotations

import asyncio
import importlib.util
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from uuid import UUID

from bench.page_server import PageServer

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page

# The policy of the page refuses what would evaluate strings, so these are functions whose promises are awaited.
_FIRST_PAINT = """
() => new Promise((done) => new PerformanceObserver((list) => {
  const paint = list.getEntriesByName("first-contentful-paint")[0];
  if (paint) done(paint.startTime);
}).observe({type: "paint", buffered: true}))
"""
# Keeps the moment at which each question appears, in seconds of the wall clock.
_NOTE_QUESTIONS = """
() => {
  window.cameAt = {};
  window.awaited = [];
  const note = () => {
    const now = (performance.timeOrigin + performance.now()) / 1000;
    for (const card of document.querySelectorAll("[id^=question-]")) window.cameAt[card.id] ??= now;
    for (const look of window.awaited) look();
  };
  note();
  new MutationObserver(note).observe(document.body, {childList: true, subtree: true});
}
"""
_ARRIVALS = """
(keys) => new Promise((done) => {
  const look = () => {
    if (keys.every((key) => key in window.cameAt)) done(keys.map((key) => window.cameAt[key]));
  };
  window.awaited.push(look);
  look();
})
"""


def find_chromium() -> str | None:
    """Return Debian's Chromium, if it and what drives it are installed."""
    return shutil.which("chromium") if importlib.util.find_spec("playwright") else None


@asynccontextmanager
async def browser_at(server: PageServer) -> AsyncIterator[BrowserContext]:
    """Start Chromium with the session of the server's client."""
    from playwright.async_api import async_playwright  # noqa: PLC0415  not installed by `make bench`

    name, _, value = server.cookie.partition("=")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        context = await browser.new_context()
        cookie: Any = {"name": name, "value": value, "url": f"http://{server.host}"}
        await context.add_cookies([cookie])
        yield context
        await browser.close()


async def first_paints(context: BrowserContext, server: PageServer, address: str, loads: int) -> list[float]:
    """Return the milliseconds from the navigation to the first contentful paint, in tabs of their own."""
    paints = []
    for _ in range(loads):
        page = await context.new_page()
        await page.goto(f"http://{server.host}{address}")
        paints.append(float(await page.evaluate(_FIRST_PAINT)))
        await page.close()
    return paints


async def open_now(context: BrowserContext, server: PageServer) -> Page:
    """Open the page Now, and note when questions appear on it."""
    page = await context.new_page()
    await page.goto(f"http://{server.host}/")
    await page.evaluate(_NOTE_QUESTIONS)
    # Once it shows a question that was asked meanwhile it listens.
    await _arrivals(page, (await server.ask())[0])
    return page


async def ms_until_shown(page: Page, server: PageServer, count: int) -> float:
    """Ask questions at once; return the milliseconds from the commit until the page shows the last of them."""
    asked, committed_at = await server.ask(count)
    return (max(await _arrivals(page, asked)) - committed_at) * 1_000


async def _arrivals(page: Page, questions: list[UUID]) -> list[float]:
    keys = [f"question-{question}" for question in questions]
    return list(await page.evaluate(_ARRIVALS, keys))


async def streams_of_tabs(context: BrowserContext, server: PageServer, tabs: int) -> int:
    """Open tabs that all follow an event; return how many streams they have open in all."""
    streams: set[Any] = set()
    context.on("request", lambda one: streams.add(one) if urlsplit(one.url).path == "/live" else None)
    for ended in ("requestfinished", "requestfailed"):
        context.on(ended, lambda one: streams.discard(one))  # noqa: PLW0108  playwright marks what it is given
    pages = [await open_now(context, server) for _ in range(tabs)]
    asked, _ = await server.ask()
    await asyncio.gather(*(_arrivals(page, asked) for page in pages))
    count = len(streams)
    for (
        page
    ) in pages:  # the next tab takes over the stream of one that closes, of whose end nobody is told any more
        await page.close()
    return count
