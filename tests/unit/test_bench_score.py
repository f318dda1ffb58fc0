"""The score of a deliverable: facts, false statements, absences, and the rows that are kept."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from bench.deliverables.questions import Fact, Question, collections, questions_of
from bench.deliverables.results import markdown_table, row_of, store_rows, table, total
from bench.deliverables.score import Answer, FactKind, has_spelling, kind_of, score
from rich.console import Console

SOURCES = {
    "prices.csv": "article,price_EUR,from\nLamp,41.80,2026-05-01\nChair,120.00,2026-05-01\n",
    "mail.txt": "Date: 4 June 2026\n\nThe lamp is delivered on 12 June 2026. The chair is sturdy and green.\n",
}


def fact(*spellings: str, source: str = "prices.csv") -> Fact:
    return Fact(spellings=spellings, about=spellings[0], source=source)


def question(*facts: Fact, false: tuple[str, ...] = (), absent: tuple[str, ...] = ()) -> Question:
    return Question(
        collection="shop",
        number=1,
        directive="What does the lamp cost?",
        facts=facts,
        false_patterns=false,
        absences=absent,
        documents=2,
    )


def answer(text: str) -> Answer:
    return Answer(
        status="delivered",
        text=text,
        documents_read=2,
        documents_cited=1,
        verification={"statements": 3, "verified": 2, "doubtful": 1, "unchecked": 0},
        usd=0.5,
        calls=7,
        seconds=1.25,
    )


@pytest.mark.parametrize(
    ("text", "spelling", "has"),
    [
        ("It costs 41.80 EUR.", "41.80", True),
        ("It costs 141.80 EUR.", "41.80", False),
        ("It costs 41.805 EUR.", "41.80", False),
        ("A total of 6,580.00 EUR", "6,580", True),
        ("A total of 6,580,000 EUR", "6,580", False),
        ("A total of 16,580 EUR", "6,580", False),
        ("Offer 40.", "40", True),
        ("It was WITHDRAWN.", "withdr", True),
    ],
)
def test_a_number_within_a_longer_one_is_another_number(text: str, spelling: str, has: bool) -> None:
    assert has_spelling(text, spelling) is has


@pytest.mark.parametrize(
    ("spelled", "kind"),
    [
        (fact("41.80"), FactKind.FIELD),
        (fact("4 June", source="mail.txt"), FactKind.FIELD),
        (fact("12 June", source="mail.txt"), FactKind.DATED),
        (fact("sturdy", source="mail.txt"), FactKind.PROSE),
        (fact("161.80"), FactKind.DERIVED),
        (fact("41.80", source="lost.csv"), FactKind.DERIVED),
    ],
)
def test_a_fact_is_in_a_field_a_dated_sentence_in_prose_or_derived(spelled: Fact, kind: FactKind) -> None:
    assert kind_of(spelled, SOURCES) is kind


def test_facts_count_in_statements_and_not_in_headings_or_citations() -> None:
    asked = question(fact("41.80"), fact("120"), fact("12"), fact("green", source="mail.txt"))
    scored = score(asked, answer("# 120 lamps\n\n- The **lamp**\u00a0costs 41.80\u202fEUR [12]\n"), SOURCES)
    assert [one.is_found for one in scored.facts] == [True, False, False, False]


def test_a_false_statement_counts_unless_its_line_marks_it_as_revoked() -> None:
    asked = question(fact("41.80"), false=(r"(?i)lamp[^.|\n]*39", r"chair[^.|\n]*99"))
    text = (
        "- The lamp costs 39 EUR [1]\n- The chair cost 99 EUR, no longer valid [2]\n\n## The lamp for 39?\n"
    )
    assert score(asked, answer(text), SOURCES).false_statements == ["lamp costs 39"]


def test_a_line_that_says_undecided_or_revoked_of_itself_states_nothing_whatever_stands_before_it() -> None:
    asked = question(fact("41.80"), false=(r"(?:^|\n)[^\n]*chair",))
    text = "- Revoked by [2] – the lamp\n- the chair [1]\n- Undecided – a chair [1]\n- Revoked by [2] – a chair [1]\n"
    assert score(asked, answer(text), SOURCES).false_statements == ["\n- the chair"]


def test_an_absence_counts_where_a_line_names_its_subject_and_says_that_it_is_missing() -> None:
    asked = question(
        fact("41.80"), absent=("The warranty of the lamp is not stated.", "Its colour is not known.")
    )
    text = "- The colour is green [1]\n\n> - No statement gives “warranty”.\n"
    assert score(asked, answer(text), SOURCES).absences_admitted == 1


def test_rows_replace_earlier_ones_of_the_same_question_and_are_summed(tmp_path: Path) -> None:
    asked = question(fact("41.80"), fact("12 June", source="mail.txt"), false=("lamp",))
    first = row_of(score(asked, answer("- The lamp costs 41.80 EUR [1]"), SOURCES))
    assert (first["facts_found"], first["facts"], first["extractable"], first["false"]) == (1, 2, 2, 1)
    assert first["missing"] == ["12 June (dated sentence)"]
    other = {**first, "question": "shop/2"}
    store_rows(tmp_path, "vendor/model:8b", [first, other])
    second = row_of(score(asked, answer("- Nothing is stated."), SOURCES))
    path = store_rows(tmp_path, "vendor/model:8b", [second])
    stored = json.loads(path.read_text("utf-8"))
    assert [row["facts_found"] for row in stored["questions"]] == [0, 1]
    assert stored["total"]["facts_found"] == 1
    assert stored["total"]["statements"] == 6
    assert stored["total"] == total(stored["questions"])


def test_the_tables_show_every_question_and_the_sums() -> None:
    row = row_of(score(question(fact("41.80")), answer("- The lamp costs 41.80 EUR [1]"), SOURCES))
    page = markdown_table([row]).splitlines()
    assert page[2].startswith("| shop/1 | 1/1 | 1/1 | 0 | 0/0 | 2/2 | 1 | 2/3 | 1 | 6 | 7 | 0.5000 |")
    assert page[3].startswith("| total | 1/1 |")
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(table([row], title="Deliverables by rehearsal"))
    drawn = console.export_text()
    assert "Deliverables by rehearsal" in drawn
    assert "shop/1" in drawn
    assert "total" in drawn


def test_the_questions_of_every_collection_are_read() -> None:
    names = [one.name for name in collections() for one in questions_of(name)]
    assert "revoked-offer/2" in names
    assert len(names) == len(set(names)) >= 15
