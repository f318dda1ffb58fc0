"""Mails as sources: readers see their subjects, and their files beside them."""

from __future__ import annotations

import json
from pathlib import Path

import docx
import pytest

from support.cli import FrasierProgram

MAIL = """\
From: Moira Sinclair <moira@harrow.example>
To: Priya Nandakumar <priya@north.example>
Subject: Staffin refit: offer of Orkney Yard
Date: Wed, 20 May 2026 09:12:00 +0100
Content-Type: text/plain; charset=utf-8

Orkney Yard offers the refit of MV Staffin for 397,000 GBP.
"""


@pytest.mark.parametrize("name", ["msg0041.eml", "MSG0041.EML"])
def test_a_mail_is_named_by_its_subject_beside_its_file(
    frasier: FrasierProgram, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "mails"
    folder.mkdir()
    (folder / name).write_text(MAIL)
    (folder / "note.md").write_text(
        "# A note\n\nSubject: something else\n\nThe printer on the second floor is out of toner.\n"
    )
    ended = frasier.json(
        "run", "For how much does Orkney Yard offer the refit of MV Staffin?", "--sources", str(folder)
    )
    made = Path(ended["folder"])
    line = f"Staffin refit: offer of Orkney Yard — {name}"
    assert line in (made / "deliverable.md").read_text("utf-8")
    for text in (
        (made / "deliverable.html").read_text("utf-8"),
        "\n".join(
            cell.text
            for table in docx.Document(str(made / "deliverable.docx")).tables
            for row in table.rows
            for cell in row.cells
        ),
    ):
        assert "Staffin refit: offer of Orkney Yard" in text
    titles = {
        one["uri"]: one["title"] for one in json.loads((made / "provenance.json").read_text())["sources"]
    }
    assert titles == {name: "Staffin refit: offer of Orkney Yard", "note.md": "A note"}
    shown = frasier.json("missions", "show", "last")["sources"]
    assert {one["uri"]: one["title"] for one in shown} == titles
