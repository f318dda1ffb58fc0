"""The HTML file of a paper of 20,000 words in a browser."""

from __future__ import annotations

from pathlib import Path

from support.browser import opened_in_chromium
from support.long_paper import TOPICS, WORDS, PaperModel, outline_of
from support.model_server import ScriptedAnswer
from support.written_paper import write_paper


async def test_its_page_opens_without_errors_and_without_script_and_is_accessible(
    database_url: str, tmp_path: Path
) -> None:
    model = PaperModel(outline=lambda _: ScriptedAnswer.json(outline_of()))
    paper = await write_paper(database_url, tmp_path, model)
    page = paper.folder / "deliverable.html"
    async with opened_in_chromium(page) as opened:
        assert opened.messages == []
        assert opened.requests == [page.as_uri()]
        assert await opened.serious_findings() == []
    async with opened_in_chromium(page, java_script_enabled=False) as opened:
        headings = await opened.page.locator("article h2").all_inner_texts()
        assert [heading.removesuffix("#").strip() for heading in headings] == ["Summary", *TOPICS]
        shown = await opened.page.locator("article").inner_text()
        assert len(shown.split()) >= WORDS
        assert await opened.page.locator("article .cite > a").count() > 500
