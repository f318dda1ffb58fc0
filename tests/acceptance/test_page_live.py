"""A page that stays open shows what a page that is loaded now shows: by patches, in every tab, after a lost connection."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psycopg
import pytest

from frasier.interfaces.web.live_pages import LivePages
from frasier.interfaces.web.page import Fragment
from frasier.interfaces.web.rendering import render_fragment
from frasier.org.governance import revoke_page_sessions
from support.founder_page import Browser, logged_in
from support.live_stream import Stream, Tab, listening, visible_html
from support.organisation import organisation, write_documents
from support.page_happenings import Happenings
from support.page_questions import ask

_DEADLINE_S = 20


def reads_of_pages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list to which the address of each page is added when it is read from now on."""
    read: list[str] = []
    original = LivePages._read

    async def counted(self, page):
        read.append(page.address)
        return await original(self, page)

    monkeypatch.setattr(LivePages, "_read", counted)
    return read


async def follows(tab: Tab, browser: Browser, stream: Stream) -> None:
    """Wait until the tab shows what the page shows when it is loaded anew."""
    async with asyncio.timeout(_DEADLINE_S):
        while True:
            stream.heard.clear()
            await browser.get(tab.address)
            if visible_html(browser.document) == tab.visible_html:
                return
            await stream.heard.wait()


@pytest.mark.parametrize("address", ["/", "/missions", "/missions?status=open", "/office"])
@pytest.mark.parametrize("seed", [1, 2])
async def test_the_patches_of_random_events_give_what_reloading_gives(
    address: str, seed: int, database_url: str, tmp_path: Path
):
    folder = write_documents(tmp_path / "d")
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        happenings = Happenings(services, folder, seed)
        await happenings.happen()
        await browser.get(address)
        tab = Tab(browser, address)
        await happenings.happen()  # after the page was made, before anybody listens
        async with listening(browser, tab) as stream:
            await tab.catch_up()
            for _ in range(8):
                await happenings.happen()
                await follows(tab, browser, stream)
        assert tab.patches
        assert not tab.reloads


