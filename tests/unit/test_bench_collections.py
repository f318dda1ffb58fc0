"""The collections with questions and known answers, stored and generated."""

from __future__ import annotations

import csv
import json
import re
from email import message_from_string
from pathlib import Path

import pytest
from bench.deliverables.generated import (
    COLLECTIONS,
    COPYLEFT,
    GENERATED,
    components,
    invoices,
    pressure_tests,
    sources_of,
    write_sources,
)
from bench.deliverables.questions import questions_of

IDS = sorted(path.parent.name for path in COLLECTIONS.glob("*/questions.json"))


def questions(collection: str) -> list[dict]:
    return json.loads((COLLECTIONS / collection / "questions.json").read_text("utf-8"))


def test_there_are_thirty_collections_and_some_are_generated() -> None:
    assert len(IDS) == 30
    assert set(GENERATED) < set(IDS)


@pytest.mark.parametrize("collection", IDS)
def test_a_question_has_facts_from_documents_that_exist(collection: str) -> None:
    names = set(sources_of(collection))
    for question in questions(collection):
        assert set(question) == {"directive", "facts", "false", "absent", "documents"}
        assert question["facts"]
        assert question["documents"] == len(names)
        for fact in question["facts"]:
            assert fact["source"] in names
            assert all(fact["any_of"])
            assert fact["about"]


@pytest.mark.parametrize("collection", IDS)
def test_no_known_answer_counts_as_a_false_statement(collection: str) -> None:
    for question in questions(collection):
        answers = [answer for fact in question["facts"] for answer in fact["any_of"]]
        assert [
            (each, answer) for each in question["false"] for answer in answers if re.search(each, answer)
        ] == []


@pytest.mark.parametrize("collection", IDS)
def test_every_document_has_the_form_that_its_name_promises(collection: str) -> None:
    for name, text in sources_of(collection).items():
        assert text.endswith("\n")
        if name.endswith(".json"):
            json.loads(text)
        elif name.endswith(".csv"):
            rows = list(csv.reader(text.splitlines(), delimiter=";" if ";" in text.splitlines()[0] else ","))
            assert len({len(row) for row in rows}) == 1, name
        elif name.endswith(".eml"):
            message = message_from_string(text)
            assert message["From"]
            assert message["Subject"]


@pytest.mark.parametrize("collection", sorted(GENERATED))
def test_a_generated_collection_is_the_same_every_time(collection: str, tmp_path: Path) -> None:
    assert sources_of(collection) == sources_of(collection)
    write_sources(collection, tmp_path)
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == len(sources_of(collection))


def test_the_known_answers_are_those_of_the_generated_documents() -> None:
    def answers(collection: str) -> set[str]:
        return {fact["any_of"][0] for fact in questions(collection)[0]["facts"]}

    copyleft = {component.name for component in components() if component.licence in COPYLEFT}
    assert answers("licence-files-60") == copyleft
    overdue = {invoice.number for invoice in invoices() if invoice.overdue}
    assert overdue < answers("hundred-invoices")
    assert len(answers("hundred-invoices")) == len(overdue) + 1
    failed = {t.plant for t in pressure_tests() if not t.passed and t.day.isoformat() > "2026-06-15"}
    assert answers("maintenance-logs") == failed


def test_collections_may_stand_in_another_folder(tmp_path: Path) -> None:
    sources = tmp_path / "licence-files-60" / "sources"
    sources.mkdir(parents=True)
    (sources / "a.txt").write_text("A: 1\n", "utf-8")
    entry = {"directive": "What is A?", "facts": [], "false": [], "absent": [], "documents": 1}
    (tmp_path / "licence-files-60" / "questions.json").write_text(json.dumps([entry]), "utf-8")
    [question] = questions_of("licence-files-60", tmp_path)
    assert sources_of(question.collection, question.folder) == {"a.txt": "A: 1\n"}
    write_sources(question.collection, tmp_path / "out", question.folder)
    assert (tmp_path / "out" / "a.txt").read_text("utf-8") == "A: 1\n"
