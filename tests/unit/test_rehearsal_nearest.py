"""The statements nearest to a question: they share its words in any form, or have a value of the asked kind."""

from __future__ import annotations

import pytest

from frasier.llm import Passage
from frasier.llm.providers.rehearsal.corpus import corpus_of
from frasier.llm.providers.rehearsal.needs import need_of
from support.rehearsed_mission import final_document


def nearest(question: str, *texts: str) -> list[str]:
    """The statements nearest to a question in documents with these texts."""
    corpus = corpus_of(
        tuple(Passage(number=at, title=f"document {at}", text=text) for at, text in enumerate(texts, 1))
    )
    return [scored.evidence.text for scored in corpus.nearest(need_of(question), met=())]


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Wann beginnt der Kletterkurs?", "Kurs 12 im Klettern: ab dem 3. Mai 2026."),
        ("What does the blue lamp cost?", "The fee for lamp 12 is 9 EUR."),
        ("Who repaired the boiler?", "Repairs of the boiler were done by Jo Marsh."),
        ("What does order 4471 come to?", "4471 was sent to Leeds."),
    ],
)
def test_other_forms_and_names_of_a_word_are_near(question: str, statement: str) -> None:
    others = "The roof of the hall is green.\n\nNobody was present on the bridge.\n"
    assert nearest(question, f"{statement}\n", others)[0] == statement


def test_a_draft_is_never_near() -> None:
    documents = (
        Passage(number=1, title="rules-draft", text="The fee for the lamp is 7 EUR.\n"),
        Passage(number=2, title="rules", text="The fee for the lamp is 9 EUR.\n"),
    )
    found = corpus_of(documents).nearest(need_of("What does the lamp cost?"), met=())
    assert [scored.evidence.text for scored in found] == ["The fee for the lamp is 9 EUR."]


def test_the_nearest_of_each_question_are_quoted_before_the_rest_of_any() -> None:
    lamps = "".join(f"The lamp in room {at} hangs from a hook.\n\n" for at in range(1, 30))
    documents = (
        Passage(number=1, title="lamps", text=lamps),
        Passage(number=2, title="stairs", text="The stairs are swept by turns.\n"),
    )
    page = final_document("Who pays for the lamps, and what do the stairs cost?", documents)
    assert "Undecided – The stairs are swept by turns." in page


def test_what_is_an_answer_is_not_quoted_again() -> None:
    documents = (
        Passage(number=1, title="fees", text="The fee for the lamp is 9 EUR.\n"),
        Passage(number=2, title="hall", text="The lamp of the hall is old.\n"),
    )
    page = final_document("What is the fee for the lamp, and who repaired the lamp?", documents)
    assert page.count("The fee for the lamp is 9 EUR.") == 1
