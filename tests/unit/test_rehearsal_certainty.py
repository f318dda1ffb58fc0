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


MINUTES_OF_JUNE = "# Minutes, 15 June 2026\n\nThe move of the archive is put off to 4 July 2026.\n"
BOATS = "boat,last_survey,next_survey\nBirch,2024-09-02,2026-09-02\nCedar,2025-11-20,2027-11-20\nElm,2023-05-30,2026-05-30\n"


@pytest.mark.parametrize(
    ("documents", "question", "certain", "open_"),
    [
        # Rivals: two documents of which none is known to be the newer one.
        ({"a.txt": "Fee: 12 EUR\n", "b.txt": "Fee: 15 EUR\n"}, "What is the fee?", [], ["12 EUR", "15 EUR"]),
        ({"a.txt": "Fee: 12 EUR\n", "b.txt": "The fee is 12 EUR.\n"}, "What is the fee?", ["12 EUR"], []),
        ({"a.txt": "Leader: Ann Reed\n", "b.txt": "Leader: Anna Read\n"}, "Who is the leader?", [], ["Reed", "Read"]),
        # A claim, a question, and a value that is denied.
        ({"a.txt": "A neighbour claims that the fee is 12 EUR.\n"}, "What is the fee?", [], ["12 EUR"]),
        ({"a.txt": "Selon un voisin, la cotisation est de 12 EUR.\n"}, "Quelle est la cotisation ?", [], ["12 EUR"]),
        ({"a.txt": "Is it true that the fee is 12 EUR?\n"}, "What is the fee?", [], ["12 EUR"]),
        ({"a.txt": "The fair is not held on 9 May 2026.\n"}, "When is the fair held?", [], ["9 May"]),
        # Other things of the kind that is asked about.
        (
            {"a.txt": "The licence of well 3 costs 12 EUR.\n", "b.txt": "The licence of well 4 costs 15 EUR.\n"},
            "What does the licence of well 4 cost?",
            ["15 EUR"],
            ["12 EUR"],
        ),
        # A later document denies the value, in another language.
        (
            {
                "2026-03-01 notice.txt": 'The exhibition "Rivers" opens on 9 May 2026.\n',
                "2026-05-02 presse.txt": "L'exposition « Fleuves » n'ouvre pas le 9 mai 2026.\n",
            },
            "When does the exhibition Rivers open?",
            [],
            ["9 May"],
        ),
        # A row has several dates, and a later document names it with another one.
        (
            {"boats.csv": BOATS, "changes.md": "# Changes, 12 April 2026\n\nThe next survey of Birch is due on 8 April 2028.\n"},
            "Which boats have their next survey before 1 December 2026?",
            ["Elm"],
            ["Cedar", "Birch"],
        ),
        # What revokes an earlier value was changed itself.
        (
            {
                "1.md": "# Minutes, 1 June 2026\n\nThe move of the archive takes place on 20 June 2026.\n",
                "2.md": MINUTES_OF_JUNE,
                "3.md": "# Minutes, 29 June 2026\n\nThe date of 4 July for the archive is dropped; it moves on 11 July 2026.\n",
            },
            "When does the archive move?",
            [],
            ["4 July 2026"],
        ),
        # The total has to be computed, or stated as one.
        ({"a.txt": "The council granted 900 EUR to the choir.\n"}, "What is the sum that was granted?", [], ["900 EUR"]),
    ],
)  # fmt: skip
def test_an_answer_is_certain_only_where_nothing_speaks_against_it(
    documents: dict[str, str], question: str, certain: list[str], open_: list[str], tmp_path
) -> None:
    page = final_document(question, passages_of(write_documents(tmp_path / "sources", documents)))
    lines = [line for line in page.splitlines() if line.startswith("- ")]
    definite = [line for line in lines if "Undecided" not in line]
    assert [text for text in certain if not any(text in line for line in definite)] == []
    assert [text for text in open_ if any(text in line for line in definite)] == []


def test_what_is_cancelled_revokes_no_row_by_a_currency_or_a_day_that_they_share(tmp_path) -> None:
    documents = {
        "grants.csv": "no,applicant,granted_EUR,decided_on\n103,Repair café,1200,2026-03-17\n104,Theatre,4500,2026-03-17\n",
        "letter-104.txt": "5 May 2026\n\nThe grant of 17 March 2026 is cut to EUR 3,900, as one performance was cancelled.\n",
    }
    page = final_document(
        "Which grants are there?", passages_of(write_documents(tmp_path / "sources", documents))
    )
    assert not any("103" in line and "evoked" in line for line in page.splitlines())


_OFFER, _ANGEBOT, _OFFRE = ("offer", "Price"), ("angebot", "Preis"), ("offre", "Prix")


@pytest.mark.parametrize(
    ("question", "kind", "is_answered"),
    [
        ("What are the prices of the offers?", _OFFER, True),
        ("What do the offers cost?", _OFFER, True),
        ("What is the price of the offer?", _OFFER, False),
        ("Was kosten die Angebote?", _ANGEBOT, True),
        ("Welche Preise gelten?", _ANGEBOT, True),
        ("Welcher Preis gilt?", _ANGEBOT, False),
        ("Was ist der Preis des Angebots?", _ANGEBOT, False),
        ("Quels sont les prix des offres ?", _OFFRE, True),
    ],
)
def test_the_plural_of_what_the_documents_are_has_an_answer_in_each(
    question: str, kind: tuple[str, str], *, is_answered: bool, tmp_path
) -> None:
    name, price = kind
    forms = {
        f"{name}-{supplier}.txt": f"{name.title()} {supplier.title()}\n\n{price}: {amount} EUR\n"
        for supplier, amount in (("brightwater", "1200"), ("calder", "980"), ("dunmore", "1450"))
    }
    page = final_document(question, passages_of(write_documents(tmp_path / "sources", forms)))
    answers = [line for line in page.splitlines() if line.startswith("- ") and f"{price}: " in line]
    assert ["Undecided" in line for line in answers] == [not is_answered] * len(forms), page
