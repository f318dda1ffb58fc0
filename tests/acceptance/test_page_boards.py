"""Boards on the founder's page: columns by the process, filters in the address, and moves that are made there."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from psycopg.types.json import Jsonb

from frasier.board import make_board
from frasier.interfaces.services import Services
from frasier.store import Tx
from frasier.workflow import FOUNDER
from support.bulk_tasks import add_tasks
from support.founder_page import BASE, Browser, logged_in
from support.machine_speed import in_time
from support.organisation import organisation

HOSTILE = "<script>alert(1)</script> {{ 7 * 7 }}"
SAME_SITE = {"origin": BASE, "sec-fetch-site": "same-origin"}


@asynccontextmanager
async def board_page(
    database_url: str, home: Path, **session: bool
) -> AsyncIterator[tuple[Services, Browser]]:
    """Open an organisation with the board `kettle`; log in."""
    async with organisation(database_url, home) as services:
        await services.in_transaction(make_board, "kettle", actor=FOUNDER)
        async with logged_in(services, **session) as browser:
            yield services, browser


async def create(browser: Browser, name: str = "tea", **fields: str) -> str:
    await browser.get("/boards/kettle/new?process=pdsa_task")
    wanted = {
        "name": name,
        "title": f"Title of {name}",
        "field.description": "A kettle that whistles.",
        "field.acceptance_criteria": "It whistles.\nIt boils.",
    }
    answer = await browser.send("task-new", **wanted | fields)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


async def send(browser: Browser, path: str, **fields: str) -> int:
    """Send a form to a path with the token of the page that is shown; show the answer."""
    _, hidden = browser.fields("task-moves")
    common = {name: hidden[name] for name in ("csrf", "page")}
    browser.page = await browser.client.post(path, data=common | fields, headers=SAME_SITE)
    return browser.page.status_code


async def test_a_task_is_created_moved_edited_and_paused_on_its_page(database_url: str, tmp_path: Path):
    async with board_page(database_url, tmp_path / "h") as (_, browser):
        assert "kettle" in (await browser.get("/boards")).text
        place = await create(browser)
        assert place == "/boards/kettle/tasks/tea"
        page = await browser.get(place)
        assert page.status_code == 200, page.text
        shown = browser.element("main").text_content()
        assert "A kettle that whistles." in shown
        assert "It boils." in shown
        changes = {"field.description": "A kettle that sings.", "field.depends_on_reviewed": "yes"}
        edited = await browser.send("task-fields", **changes)
        assert edited.status_code == 303, edited.text
        await browser.get(place)
        assert "A kettle that sings." in browser.element("task-fields").text_content()
        paused = await browser.send("move-block", reason="No water", owner="founder", action="fetch some")
        assert paused.status_code == 303, paused.text
        await browser.get(place)
        assert "No water" in browser.element("task-head").text_content()
        assert "No water" in (await browser.get("/boards/kettle?waiting=1")).text
        await browser.get(place)
        assert (await browser.send("task-restore", note="There is water")).status_code == 303
        await browser.get(place)
        ready = await browser.send("move-ready", note="Looked at it.")
        assert ready.status_code == 303, ready.text
        await browser.get(place)
        history = browser.element("task-history").text_content()
        assert "ready" in history
        assert "founder" in history
        assert "Title of tea" in (await browser.get("/boards/kettle?status=ready")).text


async def test_what_an_earlier_move_said_is_not_filled_into_a_new_one(database_url: str, tmp_path: Path):
    async with board_page(database_url, tmp_path / "h") as (services, browser):
        place = await create(browser)

        async def say(tx: Tx) -> None:
            said = {"reason": "attempt 2 of tea stopped renewing its lease"}
            await tx.execute("update workflow_tasks set fields = fields || %s", [Jsonb(said)])

        await services.in_transaction(say)
        await browser.get(place)
        assert (
            browser.element("move-cancel")
            .xpath(".//textarea[@name='field.reason']")[0]
            .text_content()
            .strip()
            == ""
        )


async def test_a_move_is_refused_by_its_rule_and_for_another_version(database_url: str, tmp_path: Path):
    async with board_page(database_url, tmp_path / "h") as (_, browser):
        place = await create(browser)
        await browser.get(place)
        version = browser.fields("move-ready")[1]["version"]
        assert await send(browser, f"{place}/move", move="ready", version=version) == 409
        assert "depends_on_reviewed is not true" in browser.element("notice").text_content()
        assert await send(browser, f"{place}/move", move="ready", version="") == 422
        assert await send(browser, f"{place}/move", move="fly", version=version) == 409
        await browser.get(place)
        await browser.send("task-fields", **{"field.description": "Changed in another tab."})
        await browser.get(place)
        assert (
            await send(
                browser,
                f"{place}/move",
                move="ready",
                version=version,
                **{"field.depends_on_reviewed": "yes"},
            )
            == 409
        )
        assert "was changed meanwhile" in browser.page.text
        await browser.get(place)
        assert "ready" not in browser.element("task-history").text_content().split("What happened")[1]


async def test_the_form_of_a_move_has_what_its_gates_read(database_url: str, tmp_path: Path):
    async with board_page(database_url, tmp_path / "h") as (_, browser):
        place = await create(browser)
        await browser.get(place)
        (asked,) = browser.element("move-ready").xpath(".//select[@name='field.depends_on_reviewed']")
        assert asked.get("required") is None, "a task that depends on others needs no such word"
        made = await browser.send("move-ready", **{"field.depends_on_reviewed": "yes"})
        assert made.status_code == 303, made.text
        await browser.get(place)
        assert "ready" in browser.element("task-head").text_content()
        assert "yes" in browser.element("task-fields").text_content()


async def test_filters_are_the_address(database_url: str, tmp_path: Path):
    async with board_page(database_url, tmp_path / "h") as (_, browser):
        await create(browser, "tea")
        await create(browser, "coffee", **{"field.description": "Beans, ground."})

        async def cards(query: str) -> set[str]:
            page = await browser.get(f"/boards/kettle?{query}")
            assert page.status_code == 200, page.text
            return {
                str(one).removeprefix("card-")
                for one in browser.document.xpath("//li[starts-with(@id, 'card-')]/@id")
            }

        assert await cards("") == {"tea", "coffee"}
        assert await cards("q=BEANS") == {"coffee"}
        assert await cards("q=title+of+t") == {"tea"}
        assert await cards("role=dev") == set()
        assert await cards("status=pending") == {"tea", "coffee"}
        assert await cards("blocked=1") == set()
        assert await cards("owner=dan") == set()
        assert (await browser.get("/boards/kettle?ended=3")).status_code == 422
        assert (await browser.get("/boards/nowhere")).status_code == 404
        assert (await browser.get("/boards/kettle/tasks/nothing")).status_code == 404
        assert (await browser.get("/boards/kettle/new?process=no")).status_code == 404


async def test_a_session_that_only_looks_moves_nothing(database_url: str, tmp_path: Path):
    async with board_page(database_url, tmp_path / "h") as (services, browser):
        place = await create(browser)
        async with logged_in(services, read_only=True, beside=browser) as reader:
            page = await reader.get(place)
            assert page.status_code == 200
            assert not reader.document.xpath("//main//form[@method='post']")
            own = reader.document.xpath("//input[@name='csrf']")[0].get("value")
            for path in ("move", "edit", "block", "restore"):
                answer = await reader.client.post(
                    f"{place}/{path}", data={"csrf": own, "move": "ready", "version": "1"}
                )
                assert answer.status_code == 403, path
            assert (
                await reader.client.post("/boards/kettle/new", data={"csrf": own, "name": "x"})
            ).status_code == 403
        answer = await browser.client.post(
            f"{place}/move", data={"move": "ready", "version": "1"}, headers=SAME_SITE
        )
        assert answer.status_code == 403


async def test_texts_of_tasks_are_shown_as_text(database_url: str, tmp_path: Path):
    async with board_page(database_url, tmp_path / "h") as (_, browser):
        place = await create(browser, title=HOSTILE, **{"field.description": HOSTILE})
        for address in (place, "/boards/kettle", f"/boards/kettle?q={HOSTILE}"):
            page = await browser.get(address)
            assert "<script>alert" not in page.text
            assert "7 * 7" in page.text


@pytest.mark.parametrize("number", [2_000])
async def test_a_full_board_shows_the_newest_and_how_many_more(
    number: int, database_url: str, tmp_path: Path
):
    async with board_page(database_url, tmp_path / "h") as (_, browser):
        await asyncio.to_thread(add_tasks, database_url, "kettle", "ready", number)
        await browser.get("/boards/kettle")
        began = time.perf_counter()
        page = await browser.get("/boards/kettle")
        took = time.perf_counter() - began
        assert page.status_code == 200
        assert f"{number - 25:,} more" in browser.element("board-columns").text_content()
        assert len(browser.document.xpath("//li[starts-with(@id, 'card-')]")) == 25
        assert in_time(took, 2)
