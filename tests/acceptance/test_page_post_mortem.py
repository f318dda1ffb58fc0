"""The post-mortem on the founder's page: reached from the mission, with every figure, and as files to keep."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import html

from frasier.interfaces.post_mortem_rendering import report_of
from frasier.interfaces.services import Services
from frasier.overview import read_post_mortem
from support.cli_states import planned_mission
from support.founder_page import Browser, logged_in
from support.organisation import DOCUMENTS, carry_out, organisation, write_documents


@pytest.fixture
async def services(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "home") as services:
        yield services


@pytest.fixture
async def browser(services: Services):
    async with logged_in(services) as browser:
        yield browser


def links_of(browser: Browser, identity: str) -> dict[str, str]:
    return {
        link.text_content().strip(): link.get("href")
        for link in browser.element(identity).xpath(".//a[@href]")
    }


async def test_the_page_of_a_mission_leads_to_its_post_mortem(
    services: Services, browser: Browser, tmp_path: Path
) -> None:
    progress = await carry_out(services, write_documents(tmp_path / "docs", {"tea.md": DOCUMENTS["tea.md"]}))
    await browser.get(f"/missions/{progress.mission_id}")
    page = await browser.get(links_of(browser, "mission-head")["Post-mortem"])
    assert page.status_code == 200, page.text
    report = report_of(await services.in_transaction(read_post_mortem, "last"))
    assert "Stored at" in report.state
    shown = [cell.text_content() for cell in browser.element("post-mortem").xpath(".//td | .//th")]
    for section in report.sections:
        for row in section.rows:
            assert set(row) <= set(shown)
    files = links_of(browser, "post-mortem")
    saved = await browser.get(files["As a page"])
    assert saved.headers["content-type"] == "text/html; charset=utf-8"
    assert [one.text for one in html.document_fromstring(saved.text).xpath("//h1")] == [report.title]
    assert (await browser.get(files["As Markdown"])).text.startswith(f"# {report.title}")
    nothing = await browser.get(f"/missions/{progress.mission_id}/post-mortem/figures.exe")
    assert nothing.status_code == 404


async def test_a_mission_that_goes_on_has_no_link_to_a_post_mortem(
    services: Services, browser: Browser, tmp_path: Path
) -> None:
    planned = await services.in_transaction(planned_mission, tmp_path)
    await browser.get(f"/missions/{planned.mission.id}")
    assert "Post-mortem" not in links_of(browser, "mission-head")
