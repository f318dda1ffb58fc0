"""The main job over the web: searched, fetched politely, numbered, cited; and only where it is allowed."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from frasier.kernel.errors import InvalidInput
from frasier.org.missions import MissionStatus
from frasier.overview import MissionProgress, read_activity
from frasier.work import Directive
from frasier.work.research.web import WebSettings
from support.organisation import DIRECTIVE, organisation, wait_until_settled, write_documents
from support.web_server import Reply, WebServer, page, plain

TEA = (
    "<h1>Tea</h1><p>Green tea is brewed with water of 75 degrees for two minutes, as the tasters of the house agree.</p>"
    "<p>Tea leaves are kept in a closed tin away from light, and green tea keeps its taste for about one year.</p>"
)
COFFEE = (
    "<h1>Coffee</h1><p>Filter coffee is brewed with water of 94 degrees for four minutes, and never with boiling water.</p>"
    "<p>Roasted beans are kept in a bag with a valve, where they lose most of their aroma within six weeks.</p>"
)
FILLER = (
    "<p>"
    + "The house has bought its goods from the same three families since its founding year. " * 8
    + "</p>"
)


@pytest.fixture
async def web() -> AsyncIterator[WebServer]:
    async with WebServer() as server:
        hits = [
            {"url": server.url("/tea"), "title": "Tea", "content": "about tea"},
            {"url": server.url("/coffee"), "title": "Coffee", "content": "about coffee"},
            {"url": server.url("/private"), "title": "Private", "content": "not for robots"},
        ]
        found = Reply(
            body=json.dumps({"results": hits}).encode(), headers={"Content-Type": "application/json"}
        )
        server.routes = {
            "/search": found,
            "/robots.txt": plain("User-agent: *\nDisallow: /private\n"),
            "/tea": page(TEA + FILLER, title="Tea"),
            "/coffee": page(COFFEE + FILLER, title="Coffee"),
            "/private": page(TEA + FILLER, title="Private"),
            "/linked": page(COFFEE + FILLER, title="Linked"),
        }
        yield server


def settings(web: WebServer, search: str = "searxng") -> dict[str, Any]:
    return {
        "web": WebSettings(
            search=search,  # type: ignore[arg-type]
            search_url=web.url(""),
            allow_private_hosts=frozenset({web.authority}),
            min_delay_s_per_host=0,
        )
    }


async def run(database_url: str, home: Path, server: WebServer, **asked: Any) -> MissionProgress:
    search = asked.pop("search", "searxng")
    async with organisation(database_url, home, **settings(server, search)) as services:
        directive = Directive(**{"text": DIRECTIVE, "destination": home / "out", **asked})
        taken = await services.take_directive(directive)
        async with services.running():
            return await wait_until_settled(services, taken.mission.id)


async def test_without_documents_the_web_is_searched_and_what_was_read_is_cited(
    database_url: str, tmp_path: Path, web: WebServer
) -> None:
    snapshot = await run(database_url, tmp_path / "frasier", web)
    assert snapshot.status is MissionStatus.DELIVERED
    folder = Path(snapshot.path or "")
    text = (folder / "deliverable.md").read_text("utf-8")
    assert "brewed with water of 75 degrees" in text
    sources = json.loads((folder / "provenance.json").read_text("utf-8"))["sources"]
    assert {source["uri"] for source in sources} == {web.url("/tea"), web.url("/coffee")}
    assert all(source["kind"] == "web" and len(source["sha256"]) == 64 for source in sources)
    assert "/private" not in web.paths
    async with organisation(database_url, tmp_path / "frasier") as services:
        activity = await services.in_transaction(read_activity, snapshot.mission_id)
    told = [line.text for line in activity]
    assert f"reads {web.url('/tea')}" in told
    assert any(line.startswith("searches the web: ") for line in told)
    assert any(line.startswith("read 3 pages, found ") for line in told)


async def test_with_documents_the_web_is_off_unless_it_is_asked_for(
    database_url: str, tmp_path: Path, web: WebServer
) -> None:
    folder = write_documents(tmp_path / "drinks")
    snapshot = await run(database_url, tmp_path / "frasier", web, sources=(folder,))
    assert snapshot.status is MissionStatus.DELIVERED
    assert web.paths == []
    snapshot = await run(database_url, tmp_path / "frasier", web, sources=(folder,), web=True)
    assert snapshot.status is MissionStatus.DELIVERED
    assert "/tea" in web.paths


async def test_without_a_search_only_the_links_of_the_directive_are_read(
    database_url: str, tmp_path: Path, web: WebServer
) -> None:
    text = f"{DIRECTIVE}: see {web.url('/linked')}."
    snapshot = await run(database_url, tmp_path / "frasier", web, search="none", text=text)
    assert set(web.paths) == {"/linked"}
    assert snapshot.status is MissionStatus.DELIVERED


async def test_asking_for_the_web_without_a_search_or_a_link_is_refused(
    database_url: str, tmp_path: Path, web: WebServer
) -> None:
    folder = write_documents(tmp_path / "drinks")
    with pytest.raises(InvalidInput, match="no search is configured"):
        await run(database_url, tmp_path / "frasier", web, search="none", sources=(folder,), web=True)
