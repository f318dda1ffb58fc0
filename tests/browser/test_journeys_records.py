"""Journeys of the founder through boards, memory, costs and the log, with and without JavaScript."""

from __future__ import annotations

from pathlib import Path

import psycopg
from playwright.async_api import Browser, Page, expect

from frasier.board import NewBoardTask, add_task, make_board
from frasier.store import Database
from frasier.store.embedded import EmbeddedServer
from frasier.workflow import FOUNDER
from support.cli import FrasierProgram
from support.founder_visit import visit
from support.organisation import DIRECTIVE
from support.page_servers import serving
from support.scripted_founder import scripted_founder

FIELDS = {
    "description": "It boils over at 3 litres.",
    "acceptance_criteria": ["It does not boil over."],
    "depends_on_reviewed": True,
}


async def test_a_card_is_moved(chromium: Browser, frasier: FrasierProgram, db: Database, scripted: bool):
    async with db.transaction() as tx:
        board = await make_board(tx, "kettle", actor=FOUNDER)
        new = NewBoardTask(process="pdsa_task", slug="lid", title="The lid rattles", fields=FIELDS)
        await add_task(tx, board, new, actor=FOUNDER)
    with serving(frasier, "serve") as link:
        async with visit(chromium, link, scripted=scripted) as founder:
            page = founder.page
            await page.get_by_role("link", name="Boards").click()
            await founder.check_looks()
            await page.get_by_role("link", name="kettle").click()
            await expect(page.locator("#column-queue")).to_contain_text("The lid rattles")
            await founder.check_looks("board")
            board_tab = await founder.tab()
            await board_tab.goto(page.url)
            await page.get_by_role("link", name="The lid rattles").click()
            await founder.check_looks()
            await _move(page, "ready")
            await founder.expect_notice("ready")
            await expect(page.locator("#task-head")).to_contain_text("ready")
            await expect(page.locator("#task-history")).to_contain_text("ready")
            await _move(page, "cancel")
            await founder.expect_notice("cancelled")
            await expect(page.locator("#task-head")).to_contain_text("cancelled")
            await founder.check_looks()
            if not scripted:
                await board_tab.reload()
            await expect(board_tab.locator("#column-cancelled")).to_contain_text("The lid rattles")
    assert frasier.json("task", "get", "kettle/lid")["data"]["status"] == "cancelled"


async def _move(page: Page, name: str) -> None:
    move = page.locator(f"#move-{name}")
    if await move.get_attribute("open") is None:
        await move.locator("summary").click()
    for field in await move.locator("[required]").all():
        await field.fill("It is not needed any more.")
    await move.locator("form button").click()


async def test_the_founder_sees_why_a_memory_was_recalled(
    chromium: Browser, frasier: FrasierProgram, scripted: bool
):
    words_only = {"FRASIER_MEMORY__EMBEDDING__PROVIDER": "none"}
    for text in ("The kettle boils over above 3 litres.", "The kettle stands in the kitchen."):
        frasier("memory", "save", text, **words_only)
    with serving(frasier, "serve", **words_only) as link:
        async with visit(chromium, link, scripted=scripted) as founder:
            page = founder.page
            await page.get_by_role("link", name="Memory").click()
            await founder.check_looks()
            await page.get_by_role("searchbox").fill("When does the kettle boil over?")
            await page.get_by_role("button", name="Show").click()
            first = page.locator("#memory-results tbody tr").first
            await expect(first).to_contain_text("3 litres")
            columns = await page.locator("#memory-results thead th").all_inner_texts()
            assert {"Rank in each arm", "Factors, multiplied", "Score"} <= set(columns)
            rank, *numbers = await first.locator("td").all_inner_texts()
            assert rank == "1"
            assert float(numbers[-1]) > 0
            await founder.check_looks("memory")
            await first.get_by_role("link").click()
            await expect(page.locator("#memory-strength")).to_contain_text("Chance of recall now")
            await expect(page.locator("#memory-why")).to_be_visible()
            await founder.check_looks()


async def test_the_founder_sees_what_yesterday_cost(
    chromium: Browser, frasier: FrasierProgram, documents: Path, owner_url: str, scripted: bool
):
    with scripted_founder(frasier) as commands:
        commands("run", DIRECTIVE, "--sources", documents)
    with psycopg.connect(owner_url, autocommit=True) as connection:
        moved = connection.execute("update llm_calls set day = day - 1 returning cost_usd_micros").fetchall()
    cost = f"${sum(micros for (micros,) in moved) / 1_000_000:.4f}"
    with serving(frasier, "serve") as link:
        async with visit(chromium, link, scripted=scripted) as founder:
            page = founder.page
            await page.get_by_role("link", name="Costs").click()
            await page.get_by_label("Since").select_option("yesterday on")
            await page.get_by_role("button", name="Show").click()
            await expect(page.locator("#costs-total")).to_contain_text(f"{len(moved)}")
            day = page.locator("#costs-charts section", has_text="By day").first
            await expect(day).to_contain_text("yesterday")
            await expect(day).to_contain_text(cost)
            await founder.check_looks()
            await page.get_by_label("Since").select_option("today")
            await page.get_by_role("button", name="Show").click()
            await expect(page.locator("#costs-charts")).to_contain_text("Nothing was spent.")
            await founder.check_looks()


async def test_the_log_is_verified(
    chromium: Browser,
    frasier: FrasierProgram,
    documents: Path,
    server: EmbeddedServer,
    database_name: str,
    scripted: bool,
):
    frasier("run", DIRECTIVE, "--sources", str(documents))
    with serving(frasier, "serve") as link:
        async with visit(chromium, link, scripted=scripted) as founder:
            page = founder.page
            await page.get_by_role("link", name="Log", exact=True).click()
            await founder.check_looks()
            await page.get_by_label("Kind").fill("mission.delivered")
            await page.get_by_role("button", name="Show").click()
            await expect(page.locator("#log-events tbody tr").first).to_contain_text("mission.delivered")
            await page.get_by_role("button", name="Verify the log").click()
            await founder.expect_notice("The log verifies")
            await founder.check_looks()
            with psycopg.connect(server.url("postgres", database_name), autocommit=True) as connection:
                connection.execute("set session_replication_role = replica")
                connection.execute("update events set actor = 'nobody' where kind = 'mission.delivered'")
            founder.expects("status of")
            await page.get_by_role("button", name="Verify the log").click()
            await founder.expect_notice("does not verify")
