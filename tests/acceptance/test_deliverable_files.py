"""The forms in which a deliverable is published: each can be opened, and shows what its statements rest on."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path

import docx
import pytest
from lxml import html
from pypdf import PdfReader

from frasier.llm import LlmSettings
from frasier.org.planning import MissionStatus
from support.browser import opened_in_chromium
from support.cli import FrasierProgram
from support.model_responder import CompetentModel, Prompt, plan_of
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import DIRECTIVE, carry_out, organisation, write_documents
from support.programs import needs_program

TEXT = """\
# Hot drinks

## Water

| Drink | Water | Time |
|---|--:|:-:|
| Green tea | 75 degrees [3] | two minutes |
| Filter coffee | 94 degrees [2] | four minutes |

Filter coffee is brewed with water of 94 degrees for four minutes. [2]
Filter coffee is brewed with water of 61 degrees for nine hours. [2]

## Storage

- Tea leaves are kept in a closed tin away from light. [3]
  1. Green tea keeps its taste for about one year. [3]
- Roasted beans are kept in a bag with a valve. [2]

### Cocoa

> The sources do not say how cocoa is brewed. <script>document.title = "run"</script>

```python
brew("tea[1]")
```

## Money

See [prices](https://example.org/prices) and ![x](http://127.0.0.1:9/pixel.png).
"""


@pytest.fixture
async def folder(database_url: str, tmp_path: Path) -> Path:
    """The folder of a mission that a scripted model carried out, with one invented statement."""

    def write(_prompt: Prompt) -> ScriptedAnswer:
        return ScriptedAnswer(content=TEXT)

    model = CompetentModel(plan=lambda _: ScriptedAnswer.json(plan_of(1)), synthesize=write, revise=write)
    with ModelServer(model) as server:
        llm = LlmSettings(base_url=server.base_url, t1_model="m1", t2_model="m2", t3_model="m3")
        async with organisation(database_url, tmp_path / "home", llm=llm) as services:
            progress = await carry_out(services, write_documents(tmp_path / "drinks"))
    assert progress.status is MissionStatus.DELIVERED, progress.failure
    return Path(progress.path or "")


def test_a_run_names_every_form_of_its_deliverable(frasier: FrasierProgram, tmp_path: Path) -> None:
    told = frasier("run", DIRECTIVE, "--sources", str(write_documents(tmp_path / "drinks"))).out
    assert "Beside it: deliverable.docx, deliverable.html" in told
    ended = frasier.json("resume", "last")
    word, page, _ = files = [Path(path) for path in ended["files"]]
    assert [path.name for path in files] == ["deliverable.docx", "deliverable.html", "deliverable.md"]
    document = html.parse(page)
    assert document.xpath("//article//*[@class='cite']/a")
    assert "Rehearsal" in document.xpath("string(//body)")
    assert any("Rehearsal" in paragraph.text for paragraph in docx.Document(word).paragraphs)
    assert "94 degrees" in "".join(cell.text for cell in docx.Document(word).tables[-1].column_cells(3))


async def test_the_page_opens_without_errors_or_requests_and_is_accessible(folder: Path) -> None:
    async with opened_in_chromium(folder / "deliverable.html") as opened:
        assert await opened.page.title() == "Hot drinks"
        assert opened.messages == []
        assert opened.requests == [(folder / "deliverable.html").as_uri()]
        for scheme in ("light", "dark"):
            await opened.page.emulate_media(color_scheme=scheme)
            for mark in (".doubt > a", ".cite > a"):
                await opened.page.locator(mark).first.focus()
                assert await opened.serious_findings() == [], f"{scheme}, with the note of {mark}"


async def test_marks_show_what_they_rest_on_at_the_pointer_and_at_the_keyboard_without_a_script(
    folder: Path,
) -> None:
    async with opened_in_chromium(folder / "deliverable.html", java_script_enabled=False) as opened:
        page = opened.page
        mark = page.locator("article .cite > a", has_text="[2]").nth(1)
        note = page.locator(f"#{await mark.get_attribute('aria-describedby')}")
        assert not await note.is_visible()
        await mark.focus()
        await note.wait_for(state="visible")
        assert "94 degrees for four minutes" in await note.inner_text()
        await page.keyboard.press("Tab")
        await note.wait_for(state="hidden")
        await mark.hover()
        await note.wait_for(state="visible")
        box = await note.bounding_box()
        assert box is not None
        await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        await page.mouse.move(box["x"] + 8, box["y"] + 8, steps=4)
        assert await note.is_visible(), "what is shown can be read with the pointer on it"

        doubt = page.locator("article .doubt > a", has_text="doubtful").first
        await doubt.focus()
        reasons = page.locator(f"#{await doubt.get_attribute('aria-describedby')}")
        await reasons.wait_for(state="visible")
        assert "61 degrees" in await reasons.inner_text()
        await doubt.click()
        assert page.url.endswith("#doubtful-1")


async def test_the_page_and_its_notes_fit_every_screen(folder: Path) -> None:
    async with opened_in_chromium(folder / "deliverable.html", reduced_motion="reduce") as opened:
        page = opened.page
        for width, height in ((320, 500), (800, 600), (1400, 900)):
            await page.set_viewport_size({"width": width, "height": height})
            assert await page.evaluate("document.documentElement.scrollWidth") <= width
            for mark in await page.locator("article .cite > a").all():
                await mark.focus()
                box = await page.locator(f"#{await mark.get_attribute('aria-describedby')}").bounding_box()
                assert box is not None
                assert min(box["x"], box["y"]) >= 0
                assert box["x"] + box["width"] <= width
                assert box["y"] + box["height"] <= height


async def test_the_printed_page_has_no_notes_and_names_where_links_lead(folder: Path) -> None:
    async with opened_in_chromium(folder / "deliverable.html") as opened:
        await opened.page.emulate_media(media="print")
        await opened.page.locator("article .cite > a").first.focus()
        assert await opened.page.locator(".note:visible").count() == 0
        after = 'getComputedStyle(document.querySelector(\'article a[href^="https"]\'), "::after").content'
        assert "https://example.org/prices" in await opened.page.evaluate(after)
        assert (await opened.page.pdf()).startswith(b"%PDF")


async def test_the_word_document_is_read_and_converted_by_libreoffice(folder: Path, tmp_path: Path) -> None:
    soffice = needs_program("soffice")
    profile = (tmp_path / "profile").as_uri()
    command = [soffice, "--headless", f"-env:UserInstallation={profile}", "--convert-to", "pdf"]
    command += ["--outdir", tmp_path, folder / "deliverable.docx"]
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
    assert (tmp_path / "deliverable.pdf").is_file(), done.stderr
    reader = PdfReader(tmp_path / "deliverable.pdf")
    printed = " ".join(" ".join(page.extract_text() for page in reader.pages).split())
    for shown in (
        "Hot drinks",
        "Filter coffee is brewed with water of 61 degrees for nine hours. [2] [doubtful]",
        'brew("tea[1]")',
        "Doubtful statements",
        "Roasted beans are kept in a bag with a valve.",
    ):
        assert shown in printed, shown
    assert reader.metadata is not None
    assert reader.metadata.title == "Hot drinks"
    assert not reader.metadata.author
