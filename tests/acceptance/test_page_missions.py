"""A mission that failed and asks the founder, or whose result is degraded, is shown so wherever the page shows it."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

from frasier.llm import LlmSettings, Purpose
from frasier.llm.settings import ModelPrice
from frasier.org.missions import MissionStatus, get_mission
from support.founder_page import Browser, logged_in
from support.model_responder import CompetentModel
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import (
    DIRECTIVE,
    RehearsalWithAnswers,
    carry_out,
    organisation,
    write_documents,
)

INVENTED = "# Drinks\n\n" + "Tea is brewed at exactly 71 degrees according to the standard. [99]\n" * 4
REJECTED = {
    **dict.fromkeys(("relevance", "depth", "actionability", "accuracy", "executive_quality"), 1),
    "verdict": "reject",
    "feedback": "The citation is invented.",
    "passages": [{"quotation": "Tea is brewed at exactly 71 degrees", "remark": "invented"}],
    "changes": "Nothing.",
}


def text_of(browser: Browser, identity: str) -> str:
    return " ".join(" ".join(browser.element(identity).itertext()).split())


def filters_of(browser: Browser) -> dict[str, str]:
    links = browser.document.xpath("//nav[@aria-label='Filter']/a")
    return dict(tuple(" ".join(link.text_content().split()).split()) for link in links)


async def test_a_mission_whose_step_was_rejected_thrice_waits_until_it_is_answered(
    database_url: str, tmp_path: Path
):
    answers = dict.fromkeys((Purpose.SYNTHESIZE, Purpose.REVISE), INVENTED)
    careless = RehearsalWithAnswers({**answers, Purpose.REVIEW: json.dumps(REJECTED)})
    async with organisation(database_url, tmp_path / "h", provider=careless) as services:
        progress = await carry_out(services, write_documents(tmp_path / "d"), directive=DIRECTIVE)
        assert progress.status is MissionStatus.FAILED
        mission, questions = progress.mission_id, progress.waiting
        assert all("fail" in one.options for one in questions)
        row = f"mission-row-{mission}"
        async with logged_in(services) as browser:
            await browser.get("/")
            assert "waits for you" in text_of(browser, f"running-{mission}")
            assert "Open missions 1" in text_of(browser, "now-summary")
            told = text_of(browser, "now-waiting").count("The citation is invented.")
            assert told == len(questions), "two reviewers say the same"
            assert "The citation is invented." not in text_of(browser, "now-running"), "it stands above"
            assert "Nothing was delivered yet." in text_of(browser, "now-latest")
            for address in ("/missions", "/missions?status=open"):
                await browser.get(address)
                assert "waits for you" in text_of(browser, row), address
            assert filters_of(browser) == {
                "All": "1",
                "Open": "1",
                "Delivered": "0",
                "Failed": "0",
                "Cancelled": "0",
            }
            assert "No mission is here." in (await browser.get("/missions?status=failed")).text
            await browser.get(f"/missions/{mission}")
            assert "waits for you" in text_of(browser, "mission-head")
            await browser.get("/")
            sent = await browser.send(f"question-{questions[0].question}", answer="fail")
            assert sent.status_code == 303, sent.text
            await browser.get("/")
            assert "No mission is open." in text_of(browser, "now-running")
            ended = (await services.in_transaction(get_mission, mission)).updated_at
            (shown,) = browser.element("now-latest").xpath(".//li//time/@datetime")
            assert shown == f"{ended:%Y-%m-%dT%H:%M:%SZ}"
            await browser.get("/missions?status=failed")
            assert "failed" in text_of(browser, row)
            assert filters_of(browser)["Open"] == "0"


async def test_results_for_which_a_withdrawn_model_was_asked_are_marked_with_what_stood_in(
    database_url: str, tmp_path: Path
):
    withdrawn, able = ScriptedAnswer.error(404, "The model m2 was withdrawn."), CompetentModel()
    with ModelServer(lambda body: withdrawn if body["model"] == "m2" else able(body)) as server:
        price = ModelPrice(input=Decimal(1), output=Decimal(1))
        models = {f"t{tier}_model": f"m{tier}" for tier in (1, 2, 3)}
        llm = LlmSettings(base_url=server.base_url, prices=dict.fromkeys(models.values(), price), **models)
        async with organisation(database_url, tmp_path / "h", llm=llm) as services:
            progress = await carry_out(services, write_documents(tmp_path / "d"))
            assert progress.status is MissionStatus.DELIVERED
            async with logged_in(services) as browser:
                assert "degraded" in text_of(browser, "now-latest")
                await browser.get("/missions")
                assert "delivered degraded" in text_of(browser, f"mission-row-{progress.mission_id}").lower()
                await browser.get(f"/missions/{progress.mission_id}")
                head = text_of(browser, "mission-head")
    assert "Degraded: m1 stood in for a better model in 'Read part 1', 'Read part 2'" in head
    assert "The model m2 was withdrawn." in head
