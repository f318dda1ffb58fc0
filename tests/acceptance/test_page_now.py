"""What waits for the founder is answered on the page Now: once, for what was shown, with and without JavaScript."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from frasier.interfaces.services import Services
from frasier.kernel.advice import Advice
from frasier.llm import spend_of_mission
from frasier.org.execution import block_for_founder
from frasier.org.governance import open_questions
from frasier.org.missions import MissionStatus, get_mission
from frasier.overview import MissionProgress
from frasier.work import Directive
from frasier.workflow import FOUNDER, tasks_of
from support.database_clock import offset_clock
from support.founder_page import Browser, logged_in
from support.organisation import DIRECTIVE, organisation, wait_until_settled, write_documents
from support.page_questions import ask, is_open


async def planned(services: Services, folder: Path) -> MissionProgress:
    """Start a mission whose plan waits for the founder."""
    asked = Directive(
        text=DIRECTIVE, destination=services.home / "out", sources=(write_documents(folder),), asks_plan=True
    )
    started = await services.take_directive(asked)
    async with services.running():
        return await wait_until_settled(services, started.mission.id)


async def status_of(services: Services, progress: MissionProgress) -> MissionStatus:
    return (await services.in_transaction(get_mission, progress.mission_id)).status


def plan_card(browser: Browser) -> str:
    (card,) = browser.document.xpath("//*[@id='now-waiting']//li[contains(@class, 'card')]/@id")
    return str(card)


async def test_an_answer_is_given_once_and_its_effect_is_told(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        question = await ask(services)
        await browser.get("/")
        assert "(1) Now" in browser.document.findtext(".//title")
        form = browser.fields(f"question-{question}")
        answer = await browser.send(f"question-{question}", answer="yes", note="go")
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        page = await browser.get("/")
        assert "The answer is recorded." in page.text
        assert "Nothing waits for you." in page.text
        assert "The answer is recorded." not in (await browser.get("/")).text
        again = await browser.client.post(form[0], data=form[1] | {"answer": "no"})
        assert again.status_code == 409
        assert "an answer is used once" in again.text
        assert "Nothing waits for you." in again.text


async def test_decided_in_two_tabs_one_wins_and_the_other_is_told_the_present_state(
    database_url: str, tmp_path: Path
):
    async with organisation(database_url, tmp_path / "h") as services:
        question, other = await ask(services), await ask(services, "And this?")
        async with logged_in(services) as one, logged_in(services) as two:
            won = await one.send(f"question-{question}", live=True, answer="yes")
            lost = await two.send(f"question-{question}", live=True, answer="no")
        assert (won.status_code, lost.status_code) == (200, 409)
        for answer in (won, lost):
            assert f"question-{question}" not in answer.text
            assert f"question-{other}" in answer.text
        assert 'id="notice"' in lost.text


async def test_health_is_in_order_while_questions_wait_and_not_while_a_cause_stops_work(
    database_url: str, tmp_path: Path
):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        await ask(services)
        await browser.get("/")
        assert "Health in order" in words_of(browser, "now-summary")
        question = await ask(
            services, "One: The key is refused.", kind="blocked", cause="The key is refused."
        )
        await browser.get("/")
        assert "Health 1 problem" in words_of(browser, "now-summary")
        assert "stopped One: The key is refused." in words_of(browser, "now-health")
        assert browser.element("now-health").xpath(f".//a[@href='#question-{question}']")


def words_of(browser: Browser, identity: str) -> str:
    """Return the text of an element with single spaces."""
    return " ".join(" ".join(browser.element(identity).itertext()).split())


async def test_an_answer_holds_for_what_was_shown(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        cause = {"kind": "blocked", "cause": "The key is refused.", "cause_key": "key"}
        question = await ask(services, "One: The key is refused.", **cause)
        await browser.get("/")
        await ask(services, "Two: The key is refused.", **cause)
        answer = await browser.send(f"question-{question}", answer="yes")
        assert answer.status_code == 409
        assert "than you were shown" in answer.text
        assert "One, Two" in answer.text
        assert await is_open(services, question)


async def test_a_used_up_budget_is_continued_with_the_one_that_is_proposed_or_typed(
    database_url: str, tmp_path: Path
):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        sources = (write_documents(tmp_path / "d"),)
        directive = Directive(text=DIRECTIVE, destination=tmp_path, sources=sources)
        mission = (await services.take_directive(directive)).mission
        (planning,) = await services.in_transaction(tasks_of, mission.id)
        raised = [Advice("mission.resume", mission=str(mission.id)[-8:], budget=usd) for usd in ("0.5", "2")]
        trouble = {"reason": "it is used up.", "action": "raise it", "actor": FOUNDER, "advice": raised}
        await services.in_transaction(block_for_founder, planning, **trouble)
        (question,) = await services.in_transaction(open_questions)
        await browser.get("/")
        assert browser.element(f"budget-{question.id}").get("value") == "2"
        answer = await browser.send(f"question-{question.id}", answer="continue", budget="0.4")
        assert "A budget of $0.40 is too small" in answer.text
        answer = await browser.send(f"question-{question.id}", answer="continue", budget="3.50")
        assert "may cost $3.50 in all now" in (await browser.get("/")).text
        assert (await services.in_transaction(spend_of_mission, mission.id)).budget_usd == 3.5


@pytest.mark.parametrize(
    ("answer", "note", "status"),
    [
        ("yes", "", MissionStatus.DELIVERED),
        ("cancel the mission", "a note beside it", MissionStatus.CANCELLED),
        ("plan again", "Only about tea.", MissionStatus.PLANNING),
    ],
)
async def test_a_plan_is_decided_with_what_it_is_about(
    answer: str, note: str, status: MissionStatus, database_url: str, tmp_path: Path
):
    async with organisation(database_url, tmp_path / "h") as services:
        progress = await planned(services, tmp_path / "d")
        async with logged_in(services) as browser:
            card = plan_card(browser)
            shown = browser.element(card).text_content()
            assert progress.plan
            assert all(step.title in shown for step in progress.plan.steps)
            assert (await browser.send(card, answer=answer, note=note)).status_code == 303
            async with services.running():
                await wait_until_settled(services, progress.mission_id)
            assert await status_of(services, progress) is status
            await browser.get("/")
            waits = browser.document.xpath("//*[@id='now-waiting']//li/@id")
            assert len(waits) == (status is MissionStatus.PLANNING)


async def test_a_plan_is_made_again_only_with_a_reason(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services:
        progress = await planned(services, tmp_path / "d")
        async with logged_in(services) as browser:
            answer = await browser.send(plan_card(browser), answer="plan again")
            assert answer.status_code == 422
            assert "which you did not give" in answer.text
            assert await status_of(services, progress) is MissionStatus.PLANNING
            assert plan_card(browser)


async def test_a_plan_is_edited_on_its_page(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services:
        progress = await planned(services, tmp_path / "d")
        async with logged_in(services) as browser:
            before = plan_card(browser)
            await browser.get(f"/missions/{progress.mission_id}/plan")
            text = browser.document.xpath("//textarea")[0].text
            wrong = await browser.send("plan-editor", text=text.replace("final", "finale", 1) + "x = [")
            assert wrong.status_code == 422
            assert "x = [" in wrong.text  # what was typed is still there
            edited = re.sub(r'^title = ".*"', 'title = "All about drinks"', text, count=1, flags=re.MULTILINE)
            done = await browser.send("plan-editor", text=edited)
            assert done.status_code == 303, done.text
            await browser.get("/")
            assert plan_card(browser) != before
            stale = await browser.client.post(
                f"/answers/{before.removeprefix('question-')}",
                data={"csrf": browser.fields(plan_card(browser))[1]["csrf"], "answer": "yes"},
            )
            assert stale.status_code == 409


async def test_a_paused_mission_goes_on_from_the_page(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services:
        sources = (write_documents(tmp_path / "d"),)
        started = await services.take_directive(
            Directive(text=DIRECTIVE, destination=services.home / "out", sources=sources)
        )
        mission = started.mission.id
        async with logged_in(services) as browser:
            assert "could go on, and nobody works on it" in browser.element("now-health").text_content()
            csrf = browser.document.xpath("//input[@name='csrf']")[0].get("value")
            paused = await browser.client.post(f"/missions/{mission}/pause", data={"csrf": csrf})
            assert paused.status_code == 303
            await browser.get("/")
            assert "paused" in browser.element(f"running-{mission}").text_content()
            assert (await browser.send(f"running-{mission}")).status_code == 303
            async with services.running():
                done = await wait_until_settled(services, mission)
            assert done.status is MissionStatus.DELIVERED
            page = await browser.get("/")
            assert f"/missions/{mission}/deliverable" in page.text


async def test_times_and_days_are_those_of_the_database_whatever_this_machine_says(
    database_url: str, owner_url: str, tmp_path: Path
):
    offset_clock(owner_url, timedelta(days=1))
    async with organisation(database_url, tmp_path / "h") as services:
        progress = await planned(services, tmp_path / "d")
        assert all(step.work.seconds is None or 0 <= step.work.seconds < 600 for step in progress.steps)
        assert 0 < progress.seconds + progress.waited_s < 600
        async with logged_in(services) as browser:
            assert "Today (UTC)" in browser.element("now-spend").text_content(), "the day of the caps"
            await browser.get("/costs?period=today")
            (today,) = browser.element("costs-charts").xpath(".//section[1]//tbody//th")
            assert today.text_content() == "today"


async def test_of_many_questions_the_later_ones_are_folded(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        questions = [await ask(services) for _ in range(9)]
        await browser.get("/")
        (folded,) = browser.document.xpath("//*[@id='more-questions']")
        assert folded.findtext("summary") == "3 more questions"
        assert folded.get("open") is None
        inside = folded.xpath(".//li[contains(@class, 'card')]")
        assert len(browser.document.xpath("//*[@id='now-waiting']//li[contains(@class, 'card')]")) == 9
        assert len(inside) == 3
        last = inside[-1].get("id").removeprefix("question-")
        assert last in {str(one) for one in questions}
        answer = await browser.send(f"question-{last}", answer="yes", note="")
        assert answer.status_code == 303
        await browser.get("/")
        assert browser.document.findtext(".//*[@id='more-questions']/summary") == "2 more questions"
