"""Debian's Chromium, as far as it is installed: pages with what they asked for and reported, and what axe finds."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from support.programs import needs_program

SCHEMES = ("light", "dark")
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Start Chromium; skip the test where it is not installed."""
    program = needs_program("chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        await browser.close()


async def serious_findings(page: Page) -> list[str]:
    """Return what axe calls serious or critical."""
    found = (await Axe().run(page)).response
    assert found["passes"], "axe checked nothing"
    return [
        f"{one['id']}: {node['html'][:200]}"
        for one in found["violations"]
        if one["impact"] in {"serious", "critical"}
        for node in one["nodes"]
    ]


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page that was opened. `messages` are those of its console, `requests` the addresses that it asked for."""

    page: Page
    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    async def serious_findings(self) -> list[str]:
        return await serious_findings(self.page)


async def new_tab(context: BrowserContext) -> OpenPage:
    """Open an empty tab that keeps what its pages report."""
    opened = OpenPage(await context.new_page())
    opened.page.on("console", lambda message: opened.messages.append(message.text))
    opened.page.on("pageerror", lambda error: opened.messages.append(str(error)))
    opened.page.on("request", lambda request: opened.requests.append(request.url))
    return opened


@asynccontextmanager
async def opened_in_chromium(path: Path, **context: Any) -> AsyncIterator[OpenPage]:
    """Open a file; `context` are options of the browser, such as color_scheme and java_script_enabled."""
    async with chromium() as browser:
        opened = await new_tab(await browser.new_context(**context))
        await opened.page.goto(path.as_uri())
        yield opened
