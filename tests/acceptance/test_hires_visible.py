"""A hire, its persona, its cost and its reviews, on each way to look at them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.founder_page import Browser, logged_in
from support.model_responder import plan_of
from support.model_server import ScriptedAnswer
from support.organisation_api import open_organisation_api
from support.scripted_founder import ScriptedFounder, scripted_founder
from support.wanted_trade import REASON, TITLE, hired, plan_with_expert, run_mission

SOURCE = "The handbook of the trade"


def plan_whose_report_needs_the_trade() -> dict[str, Any]:
    plan = plan_of(2)
    # A colleague who is here judges its prose: nobody but the author has the trade.
    subject = "prose quality and documentation"
    plan["steps"][-1] |= {"expert": TITLE, "expert_reason": REASON, "subject": subject}
    return plan


@pytest.fixture
def founder(frasier: FrasierProgram) -> Iterator[ScriptedFounder]:
    with scripted_founder(
        frasier, plan=lambda _: ScriptedAnswer.json(plan_whose_report_needs_the_trade())
    ) as founder:
        yield founder


def text_of(browser: Browser, identity: str) -> str:
    return " ".join(browser.element(identity).text_content().split())


async def test_a_directive_that_needs_a_role_nobody_has_ends_delivered_with_the_hire_visible(
    founder: ScriptedFounder, database_url: str, tmp_path: Path
) -> None:
    assert run_mission(founder, tmp_path)["status"] == "delivered"
    agent = hired(founder)
    shown = founder.json("agents", "show", agent["key"])
    mission = founder.json("missions", "show", "last")
    hire = shown["hire"]
    assert (hire["state"], hire["reason"], hire["decided_by"]) == ("made", REASON, "the policy hiring")
    assert hire["why"] == "its defaults allow it"
    assert (hire["mission"], hire["mission_title"]) == (mission["mission"], mission["title"])
    assert hire["expected_usd"] > 0
    paid = founder.json("costs")
    (of_agent,) = [line for line in paid["by_agent"] if line["key"] == agent["name"]]
    assert hire["work_usd"] == of_agent["cost_usd"] > 0
    assert hire["writing_calls"] == len(founder.prompts("persona")) == 1
    (task,) = [step for step in mission["steps"] if step["key"] == f"hire-{agent['key']}"]
    assert hire["writing_usd"] == task["cost_usd"] > 0
    assert mission["hires"] == [hire]

    assert [(one["version"], one["why"]) for one in shown["personas"]] == [
        (2, "as researched for the hire"),
        (1, "as hired"),
    ]
    assert shown["personas"][0] == shown["persona"]
    assert shown["persona"]["sources"] == [SOURCE]

    (final,) = [step for step in mission["steps"] if step["agent"] == agent["name"]]
    received = {(one["reviewer"], one["state"]) for one in shown["reviews_received"]}
    assert received == {(one["by"], one["verdict"]) for one in final["reviews"]}
    assert len(received) >= 2
    for reviewer in (one["by"] for one in final["reviews"]):
        given = founder.json("agents", "show", reviewer)["reviews_given"]
        assert [(one["author"], one["title"]) for one in given] == [(agent["name"], final["title"])]

    drawn = founder("agents", "show", agent["key"]).out
    for words in (REASON, "hired by the policy hiring", "writing the persona $", SOURCE, "as hired"):
        assert words in drawn, words
    assert TITLE in founder("missions", "show", "last").out.partition("Hires")[2]

    async with open_organisation_api(database_url, tmp_path / "api") as api:
        assert (await api.call("agent_get", agent=agent["key"]))["agent"]["hire"] == hire
        assert (await api.call("mission_get"))["mission"]["hires"] == [hire]
        async with logged_in(api.services) as browser:
            await browser.get("/people")
            listed = text_of(browser, f"hire-{agent['key']}")
            assert REASON in listed
            assert mission["title"] in listed
            await browser.get(f"/people/{agent['key']}")
            about = text_of(browser, "person-hire")
            assert "hired by the policy hiring: its defaults allow it" in about
            assert "in 1 call" in about
            assert SOURCE in browser.page.text
            assert "as hired" in text_of(browser, "person-personas")
            assert all(one["by"] in text_of(browser, "person-reviewed") for one in final["reviews"])
            await browser.get(f"/people/{final['reviews'][0]['by'].lower()}")
            assert f"of {agent['name']}" in text_of(browser, "person-reviews-given")
            assert "One of the founding agents." in text_of(browser, "person-hire")
            await browser.get(f"/missions/{mission['mission']}")
            assert f"{agent['name']}, {TITLE}" in text_of(browser, "mission-plan")
            assert "Steps done2 of 2" in text_of(browser, "mission-head"), "a hire is no step"
            links = {link.get("href") for link in browser.document.xpath("//a[contains(@href, '/steps/')]")}
            assert {(await browser.get(link)).status_code for link in links} == {200}


async def test_a_hire_that_waits_for_the_founder_or_was_refused_is_visible(
    founder: ScriptedFounder, database_url: str, tmp_path: Path
) -> None:
    founder("policy", "set", "hiring", "automatic=false")
    run_mission(founder, tmp_path, code=5)
    key = hired(founder)["key"]
    waiting = founder.json("missions", "show", "last")["hires"][0]
    assert (waiting["state"], waiting["decided_by"]) == ("proposed", "")
    async with (
        open_organisation_api(database_url, tmp_path / "api") as api,
        logged_in(api.services) as browser,
    ):
        await browser.get("/people")
        assert "waits for the founder: the policy hiring asks" in text_of(browser, f"hire-{key}")
        (question,) = founder.json("inbox")["questions"]
        founder("decide", question["question"], "no", "--note", "Too dear")
        await browser.get("/people")
        assert "refused by founder" in text_of(browser, f"hire-{key}")
    assert founder.json("agents", "show", key)["hire"]["state"] == "refused"


def test_a_second_mission_that_finds_a_colleague_shows_no_hire_of_its_own(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    founder.answer(plan=lambda _: ScriptedAnswer.json(plan_with_expert()))
    run_mission(founder, tmp_path)
    founder("policy", "set", "hiring", "per_month=19", "--why", "Slower")
    run_mission(founder, tmp_path)
    assert founder.json("missions", "show", "last")["hires"] == []
    founder.answer(plan=lambda _: ScriptedAnswer.json(plan_with_expert("Customs broker")))
    run_mission(founder, tmp_path)
    (hire,) = founder.json("missions", "show", "last")["hires"]
    assert hire["why"] == "its version 1 allows it"
