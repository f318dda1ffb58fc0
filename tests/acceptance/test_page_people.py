"""The page of an agent: the versions of its persona with what differs, and the trials that decided about them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from frasier.org.improvement import propose_trial, upskill_by_founder
from frasier.org.people import find_agent, persona_of
from frasier.org.staffing import Trial
from frasier.overview import read_hires
from frasier.store import Tx
from support.founder_page import BASE, logged_in
from support.organisation import organisation

HOSTILE = "<script>alert(1)</script>"


async def propose(tx: Tx) -> Trial:
    """Propose a trial of a version that says one more thing, as an upskilling does."""
    trial = await upskill_by_founder(tx, "heron", why="Prices are missing.")
    agent = await find_agent(tx, "heron")
    now = await persona_of(tx, agent.id)
    revised = replace(now, method=f"{now.method} You state each price with its date. {HOSTILE}")
    await propose_trial(
        tx,
        trial,
        revised,
        hypothesis="Fewer rejections for missing prices.",
        author=agent,
        pair_usd_micros=10_000,
    )
    return trial


async def test_an_agents_page_shows_versions_differences_and_trials(
    database_url: str, tmp_path: Path
) -> None:
    async with organisation(database_url, tmp_path / "h") as services:
        await services.in_transaction(propose)
        async with logged_in(services) as browser:
            page = await browser.get("/people/heron")
            trials = browser.element("person-trials").text_content()
            personas = browser.element("person-personas").text_content()
    assert HOSTILE not in page.text
    assert "Fewer rejections for missing prices." in trials
    assert "0 of at most 40" in trials
    assert "cap $2.00" in trials
    assert "What version 2 changed" in personas
    assert "You state each price with its date." in personas


async def test_a_colleague_is_hired_and_a_title_that_is_none_is_kept(
    database_url: str, tmp_path: Path
) -> None:
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        await browser.get("/people")
        browser.page = await browser.send(
            "people-hire", title="x", role="growth", reason="For the tax return."
        )
        assert browser.page.status_code == 422
        assert browser.element("hire-title").get("value") == "x"
        assert browser.element("hire-reason").text_content().strip() == "For the tax return."
        assert browser.element("hire-role").xpath(".//option[@selected]/text()") == ["growth"]
        hired = await browser.send(
            "people-hire", title="Tax advisor for German SMEs", role="strategy", reason=""
        )
        assert hired.status_code == 303, hired.text
        await browser.get("/people")
        assert "is hired as Tax advisor for German SMEs" in browser.element("notice").text_content()
        assert "Tax advisor for German SMEs" in browser.element("people-hires").text_content()
        assert "Tax advisor for German SMEs" in browser.element("people-roster").text_content()
        await browser.send("people-hire", title="Tax advisor for German SMEs", role="strategy", reason="")
        await browser.get("/people")
        assert "has that trade already" in browser.element("notice").text_content()


async def test_an_observer_hires_nobody(database_url: str, tmp_path: Path) -> None:
    async with organisation(database_url, tmp_path / "h") as services:
        async with logged_in(services, read_only=True) as reader:
            await reader.get("/people")
            assert reader.document.xpath("//main//form[@method='post']") == []
            (csrf,) = reader.document.xpath("//footer//input[@name='csrf']/@value")
            headers = {"origin": BASE, "sec-fetch-site": "same-origin"}
            form = {"csrf": csrf, "title": "Tax advisor", "role": "strategy"}
            assert (await reader.client.post("/people", data=form, headers=headers)).status_code == 403
        assert await services.in_transaction(read_hires, limit=5) == ()
