"""The room for watched pages: each session has its share, and the largest makes room."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest

from frasier.interfaces.web import watched_pages
from frasier.interfaces.web.page import PageContent
from frasier.interfaces.web.sessions import Viewer
from frasier.interfaces.web.watched_pages import WatchedPages
from frasier.kernel.ids import new_id
from frasier.org.governance import PageSession


async def _read() -> PageContent:
    return PageContent(title="", fragments=())


def _viewer() -> Viewer:
    now = datetime.now(UTC)
    session = PageSession(
        id=new_id(), read_only=False, device="", created_at=now, seen_at=now, expires_at=now, revoked_at=None
    )
    return Viewer(session=session, csrf="")


def _shown(pages: WatchedPages, session: UUID) -> list[str]:
    return [page.address for page in pages if session in page.sessions]


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched_pages, "_PAGES_MAX", 10)
    monkeypatch.setattr(watched_pages, "_PAGES_OF_SESSION_MAX", 6)


def test_a_session_keeps_its_newest_pages():
    pages, viewer = WatchedPages(), _viewer()
    for number in range(9):
        pages.add(viewer, f"/{number}", _read)
    pages.add(viewer, "/3", _read)
    pages.add(viewer, "/9", _read)
    assert _shown(pages, viewer.session.id) == ["/5", "/6", "/7", "/8", "/3", "/9"]


def test_the_session_with_most_pages_makes_room_for_the_others():
    pages, sessions = WatchedPages(), [_viewer() for _ in range(3)]
    for viewer, count in zip(sessions, (2, 6, 6), strict=True):
        for number in range(count):
            pages.add(viewer, f"/{viewer.session.id}/{number}", _read)
    assert [len(_shown(pages, viewer.session.id)) for viewer in sessions] == [2, 4, 4]


def test_a_page_of_several_sessions_is_one_and_stays_while_one_shows_it():
    pages, one, two = WatchedPages(), _viewer(), _viewer()
    assert pages.add(one, "/", _read) is pages.add(two, "/", _read)
    for number in range(6):
        pages.add(one, f"/{number}", _read)
    assert _shown(pages, two.session.id) == ["/"]
    assert "/" not in _shown(pages, one.session.id)


def test_a_page_that_no_tab_speaks_of_is_forgotten(monkeypatch: pytest.MonkeyPatch):
    pages, one, two = WatchedPages(), _viewer(), _viewer()
    pages.add(one, "/", _read)
    monkeypatch.setattr(watched_pages, "WATCH_S", -1.0)
    pages.add(two, "/", _read, "a tab")
    pages.add(two, "/log", _read, "a tab")
    pages.expire()
    assert [(page.address, page.sessions) for page in pages] == [("/", {one.session.id})]


def test_a_page_is_forgotten_when_its_last_tab_leaves_it():
    pages, viewer = WatchedPages(), _viewer()
    for tab in ("", "first", "second"):
        pages.add(viewer, "/", _read, tab)  # a tab loads the page, then says so
    for tab, left in (("first", ["/"]), ("never seen", ["/"]), ("second", [])):
        pages.leave(viewer, "/", tab)
        assert _shown(pages, viewer.session.id) == left


def test_a_request_that_comes_after_its_tab_has_left_keeps_no_page():
    pages, viewer = WatchedPages(), _viewer()
    pages.add(viewer, "/", _read)
    pages.leave(viewer, "/", "closed at once")
    pages.add(viewer, "/", _read, "closed at once")
    pages.expire()
    assert _shown(pages, viewer.session.id) == []


def test_the_tabs_that_a_browser_has_stay_and_those_of_others():
    pages, viewer, other = WatchedPages(), _viewer(), _viewer()
    pages.add(other, "/log", _read, "of the other")
    for address, tab in (("/", "one"), ("/costs", "two"), ("/log", "three"), ("/people", "")):
        pages.add(viewer, address, _read, tab)
    pages.keep_tabs(viewer, ["two", "never seen"])
    assert _shown(pages, viewer.session.id) == ["/costs", "/people"]
    assert _shown(pages, other.session.id) == ["/log"]
