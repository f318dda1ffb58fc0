"""Boards and their members on the founder's page: made and added there; a token is shown once and kept nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from frasier.board import list_boards, list_members, make_board
from frasier.memory import verify_token
from frasier.workflow import FOUNDER
from support.founder_page import BASE, Browser, logged_in
from support.organisation import organisation

PLACE = "/boards/kettle/members"
SAME_SITE = {"origin": BASE, "sec-fetch-site": "same-origin"}


async def open_members(browser: Browser) -> None:
    assert (await browser.get(PLACE)).status_code == 200, browser.page.text


def token_of(browser: Browser) -> str:
    (token,) = browser.element("notice").xpath(".//code/text()")
    return str(token)


async def test_a_board_is_made_and_a_name_that_is_refused_is_kept(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        assert "There is no board yet." in (await browser.get("/boards")).text
        browser.page = await browser.send("board-make", name="Kettle & Co")
        assert browser.page.status_code == 422
        assert browser.element("board-name").get("value") == "Kettle & Co"
        made = await browser.send("board-make", name="kettle")
        assert (made.status_code, made.headers["location"]) == (303, PLACE)
        await open_members(browser)
        assert "The board kettle was made." in browser.element("notice").text_content()
        assert "Nobody works on this board yet." in browser.element("member-list").text_content()
        await browser.get("/boards")
        assert (await browser.send("board-make", name="kettle")).status_code == 422
        assert [board.name for board in await services.in_transaction(list_boards)] == ["kettle"]


@pytest.mark.parametrize("live", [False, True])
async def test_a_new_member_gets_a_token_that_only_the_answer_shows(
    live: bool, database_url: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        await services.in_transaction(make_board, "kettle", actor=FOUNDER)
        await open_members(browser)
        answer = await browser.send("member-add", live=live, name="ada", **{"role.pdsa": "1"})
        assert answer.status_code == 200, answer.text
        assert "ada acts as pdsa in kettle" in answer.text
        browser.page = answer
        token = token_of(browser)
        caller = await services.in_transaction(verify_token, token)
        assert caller is not None
        assert caller.name == "token:ada"
        assert token not in str(answer.headers)
        assert token not in str(browser.client.cookies)
        assert answer.headers["cache-control"] == "no-store"
        await open_members(browser)
        assert token not in browser.page.text
        shown = browser.element("member-list").text_content()
        assert "ada" in shown
        assert "pdsa" in shown
        browser.page = await browser.send("member-add", name="ada", **{"role.dev": "1", "role.pdsa": "1"})
        assert browser.page.status_code == 303
        await open_members(browser)
        assert "goes on with the token that it has" in browser.element("notice").text_content()
    captured = capfd.readouterr()
    assert token not in captured.out + captured.err


async def test_a_member_without_a_role_is_refused_with_what_was_typed(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        await services.in_transaction(make_board, "kettle", actor=FOUNDER)
        await open_members(browser)
        browser.page = await browser.send("member-add", name="ada")
        assert browser.page.status_code == 422
        assert "No role is named." in browser.element("notice").text_content()
        assert browser.element("member-name").get("value") == "ada"
        browser.page = await browser.send("member-add", name="", **{"role.dev": "1"})
        assert browser.page.status_code == 422
        (ticked,) = browser.element("member-add").xpath(".//input[@checked]/@name")
        assert ticked == "role.dev"
        assert await services.in_transaction(list_members) == []
        assert (await browser.get("/boards/none/members")).status_code == 404


async def test_a_removed_member_acts_nowhere_and_is_listed_no_more(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        await services.in_transaction(make_board, "kettle", actor=FOUNDER)
        await open_members(browser)
        await browser.send("member-add", name="ada", **{"role.dev": "1"})
        await open_members(browser)
        assert (await browser.send("member-list", name="ada")).status_code == 303
        await open_members(browser)
        assert "ada may not act on any board any more" in browser.element("notice").text_content()
        assert "Nobody works on this board yet." in browser.element("member-list").text_content()
        (member,) = await services.in_transaction(list_members)
        assert member.removed_at is not None


async def test_the_mode_of_a_board_is_set_unless_somebody_else_changed_it(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        await services.in_transaction(make_board, "kettle", actor=FOUNDER)
        await open_members(browser)
        (checked,) = browser.element("board-mode").xpath(".//input[@checked]/@value")
        assert checked == "manual"
        old_page = browser.page
        assert (await browser.send("board-mode", mode="autonomous")).status_code == 303
        await browser.get("/boards/kettle")
        assert "Mode autonomous: nothing waits for you." in browser.document.text_content()
        browser.page = old_page
        assert (await browser.send("board-mode", mode="semi")).status_code == 409
        browser.page = old_page
        assert (await browser.send("board-mode", mode="none")).status_code == 422
        (board,) = await services.in_transaction(list_boards)
        assert board.approval_mode == "autonomous"


async def test_an_observer_makes_no_board_and_adds_no_member(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services:
        await services.in_transaction(make_board, "kettle", actor=FOUNDER)
        async with logged_in(services, read_only=True) as browser:
            refused = {
                "/boards": "/boards",
                PLACE: PLACE,
                f"{PLACE}/remove": PLACE,
                "/boards/kettle/mode": PLACE,
            }
            for address, page in refused.items():
                await browser.get(page)
                assert browser.document.xpath("//main//form[@method='post']") == []
                (csrf,) = browser.document.xpath("//footer//input[@name='csrf']/@value")
                sent = await browser.client.post(
                    address,
                    data={"csrf": csrf, "name": "tea", "role.dev": "1", "mode": "semi"},
                    headers=SAME_SITE,
                )
                assert sent.status_code == 403, sent.text
        (board,) = await services.in_transaction(list_boards)
        assert (board.name, board.approval_mode) == ("kettle", "manual")
        assert await services.in_transaction(list_members) == []
