"""Journeys of a founder who opens no terminal: a board with a member, a standing rule, a word to the chief of staff and
a hire, with and without JavaScript.
"""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Browser, expect

from support.cli import FrasierProgram
from support.founder_visit import visit
from support.page_servers import serving

HOSTILE = "<script>document.title='x'</script> <img src=x onerror=document.title='x'>"
LONG = f"{'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft' * 2} {HOSTILE}"


async def test_a_board_is_made_and_gets_a_member(chromium: Browser, frasier: FrasierProgram, scripted: bool):
    with serving(frasier, "serve") as link:
        async with visit(chromium, link, scripted=scripted) as founder:
            page = founder.page
            await page.get_by_role("link", name="Boards").click()
            await founder.check_looks()
            await page.get_by_label("Name").fill("kettle")
            await page.get_by_role("button", name="Make the board").click()
            await founder.expect_notice("The board kettle was made.")
            await expect(page).to_have_url(founder.base + "/boards/kettle/members")
            await founder.check_looks()
            founder.expects("422")
            await page.get_by_label("Name").fill("ada")
            await page.get_by_role("button", name="Add the member").click()
            await founder.expect_notice("No role is named.")
            await expect(page.get_by_label("Name")).to_have_value("ada")
            await page.get_by_label("pdsa").check()
            await page.get_by_role("button", name="Add the member").click()
            await founder.expect_notice("ada acts as pdsa in kettle")
            token = await page.locator("#notice code").inner_text()
            assert token not in page.url
            await founder.check_looks()
            await founder.go("/boards/kettle/members")
            await expect(page.locator("#member-list")).to_contain_text("ada")
            assert token not in await page.content()
            await page.get_by_label("auto-approval").check()
            await page.get_by_role("button", name="Set the mode").click()
            await founder.expect_notice("kettle is in mode auto-approval")
            await founder.check_looks()
    boards = frasier.json("task", "board", "list", FRASIER_TOKEN=token)["boards"]
    assert [board["board"] for board in boards] == ["kettle"], "the token is that of the member"
    assert boards[0]["mode"] == "auto-approval"


async def test_a_rule_is_recorded_and_withdrawn(chromium: Browser, frasier: FrasierProgram, scripted: bool):
    with serving(frasier, "serve") as link:
        async with visit(chromium, link, scripted=scripted) as founder:
            page = founder.page
            await page.get_by_role("link", name="Settings").click()
            await page.get_by_role("link", name="standing rules").click()
            await founder.check_looks()
            await page.get_by_role("textbox", name="The rule").fill(f"State prices in EUR net. {LONG}")
            await page.get_by_role("button", name="Record the rule").click()
            await expect(page.locator("#rules-list")).to_contain_text(HOSTILE)
            await expect(page.get_by_role("textbox", name="The rule")).to_have_value("")
            await founder.check_looks()
            await page.get_by_role("button", name="Withdraw").click()
            await founder.expect_notice("Withdrawn:")
            await expect(page.locator("#rules-list")).to_have_text("There is no standing rule.")
    assert frasier.json("directives", "list")["directives"] == []


async def test_the_chief_of_staff_is_talked_to(
    chromium: Browser, frasier: FrasierProgram, documents: Path, scripted: bool
):
    with serving(frasier, "up") as link:
        async with visit(chromium, link, scripted=scripted) as founder:
            page = founder.page
            await page.get_by_role("link", name="Talk").click()
            await founder.check_looks()
            await page.get_by_label("A question").fill(f"How warm is the water for tea? {LONG}")
            await page.get_by_label("Files").set_input_files(str(documents / "tea.md"))
            await page.get_by_role("button", name="Say it").click()
            await founder.expect_notice("Heard.")
            await founder.expect_visible(page.locator("#talk-turns .answered"))
            await founder.check_looks()


async def test_a_colleague_is_hired(chromium: Browser, frasier: FrasierProgram, scripted: bool):
    with serving(frasier, "serve") as link:
        async with visit(chromium, link, scripted=scripted) as founder:
            page = founder.page
            await page.get_by_role("link", name="People").click()
            await page.get_by_label("The title").fill("Tax advisor for German SMEs")
            await page.get_by_label("The kind of work").select_option("strategy")
            await page.get_by_role("button", name="Hire").click()
            await founder.expect_notice("is hired as Tax advisor for German SMEs")
            await expect(page.locator("#people-roster")).to_contain_text("Tax advisor for German SMEs")
            await founder.check_looks()
