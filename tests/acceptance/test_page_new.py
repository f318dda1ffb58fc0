"""A directive with its documents is given on the page, and becomes a mission."""

from __future__ import annotations

from pathlib import Path

import pytest

from frasier.interfaces.web import form as form_limits
from frasier.org.missions import MissionStatus, get_mission
from frasier.overview import read_mission, read_missions
from support.founder_page import Browser, logged_in
from support.organisation import DIRECTIVE, DOCUMENTS, organisation, wait_until_settled


async def start(browser: Browser, *files: tuple[str, bytes], **fields: str):
    await browser.get("/new")
    action, hidden = browser.fields("new-form")
    documents = [("documents", (name, content)) for name, content in files]
    return await browser.client.post(
        action,
        data=hidden | fields,
        files=documents or [("documents", ("", b""))],
        headers={"sec-fetch-site": "same-origin"},
    )


async def test_two_files_become_a_deliverable(database_url: str, tmp_path: Path):
    files = [(name, text.encode()) for name, text in list(DOCUMENTS.items())[:2]]
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        answer = await start(
            browser,
            *files,
            directive=DIRECTIVE,
            kind="comparison",
            budget="1,50",
            questions="1",
            plan="1",
            with_earlier="1",
        )
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        (mission,) = await services.in_transaction(read_missions, limit=5)
        assert (mission.kind, mission.budget_usd) == ("comparison", 1.5)
        assert (await services.in_transaction(get_mission, mission.mission)).with_earlier
        assert "nobody is at work" in (await browser.get("/")).text
        async with services.running():
            assert (await wait_until_settled(services, mission.mission)).waits_for_founder
        await browser.get("/")
        (card,) = browser.document.xpath("//*[@id='now-waiting']//li[contains(@class, 'card')]/@id")
        await browser.send(card, answer="yes")
        async with services.running():
            done = await wait_until_settled(services, mission.mission)
        assert done.status is MissionStatus.DELIVERED
        page = await services.in_transaction(read_mission, str(mission.mission))
        assert {source.title for source in page.sources} == {"Tea", "Coffee"}
        assert all("/tmp" not in source.uri for source in page.sources), page.sources


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"directive": ""}, "directive"),
        ({"budget": "much"}, "The budget is not an amount"),
        ({"budget": "-1"}, "The budget is not an amount"),
        ({"kind": "poem"}, "kind"),
    ],
)
async def test_what_cannot_be_started_is_refused_and_what_was_typed_is_kept(
    fields: dict[str, str], told: str, database_url: str, tmp_path: Path
):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        asked = {"directive": "Compare the drinks", "budget": "3"} | fields
        answer = await start(browser, ("tea.md", DOCUMENTS["tea.md"].encode()), **asked)
        assert answer.status_code == 422
        assert told in answer.text
        browser.page = answer
        assert (browser.document.xpath("//textarea[@name='directive']")[0].text or "").strip() == asked[
            "directive"
        ]
        assert browser.document.xpath("//input[@name='budget']/@value") == [asked["budget"]]
        assert await services.in_transaction(read_missions, limit=5) == ()


async def test_files_are_bounded_and_named_safely(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(form_limits, "FILE_BYTES_MAX", 2_000)
    tea = DOCUMENTS["tea.md"].encode()
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        large = await start(browser, ("large.md", b"x" * 3_000), directive=DIRECTIVE)
        assert large.status_code == 422
        assert "large.md is larger" in large.text
        twice = await start(browser, ("a/tea.md", tea), ("b/tea.md", tea), directive=DIRECTIVE)
        assert "Two of the files are called tea.md" in twice.text
        outside = await start(browser, ("../../../outside.md", tea), directive=DIRECTIVE)
        assert outside.status_code == 303
        assert not (tmp_path / "outside.md").exists()
        long = await start(browser, ("文" * 149 + ".md", tea), ("é" * 300 + ".md", tea), directive="")
        assert long.status_code == 422
        monkeypatch.setattr(form_limits, "FORM_BYTES_MAX", 100)
        whole = await start(browser, ("tea.md", tea), directive=DIRECTIVE)
        assert whole.status_code == 422
        (mission,) = await services.in_transaction(read_missions, limit=5)
        page = await services.in_transaction(read_mission, str(mission.mission))
        assert [source.title for source in page.sources] == ["Tea"]


async def test_a_refused_form_keeps_its_choices_and_leads_nowhere_else(database_url: str, tmp_path: Path):
    tea = ("tea.md", DOCUMENTS["tea.md"].encode())
    picture = ("logo.png", b"\x89PNG\r\n\x1a\n" + bytes(100))
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        await browser.get("/new")
        assert choices(browser) == {"plan", "questions"}
        assert "Choose the documents again" not in browser.page.text
        asked = {"directive": DIRECTIVE, "kind": "data", "questions": "1", "with_earlier": "1"}
        browser.page = await start(browser, tea, picture, **asked)
        assert browser.page.status_code == 422
        assert "logo.png: The file is a PNG image" in browser.page.text
        links = browser.document.xpath("//*[@id='notice']//a/@href")
        assert links == [], "a link to the same form would empty it"
        assert choices(browser) == {"questions", "with_earlier"}
        assert browser.document.xpath("//select[@name='kind']/option[@selected]/@value") == ["data"]
        assert "Choose the documents again" in browser.page.text
        accepted = await start(browser, tea, picture, **asked, skip_unreadable="1")
        assert accepted.status_code == 303
        (mission,) = await services.in_transaction(read_missions, limit=5)
        page = await services.in_transaction(read_mission, str(mission.mission))
        assert [source.title for source in page.sources] == ["Tea"]


def choices(browser: Browser) -> set[str]:
    return set(browser.document.xpath("//input[@type='checkbox'][@checked]/@name"))
