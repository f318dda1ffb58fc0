"""Statements that the rehearsal must not give as answers: of other things, older entries, and values that were changed."""

from __future__ import annotations

import pytest

from frasier.llm import Passage
from frasier.llm.providers.rehearsal.corpus import corpus_of
from frasier.llm.providers.rehearsal.follow_up_questions import need_in
from frasier.llm.providers.rehearsal.found_answers import Finder

LINES = """line: L-4; stop: Mill; interval (min): 12; night service: no
line: L-7; stop: Mill Lane; interval (min): 20; night service: yes
line: L-9; stop: Quay; interval (min): 15
"""
CHANGE_LOG = """# Changes of the heater

## 2.1 - 2026-05-04
- The default limit is 70 degrees.

## 2.0 - 2025-11-10
- The default limit is 60 degrees.
"""
HIRES = """Thing: Drill
Deposit: 40 EUR
Weekly fee: 15 EUR

Thing: Ladder
Deposit: 25 EUR
Weekly fee: 9 EUR
"""
FEES = """| kind | deposit (€) | fee (€) |
|---|---|---|
| small | 50 | 62 |
| large | 100 | 158 |
| greenhouse | 150 | 40 |
"""


def stated(question: str, *documents: str, directive: str = "", title: str = "document {}") -> str:
    passages = tuple(
        Passage(number=number, title=title.format(number), text=text, file=f"{number}.txt", is_whole=True)
        for number, text in enumerate(documents, 1)
    )
    finder = Finder.of(need_in(question, directive or question), corpus_of(passages))
    return "\n".join(finder.answer(lines=20, taken=[]).lines)


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("What is the interval at the stop Mill?", "L-4", "L-7"),
        ("What is the interval of line L-7 at Mill Lane?", "L-7", "L-4"),
        ("Which lines have night service?", "L-7", "L-9"),
        ("Which lines have no night service?", "L-4", "L-9"),
    ],
)
def test_rows_of_another_value_or_without_one_are_no_answer(question: str, answer: str, other: str) -> None:
    text = stated(question, LINES)
    assert answer in text
    assert other not in text


def test_a_later_section_of_a_change_log_takes_the_place_of_an_earlier_one() -> None:
    text = stated("What is the default limit?", CHANGE_LOG)
    assert "70 degrees" in text
    assert "60 degrees" not in text


def test_what_is_asked_of_its_thing_is_not_answered_for_another() -> None:
    directive = "Is there a deposit for the ladder, and what is its weekly fee?"
    assert "15 EUR" not in stated("weekly fee", HIRES, directive=directive)


def test_a_field_is_no_answer_by_the_fields_beside_it() -> None:
    text = stated("What does the ladder cost a week?", HIRES)
    assert "Thing: Drill" not in text
    assert "40 EUR" not in text


def test_a_row_of_which_a_later_decision_names_the_old_value_is_left_open() -> None:
    decision = (
        "Decision of 19 February 2026\n\nThe deposit of large plots is 120 euros instead of 100 euros.\n"
    )
    question = "What is the deposit of the large kind?"
    assert "deposit (€): 100" in stated(question, FEES)
    assert "deposit (€): 100" not in stated(question, FEES, decision)


def test_a_thing_that_is_cancelled_by_its_code_is_not_given_whatever_the_dates_of_files_say() -> None:
    passes = "pass: P-884; station: Ardle; band: X\npass: P-885; station: Ardle; band: S\n"
    notice = "Notice of 12 September 2026\n\nPass P-884 is cancelled, as the antenna is under repair.\n"
    text = stated("Does pass P-884 take place?", passes, notice, title="2026-09-14 part {}")
    assert "pass: P-884" not in "\n".join(line for line in text.splitlines() if "evoked" not in line)


def test_the_number_of_one_row_revokes_no_other_one() -> None:
    courses = "no: 2611; course: Spanish One; fee: 96 EUR\nno: 2612; course: Spanish Two; fee: 102 EUR\n"
    mail = "Date: 18 August 2026\n\nThe course 2612 (Spanish Two) is cancelled.\n"
    assert "Revoked by [2] – no: 2611" not in stated("What is the fee of the Spanish courses?", courses, mail)
