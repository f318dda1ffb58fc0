"""Chromium, as far as it is installed, with what a page asked for and reported."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, async_playwright

from support.programs import needs_program


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page that was opened. `messages` are those of its console, `requests` the addresses that it asked for."""

    page: Page
    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    async def serious_findings(self) -> list[str]:
        """Return what axe calls serious or critical."""
        found = (await Axe().run(self.page)).response
        assert found["passes"], "axe checked nothing"
        return [
            f"{one['id']}: {node['html'][:200]}"
            for one in found["violations"]
            if one["impact"] in {"serious", "critical"}
            for node in one["nodes"]
        ]


@asynccontextmanager
async def opened_in_chromium(path: Path, **context: Any) -> AsyncIterator[OpenPage]:
    """Open a file; `context` are options of the browser, such as color_scheme and java_script_enabled."""
    chromium = needs_program("chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = await (await browser.new_context(**context)).new_page()
        opened = OpenPage(page)
        page.on("console", lambda message: opened.messages.append(message.text))
        page.on("pageerror", lambda error: opened.messages.append(str(error)))
        page.on("request", lambda request: opened.requests.append(request.url))
        await page.goto(path.as_uri())
        yield opened
        await browser.close()
