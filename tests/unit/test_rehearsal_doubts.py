"""Statements that a later source may have changed, or speaks of, are no answers."""

from __future__ import annotations

import time

import pytest

from frasier.llm import Passage
from frasier.llm.providers.rehearsal.corpus import corpus_of
from frasier.llm.providers.rehearsal.needs import need_of
from support.machine_speed import scaled
from support.rehearsed_mission import final_document

PERMIT = "Permit: KX-0871\nDate: 4 May 2026\nHours: 07:00 to 22:00\nFee: GBP 640 a day\nConditions: no haze\n"
HEAD = (
    "From: Office <office@quay.example>\nTo: Noor <noor@films.example>\nDate: {sent}\nSubject: {subject}\n\n"
)


def doubtful(
    earlier: str, mail: str, *, title: str = "permit", sent: str = "9 May 2026", subject: str = "News"
) -> set[str]:
    """The statements of the earlier document that the mail makes doubtful."""
    passages = (
        Passage(number=1, title=title, text=earlier),
        Passage(number=2, title="mail", text=f"{HEAD.format(sent=sent, subject=subject)}{mail}\n"),
    )
    corpus = corpus_of(passages)
    return {one.text for one in corpus.evidence if one.order in corpus.doubts and one.number == 1}


def test_a_later_mail_about_the_same_number_makes_doubtful_what_it_speaks_of() -> None:
    mail = "Haze is allowed in the hall. The fee is GBP 700 a day."
    assert doubtful(PERMIT, mail, subject="Permit KX-0871") == {"Fee: GBP 640 a day", "Conditions: no haze"}


@pytest.mark.parametrize(
    ("subject", "sent"), [("Permit KX-0879", "9 May 2026"), ("Permit KX-0871", "2 May 2026")]
)
def test_another_number_or_an_earlier_mail_makes_nothing_doubtful(subject: str, sent: str) -> None:
    assert doubtful(PERMIT, "Haze is allowed in the hall.", subject=subject, sent=sent) == set()


def test_a_later_change_of_what_shares_its_words_makes_a_statement_doubtful() -> None:
    plan = (
        "Date: 4 May 2026\n\nThe coach leaves from the Mill Road car park. The choir sings in the chapel.\n"
    )
    mail = "Mill Road is dug up. We pick you up at the pool instead."
    assert doubtful(plan, mail) == {"The coach leaves from the Mill Road car park."}


def test_a_correction_changes_what_bears_a_later_date() -> None:
    rules = "Date: 25 October 2026\n\nThe short race starts in the market square.\n"
    mail = "The short race starts at the river."
    assert doubtful(rules, mail, subject="Changes to the race") == {
        "The short race starts in the market square."
    }


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Prices for 2025", "Prices for 2026"),
        ("quotation-2217-draft", "quotation-2217"),
        ("Tariff (old)", "Tariff"),
        ("Entwurf der Satzung", "Satzung"),
    ],
)
def test_an_older_version_is_doubtful_as_a_whole(older: str, newer: str) -> None:
    texts = ("A proof costs EUR 15.\n", "A proof costs EUR 18.\n")
    named = zip((older, newer), texts, strict=True)
    passages = tuple(Passage(number=n, title=title, text=text) for n, (title, text) in enumerate(named, 1))
    corpus = corpus_of(passages)
    assert {one.number for one in corpus.evidence if one.order in corpus.doubts} == {1}


def test_what_a_mail_quotes_of_earlier_ones_is_no_evidence() -> None:
    mail = "We start at nine in the morning.\n\nOn 4 May 2026, Noor wrote:\n> Do we start at eight?\n> The hall is booked for eight.\n"
    passage = Passage(
        number=1,
        title="mail",
        text=f"Message-ID: <1@x>\n{HEAD.format(sent='5 May 2026', subject='Start')}{mail}",
    )
    texts = [one.text for one in corpus_of((passage,)).evidence]
    assert "We start at nine in the morning." in texts
    assert not any("eight" in text or "Message-ID" in text for text in texts)


def test_three_hundred_notes_are_compared_without_looking_at_every_pair() -> None:
    notes = [
        Passage(
            number=number,
            title=f"note {number}",
            text="\n".join(
                f"Order K-{number:04}-{line}: {number * 100 + line} EUR, changed on {line} May 2026"
                for line in range(1, 15)
            ),
        )
        for number in range(1, 301)
    ]
    started = time.process_time()
    assert not corpus_of(tuple(notes)).doubts
    assert time.process_time() - started < scaled(10), "all pairs of 4,200 statements take minutes"


RULES = "# Rules\n\n- Bibs are handed out on Saturday in the sports hall.\n- The fee is 9 EUR.\n"


@pytest.mark.parametrize(
    ("mail", "is_contested"),
    [
        ("We give out the bibs in the library after all, as the sports hall is taken.", True),
        ("The sports hall gets a new floor.", False),  # it says nothing of what is asked
        ("We have printed the bibs.", False),  # it shares nothing but the thing
    ],
)
def test_what_a_later_source_says_of_an_answer_and_its_question_contests_it(
    mail: str, *, is_contested: bool
) -> None:
    passages = (
        Passage(number=1, title="rules", text=RULES),
        Passage(number=2, title="mail", text=f"{HEAD.format(sent='9 May 2026', subject='News')}{mail}\n"),
    )
    corpus = corpus_of(passages)
    [answer] = [one for one in corpus.evidence if "handed out" in one.text]
    assert bool(corpus.contesting(answer, need_of("Where are the bibs handed out?"))) is is_contested
    page = final_document("Where are the bibs handed out?", passages)
    assert ("Undecided – Bibs are handed out" in page) is is_contested
    assert "Bibs are handed out on Saturday in the sports hall." in page


@pytest.mark.parametrize(
    ("note", "is_undecided"),
    [
        ("C-101: value from now on 300 GBP.", True),
        ("C-102: value from now on 300 GBP.", False),
        ("C-101: value is still 420 GBP.", False),
    ],
)
def test_of_two_sources_without_a_date_neither_decides_what_they_say_otherwise(
    note: str, *, is_undecided: bool
) -> None:
    passages = (
        Passage(number=1, title="stock", text="no;costume;value_GBP\nC-101;Judge;420\nC-102;Maid;85\n"),
        Passage(number=2, title="repairs", text=f"# Repairs\n\n{note}\n"),
    )
    page = final_document("What is the value of costume C-101?", passages)
    assert ("Undecided – no: C-101; costume: Judge; value_GBP: 420" in page) is is_undecided
    assert "no: C-101; costume: Judge; value_GBP: 420" in page


def test_what_is_said_of_a_thing_does_not_tell_where_it_is() -> None:
    passages = (
        Passage(number=1, title="keys", text="cupboard;key\nS4;Ms Abel\nS5;gate\n"),
        Passage(number=2, title="notes", text="The cupboard S4 has no vent.\n"),
    )
    page = final_document("Who has the key of S5, and where is S4?", passages)
    assert "Undecided – The cupboard S4 has no vent." in page
