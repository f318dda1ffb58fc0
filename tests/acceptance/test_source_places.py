"""Where a passage stands: page, lines, row, headings and fragment, in the database, the provenance and the page."""

from __future__ import annotations

import json
from pathlib import Path

import psycopg
import pytest
from docx import Document
from lxml import html

from support.cli import FrasierProgram
from support.document_files import make_pdf
from support.model_responder import CompetentModel, plan_of
from support.model_server import ModelServer, ScriptedAnswer
from support.table_model import PatternExtractor, columns, table_model, table_plan

SETTINGS = {
    "FRASIER_LLM__T1_MODEL": "m1",
    "FRASIER_LLM__T2_MODEL": "m2",
    "FRASIER_LLM__T3_MODEL": "m3",
    "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
}
FEES = (
    "<html><head><title>Fees</title></head><body><h1>Fees</h1><p>All fees are net and in euros.</p>"
    '<section id="mooring"><h2>Mooring</h2><p>A day at the quay costs 31 EUR for each boat.</p></section>'
    '<h2 id="crane">Crane</h2><p>A lift by the crane costs 85 EUR for each boat.</p></body></html>'
)
NOTES = "# Harbour\n\n## Depth\n\nThe quay is 4.5 m deep.\n\n## Hours\n\nThe harbour opens at six.\n"
BOATS = "boat,length,berth\nAlma,9.5 m,12\nBora,11.2 m,14\nCirrus,8.1 m,17\n"
# By file, a sentence on it and the place that it rests on.
PLACES = {
    "boats.csv": ("The boat Bora has a length of 11.2 m and the berth 14.", "row 2, line 2"),
    "fees.html": ("A lift by the crane costs 85 EUR for each boat.", "#crane, under Fees › Crane"),
    "harbour.md": ("The quay is 4.5 m deep.", "line 5, under Harbour › Depth"),
    "report.pdf": ("The jetty was built of oak in 1893.", "page 3"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "harbour"
    folder.mkdir()
    (folder / "boats.csv").write_text(BOATS)
    (folder / "fees.html").write_text(FEES)
    (folder / "harbour.md").write_text(NOTES)
    pages = ("Report on the jetty", "", "The jetty was built of oak in 1893.\nIt needs new planks.")
    (folder / "report.pdf").write_bytes(make_pdf(*pages, title="Report"))
    return folder


def _run(frasier: FrasierProgram, model: CompetentModel, folder: Path) -> Path:
    with ModelServer(model) as server:
        settings = {**SETTINGS, "FRASIER_LLM__BASE_URL": server.base_url}
        ended = frasier.json("run", "Describe the harbour", "--sources", str(folder), code=0, **settings)
    assert ended["status"] == "delivered", ended
    return Path(ended["deliverable"]).parent


def test_the_place_of_a_passage_is_kept_and_shown(
    frasier: FrasierProgram, folder: Path, database_url: str
) -> None:
    lines = [f"- {sentence} [{number}]" for number, (sentence, _) in enumerate(PLACES.values(), start=1)]
    text = "\n".join(["# The harbour", "", *lines, ""])

    def write(_: object) -> ScriptedAnswer:
        return ScriptedAnswer(content=text)

    def decompose(_: object) -> ScriptedAnswer:
        queries = ["boat Bora berth", "crane lift EUR", "quay deep", "jetty oak"]
        return ScriptedAnswer.json({"questions": ["What is there?"], "queries": queries, "requirements": []})

    model = CompetentModel(
        plan=lambda _: ScriptedAnswer.json(plan_of(1)), decompose=decompose, synthesize=write, revise=write
    )
    delivered = _run(frasier, model, folder)
    provenance = json.loads((delivered / "provenance.json").read_text())
    (step,) = provenance["steps"]
    verdicts = step["versions"][-1]["verification"]["verdicts"]
    assert [verdict["passages"][0]["location"] for verdict in verdicts] == [
        place for _, place in PLACES.values()
    ]
    page = html.parse(delivered / "deliverable.html")
    assert "- [4] Report — report.pdf, page 3\n" in (delivered / "deliverable.md").read_text("utf-8")
    document = Document(str(delivered / "deliverable.docx"))
    assert "“The jetty was built of oak in 1893.” (page 3)" in document.tables[-1].rows[4].cells[3].text
    shown = [note.xpath("string(.//*[@class='place'])") for note in page.xpath("//article//*[@class='note']")]
    assert shown[: len(PLACES)] == [place for _, place in PLACES.values()]
    with psycopg.connect(database_url) as connection:
        stored = connection.execute(
            "select provenance->>'place' from memory_items where provenance ? 'place' order by id"
        ).fetchall()
    # A passage goes over several places; it is named by the first.
    assert {place for (place,) in stored} == {
        "lines 1–3",
        "lines 1–11, under Fees",
        "lines 1–9, under Harbour > Depth",
        "pages 1–3",
    }


def test_the_cells_of_a_table_have_places(frasier: FrasierProgram, folder: Path) -> None:
    plan = table_plan({"columns": columns(length="text", price="text", depth="text", built="text")})
    patterns = {
        "length": r"boat: Bora; length: ([\d.]+ m)",
        "price": r"crane costs (\d+ EUR)",
        "depth": r"The quay is ([\d.]+ m)",
        "built": r"built of oak in (\d+)",
    }
    delivered = _run(frasier, table_model(plan, PatternExtractor(patterns)), folder)
    provenance = json.loads((delivered / "provenance.json").read_text())
    version = provenance["steps"][0]["versions"][-1]
    cells = [next(cell for cell in row["cells"] if cell["value"]) for row in version["table"]["rows"]]
    expected = [place for _, place in PLACES.values()]
    assert [cell["place"] for cell in cells] == expected
    assert [one["passages"][0]["location"] for one in version["verification"]["verdicts"]] == expected
    page = html.parse(delivered / "deliverable.html")
    shown = [note.xpath("string(.//*[@class='place'])") for note in page.xpath("//article//*[@class='note']")]
    assert shown[-len(expected) :] == expected, "before them, the document of which a page could not be read"
