"""The founder at the page in a real browser: with and without JavaScript, on a desk and on a phone."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, BrowserContext, Locator, Page, expect

from support.browser import PHONE, SCHEMES, WIDE, OpenPage, new_tab, serious_findings

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
# Read before a test's environment is emptied of what the machine has set.
_RENEWS_PICTURES = os.environ.get("FRASIER_RENEW_PICTURES") == "1"
_DEADLINE_S = 30

expect.set_options(timeout=_DEADLINE_S * 1000)


class Visit:
    """A browser at the page of one server. At its end nothing may have been reported or asked of anybody else."""

    def __init__(self, context: BrowserContext, base: str, first: OpenPage, *, scripted: bool) -> None:
        self.context = context
        self.base = base
        self.page = first.page
        self.scripted = scripted
        self._tabs = [first]
        self._expected: list[str] = []

    async def tab(self) -> Page:
        """Open another tab."""
        self._tabs.append(await new_tab(self.context))
        return self._tabs[-1].page

    async def go(self, path: str) -> None:
        await self.page.goto(self.base + path)

    def expects(self, message: str) -> None:
        """Expect a message of the console, such as that of an answer which refuses."""
        self._expected.append(message)

    async def expect_visible(self, locator: Locator) -> Locator:
        """Wait until the page shows an element: by itself, or without JavaScript by loading it again."""
        if self.scripted:
            await expect(locator.first).to_be_visible()
            return locator.first
        async with asyncio.timeout(_DEADLINE_S):
            while not await locator.count():
                await self.page.reload()
        return locator.first

    async def expect_notice(self, text: str, page: Page | None = None) -> None:
        """Wait for the answer to a form."""
        await expect((page or self.page).locator("#notice")).to_contain_text(text)

    async def check_looks(self, picture: str = "", page: Page | None = None) -> None:
        """Check the page in light and dark, wide and on a phone; with `picture` keep how it looks for the README."""
        page = page or self.page
        await page.wait_for_load_state()
        before = page.viewport_size or WIDE
        for size in (WIDE, PHONE):
            await page.set_viewport_size(size)  # type: ignore[arg-type]
            width = await page.evaluate("document.documentElement.scrollWidth")
            assert width <= size["width"], f"{page.url} is {width} px wide on {size['width']}"
            for scheme in SCHEMES if self.scripted else ():  # axe is a script
                await page.emulate_media(color_scheme=scheme)
                found = await serious_findings(page)
                assert found == [], f"{page.url}, {scheme}, {size['width']} px: {found}"
        await page.emulate_media(color_scheme="light")
        await page.set_viewport_size(before)
        if picture and _RENEWS_PICTURES and self.scripted:
            PICTURES.mkdir(exist_ok=True)
            await page.screenshot(path=PICTURES / f"{picture}.png", animations="disabled")

    def check(self) -> None:
        messages = [message for tab in self._tabs for message in tab.messages]
        for expected in self._expected:
            message = next((one for one in messages if expected in one), None)
            assert message is not None or not self.scripted, f"{expected} is not in {messages}"
            messages = [one for one in messages if one is not message]
        assert messages == [], messages
        foreign = [url for tab in self._tabs for url in tab.requests if not url.startswith(self.base)]
        assert foreign == [], foreign


@asynccontextmanager
async def visit(
    browser: Browser, link: str, *, scripted: bool = True, **options: Any
) -> AsyncIterator[Visit]:
    """Log in by a link in a browser of its own."""
    base = link.partition("/login")[0]
    context = await browser.new_context(
        **{"java_script_enabled": scripted, "reduced_motion": "reduce", "viewport": WIDE} | options
    )
    context.set_default_timeout(_DEADLINE_S * 1000)
    try:
        first = Visit(context, base, await new_tab(context), scripted=scripted)
        await first.page.goto(link)
        yield first
        first.check()
    finally:
        await context.close()
