"""The queries over rows that the rehearsal computes, and what it leaves undecided instead of computing."""

from __future__ import annotations

import pytest

from frasier.llm import Passage
from frasier.llm.providers.rehearsal.corpus import corpus_of
from frasier.llm.providers.rehearsal.found_answers import Finder, FoundAnswer
from frasier.llm.providers.rehearsal.needs import need_of
from frasier.llm.providers.rehearsal.operation_words import RowOperation, operation_in
from frasier.llm.providers.rehearsal.row_query import compute

HIRES = """boat;skipper;hours;fee (£);paid;back on
Tern;Ada Holm;3;48.50;yes;14/06/2026
Gull;Bo Lind;5.5;92.00;no;02/06/2026
Heron;Ada Holt;2;31.25;no;21/06/2026
Plover;Cy Marsh;4;66.00;yes;05/06/2026
Total;;14.5;237.75;;
"""


def answer(question: str, *texts: str, is_whole: bool = True) -> FoundAnswer:
    passages = tuple(
        Passage(
            number=number, title=f"hires {number}", text=text, file=f"hires-{number}.csv", is_whole=is_whole
        )
        for number, text in enumerate(texts, 1)
    )
    return Finder.of(need_of(question), corpus_of(passages)).answer(lines=20, taken=[])


def stated(question: str, *texts: str, is_whole: bool = True) -> str:
    return "\n".join(answer(question, *texts, is_whole=is_whole).lines)


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("Which boat has the highest fee?", "- Highest “fee (£)”: 92.00 (Gull) [1]"),
        ("Which boat has the lowest fee?", "- Lowest “fee (£)”: 31.25 (Heron) [1]"),
        ("Which boat is the cheapest?", "- Lowest “fee (£)”: 31.25 (Heron) [1]"),
        ("Which boat was back last?", "- Latest “back on”: 21/06/2026 (Heron) [1]"),
        ("Which boat was back first?", "- Earliest “back on”: 02/06/2026 (Gull) [1]"),
        ("What is the sum of all fees?", "- Sum of “fee (£)”: 48.50 + 92.00 + 31.25 + 66.00 = 237.75 [1]"),
        ("What is the sum of the fees that are paid?", "- Sum of “fee (£)”: 48.50 + 66.00 = 114.50 [1]"),
        ("How many boats are not paid?", "- Count: 2 rows (Gull, Heron) [1]"),
        ("How many boats have more than 3 hours?", "- Count: 2 rows (Gull, Plover) [1]"),
        ("Welche boats haben die höchste fee?", "- Highest “fee (£)”: 92.00 (Gull) [1]"),
    ],
)
def test_a_plain_question_is_answered_by_code_with_its_rows(question: str, start: str) -> None:
    lines = answer(question, HIRES).lines
    assert lines[0].startswith(start)
    assert not any("boat: Total" in line for line in lines)


def test_the_rows_of_a_count_are_quoted() -> None:
    assert [line.partition(";")[0] for line in answer("How many boats are not paid?", HIRES).lines[1:]] == [
        "- boat: Gull",
        "- boat: Heron",
    ]


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("Which boat has the highest wage?", (HIRES,)),  # a word that nothing explains
        ("Which boat has the highest fee except Gull?", (HIRES,)),
        ("Which boat has the highest fee?", (HIRES, HIRES.replace("92.00", "9.00"))),  # which table is meant?
        ("Which boat has the highest fee?", (HIRES, "Note of 3 June 2026\n\nGull is no longer hired out.\n")),
        (
            "Which boat has the highest fee?",
            (HIRES, "Date: 1 July 2026\n\nThe fees are corrected in July.\n"),
        ),
        ("Which boat has the highest fee?", (HIRES, "Date: 1 July 2026\n\n- Heron: the fee is £99.00\n")),
        ("Which boat has the highest fee?", (HIRES.replace("92.00", "about 90"),)),  # not a number
        ("Which boat was back last?", (HIRES.replace("14/06", "10/06").replace("21/06", "11/06"),)),
        ("What is the sum of all fees?", (HIRES.replace("237.75", "240.00"),)),  # its own total differs
    ],
)
def test_what_is_not_plain_is_left_undecided(question: str, texts: tuple[str, ...]) -> None:
    text = stated(question, *texts)
    assert not any(name in text for name in ("Highest", "Latest", "Sum of"))
    assert "boat: Heron" not in text, "a row is no answer to which comes first"


