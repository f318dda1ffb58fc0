"""The HTML file of a deliverable in a browser: accessible, without requests, with notes at the pointer and the keyboard."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from frasier.interfaces.deliverable_rendering.html_page import render_html
from support.browser import opened_in_chromium
from support.hot_drinks import publish_hot_drinks
from support.published import published


@pytest.fixture
async def folder(database_url: str, tmp_path: Path) -> Path:
    return await publish_hot_drinks(database_url, tmp_path)


async def test_the_page_opens_without_errors_or_requests_and_is_accessible(folder: Path) -> None:
    async with opened_in_chromium(folder / "deliverable.html") as opened:
        assert await opened.page.title() == "Hot drinks"
        assert opened.messages == []
        assert opened.requests == [(folder / "deliverable.html").as_uri()]
        for scheme in ("light", "dark"):
            await opened.page.emulate_media(color_scheme=scheme)
            for mark in (".doubt > a", ".cite > a"):
                await opened.page.locator(mark).first.focus()
                assert await opened.serious_findings() == [], f"{scheme}, with the note of {mark}"


async def test_marks_show_what_they_rest_on_at_the_pointer_and_at_the_keyboard_without_a_script(
    folder: Path,
) -> None:
    async with opened_in_chromium(folder / "deliverable.html", java_script_enabled=False) as opened:
        page = opened.page
        mark = page.locator("article .cite > a", has_text="[2]").nth(1)
        note = page.locator(f"#{await mark.get_attribute('aria-describedby')}")
        assert not await note.is_visible()
        await mark.focus()
        await note.wait_for(state="visible")
        assert "94 degrees for four minutes" in await note.inner_text()
        await page.keyboard.press("Tab")
        await note.wait_for(state="hidden")
        await mark.hover()
        await note.wait_for(state="visible")
        box = await note.bounding_box()
        assert box is not None
        await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        await page.mouse.move(box["x"] + 8, box["y"] + 8, steps=4)
        assert await note.is_visible(), "what is shown can be read with the pointer on it"

        doubt = page.locator("article .doubt > a", has_text="doubtful").first
        await doubt.focus()
        reasons = page.locator(f"#{await doubt.get_attribute('aria-describedby')}")
        await reasons.wait_for(state="visible")
        assert "61 degrees" in await reasons.inner_text()
        await doubt.click()
        assert page.url.endswith("#doubtful-1")


async def test_the_page_and_its_notes_fit_every_screen(folder: Path) -> None:
    async with opened_in_chromium(folder / "deliverable.html", reduced_motion="reduce") as opened:
        page = opened.page
        for width, height in ((320, 500), (800, 600), (1400, 900)):
            await page.set_viewport_size({"width": width, "height": height})
            assert await page.evaluate("document.documentElement.scrollWidth") <= width
            for mark in await page.locator("article .cite > a").all():
                await mark.focus()
                box = await page.locator(f"#{await mark.get_attribute('aria-describedby')}").bounding_box()
                assert box is not None
                assert min(box["x"], box["y"]) >= 0
                assert box["x"] + box["width"] <= width
                assert box["y"] + box["height"] <= height


async def test_the_printed_page_has_no_notes_and_names_where_links_lead(folder: Path) -> None:
    async with opened_in_chromium(folder / "deliverable.html") as opened:
        await opened.page.emulate_media(media="print")
        await opened.page.locator("article .cite > a").first.focus()
        assert await opened.page.locator(".note:visible").count() == 0
        after = 'getComputedStyle(document.querySelector(\'article a[href^="https"]\'), "::after").content'
        assert "https://example.org/prices" in await opened.page.evaluate(after)
        assert (await opened.page.pdf()).startswith(b"%PDF")


async def test_no_column_of_a_wide_table_is_cut_off_in_print(tmp_path: Path) -> None:
    names = [f"Property{at}" for at in range(14)]
    rule = "|---" * len(names) + "|"
    row = "| " + " | ".join(f"Value of {name}" for name in names) + " |"
    page = tmp_path / "wide.html"
    page.write_text(render_html(published("\n".join([f"| {' | '.join(names)} |", rule, row]))), "utf-8")
    async with opened_in_chromium(page) as opened:
        printed = PdfReader(BytesIO(await opened.page.pdf(prefer_css_page_size=True)))
    across = [one for one in printed.pages if one.mediabox.width > one.mediabox.height]
    text = "".join("".join(one.extract_text().split()) for one in across)
    assert all(f"Valueof{name}" in text for name in names)
