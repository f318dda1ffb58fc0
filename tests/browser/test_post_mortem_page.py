"""The page of a post-mortem in a browser: offline, without errors, readable on every screen and on paper."""

from __future__ import annotations

import io
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from support.browser import PHONE, SCHEMES, WIDE, opened_in_chromium
from support.cli import FrasierProgram
from support.figures import numbers_of
from support.organisation import carry_out, organisation


@pytest.fixture(params=["last", ""], ids=["a mission", "missions over time"])
async def page(
    request: pytest.FixtureRequest,
    frasier: FrasierProgram,
    database_url: str,
    documents: Path,
    tmp_path: Path,
) -> tuple[Path, dict[str, Any]]:
    """The page in a file, and the same figures as JSON."""
    async with organisation(database_url, tmp_path / "home") as services:
        await carry_out(services, documents)
    named = [request.param] if request.param else []
    file = tmp_path / "post-mortem.html"
    file.write_text(frasier("postmortem", *named, "--format", "html").out, encoding="utf-8")
    return file, frasier.json("postmortem", *named)


async def test_the_page_opens_offline_without_errors_and_fits_every_screen(
    page: tuple[Path, dict[str, Any]],
) -> None:
    file, _ = page
    async with opened_in_chromium(file, offline=True) as opened:
        assert opened.messages == []
        assert opened.requests == [file.as_uri()]
        for size in (WIDE, PHONE, {"width": 320, "height": 500}):
            await opened.page.set_viewport_size(size)
            for scheme in SCHEMES:
                await opened.page.emulate_media(color_scheme=scheme)
                assert await opened.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
                assert await opened.serious_findings() == [], (size, scheme)


async def test_every_bar_stands_beside_its_figure(page: tuple[Path, dict[str, Any]]) -> None:
    file, document = page
    known = set(numbers_of(document))
    async with opened_in_chromium(file, offline=True) as opened:
        bars = await opened.page.evaluate(
            "Array.from(document.querySelectorAll('tbody td.drawn')).map(cell => ["
            " Number(cell.dataset.value), cell.querySelector('.level').getBoundingClientRect().width,"
            " Array.from(cell.parentElement.cells).slice(1, -1).map(one => one.textContent).join(' ')])"
        )
    assert bars
    for value, width, text in bars:
        assert value in known or value == 0
        assert (width > 0) == (value > 0), text
        assert text.strip(), "a bar is not the only place of its figure"


async def test_the_printed_page_has_the_figures(page: tuple[Path, dict[str, Any]]) -> None:
    file, _ = page
    async with opened_in_chromium(file, offline=True) as opened:
        cells = await opened.page.locator("td").all_inner_texts()
        paper = PdfReader(io.BytesIO(await opened.page.pdf(format="A4")))
    text = "".join(sheet.extract_text() for sheet in paper.pages)
    # Letters that are printed as one, like fl, are one character of the PDF.
    printed = "".join(unicodedata.normalize("NFKC", text).split())
    missing = [cell for cell in cells if "".join(cell.split()) not in printed]
    assert len(cells) > 50
    assert missing == [], "what is shown is printed"
