"""Pages that list: people, costs, the log, the outbox; where nothing happened yet, and after a mission."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from frasier.overview import read_agents
from frasier.store.embedded import EmbeddedServer
from support.founder_page import logged_in
from support.organisation import DIRECTIVE, carry_out, organisation, write_documents

PAGES = (
    "/office",
    "/people",
    "/people/frasier",
    "/routines",
    "/skills/deep_research",
    "/costs",
    "/log",
    "/outbox",
)
HOSTILE = "<script>alert(1)</script>"


@pytest.mark.parametrize("address", PAGES)
async def test_a_page_is_shown_where_nothing_happened_yet(address: str, database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        page = await browser.get(address)
    assert page.status_code == 200, page.text


async def test_what_a_mission_did_is_on_every_list(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services:
        directive = f"{DIRECTIVE} {HOSTILE}"
        progress = await carry_out(services, write_documents(tmp_path / "d"), directive=directive)
        async with logged_in(services) as browser:
            for address in PAGES:
                assert HOSTILE not in (await browser.get(address)).text, address
            await browser.get("/people")
            for agent in await services.in_transaction(read_agents, active_only=True):
                shown = browser.element(f"agent-{agent.key}")
                assert agent.name in shown.text_content()
                assert (await browser.client.get(f"/people/{agent.key}")).status_code == 200
            accepted = browser.document.xpath("//td[@data-label='Accepted']")
            assert sum(int(cell.text_content() or 0) for cell in accepted) == sum(
                step.key != "plan" for step in progress.steps
            )
            await browser.get("/missions")
            assert browser.document.xpath("//tr[starts-with(@id, 'mission-row-')]/td[1]/text()") == ["Report"]
            await browser.get("/costs?period=today")
            assert f"/missions/{progress.mission_id}" in browser.page.text
            assert (await browser.get("/costs?period=tomorrow")).status_code == 422
            await browser.get("/log?kind=mission.delivered")
            kinds = browser.document.xpath("//tr[starts-with(@id, 'event-')]/th/code/text()")
            assert kinds == ["mission.delivered"]
            assert "publish" in (await browser.get("/outbox?sent=1")).text


async def test_an_agent_links_its_skills_and_a_skill_shows_its_method_and_who_has_it(
    database_url: str, tmp_path: Path
):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        await browser.get("/people/heron")
        links = browser.document.xpath("//section[@aria-labelledby='h-skills']//a/@href")
        assert "/skills/deep_research" in links
        await browser.get("/skills/deep_research")
        shown = " ".join(browser.element("skill-method").text_content().split())
        assert "follow each figure to its origin" in shown
        assert "Usual mistakes: " in shown
        assert "Version 1, in force" in shown
        assert "Heron: level 1 of 10" in shown
        assert (await browser.client.get("/skills/alchemy")).status_code == 404


async def test_the_log_is_verified_by_the_founder_alone(
    server: EmbeddedServer, database_name: str, database_url: str, tmp_path: Path
):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        await browser.get("/log")
        (form,) = [one for one in browser.document.forms if one.get("action") == "/log/verify"]
        refused = await browser.client.post("/log/verify", data={"page": "/log"})
        assert refused.status_code == 403
        assert (await browser.client.post("/log/verify", data=dict(form.fields))).status_code == 303
        assert "The log verifies" in (await browser.get("/log")).text
        with psycopg.connect(server.url("postgres", database_name)) as root:
            root.execute("set local session_replication_role = replica")  # no trigger stands in the way
            changed = root.execute("update events set actor = 'nobody' where kind = 'page.session_opened'")
            assert changed.rowcount
        wrong = await browser.client.post("/log/verify", data=dict(form.fields))
        assert wrong.status_code == 503
        assert "does not verify" in wrong.text
        async with logged_in(services, read_only=True, beside=browser) as reader:
            await reader.get("/log")
            assert not reader.document.xpath("//main//form[@method='post']")
            own = reader.document.xpath("//input[@name='csrf']")[0].get("value")
            assert (await reader.client.post("/log/verify", data={"csrf": own})).status_code == 403
