"""Answers are what every word of a question decides; everything else is quoted apart and marked, or not at all."""

from __future__ import annotations

import pytest

from frasier.llm.providers.rehearsal.aspects import aspects
from frasier.llm.providers.rehearsal.evidence import evidence_of_line
from frasier.llm.providers.rehearsal.follow_up_questions import need_in
from frasier.llm.providers.rehearsal.needs import need_of
from support.rehearsed_mission import final_document, passages_of, write_documents

HOSTS = "host,role,release,public\ngate-1,proxy,3.10.2,yes\ngate-2,proxy,3.9.14,yes\nlab-7,web,2.31.5,no\n"


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which hosts are public?", ["gate-1", "gate-2"]),
        ("Which hosts are not public?", ["lab-7"]),
        ("Which web hosts are there?", ["lab-7"]),
        ("Which hosts are nonpublic?", ["lab-7"]),
        ("Which proxy hosts have a release before 3.10.0?", ["gate-2"]),
        ("Which public hosts have to be upgraded?", []),
    ],
)
def test_records_are_listed_only_where_every_word_is_decided(
    question: str, answers: list[str], tmp_path
) -> None:
    page = final_document(question, passages_of(write_documents(tmp_path / "sources", {"hosts.csv": HOSTS})))
    answering = [line for line in page.splitlines() if line.startswith("- ") and "Undecided" not in line]
    assert [
        name for name in ("gate-1", "gate-2", "lab-7") if any(name in line for line in answering)
    ] == answers
    assert answers or "without doubt" in page


@pytest.mark.parametrize(
    ("directive", "question", "statement", "is_met"),
    [
        ("When is the fair held, and who leads it?", "who leads it", "Anna Berger leads the fair.", True),
        ("When is the fair held, and who leads it?", "who leads it", "Anna Berger leads the choir.", False),
        (
            "Which pumps are blue, and at what price?",
            "at what price",
            "pump: A; colour: blue; price: 4 EUR",
            True,
        ),
        ("What is the fee, and what is the budget?", "what is the budget", "Budget: 1,300 EUR", True),
        ("What is the fee, and what is the budget?", "what is the budget", "Rent: 1,300 EUR", False),
    ],
)
def test_a_question_that_leans_on_another_one_has_its_words(
    directive: str, question: str, statement: str, *, is_met: bool
) -> None:
    need, evidence = need_in(question, directive), evidence_of_line(statement)
    assert (need.is_met_by(evidence) and need.share(evidence) > 0) is is_met


@pytest.mark.parametrize(
    ("question", "statement", "holds"),
    [
        ("Which orders are not yet paid?", "order: A1; paid: no", True),
        ("Which orders are not yet paid?", "order: A2; paid: yes", False),
        ("Which orders are unpaid?", "order: A1; paid: no", True),
        ("Which orders are unpaid?", "order: A2; paid: yes", False),
        ("Which pictures are unframed?", "picture: A2; framed: yes", False),
        ("Welche Kurse sind noch nicht bezahlt?", "Kurs: 2611; bezahlt: nein", True),
        ("Welche Kurse sind noch nicht bezahlt?", "Kurs: 2612; bezahlt: ja", False),
    ],
)
def test_a_negation_reaches_over_words_such_as_yet(question: str, statement: str, *, holds: bool) -> None:
    assert need_of(question).holds(evidence_of_line(statement)) is holds


def test_the_conditions_of_a_relative_clause_stay_together() -> None:
    assert aspects("List every order that is due in May and still unpaid.") == (
        "order that is due in May and still unpaid",
    )
    assert aspects("When and where is the second concert, and what does it cost?") == (
        "When and where is the second concert",
        "what does it cost",
    )
    assert aspects("By the list of singers, which altos owe money?") == ("which altos owe money?",)


def test_an_aligned_table_is_read_as_records(tmp_path) -> None:
    table = "NAME            HOST     NOT AFTER    AUTO\nshop.x.example  shop-a   2026-08-29   no\nwww.x.example   gate-1   2026-09-30   yes\n"
    documents = write_documents(tmp_path / "sources", {"certificates.txt": f"Certificates\n\n{table}"})
    page = final_document("Which certificates are on the host gate-1?", passages_of(documents))
    assert "NAME: www.x.example; HOST: gate-1; NOT AFTER: 2026-09-30; AUTO: yes [1]" in page
    assert "shop-a" not in page.partition("## Nearest")[0]
