"""A mission that failed and asks the founder is shown as waiting, on the page Now, in lists and on its own page."""

from __future__ import annotations

import json
from pathlib import Path

from frasier.llm import Purpose
from frasier.org.planning import MissionStatus, get_mission
from support.founder_page import Browser, logged_in
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
