"""The DOM of a page that stayed open, with the patches of random events, equals that of a page loaded now."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.async_api import Browser, Page

from support.cli import FrasierProgram
from support.founder_visit import visit
from support.organisation import organisation, write_documents
from support.page_happenings import Happenings
from support.page_servers import serving

_DEADLINE_S = 30

# Without what tells pages from each other, and with what a reader sees: whether details are open, what was typed.
_SHOWN = """
() => {
  const copy = document.documentElement.cloneNode(true);
  copy.querySelector("body").removeAttribute("data-sequence");
  const link = copy.querySelector("#link");
  link.removeAttribute("hidden");
  link.textContent = "";
  return copy.outerHTML;
}
"""


async def _follows(kept: Page, fresh: Page, address: str) -> None:
    """Wait until the page that stayed open shows what one that is loaded now shows."""
    try:
        async with asyncio.timeout(_DEADLINE_S):
            while True:
                await fresh.goto(address)
                if await fresh.evaluate(_SHOWN) == await kept.evaluate(_SHOWN):
                    return
    except TimeoutError:
        assert await kept.evaluate(_SHOWN) == await fresh.evaluate(_SHOWN)


@pytest.mark.parametrize(
    ("path", "seed"), [("/", 1), ("/missions", 2), ("/", 3), ("/missions?status=open", 4)]
)
async def test_the_patches_of_random_events_give_the_document_that_reloading_gives(
    path: str, seed: int, chromium: Browser, frasier: FrasierProgram, database_url: str, tmp_path: Path
):
    folder = write_documents(tmp_path / "d")
    async with organisation(database_url, tmp_path / "h") as services:
        happenings = Happenings(services, folder, seed)
        with serving(frasier, "serve") as link:
            async with visit(chromium, link) as founder:
                await founder.go(path)
                fresh = await founder.tab()
                for _ in range(8):
                    await happenings.happen()
                    await _follows(founder.page, fresh, founder.base + path)


async def test_the_tab_that_listens_says_which_tabs_there_are(
    chromium: Browser, frasier: FrasierProgram, database_url: str, tmp_path: Path
):
    """A tab that breaks off cannot say that it leaves; the next one that listens does not name it."""
    asked: list[list[str]] = []
    async with organisation(database_url, tmp_path / "h"):
        with serving(frasier, "serve") as link:
            async with visit(chromium, link) as founder:
                context = founder.page.context
                context.on(
                    "request",
                    lambda one: (
                        asked.append(parse_qs(urlsplit(one.url).query)["tabs"][0].split(","))
                        if urlsplit(one.url).path == "/live"
                        else None
                    ),
                )
                await founder.go("/costs")
                second = await founder.tab()
                await second.goto(founder.base + "/log")
                third = await founder.tab()
                await third.goto(founder.base + "/")
                await founder.page.close()
                async with asyncio.timeout(_DEADLINE_S):
                    while [len(names) for names in asked[-2:]] != [1, 2]:
                        await second.wait_for_timeout(50)