def test_a_table_of_which_only_passages_were_read_is_not_computed() -> None:
    assert "Highest" not in stated("Which boat has the highest fee?", HIRES, is_whole=False)


def test_rows_that_say_the_same_are_not_counted_as_one() -> None:
    twice = HIRES.replace("Total;", "Gull;Bo Lind;5.5;92.00;no;02/06/2026\nTotal;")
    assert "Count" not in stated("How many boats are not paid?", twice)


def test_how_many_asks_for_no_rows_if_it_names_an_amount() -> None:
    assert "Count" not in stated("How many hours are there?", HIRES.replace(";3;", ";1.000;"))


def test_a_count_of_what_several_rows_share_tells_how_many_differ() -> None:
    twice = HIRES.replace("Cy Marsh", "Ada Holm")
    listed = "Ada Holm, Bo Lind, Ada Holt"
    assert f"Count: all 4 rows ({listed}, Ada Holm): 3 different ({listed}) [1]" in stated(
        "How many skippers are there?", twice
    )


@pytest.mark.parametrize("value", ["", "-", "n/a", "offen"])
@pytest.mark.parametrize(
    ("question", "start"),
    [
        (
            "Which boat has the highest fee?",
            "- Highest “fee (£)”: 66.00 (Plover); left out: one row (Gull), ",
        ),
        (
            "How many boats have a fee above £40?",
            "- Count: 2 rows (Tern, Plover); left out: one row (Gull), ",
        ),
        (
            "What is the sum of all fees?",
            "- Sum of “fee (£)”: 48.50 + 31.25 + 66.00 = 145.75; left out: one row (Gull), without a value [1]",
        ),
    ],
)
def test_a_row_without_a_value_is_left_out_and_named(question: str, start: str, value: str) -> None:
    assert stated(question, HIRES.replace("92.00", value).replace("237.75", "145.75")).startswith(start)


def test_the_rows_of_a_table_are_counted_without_a_list_of_their_values() -> None:
    shared = "boat;hours;fee (£)\nTern;3;48.50\nGull;3;92.00\nTern;4;-\n"
    text = stated("How many rows does hires-1.csv have?", shared)
    assert text.startswith("- Count: all 3 rows (Tern, Gull, Tern) [1]")


def test_the_rows_of_a_long_table_are_counted() -> None:
    rows = "".join(f"Boat {number};3;{number}.50\n" for number in range(1, 61))
    lines = answer("How many rows does hires-1.csv have?", f"boat;hours;fee (£)\n{rows}").lines
    assert lines[0] == "- Count: all 60 rows [1]"
    assert len(lines) < 60


def test_one_operation_is_read_and_two_are_not() -> None:
    mention = operation_in("the most expensive boat")
    assert mention is not None
    assert (mention.operation, mention.dimensions) == (RowOperation.HIGHEST, ("currency",))
    assert operation_in("the highest and the lowest fee") is None
    assert operation_in("the fee of the boat") is None
    assert compute(need_of("the fee of the boat"), corpus_of(())) is None


def test_a_question_that_names_a_value_is_not_about_the_other_rows() -> None:
    text = stated("What is the fee of Ada Holm?", HIRES)
    assert "skipper: Ada Holm" in text
    assert "Ada Holt" not in text


def test_a_row_without_the_asked_yes_or_no_is_no_answer() -> None:
    text = stated("Which boats are not paid?", HIRES.replace("31.25;no", "31.25;"))
    assert "boat: Gull" in text
    assert "boat: Heron" not in text
