"""The forms in which a deliverable is published: each can be opened, and shows what its statements rest on."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path

import docx
from lxml import html
from pypdf import PdfReader

from support.cli import FrasierProgram
from support.hot_drinks import publish_hot_drinks
from support.organisation import DIRECTIVE, write_documents
from support.programs import needs_program


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


async def test_the_word_document_is_read_and_converted_by_libreoffice(
    database_url: str, tmp_path: Path
) -> None:
    soffice = needs_program("soffice")
    folder = await publish_hot_drinks(database_url, tmp_path)
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
