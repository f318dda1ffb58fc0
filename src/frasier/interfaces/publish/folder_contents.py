"""The files in a deliverable's folder: its text in each form, every version of every step, and its provenance. Pure."""

from __future__ import annotations

import json

from frasier.interfaces.publish.html_page import render_html
from frasier.interfaces.publish.provenance import Dossier, provenance
from frasier.interfaces.publish.published_text import read_published_text
from frasier.interfaces.publish.safe_markdown import inert
from frasier.interfaces.publish.table_files import table_files
from frasier.interfaces.publish.word_document import render_word
from frasier.org.planning import Deliverable
from frasier.work import with_sources


def folder_contents(dossier: Dossier, final: Deliverable) -> dict[str, bytes]:
    """Return the files by name: those of the deliverable, every version of every step, and the provenance."""
    text = read_published_text(dossier, final)
    deliverable = {
        "deliverable.md": render_deliverable(dossier, final).encode(),
        "deliverable.html": render_html(text).encode(),
        "deliverable.docx": render_word(text),
    }
    steps = {
        f"steps/{dossier.tasks[version.task_id].slug}/v{version.version}.md": render_deliverable(
            dossier, version
        )
        for versions in dossier.deliverables.values()
        for version in versions
    }
    files = deliverable | dict(table_files(dossier))
    origin = json.dumps(provenance(dossier, files), indent=2, ensure_ascii=False) + "\n"
    return files | {name: text.encode() for name, text in (*steps.items(), ("provenance.json", origin))}


def render_deliverable(dossier: Dossier, version: Deliverable) -> str:
    """Return a version as Markdown: what it is, its text, the sources that it cites, and the verdict on it."""
    text = read_published_text(dossier, version)
    notices = "".join(f"> **{notice.label}.** {notice.text}\n\n" for notice in text.notices)
    sources = [(source.number, source.title, source.uri) for source in dossier.sources]
    remarks = "".join(f"\n> {line}\n" for line in (text.verdict, *text.left_out) if line)
    return notices + inert(with_sources(version.content, sources) + remarks)
