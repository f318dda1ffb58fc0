"""Journeys of the founder through people, outbox, settings and a task of a board, with and without JavaScript."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Browser, Page, expect

from frasier.board import make_board
from frasier.store import Database, enqueue_effect
from frasier.workflow import FOUNDER
from support.cli import FrasierProgram
from support.cli_states import completed_mission, deliver, planned_mission, review
from support.founder_visit import Visit, visit
from support.page_servers import serving

HOSTILE = "<script>document.title='x'</script> <img src=x onerror=document.title='x'>"
LONG = f"{'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft' * 2} {HOSTILE}"


async def test_the_founder_looks_up_who_did_what(
    chromium: Browser, frasier: FrasierProgram, db: Database, tmp_path: Path, scripted: bool
):
    planned = await db.in_transaction(completed_mission, tmp_path / "out")
    await db.in_transaction(planned_mission, tmp_path / "next")
    with serving(frasier, "serve") as link:
        async with visit(chromium, link, scripted=scripted) as founder:
            page = founder.page
            await page.get_by_role("link", name="People").click()
            author = page.locator("#people-roster tr", has=page.get_by_role("link", name="Wren"))
            await expect(author.locator("td[data-label='Accepted']")).to_have_text("1")
            await expect(author.locator("td[data-label='Now']")).to_have_text("free")
            await founder.check_looks()
            await page.get_by_label("Also those who are dormant or retired").check()
            await page.get_by_role("button", name="Show").click()
            await expect(page).to_have_url(founder.base + "/people?everyone=1")
            await author.get_by_role("link", name="Wren").click()
            await expect(page.locator("#person-now")).to_contain_text("Accepted steps")
            await expect(page.locator("#person-reviewed")).to_contain_text("Clear and cited.")
            await expect(page.get_by_role("heading", name="Persona, version 1")).to_be_visible()
            await founder.check_looks()
            await page.locator("#person-reviewed a").first.click()
            await expect(page).to_have_url(f"{founder.base}/missions/{planned.mission.id}/steps/report")
            await founder.check_looks()


FIRST = """Green tea is brewed with **water** of 80 degrees.

- Fill the kettle
- Boil the water

