"""Journeys of the founder through a mission: from the login to the deliverable, with and without JavaScript."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, expect

from frasier.store import Database
from support.browser import PHONE
from support.cli import FrasierProgram
from support.cli_states import deliver, planned_mission
from support.founder_visit import Visit, visit
from support.model_responder import Answer, Prompt, plan_of, write
from support.model_server import ScriptedAnswer
from support.organisation import DIRECTIVE, DOCUMENTS, organisation
from support.page_questions import ask, is_open
from support.page_servers import at_work, serving
from support.scripted_founder import scripted_founder
from support.wanted_trade import plan_with_expert

TITLE = DIRECTIVE[:40]


async def test_the_first_visit_asks_for_a_link_which_opens_one_session(
    chromium: Browser, frasier: FrasierProgram, scripted: bool
):
    with serving(frasier, "serve") as link:
        base, _, token = link.partition("/login")
        async with visit(chromium, base + "/login", scripted=scripted) as stranger:
            stranger.expects("401")
            await stranger.go("/")
            asked = stranger.page.get_by_role("heading", name="Open your login link")
            await expect(asked).to_be_visible()
            await expect(stranger.page.locator("code")).to_have_text("frasier web")
            await stranger.check_looks()
            await stranger.page.goto(link)
            await expect(stranger.page).to_have_url(base + "/")
            await expect(stranger.page.locator("#now-waiting")).to_contain_text("Nothing waits for you.")
            await stranger.check_looks()
            assert token not in await stranger.page.content()
            async with visit(chromium, base + "/login", scripted=scripted) as second:
                second.expects("403")
                await second.page.goto(link)
                await expect(second.page.get_by_role("alert")).to_contain_text("used before, or is too old")
                await second.check_looks()
            stranger.expects("401")
            stranger.expects("Clear-Site-Data")
            await stranger.page.get_by_role("button", name="Log out").click()
            await expect(asked).to_be_visible()


async def _fill_in(founder: Visit) -> None:
    """Fill in the form of a new mission, with two documents."""
    page = founder.page
    files: list[Any] = [
        {"name": name, "mimeType": "text/markdown", "buffer": text.encode()}
        for name, text in list(DOCUMENTS.items())[:2]
    ]
    await page.get_by_role("link", name="New mission").click()
    await page.get_by_label("What do you want to hold").fill(DIRECTIVE)
    await page.get_by_label("Documents", exact=True).set_input_files(files)
    await page.get_by_label("The result is").select_option("report")
    await page.get_by_label("It may cost at most").fill("2")


async def test_a_directive_with_two_files_becomes_a_deliverable_that_is_read(
    chromium: Browser, frasier: FrasierProgram, scripted: bool
):
    with at_work(frasier, plan=lambda _: ScriptedAnswer.json(plan_of(3))) as (_, link):
        async with visit(chromium, link, scripted=scripted) as founder:
            page = founder.page
            await _fill_in(founder)
            await founder.check_looks()
            await page.get_by_role("button", name="Start").click()
            await founder.expect_notice("with 2 documents")
            plan = await founder.expect_visible(page.locator("#now-waiting .card", has_text="A plan waits"))
            await founder.check_looks("now")
            await plan.get_by_role("button", name="Start").click()
            await expect(plan).to_have_count(0)
            await page.get_by_role("navigation", name="Main").get_by_role("link", name="Missions").click()
            await founder.check_looks()
            await page.get_by_role("link", name=TITLE).click()
            await founder.expect_visible(page.locator("#mission-head", has_text="Delivered"))
            await founder.check_looks("mission")
            await page.locator("#step-part-1 a").first.click()
            await founder.check_looks()
            await page.go_back()
            await page.get_by_role("link", name="Read the deliverable").click()
            await _read(founder)


async def _read(founder: Visit) -> None:
    page = founder.page
    await expect(page.locator("#deliverable article")).to_contain_text("75 degrees")
    mark = page.locator("article .cite button").first
    note = page.locator(f"[id='{await mark.get_attribute('popovertarget')}']")
    await expect(note).to_be_hidden()
    await mark.click()
    await expect(note).to_be_visible()
    await expect(note).to_contain_text("degrees")
    await founder.check_looks("deliverable")


async def test_an_escalation_is_answered_on_a_touch_screen(
    chromium: Browser, frasier: FrasierProgram, documents: Path, scripted: bool
):
    plan = {**plan_of(1), "escalation": "Which of the two markets counts?"}
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(plan)) as commands:
        commands("run", DIRECTIVE, "--sources", documents, code=5)
        with serving(frasier, "up", **commands.settings) as link:
            async with visit(chromium, link, scripted=scripted, **phone) as founder:
                page = founder.page
                card = await founder.expect_visible(
                    page.locator("#now-waiting .card", has_text="Which of the two")
                )
                await founder.check_looks("escalation")
                box = await card.get_by_role("button", name="Answer").bounding_box()
                assert box is not None
                assert box["height"] >= 40, "it can be hit with a finger"
                await card.get_by_label("Your answer").tap()
                await page.keyboard.type("The second one.")
                await card.get_by_role("button", name="Answer").tap()
                await founder.expect_notice("")
                await founder.expect_visible(page.locator("#now-latest a", has_text=TITLE))
        assert any("The second one." in str(prompt.body) for prompt in commands.prompts("plan"))


async def test_a_step_is_sent_back_with_what_is_missing(
    chromium: Browser, frasier: FrasierProgram, db: Database, tmp_path: Path, scripted: bool
):
    async with db.transaction() as tx:
        planned = await planned_mission(tx, tmp_path / "out")
        step, _ = await deliver(tx, planned)
    address = f"/missions/{planned.mission.id}/steps/{step.key}"
    with serving(frasier, "serve") as link:
        async with visit(chromium, link, scripted=scripted) as founder:
            founder.expects("422")
            await founder.go(address)
            await founder.check_looks()
            send_back = founder.page.get_by_role("button", name="Send back")
            await send_back.click()
            await founder.expect_notice("needs a reason")
            await founder.go(address)
            await founder.page.get_by_label("Comment; its author is told").fill("The price is missing")
            await send_back.click()
            await founder.expect_notice("")
            await founder.expect_visible(founder.page.locator("#step-head", has_text="sent back 1 time"))
            await expect(founder.page.locator("#step-reviews")).to_contain_text("The price is missing")
            await expect(send_back).to_have_count(0)
            await founder.check_looks()
    steps = frasier.json("missions", "show")["steps"]
    assert [one["strikes"] for one in steps if one["key"] == step.key] == [1]


async def test_of_two_tabs_that_decide_at_once_one_wins_and_the_other_is_told(
    chromium: Browser, frasier: FrasierProgram, database_url: str, tmp_path: Path, scripted: bool
):
    async with organisation(database_url, tmp_path / "h") as services:
        question = await ask(services, "Shall we buy it?")
        with serving(frasier, "serve") as link:
            async with visit(chromium, link, scripted=scripted) as founder:
                first, second = founder.page, await founder.tab()
                await second.goto(founder.base + "/")
                decided = threading.Event()

                async def hold(route: Any) -> None:
                    await expect(first.locator("#notice")).not_to_have_text("")
                    decided.set()
                    await route.continue_()

                await second.route("**/answers/*", hold)
                founder.expects("409")
                card = f"#question-{question}"
                no = second.locator(card).get_by_role("button", name="No").click(no_wait_after=True)
                yes = first.locator(card).get_by_role("button", name="Yes").click()
                await no
                await yes
                await expect(second.locator("#notice.bad")).to_contain_text("answered")
                assert decided.is_set()
                for page in (first, second):
                    await expect(page.locator("#now-waiting")).to_contain_text("Nothing waits for you.")
                    await founder.check_looks(page=page)
        assert not await is_open(services, question)
    assert frasier.json("inbox")["questions"] == []


FINAL = {
    "key": "final",
    "title": "Write the comparison with prices",
    "task": "Compare what was read, and say what tins cost.",
    "depends_on": ["part-1", "part-2"],
    "acceptance": ["It names the price of tins."],
}
CHANGE = {"removed": [], "changed": [FINAL], "added": [], "explanation": "The price of tins is added."}


async def test_a_running_mission_is_steered(
    chromium: Browser, frasier: FrasierProgram, documents: Path, scripted: bool
):
    may_write = threading.Event()

    def write_when_told(prompt: Prompt) -> ScriptedAnswer:
        may_write.wait(30)
        return write(prompt)

    answers: dict[str, Answer] = {
        "plan": lambda _: ScriptedAnswer.json(plan_of(3)),
        "synthesize": write_when_told,
        "steer": lambda _: ScriptedAnswer.json(CHANGE),
    }
    try:
        with at_work(frasier, **answers) as (_, link):
            async with visit(chromium, link, scripted=scripted) as founder:
                page = founder.page
                await _fill_in(founder)
                await page.get_by_label("Show me the plan").uncheck()
                await page.get_by_role("button", name="Start").click()
                running = await founder.expect_visible(page.locator("#now-running a", has_text=TITLE))
                await running.click()
                await founder.expect_visible(page.locator("#do-steer"))
                await page.get_by_label("Change what is not done yet").fill("Say what tins cost")
                await page.get_by_role("button", name="Steer").click()
                await founder.expect_notice("Heard.")
                await founder.expect_visible(
                    page.locator("#mission-talk", has_text="The price of tins is added.")
                )
                await founder.expect_visible(
                    page.locator("#step-final", has_text="Write the comparison with prices")
                )
                await founder.check_looks()
                may_write.set()
                await founder.expect_visible(page.locator("#mission-head", has_text="Delivered"))
    finally:
        may_write.set()


async def test_a_plan_with_a_hire_is_read_and_approved_on_a_phone(
    chromium: Browser, frasier: FrasierProgram, documents: Path, scripted: bool
):
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(plan_with_expert())) as commands:
        commands("run", DIRECTIVE, "--sources", documents, "--plan", "--budget", "0.20", code=5)
        with serving(frasier, "up", **commands.settings) as link:
            async with visit(chromium, link, scripted=scripted, **phone) as founder:
                page = founder.page
                card = await founder.expect_visible(
                    page.locator("#now-waiting .card", has_text="A plan waits")
                )
                cost = card.locator("tfoot td[data-label='Cost']")
                await expect(card.locator("summary")).to_contain_text("at most $0.20")
                await expect(cost).to_contain_text("≤ $0.20")
                for cell in (cost, card.locator("tbody td[data-label='Cost']").first):
                    box = await cell.bounding_box()
                    assert box is not None
                    assert box["x"] + box["width"] <= PHONE["width"], (
                        "what it costs is seen before it is approved"
                    )
                await founder.check_looks()
                await card.get_by_role("button", name="Start").tap()
                await expect(card).to_have_count(0)
                await founder.expect_visible(page.locator("#now-latest a", has_text=TITLE))
                await founder.go("/people")
                await expect(page.locator("#people-hires")).to_contain_text("writing the persona")
                await founder.check_looks()