async def test_every_tab_of_a_browser_follows_over_one_stream(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        tabs = []
        for address in ("/", "/missions", "/new", "/"):
            await browser.get(address)
            tabs.append(Tab(browser, address))
        async with listening(browser, *tabs) as stream:
            await ask(services)
            for tab in tabs:
                await follows(tab, browser, stream)
                assert "(1)" in tab.document.findtext(".//title")


async def test_a_tab_that_was_cut_off_catches_up(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        tab = Tab(browser, "/")
        async with listening(browser, tab) as stream:
            await ask(services)
            await follows(tab, browser, stream)
        await ask(services, "Asked while nobody listened")
        assert "while nobody listened" not in tab.visible_html
        async with listening(browser, tab) as stream:
            await tab.catch_up()
            await follows(tab, browser, stream)
            assert "while nobody listened" in tab.visible_html


async def test_nothing_changed_means_nothing_is_sent(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        tab = Tab(browser, "/")
        asked = {"page": "/", "after": str(tab.place)}
        assert (await browser.client.get("/live/since", params=asked)).text == ""
        for page in ("https://elsewhere.example/", "/nowhere", ""):
            assert (await browser.client.get("/live/since", params=asked | {"page": page})).status_code == 404
        for place in ("-1", "x", "9" * 5_000):
            assert (
                await browser.client.get("/live/since", params=asked | {"after": place})
            ).status_code == 404


async def test_forms_of_a_patch_carry_the_token_of_the_session_that_gets_it(
    database_url: str, tmp_path: Path
):
    async with (
        organisation(database_url, tmp_path / "h") as services,
        logged_in(services) as one,
        logged_in(services, beside=one) as two,
        logged_in(services, beside=one, read_only=True) as three,
    ):
        browsers = (one, two, three)
        tabs = [Tab(browser, "/") for browser in browsers]
        async with (
            listening(one, tabs[0]) as first,
            listening(two, tabs[1]) as second,
            listening(three, tabs[2]) as third,
        ):
            question = await ask(services)
            for browser, tab, stream in zip(browsers, tabs, (first, second, third), strict=True):
                await follows(tab, browser, stream)
        tokens = [tab.document.xpath("//li//input[@name='csrf']/@value") for tab in tabs]
        assert tokens[0] != tokens[1]
        assert tokens[2] == []
        for token, status in ((tokens[1], 403), (tokens[0], 303)):
            sent = {"csrf": token[0], "answer": "yes"}
            assert (await one.client.post(f"/answers/{question}", data=sent)).status_code == status


async def test_the_stream_of_a_session_that_ended_ends(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("frasier.interfaces.web.live_pages._BEAT_S", 0.1)
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        tab = Tab(browser, "/")
        async with listening(browser, tab) as stream:
            await services.in_transaction(revoke_page_sessions)
            async with asyncio.timeout(_DEADLINE_S):
                await stream.ended.wait()
        assert tab.reloads == 1


async def test_nothing_is_left_of_streams_that_browsers_closed(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        tab = Tab(browser, "/")
        async with listening(browser, tab):
            open_tasks = len(asyncio.all_tasks())
        before = len(asyncio.all_tasks())
        assert before < open_tasks
        for _ in range(5):
            async with listening(browser, tab) as stream:
                await ask(services)
                await follows(tab, browser, stream)
        assert len(asyncio.all_tasks()) <= before


async def test_nobody_who_looks_means_nothing_is_read(database_url: str, tmp_path: Path, monkeypatch):
    read = reads_of_pages(monkeypatch)
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        tab = Tab(browser, "/")
        async with listening(browser, tab) as stream:
            await ask(services)
            await follows(tab, browser, stream)
        read.clear()
        await ask(services)
        await asyncio.wait({asyncio.create_task(asyncio.sleep(0.3))})
        assert read == []


async def test_a_page_that_its_tab_left_is_read_no_more(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        await browser.get("/costs")
        costs = {"page": "/costs", "tab": "abc"}
        assert (await browser.client.get("/live/since", params=costs | {"after": "0"})).status_code == 200
        await browser.get("/")
        tab = Tab(browser, "/")
        read = reads_of_pages(monkeypatch)
        async with listening(browser, tab) as stream:
            await ask(services, "Asked before")
            await follows(tab, browser, stream)
            assert "/costs" in read
            foreign = {"sec-fetch-site": "cross-site"}
            refused = await browser.client.post("/live/leave", params=costs, headers=foreign)
            assert refused.status_code == 403
            assert (await browser.client.post("/live/leave", params=costs)).status_code == 204
            read.clear()
            await ask(services, "Asked after")
            await follows(tab, browser, stream)
        assert set(read) == {"/"}


async def test_a_page_whose_tab_broke_off_is_read_no_more_once_its_browser_says_which_tabs_it_has(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        for address, name in (("/costs", "gone"), ("/log", "hidden"), ("/", "shown")):
            await browser.get(address)
            said = {"page": address, "tab": name, "after": "0"}
            assert (await browser.client.get("/live/since", params=said)).status_code == 200
        tab = Tab(browser, "/")
        read = reads_of_pages(monkeypatch)
        for query, addresses in ((b"", {"/costs", "/log", "/"}), (b"tabs=shown,hidden", {"/log", "/"})):
            read.clear()
            async with listening(browser, tab, query=query) as stream:
                await ask(services, f"Asked of {len(addresses)}")
                await follows(tab, browser, stream)
            assert set(read) == addresses


async def test_a_tab_follows_also_where_another_tab_loads_the_page_first(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    going_on, update = asyncio.Event(), LivePages._update

    async def held_back(self: LivePages) -> None:
        await going_on.wait()
        await update(self)

    monkeypatch.setattr(LivePages, "_update", held_back)
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        tab = Tab(browser, "/")
        async with listening(browser, tab) as stream:
            await ask(services)
            await browser.get("/")  # reads what changed before the stream does
            going_on.set()
            await follows(tab, browser, stream)


async def test_a_change_is_shown_beside_a_transaction_that_stays_open(database_url: str, tmp_path: Path):
    async with (
        organisation(database_url, tmp_path / "h") as services,
        logged_in(services) as browser,
        await psycopg.AsyncConnection.connect(database_url) as other,
    ):
        tab = Tab(browser, "/")
        async with listening(browser, tab) as stream:
            await ask(services, "Asked before")
            await follows(tab, browser, stream)
            # Readers of events in order get none of what follows until this transaction has ended.
            await other.execute("select pg_current_xact_id()")
            await ask(services, "Asked beside it")
            stream.heard.clear()
            async with asyncio.timeout(_DEADLINE_S / 4):
                while "Asked beside it" not in tab.visible_html:
                    await stream.heard.wait()
                    stream.heard.clear()


async def test_changes_are_rendered_once_for_all_tabs(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    rendered: list[Mapping[str, Any]] = []  # the values of each reading that was rendered

    def render(fragment: Fragment, values: Mapping[str, Any]) -> str:
        if fragment.id == "now-waiting":
            rendered.append(values)
        return render_fragment(fragment, values)

    async with (
        organisation(database_url, tmp_path / "h") as services,
        logged_in(services) as one,
        logged_in(services, beside=one) as two,
    ):
        tabs = [Tab(browser, "/") for browser in (one, one, two)]
        async with (
            listening(one, tabs[0]) as first,
            listening(one, tabs[1]),
            listening(two, tabs[2]) as second,
        ):
            await ask(services, "Asked before")
            await follows(tabs[0], one, first)
            await follows(tabs[2], two, second)
            monkeypatch.setattr("frasier.interfaces.web.live_pages.render_fragment", render)
            read = reads_of_pages(monkeypatch)
            await ask(services, "Asked of all")
            async with asyncio.timeout(_DEADLINE_S):
                while not all("Asked of all" in tab.visible_html for tab in tabs):
                    second.heard.clear()
                    await second.heard.wait()
    assert set(read) == {"/"}
    assert rendered
    assert len({id(values) for values in rendered}) == len(rendered), "a reading was rendered twice"


async def test_a_session_with_many_pages_leaves_the_tabs_of_others_alone(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("frasier.interfaces.web.watched_pages._PAGES_MAX", 12)
    async with (
        organisation(database_url, tmp_path / "h") as services,
        logged_in(services) as founder,
        logged_in(services, beside=founder, read_only=True) as reader,
    ):
        await reader.get("/missions")
        tab, kept, newest = Tab(founder, "/"), Tab(reader, "/missions"), 19
        for number in range(newest + 1):
            await reader.get(f"/?number={number}")
        last = Tab(reader, f"/?number={newest}")
        async with listening(founder, tab) as stream, listening(reader, kept, last) as other:
            await ask(services)
            await follows(tab, founder, stream)
            await follows(last, reader, other)
            assert kept.patches == 0  # the reader's own oldest page made room


async def test_a_page_that_fails_leaves_the_tabs_of_others_alone(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a defect")

    async with (
        organisation(database_url, tmp_path / "h") as services,
        logged_in(services) as founder,
        logged_in(services, beside=founder, read_only=True) as reader,
    ):
        await reader.get("/costs")
        failing, tab = Tab(reader, "/costs"), Tab(founder, "/")
        async with listening(reader, failing) as other, listening(founder, tab) as stream:
            monkeypatch.setattr("frasier.interfaces.web.pages.costs.read_costs", fail)
            await ask(services)
            await follows(tab, founder, stream)
            async with asyncio.timeout(_DEADLINE_S):
                while not failing.reloads:
                    other.heard.clear()
                    await other.heard.wait()
        assert (await reader.client.get("/costs")).status_code == 500
        async with listening(reader, failing), listening(founder, tab) as stream:
            await ask(services)
            await follows(tab, founder, stream)
        assert (tab.reloads, failing.reloads) == (0, 1)
