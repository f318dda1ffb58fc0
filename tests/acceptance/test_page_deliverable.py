"""The page of a deliverable and of a step: to be read, checked against its sources, compared and taken along."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from frasier.interfaces.services import Services
from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.overview import MissionProgress, read_deliverable
from frasier.work import Directive
from support.cli_states import completed_mission
from support.founder_page import Browser, logged_in
from support.organisation import DIRECTIVE, carry_out, organisation, wait_until_settled, write_documents


@pytest.fixture
async def services(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "home") as services:
        yield services


@pytest.fixture
async def browser(services: Services):
    async with logged_in(services) as browser:
        yield browser


@pytest.fixture
async def delivered(services: Services, tmp_path: Path) -> MissionProgress:
    return await carry_out(services, write_documents(tmp_path / "docs"))


async def test_a_citation_opens_the_passage_that_its_statement_rests_on(
    services: Services, browser: Browser, delivered: MissionProgress
):
    page = await browser.get(f"/missions/{delivered.mission_id}/deliverable")
    assert page.status_code == 200, page.text
    read = await services.in_transaction(read_deliverable, str(delivered.mission_id))
    assert f"Verified {read.verified} of {len(read.statements)}" in browser.document.text_content()
    buttons = browser.document.xpath("//article//button[@popovertarget]")
    assert buttons
    passages = {passage.text for statement in read.statements for passage in statement.passages}
    shown = set()
    for button in buttons:
        note = browser.element(button.get("popovertarget"))
        assert note.get("popover") is not None, "it opens without a script"
        shown |= {quote.text_content() for quote in note.xpath(".//q")}
    assert shown
    assert shown <= passages
    assert {source.get("id") for source in browser.document.xpath("//ul[@class='cited']/li")} == {
        f"source-{source.number}" for source in read.sources if source.cited
    }


async def test_statements_are_marked_by_their_verdict(
    services: Services, browser: Browser, delivered: MissionProgress
):
    await browser.get(f"/missions/{delivered.mission_id}/deliverable")
    read = await services.in_transaction(read_deliverable, str(delivered.mission_id))
    for verdict, mark in (("verified", "verified"), ("doubtful", "doubted"), ("unchecked", "unchecked")):
        marked = " ".join(
            part.text_content() for part in browser.document.xpath(f"//article//span[@class='{mark}']")
        )
        expected = [one for one in read.statements if one.verdict == verdict and one.start is not None]
        assert bool(marked) == bool(expected), verdict
        for statement in expected:
            assert statement.text.split()[-1].strip(".:") in marked
    legend = browser.document.xpath("//ul[@aria-label='Legend']/li")
    assert len(legend) == 4


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("deliverable.md", b"#"),
        ("deliverable.html", b"<!DOCTYPE"),
        ("deliverable.docx", b"PK"),
        ("provenance.json", b"{"),
    ],
)
async def test_every_file_can_be_taken_along(
    browser: Browser, delivered: MissionProgress, name: str, begins: bytes
):
    await browser.get(f"/missions/{delivered.mission_id}/deliverable")
    (link,) = [one for one in browser.document.xpath("//a[@download]/@href") if f"/{name}?" in one]
    file = await browser.client.get(link)
    assert file.status_code == 200
    assert file.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert file.content.lstrip(b"> \n").startswith(begins) or begins in file.content[:2000]
    if name == "provenance.json":
        assert json.loads(file.content)["mission"]["id"] == str(delivered.mission_id)
    assert (await browser.client.get(link.replace(name, "../secret"))).status_code == 404


async def test_a_step_is_shown_with_its_statements_reviews_calls_and_events(
    browser: Browser, delivered: MissionProgress
):
    page = await browser.get(f"/missions/{delivered.mission_id}/steps/research-1")
    assert page.status_code == 200, page.text
    text = {
        part: " ".join(browser.element(f"step-{part}").text_content().split())
        for part in ("statements", "reviews", "calls", "events", "versions")
    }
    assert "75 degrees" in text["statements"]
    assert "verified" in text["statements"]
    assert "Osprey" in text["reviews"]
    assert "of 5" in text["reviews"]
    assert "synthesize" in text["calls"]
    assert "deliver" in text["events"]
    assert "version 1" in text["versions"]


async def test_versions_are_compared_word_by_word(services: Services, browser: Browser, tmp_path: Path):
    planned = await services.in_transaction(completed_mission, tmp_path)
    keys = [key for key in planned.steps if key != "report"]
    for key in keys:
        page = await browser.get(f"/missions/{planned.mission.id}/steps/{key}")
        if "What changed" in page.text:
            break
    else:
        pytest.fail("one of the steps was sent back")
    for view in ("", "&view=beside"):
        page = await browser.get(f"/missions/{planned.mission.id}/steps/{key}?version=2&against=1{view}")
        assert page.status_code == 200
    assert (await browser.get(f"/missions/{planned.mission.id}/steps/{key}?version=9")).status_code == 404
    assert (await browser.get(f"/missions/{planned.mission.id}/steps/{key}?version=x")).status_code == 422


@pytest.mark.parametrize("kind", [DeliverableKind.REPORT, DeliverableKind.CONTENT, DeliverableKind.DATA])
async def test_the_files_of_every_kind_are_those_of_its_folder(
    services: Services, browser: Browser, tmp_path: Path, kind: DeliverableKind
):
    request = Directive(
        text=DIRECTIVE, destination=tmp_path / "out", sources=(write_documents(tmp_path / "docs"),), kind=kind
    )
    started = await services.take_directive(request)
    async with services.running():
        delivered = await wait_until_settled(services, started.mission.id)
    assert delivered.path, delivered.trouble
    folder = Path(delivered.path)
    published = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    page = await browser.get(f"/missions/{started.mission.id}/deliverable")
    assert page.status_code == 200, page.text
    links = browser.document.xpath("//a[@download]/@href")
    names = {link.partition("/files/")[2].partition("?")[0] for link in links}
    assert names == {name for name in published if not name.startswith("steps/")}
    for link in links:
        assert (await browser.client.get(link)).status_code == 200, link
