"""Policies on the founder's page: rules in words, versions, and a form that changes only what was looked at."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from frasier.interfaces.services import Services
from frasier.org.governance import HiringRules, read_policy, set_policy
from frasier.workflow import FOUNDER
from support.cli import FrasierProgram
from support.founder_page import BASE, Browser, logged_in
from support.model_server import ScriptedAnswer
from support.organisation import organisation
from support.scripted_founder import scripted_founder
from support.wanted_trade import hired, plan_with_expert, run_mission

PLACE = "policy-hiring"


@pytest.fixture
async def services(database_url: str, tmp_path: Path) -> AsyncIterator[Services]:
    async with organisation(database_url, tmp_path / "h") as services:
        yield services


@pytest.fixture
async def browser(services: Services) -> AsyncIterator[Browser]:
    async with logged_in(services) as browser:
        await browser.get("/policies")
        yield browser


def cells(browser: Browser, rule: str) -> tuple[str, str, str]:
    """Return value, default and meaning of a rule."""
    (row,) = browser.element(PLACE).xpath(f".//tr[th='{rule}']")
    return tuple(cell.text_content() for cell in row.xpath("td"))


def typed(browser: Browser) -> dict[str, str]:
    """Return the fields of the form as they stand."""
    (form,) = browser.element(PLACE).xpath(".//form")
    return {name: value for name, value in form.form_values() if name not in {"csrf", "page"}}


async def sends(browser: Browser, **changes: str) -> int:
    """Send the form as it stands, with changes of rules and of the reason; show the answer."""
    fields = {f"rule.{name}" if name != "why" else name: text for name, text in changes.items()}
    browser.page = await browser.send(PLACE, **typed(browser) | fields)
    return browser.page.status_code


async def test_each_rule_stands_there_with_its_value_its_default_and_its_meaning(browser: Browser):
    fields = HiringRules.model_fields
    assert cells(browser, "per month") == ("20", "20", fields["per_month"].description)
    assert cells(browser, "automatic")[:2] == ("yes", "yes")
    assert "These are the defaults" in browser.element(PLACE).text_content()
    await browser.get("/settings")
    assert browser.document.xpath("//main//a[@href='/policies']")


async def test_a_policy_is_set_with_its_reason_and_its_versions_are_shown(browser: Browser):
    assert await sends(browser, per_month="5", automatic="no", why="A small house") == 303
    await browser.get("/policies")
    assert cells(browser, "per month")[0] == "5"
    assert cells(browser, "automatic")[0] == "no"
    text = " ".join(browser.element(PLACE).text_content().split())
    assert "Version 1, set by founder" in text
    assert "automatic yes → no, per_month 20 → 5: A small house" in text


async def test_a_form_that_another_change_overtook_is_refused_and_shows_the_version_in_force(
    services: Services, browser: Browser
):
    await services.in_transaction(set_policy, "hiring", {"per_month": 7}, actor=FOUNDER, why="Fewer")
    assert await sends(browser, per_mission="1") == 409
    shown = " ".join(browser.element("notice").text_content().split())
    assert "version 1 is in force" in shown
    assert "Nothing was changed." in shown
    assert cells(browser, "per month")[0] == "7"
    form = typed(browser)
    assert (form["version"], form["rule.per_month"], form["rule.per_mission"]) == ("1", "7", "3")
    assert await sends(browser, per_mission="1") == 303
    policy = await services.in_transaction(read_policy, "hiring")
    assert policy.version == 2
    assert policy.rules == HiringRules(per_month=7, per_mission=1)


async def test_a_value_that_no_rule_can_have_is_refused_and_stays_in_the_form(
    services: Services, browser: Browser
):
    assert await sends(browser, per_month="many", why="More") == 422
    assert "per_month" in browser.element("notice").text_content()
    form = typed(browser)
    assert (form["rule.per_month"], form["why"].strip(), form["version"]) == ("many", "More", "0")
    assert (await services.in_transaction(read_policy, "hiring")).version == 0


async def test_a_form_without_the_version_it_was_made_of_changes_nothing(
    services: Services, browser: Browser
):
    (form,) = browser.element(PLACE).xpath(".//form")
    fields = dict(form.form_values()) | {"rule.per_month": "1"}
    del fields["version"]
    answer = await browser.client.post(
        "/policies/hiring", data=fields, headers={"origin": BASE, "sec-fetch-site": "same-origin"}
    )
    assert answer.status_code == 422
    assert (await services.in_transaction(read_policy, "hiring")).version == 0


async def test_who_may_only_look_sees_no_form_and_sets_nothing(services: Services, browser: Browser):
    async with logged_in(services, read_only=True, beside=browser) as reader:
        await reader.get("/policies")
        assert cells(reader, "per month")[0] == "20"
        assert not reader.document.xpath("//main//form[@method='post']")
        csrf = reader.document.xpath("//input[@name='csrf']/@value")[0]
        refused = await reader.client.post(
            "/policies/hiring",
            data={"csrf": csrf, "version": "0", "rule.per_month": "1"},
            headers={"origin": BASE, "sec-fetch-site": "same-origin"},
        )
        assert refused.status_code == 403
    assert (await services.in_transaction(read_policy, "hiring")).version == 0


async def test_what_the_page_sets_decides_the_next_hire(
    frasier: FrasierProgram, browser: Browser, tmp_path: Path
):
    assert await sends(browser, automatic="no") == 303
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(plan_with_expert())) as founder:
        run_mission(founder, tmp_path, code=5)
        assert hired(founder)["status"] == "proposed"
