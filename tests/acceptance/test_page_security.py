"""The founder's page against other sites, foreign forms, and texts that would be more than text."""

from __future__ import annotations

from pathlib import Path

import pytest

from frasier.interfaces.web import static_files
from frasier.interfaces.web.routes import ACTIONS, PAGES
from frasier.kernel.ids import new_id
from support.founder_page import logged_in, served_page
from support.organisation import organisation
from support.page_questions import ask, is_open

WEB = Path(static_files.__file__).parent
HOSTILE = "<script>alert(1)</script>\r\rdata: <img src=x onerror=alert(2)>\r\n\u2028'\"&{{ 7 * 7 }}"


def concrete(path: str) -> str:
    return "/".join(str(new_id()) if part.startswith("{") else part for part in path.split("/"))


async def test_nothing_is_shown_or_done_without_a_session(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, served_page(services) as client:
        for path in [*(page.path for page in PAGES), "/live", "/live/since?page=/&after=0", "/nowhere"]:
            answer = await client.get(concrete(path))
            assert answer.status_code == 401, path
            assert "Open your login link" in answer.text
        for action in ACTIONS:
            assert (await client.post(concrete(action.path), data={"answer": "yes"})).status_code == 401


@pytest.mark.parametrize(
    ("headers", "csrf"),
    [
        ({"sec-fetch-site": "cross-site"}, None),
        ({"sec-fetch-site": "same-site"}, None),
        ({"origin": "https://elsewhere.example"}, None),
        ({"origin": "null"}, None),
        ({"host": "elsewhere.example"}, None),
        ({}, "guessed"),
        ({}, ""),
    ],
)
async def test_a_form_that_is_not_of_the_page_changes_nothing(
    headers: dict[str, str], csrf: str | None, database_url: str, tmp_path: Path
):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        question = await ask(services)
        await browser.get("/")
        changed = {} if csrf is None else {"csrf": csrf}
        answer = await browser.send(f"question-{question}", headers=headers, answer="yes", **changed)
        assert answer.status_code == 403, answer.text
        assert await is_open(services, question)
        assert (await browser.send(f"question-{question}", answer="yes")).status_code == 303
        assert not await is_open(services, question)


async def test_a_session_that_only_looks_has_no_forms_and_may_send_none(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services:
        question = await ask(services)
        async with logged_in(services) as browser:
            csrf = browser.fields(f"question-{question}")[1]["csrf"]
        async with logged_in(services, read_only=True) as reader:
            assert "Shall we?" in reader.page.text
            for page in PAGES:
                shown = await reader.get(concrete(page.path))
                forms = [form.get("action") for form in reader.document.xpath("//form[@method='post']")]
                assert shown.status_code != 200 or forms == ["/logout"], page.path
            await reader.get("/")
            own = reader.document.xpath("//input[@name='csrf']")[0].get("value")
            for sent in (csrf, own):
                answer = await reader.client.post(
                    f"/answers/{question}", data={"csrf": sent, "answer": "yes"}
                )
                assert answer.status_code == 403
        assert await is_open(services, question)


async def test_every_text_is_shown_as_text(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services:
        await ask(services, HOSTILE, options=[HOSTILE, "no"])
        async with logged_in(services) as browser:
            card = browser.document.xpath("//*[@id='now-waiting']//li")[0]
            assert HOSTILE.replace("\r\n", "\n").replace("\r", "\n").splitlines()[0] in card.text_content()
            assert not card.xpath(".//script | .//img")
            assert card.xpath(".//button")[0].get("value").startswith("<script>alert(1)")
            refused = await browser.get("/missions", params={"status": HOSTILE, "before": HOSTILE})
            assert refused.status_code == 200
            given = await browser.get("/new", params={"directive": HOSTILE})
            assert browser.document.xpath("//textarea[@name='directive']")[0].text.startswith("<script>")
            assert "<script>alert" not in given.text
            answer = await browser.send("new-form", directive=HOSTILE, kind=HOSTILE, budget=HOSTILE)
            assert answer.status_code == 422
            assert "<script>alert" not in answer.text


async def test_every_response_has_the_headers_that_protect_the_page(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        for path in ("/", "/new", "/nowhere", "/login"):
            answer = await browser.get(path)
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert "require-trusted-types-for 'script'" in policy
            assert answer.headers["cache-control"] == "no-store"
            assert answer.headers["x-frame-options"] == "DENY"
            assert answer.headers["referrer-policy"] in {"same-origin", "no-referrer"}
            assert " style=" not in answer.text
            assert "<script>" not in answer.text
            assert " on" + "click" not in answer.text


async def test_static_files_are_kept_for_good_under_names_of_their_content(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        addresses = browser.document.xpath("//link[@href]/@href | //script/@src")
        assert len(addresses) == 4
        for address in addresses:
            answer = await browser.client.get(address)
            assert answer.status_code == 200
            assert "immutable" in answer.headers["cache-control"]
        assert (await browser.client.get("/static/page.css")).status_code == 404
        assert (await browser.client.get("/static/..%2fpage.py")).status_code == 404


async def test_a_form_leads_to_pages_of_this_server_only(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        for elsewhere in (
            "https://elsewhere.example",
            "//elsewhere.example",
            "/\\elsewhere",
            "javascript:alert(1)",
        ):
            question = await ask(services)
            await browser.get("/")
            answer = await browser.send(f"question-{question}", answer="yes", page=elsewhere)
            assert (answer.status_code, answer.headers["location"]) == (303, "/")


async def test_a_page_is_compressed(database_url: str, tmp_path: Path):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        answer = await browser.client.get("/", headers={"accept-encoding": "gzip"})
        assert answer.headers["content-encoding"] == "gzip"


def test_no_template_marks_a_text_as_safe():
    marked = [
        str(path.relative_to(WEB))
        for path in WEB.rglob("*")
        if path.suffix in {".html", ".svg"}
        and ("|safe" in (text := path.read_text("utf-8")) or "| safe" in text)
    ]
    assert marked == []


def test_scripts_are_few_and_ours():
    scripts = {path.name: path.read_text("utf-8") for path in (WEB / "static").glob("*.js")}
    assert len(scripts["live.js"].splitlines()) <= 100
    assert sum(len(text.splitlines()) for text in scripts.values()) <= 1_000
    assert all("innerHTML" not in text for name, text in scripts.items() if name != "live.js")


@pytest.mark.parametrize(
    "address",
    ["/log?kind=%00", f"/log?before={'9' * 5_000}", "/boards/%00", f"/missions?older={'9' * 5_000}"],
)
async def test_an_address_with_values_that_nothing_can_have_is_no_page(
    database_url: str, tmp_path: Path, address: str
):
    async with organisation(database_url, tmp_path / "h") as services, logged_in(services) as browser:
        assert (await browser.get(address)).status_code == 404