| tea | degrees |
|---|---:|
| green | 80 |
"""
SECOND = FIRST.replace("80", "75").replace("- Boil", "- Wait <script>document.title='x'</script>\n- Boil")


async def test_versions_of_a_step_are_read_and_compared(
    chromium: Browser, frasier: FrasierProgram, db: Database, tmp_path: Path, scripted: bool
):
    async with db.transaction() as tx:
        planned = await planned_mission(tx, tmp_path / "out")
        step, _ = await deliver(tx, planned, text=FIRST)
        await review(tx, planned, approved=False, feedback="The temperature is wrong.")
        again, _ = await deliver(tx, planned, text=SECOND)
    assert again.key == step.key
    with serving(frasier, "serve") as link:
        async with visit(chromium, link, scripted=scripted) as founder:
            page = founder.page
            await founder.go(f"/missions/{planned.mission.id}")
            await page.locator(f"#step-{step.key} a").first.click()
            versions = page.locator("#step-versions")
            await expect(versions).to_contain_text("What changed from version 1 to 2")
            await expect(versions.locator("del").first).to_have_text("80")
            await expect(versions.locator("ins").first).to_have_text("75")
            await expect(versions.locator(".diff .added").first).to_contain_text("Wait <script>")
            await versions.get_by_text("The text of version 2").click()
            await expect(versions.locator("article strong")).to_have_text("water")
            await expect(versions.locator("article td").last).to_have_text("75")
            await founder.check_looks()
            await versions.get_by_role("link", name="side by side").click()
            await founder.check_looks()
            await versions.locator(".rows a").click()
            await expect(page).to_have_url(f"{page.url.partition('?')[0]}?version=1")
            await expect(versions.locator("article td").last).to_have_text("80")
            await expect(page.locator("#step-reviews")).to_contain_text("The temperature is wrong.")
            await founder.check_looks()


async def test_an_effect_in_trouble_is_sent_again(
    chromium: Browser, frasier: FrasierProgram, db: Database, tmp_path: Path, scripted: bool
):
    async with db.transaction() as tx:
        planned = await planned_mission(tx, tmp_path / "out")
        for number in range(3):
            await enqueue_effect(
                tx, kind="publish.folder", key=f"folder {number}", stream=planned.mission.id, payload={}
            )
        await tx.execute(
            "update store_effects set state = 'failed', error = %s, settled_at = now() where key <> 'folder 2'",
            [f"No space is left. {LONG}"],
        )
        await tx.execute(
            "update store_effects set state = 'sent', settled_at = now(), receipt = '{}' where key = 'folder 2'"
        )
    with serving(frasier, "serve") as link:
        async with visit(chromium, link, scripted=scripted) as founder:
            page = founder.page
            await page.get_by_role("link", name="Outbox").click()
            rows = page.locator("#outbox-effects tbody tr")
            await expect(rows).to_have_count(2)
            await founder.check_looks()
            await rows.filter(has_text="folder 0").get_by_role("button", name="Send again").click()
            await founder.expect_notice("1 effect")
            await expect(rows.filter(has_text="No space is left")).to_have_count(1)
            await page.get_by_label("Also those that were sent").check()
            await page.get_by_role("button", name="Show").click()
            await expect(rows).to_have_count(3)
            await founder.check_looks()
    effects = frasier.json("outbox", "list", "--all")["effects"]
    assert sum("No space is left" in (one["error"] or "") for one in effects) == 1, (
        "the other was tried again"
    )


async def test_the_founder_sees_what_is_set_and_by_what(
    chromium: Browser, frasier: FrasierProgram, scripted: bool
):
    secret = "sk-" + "very-secret" * 3
    with serving(frasier, "serve", FRASIER_WORKER__CONCURRENCY="7", FRASIER_LLM__API_KEY=secret) as link:
        async with visit(chromium, link, scripted=scripted) as founder:
            page = founder.page
            await page.get_by_role("link", name="Settings").click()
            await founder.check_looks()
            await page.get_by_role("searchbox").fill("concurrency")
            await page.get_by_role("button", name="Show").click()
            row = page.locator("#settings-groups tr", has_text="FRASIER_WORKER__CONCURRENCY")
            await expect(row.locator("td[data-label='Value']")).to_have_text("7")
            await expect(row.locator("td[data-label='Source']")).to_contain_text("environment")
            await page.get_by_role("searchbox").fill("")
            await page.get_by_label("Only those that are set").check()
            await page.get_by_role("button", name="Show").click()
            await expect(page.locator("#settings-groups")).to_contain_text("set, and not shown")
            assert secret not in await page.content()
            await founder.check_looks()
            await page.get_by_role("searchbox").fill("nothing like that")
            await page.get_by_role("button", name="Show").click()
            await expect(page.locator("#settings-groups")).to_have_text("No setting matches.")
            await founder.check_looks()


async def test_the_founder_changes_a_policy(chromium: Browser, frasier: FrasierProgram, scripted: bool):
    with serving(frasier, "serve") as link:
        async with visit(chromium, link, scripted=scripted) as founder:
            page = founder.page
            await page.get_by_role("link", name="Settings").click()
            await page.get_by_role("link", name="policies").click()
            await founder.check_looks()
            hiring = page.locator("#policy-hiring")
            await hiring.get_by_text("Change the policy hiring").click()
            await founder.check_looks()
            founder.expects("422")
            await hiring.get_by_label("Per month").fill("many")
            await hiring.get_by_label("Why").fill("A small house")
            await hiring.get_by_role("button", name="Set version 1").click()
            await founder.expect_notice("per_month")
            await expect(hiring.get_by_label("Why")).to_have_value("A small house")
            await hiring.get_by_label("Per month").fill("5")
            await hiring.get_by_role("button", name="Set version 1").click()
            await founder.expect_notice("version 1, by founder")
            await expect(hiring).to_contain_text("Version 1, set by founder")
            await hiring.get_by_text("Versions", exact=True).click()
            await expect(hiring).to_contain_text("per_month 20 → 5: A small house")
            await founder.check_looks()
    assert frasier.json("policy", "show", "hiring")["version"] == 1


async def test_a_task_is_written_paused_and_moved(
    chromium: Browser, frasier: FrasierProgram, db: Database, scripted: bool
):
    await db.in_transaction(make_board, "kettle", actor=FOUNDER)
    with serving(frasier, "serve") as link:
        async with visit(chromium, link, scripted=scripted) as founder:
            page = founder.page
            await founder.go("/boards/kettle")
            await founder.check_looks()
            await page.get_by_role("link", name="New task").click()
            await _write_task(founder)
            await founder.expect_notice("lid")
            await expect(page).to_have_url(founder.base + "/boards/kettle/tasks/lid")
            await expect(page.locator("#task-fields")).to_contain_text(HOSTILE)
            await founder.check_looks()
            ready = await _opened(page, "ready")
            founder.expects("409")
            await ready.get_by_role("button", name="Make this move").click()
            await founder.expect_notice("depends on nothing")
            await founder.check_looks()
            await _opened(page, "ready")
            await ready.get_by_label("Depends on reviewed").select_option("yes")
            await ready.get_by_role("button", name="Make this move").click()
            await expect(page.locator("#task-head .badge").first).to_have_text("ready")
            await _pause_and_go_on(founder)
            await expect(page.locator("#task-history")).to_contain_text("No water")
            await founder.check_looks()
    assert frasier.json("task", "get", "kettle/lid")["data"]["fields"]["depends_on_reviewed"] is True


async def _write_task(founder: Visit) -> None:
    page = founder.page
    await founder.check_looks()
    await page.get_by_label("Title").fill(LONG[:290])
    await page.get_by_label("Name, short").fill("lid")
    await page.get_by_label("Description").fill(LONG)
    await page.get_by_label("Acceptance criteria").fill(f"It does not rattle.\n{HOSTILE}")
    await page.get_by_role("button", name="Create the task").click()


async def _pause_and_go_on(founder: Visit) -> None:
    pause = await _opened(founder.page, "block")
    await pause.get_by_label("What stops it").fill("No water")
    await pause.get_by_label("Who must act").select_option("founder")
    await pause.get_by_label("What they must do").fill("fetch some")
    await pause.get_by_role("button", name="Pause").click()
    await expect(founder.page.locator("#task-head")).to_contain_text("No water")
    await founder.check_looks()
    await founder.page.locator("#task-restore").get_by_label("Note").fill("There is water.")
    await founder.page.get_by_role("button", name="End the pause").click()
    await expect(founder.page.locator("#task-head .badge").first).to_have_text("ready")


async def _opened(page: Page, move: str):
    """Open the form of a move."""
    form = page.locator(f"#move-{move}")
    if await form.get_attribute("open") is None:
        await form.locator("summary").click()
    return form


async def test_the_log_is_read_back_to_its_beginning(
    chromium: Browser, frasier: FrasierProgram, db: Database, tmp_path: Path, scripted: bool
):
    for _ in range(6):
        await db.in_transaction(planned_mission, tmp_path / "out")
    with serving(frasier, "serve") as link:
        async with visit(chromium, link, scripted=scripted) as founder:
            page = founder.page
            await page.get_by_role("link", name="Log", exact=True).click()
            first = page.locator("#log-events tbody tr").first
            await first.locator("summary").click()
            await expect(first).to_contain_text("of its chain")
            await founder.check_looks()
            while await page.get_by_role("link", name="Older").count():
                await page.get_by_role("link", name="Older").click()
            oldest = page.locator("#log-events tbody tr").last
            await oldest.locator("summary").click()
            await expect(oldest).to_contain_text("the 1. of its chain")
            await page.get_by_role("link", name="Newest").click()
            await page.get_by_label("Kind").fill("nothing.like_it")
            await page.get_by_role("button", name="Show").click()
            await expect(page.locator("#log-events tbody")).to_have_count(0)
            await founder.check_looks()
