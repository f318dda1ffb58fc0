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


HEAD = "From: Office\nTo: Team\nDate: {}\nSubject: {}\n\n{}\n"


@pytest.mark.parametrize(
    ("documents", "question", "value", "is_certain"),
    [
        (
            {
                "stock.csv": "item,shelf\nPump A,4\nPump B,7\n",
                "mail.txt": HEAD.format("3 May 2026", "Stock", "Pump A and Pump B have been swapped."),
            },
            "On which shelf is Pump A?",
            "item: Pump A; shelf: 4",
            False,
        ),
        (
            {
                "a.md": "# Décompte 2025\n\n- Payable : 15 juin 2026\n",
                "mail.txt": "De : Régie\nDate : 9 juin 2026\nObjet : Decompte 2025 et autres\n\nVous avez du temps jusqu'au 31 juillet 2026.\n",
            },
            "Quand est-ce payable ?",
            "Payable : 15 juin 2026",
            False,
        ),
        (
            {
                "decompte-2025.md": "# Vue d'ensemble\n\n- Payable : 15 juin 2026\n",
                "mail.txt": "De : Régie\nDate : 9 juin 2026\nObjet : Décompte 2025 et autres\n\nVous avez du temps jusqu'au 31 juillet 2026.\n",
            },
            "Quand est-ce payable ?",
            "Payable : 15 juin 2026",
            False,
        ),
        (
            {
                "a.eml": HEAD.format("3 May 2026", "Re: Site visit", "The site visit is on 12 May 2026."),
                "b.eml": HEAD.format("6 May 2026", "Site visit", "Let us take 14 May 2026 for it."),
            },
            "When is the site visit?",
            "The site visit is on 12 May 2026.",
            False,
        ),
        (
            {
                "season.md": "# Larkfield Singers\n\n- Concert: 14 November 2026\n- Fee: 45 GBP\n",
                "mail.eml": HEAD.format("6 May 2026", "Re: Concert", "We sing on 21 November 2026."),
            },
            "When is the concert?",
            "Concert: 14 November 2026",
            False,
        ),
        (
            {
                "orders.csv": "item,quantity\nMilk,140 litres\nFlour,60 kg\n",
                "note.md": "# Note\n\n- Milk: we take 165 litres a week.\n",
            },
            "How much milk do we take per week?",
            "165 litres a week",
            True,
        ),
        (
            {
                "team.md": "# Board\n\n- Chair: Ada Voss\n",
                "minutes.md": "# Minutes of 4 May 2026\n\nAda Voss opened the meeting at seven.\n",
            },
            "Who is the chair?",
            "Chair: Ada Voss",
            True,
        ),
        (
            {
                "booking.md": "# Booking 4471\n\n- Guests: 12\n",
                "mail.eml": HEAD.format("6 May 2026", "Booking 4471", "All twelve of us are coming."),
            },
            "How many guests are there in booking 4471?",
            "Guests: 12",
            True,
        ),
        (
            {
                "statement.md": "# Statement 2025\n\n- Date: 14 May 2026\n- Payable by: 15 June 2026\n",
                "mail.eml": HEAD.format("2 May 2026", "Statement 2025", "It may be paid until 31 July 2026."),
            },
            "When is statement 2025 payable?",
            "Payable by: 15 June 2026",
            True,
        ),
        (
            {
                "ab.md": "- Payable by: 15 June 2026\n",
                "mail.eml": HEAD.format("6 May 2026", "Room ab", "The room is free until 31 July 2026."),
            },
            "When is it payable?",
            "Payable by: 15 June 2026",
            True,
        ),
        (
            {"plan.md": "# Plan\n\nThe plan is that batch 42 is bottled on 2 April 2026.\n"},
            "When was batch 42 bottled?",
            "batch 42 is bottled on 2 April",
            False,
        ),
        (
            {"plan.md": "# Plan\n\nThe plan is that batch 42 is bottled on 2 April 2026.\n"},
            "When is batch 42 bottled?",
            "batch 42 is bottled on 2 April",
            True,
        ),
        (
            {"plan.md": "# Plan\n\nThe plan was that batch 42 is bottled on 2 April 2026.\n"},
            "When was batch 42 planned to be bottled?",
            "batch 42 is bottled on 2 April",
            True,
        ),
    ],
)
def test_what_others_say_decides_whether_an_answer_is_certain(
    documents: dict[str, str], question: str, value: str, is_certain: bool, tmp_path: Path
) -> None:
    page = final_document(question, passages_of(write_documents(tmp_path / "sources", documents)))
    lines = [line for line in page.splitlines() if line.startswith("- ") and value in line]
    assert lines
    assert bool(_without_mark(lines)) is is_certain
