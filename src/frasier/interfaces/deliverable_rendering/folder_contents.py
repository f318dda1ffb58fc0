"""The files in a deliverable's folder: its text in each form, every version of every step, and its provenance. Pure."""

from __future__ import annotations

import json
from dataclasses import replace

from frasier.interfaces.deliverable_rendering.data_files import read_records
from frasier.interfaces.deliverable_rendering.html_page import render_html
from frasier.interfaces.deliverable_rendering.messages import Messages
from frasier.interfaces.deliverable_rendering.provenance import Dossier, provenance
from frasier.interfaces.deliverable_rendering.published_text import PublishedText, read_published_text
from frasier.interfaces.deliverable_rendering.safe_markdown import inert
from frasier.interfaces.deliverable_rendering.statement_sheet import as_piece, as_sheet, render_sheet
from frasier.interfaces.deliverable_rendering.table_files import table_files, table_names
from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.llm import one_line
from frasier.org.missions import Deliverable, MissionStep
from frasier.work import CONCLUSION_MARK, DOUBT_MARK, with_sources


def folder_contents(dossier: Dossier, step: MissionStep, final: Deliverable) -> dict[str, bytes]:
    """Return the files by name: those of the deliverable, every version of every step, and the provenance."""
    steps = {
        f"steps/{dossier.tasks[version.task_id].slug}/v{version.version}.md": render_version(dossier, version)
        for versions in dossier.deliverables.values()
        for version in versions
    }
    files = _deliverable_files(dossier, step, final) | dict(table_files(dossier))
    origin = json.dumps(provenance(dossier, files), indent=2, ensure_ascii=False) + "\n"
    return files | {name: text.encode() for name, text in (*steps.items(), ("provenance.json", origin))}


def file_names(dossier: Dossier, step: MissionStep, final: Deliverable) -> tuple[str, ...]:
    """Return the names of the files of a deliverable, without those of its steps, and without making them."""
    names = ["deliverable.md", "deliverable.html", "deliverable.docx"]
    match step.kind:
        case DeliverableKind.CONTENT:
            names += ["statements.md", "statements.html"]
        case DeliverableKind.DATA if final.table:
            names += ["deliverable.csv", "deliverable.json", "deliverable.schema.json"]
    return (*names, *table_names(dossier), "provenance.json")


def _deliverable_files(dossier: Dossier, step: MissionStep, final: Deliverable) -> dict[str, bytes]:
    """Return the files of the deliverable, as its kind wants them."""
    text = read_published_text(dossier, final)
    match step.kind:
        case DeliverableKind.CONTENT:
            piece = as_piece(text)
            return _forms(piece, _with_notices(piece, inert(piece.markdown) + "\n")) | {
                "statements.md": render_sheet(text).encode(),
                "statements.html": render_html(as_sheet(text)).encode(),
            }
        case DeliverableKind.DATA if final.table:
            titles = {source.number: source.name for source in dossier.sources}
            records = read_records(text.title, step.table.columns, final.table, titles)
            text = replace(text, remarks=records.remarks)
            return _forms(text, _with_remarks(dossier, final, text)) | records.files
        case _:
            return _forms(text, _with_remarks(dossier, final, text))


def _forms(text: PublishedText, markdown: str) -> dict[str, bytes]:
    # Loaded here: what makes word documents takes 7 MB, and who only reads a deliverable needs none.
    from frasier.interfaces.deliverable_rendering.word_document import render_word  # noqa: PLC0415

    return {
        "deliverable.md": markdown.encode(),
        "deliverable.html": render_html(text).encode(),
        "deliverable.docx": render_word(text),
    }


def render_version(dossier: Dossier, version: Deliverable) -> str:
    """Return a version as Markdown: what it is, its text, the sources that it cites, and the verdict on it."""
    return _with_remarks(dossier, version, read_published_text(dossier, version))


def _with_remarks(dossier: Dossier, version: Deliverable, text: PublishedText) -> str:
    pages = {source.number: text.messages.pages(source.pages) for source in text.sources}
    sources = [
        (source.number, source.name, ", ".join(filter(None, (source.uri, pages.get(source.number)))))
        for source in dossier.sources
    ]
    own = text.messages.rehearsal(version.content) if version.rehearsal else version.content
    content = with_sources(own, sources, heading=text.messages.text("sources"))
    remarks = "".join(f"\n> {line}\n" for line in (text.verdict, *text.left_out) if line)
    return _with_notices(text, inert(_with_translated_marks(content, text.messages) + remarks))


def _with_translated_marks(markdown: str, messages: Messages) -> str:
    for mark, name in ((DOUBT_MARK, "doubtful"), (CONCLUSION_MARK, "conclusion")):
        markdown = markdown.replace(mark, f"[{messages.text(name)}]")
    return markdown


def _with_notices(text: PublishedText, markdown: str) -> str:
    notices = (f"> **{notice.label}.** {inert(one_line(notice.text))}\n\n" for notice in text.notices)
    return "".join(notices) + markdown
