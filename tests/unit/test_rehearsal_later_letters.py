"""An answer that a later document changes is not given as certain, whatever words that has for it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from frasier.llm import Passage
from support.rehearsed_mission import final_document, passages_of, write_documents

HERE = Path(__file__).parent
LANGUAGES = tomllib.loads((HERE / "later_letters.toml").read_text("utf-8"))
CHANGED = tomllib.loads((HERE / "changed_answers.toml").read_text("utf-8"))["cases"]
MARKS = ("Undecided", "uperseded", "evoked")
CHANGES, OTHERS = (
    [
        pytest.param(language, field, sentence, id=f"{name}: {field['field']} | {sentence}")
        for name, language in LANGUAGES.items()
        for field in language["fields"]
        for sentence in field[kind]
    ]
    for kind in ("changes", "others")
)


def _answers(language: dict, field: dict, sentence: str) -> tuple[list[str], str]:
    """The lines that give the field as an answer for certain, and the whole page."""
    document = Passage(
        number=1,
        title=language["title"],
        file=f"{language['title']}.md",
        text=language["document"].format(field=field["field"]),
    )
    letter = Passage(
        number=2, title="letter", file="letter.eml", text=language["letter"].format(sentence=sentence)
    )
    page = final_document(field["question"], (document, letter))
    lines = [line for line in page.splitlines() if line.startswith("- ") and field["field"] in line]
    return _without_mark(lines), page


def _without_mark(lines: list[str]) -> list[str]:
    return [line for line in lines if not any(mark in line for mark in MARKS)]


@pytest.mark.parametrize(("language", "field", "sentence"), CHANGES)
def test_a_field_that_a_later_letter_changes_is_no_certain_answer(
    language: dict, field: dict, sentence: str
) -> None:
    certain, page = _answers(language, field, sentence)
    assert not certain
    assert field["field"] in page
    assert sentence.partition(";")[0].rstrip(".") in page


@pytest.mark.parametrize(("language", "field", "sentence"), OTHERS)
def test_a_field_stays_certain_where_a_later_letter_says_nothing_of_it(
    language: dict, field: dict, sentence: str
) -> None:
    assert _answers(language, field, sentence)[0]


@pytest.mark.parametrize("head", ["Betreff: Abrechnung 2024", "Betreff: Hausordnung"])
def test_a_letter_about_another_document_changes_nothing(head: str) -> None:
    german = LANGUAGES["german"]
    field = german["fields"][0]
    letter = german["letter"].replace("Betreff: Abrechnung 2025", head)
    assert _answers({**german, "letter": letter}, field, "Zahlbar ist er bis zum 31. Juli 2026.")[0]


@pytest.mark.parametrize(
    "case", [pytest.param(one, id=f"{one['question']} {at}") for at, one in enumerate(CHANGED, 1)]
)
def test_an_answer_that_another_document_changes_is_not_certain(case: dict, tmp_path: Path) -> None:
    folder = write_documents(
        tmp_path / "sources", {document["name"]: document["text"] for document in case["documents"]}
    )
    page = final_document(case["question"], passages_of(folder))
    lines = [line for line in page.splitlines() if line.startswith("- ") and case["value"] in line]
    assert lines
    assert not _without_mark(lines)
