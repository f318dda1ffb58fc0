"""True statements of the benchmark's tuning texts that rules of the check once called doubtful."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from frasier.kernel.source_units import Sources, SourceText
from frasier.work.verification.check import check_text

_TEXTS = Path(__file__).parents[2] / "bench" / "deliverables" / "texts_tuning5"


@pytest.mark.parametrize(
    ("text", "beginning"),
    [
        ("translation-rights", "- Greywether keeps the film"),  # the Proprietor of a contract
        ("translation-rights", "- The agreement was signed by Marsden"),
        (
            "town-flood-defences",
            "On 13 January 2026, Tariq Mahmood spoke",
        ),  # another name has a fair place only
        ("busunternehmen-fahrplanwechsel", "Die Nachtlinie N3"),  # a noun behind an article
        ("gemeinde-strassenbeleuchtung", "Helmut Faigle von den Freien Wählern"),  # a name in another form
        (
            "gemeinde-strassenbeleuchtung",
            "Bauamtsleiter Gerd Oppelt nannte zwei Schätzungen",
        ),  # two are listed
        ("clinica-proveedores", "- Para la nevera se prefirió Frigomed"),  # "un solo" is one
        ("cloud-migration", "Without ArchiveOne there remain"),  # no name opens the sentence
        ("hospital-procurement", "- According to Dr Anil Basu"),  # the sender of a quoted mail
        ("sailing-season", "Oyler then declined"),  # a line of a chat
    ],
)
def test_a_true_statement_is_not_doubtful(text: str, beginning: str) -> None:
    stored = json.loads((_TEXTS / f"{text}.json").read_text("utf-8"))
    sources = Sources(
        by_number={
            one["number"]: SourceText(number=one["number"], title=one["title"], text=one["text"])
            for one in stored["sources"]
        }
    )
    [statement] = [
        block["statement"] for block in stored["blocks"] if block.get("statement", "").startswith(beginning)
    ]
    assert [finding for check in check_text(statement, sources) for finding in check.findings] == []
