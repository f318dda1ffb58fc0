"""Scores and verdicts of the rehearsal: computed from citations, answers and form, so that they change with the text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.llm import Citations, CritiqueInputs, Passage, ReviewInputs, Verification
from frasier.llm.providers.rehearsal.critique import critique
from frasier.llm.providers.rehearsal.review import review
from frasier.llm.reply_schemas import CritiqueReply, ReviewReply
from frasier.org.governance.quotations import review_faults
from frasier.work.verification.citations import check_citations
from support.step_inputs import with_brief

PASSAGES = (
    Passage(
        number=1,
        title="Amrum",
        text="The ferry to Amrum leaves six times a day. The beach is ten kilometres long.",
    ),
    Passage(
        number=2,
        title="Juist",
        text="The ferry to Juist leaves once a day, as it depends on the tide. Cars stay ashore.",
    ),
    Passage(
        number=3, title="Sylt", text="Sylt is reached by a railway on a dam, and by a ferry from Denmark."
    ),
)
QUESTIONS = ("What do the sources say about ferries?", "What do the sources say about beaches?")
TASK = "Ferries and beaches\nFind out what the sources say about “ferries” and “beaches”."
GOOD = """# Ferries and beaches

## Ferries

- The ferry to Amrum leaves six times a day. [1]
- The ferry to Juist leaves once a day, as it depends on the tide. [2]
- Sylt is reached by a railway on a dam, and by a ferry from Denmark. [3]

## Beaches

- The beach of Amrum is ten kilometres long. [1]

> Juist and Sylt: nothing was found on beaches.
"""
UNCITED = re.sub(r" \[\d\]", "", GOOD)


def judged(text: str, *, known: tuple[int, ...] = (1, 2, 3), **changes: object) -> ReviewReply:
    fields: dict[str, object] = {
        "directive": "Compare the ferries and the beaches.",
        "task": TASK,
        "acceptance": (),
        "deliverable": text,
        "citations": check_citations(text, known),
        "verification": Verification(),
        "scope": "full",
        "questions": QUESTIONS,
    }
    return review(ReviewInputs(**{**fields, **changes}))


def scored(text: str, *, known: tuple[int, ...] = (1, 2, 3), **changes: object) -> CritiqueReply:
    fields: dict[str, object] = {
        "directive": "Compare the ferries and the beaches.",
        "task": TASK,
        "questions": QUESTIONS,
        "draft": text,
        "citations": check_citations(text, known),
        "passages": PASSAGES,
        "verification": Verification(),
    }
    return critique(CritiqueInputs(**with_brief({**fields, **changes})))


def test_a_cited_answer_is_approved_with_a_reason_in_numbers():
    reply = judged(GOOD)
    assert reply.verdict == "approve"
    assert reply.lowest >= 3
    assert "4 of 4 lines are cited, from 3 of 3 sources." in reply.feedback


def test_the_same_text_without_its_citations_is_sent_back():
    reply = judged(UNCITED)
    assert reply.verdict == "reject"
    assert reply.accuracy == 1
    assert "Nothing is cited, although 3 sources could be." in reply.feedback
    assert "4 of 4 lines carry no citation" in reply.feedback


def test_a_citation_of_a_source_that_does_not_exist_is_sent_back():
    reply = judged(GOOD.replace("[3]", "[7]"))
    assert reply.verdict == "reject"
    assert reply.accuracy < 3
    assert "do not exist: 7" in reply.feedback


def test_a_text_of_which_too_few_lines_are_cited_is_sent_back():
    assert judged(GOOD.replace(" [2]", "")).verdict == "approve"
    reply = judged(GOOD.replace(" [2]", "").replace(" [3]", ""))
    assert reply.verdict == "reject"
    assert "2 of 4 lines carry no citation, e.g. ‘" in reply.feedback


def test_a_text_about_something_else_is_sent_back():
    other = "# Railways\n\n## Dam\n\n" + "- Sylt is reached by a railway on a dam built in 1927. [3]\n" * 4
    reply = judged(
        other, questions=("What do the sources say about hotels?", "What do the sources say about rents?")
    )
    assert reply.verdict == "reject"
    assert reply.relevance < 3
    assert "“Hotels”" in reply.feedback


def test_what_the_sources_leave_open_counts_as_answered_where_the_text_says_so():
    silent = (*QUESTIONS, "What do the sources say about hotels?")
    said = GOOD + "\n> No sentence matched the words of “Hotels”.\n"
    assert judged(said, questions=silent).relevance > judged(GOOD, questions=silent).relevance
    assert "Left open by the sources, as it says: Hotels." in judged(said, questions=silent).feedback


def test_without_any_source_nothing_is_approved():
    reply = judged(UNCITED, known=())
    assert reply.verdict == "reject"
    assert "No source was read" in reply.feedback


def test_outside_its_domain_a_reviewer_judges_the_craft_only():
    far = ("What do the sources say about hotels?",)
    assert judged(GOOD, questions=far).verdict == "reject"
    assert judged(GOOD, questions=far, scope="technical").verdict == "approve"
    assert judged(UNCITED, questions=far, scope="technical").verdict == "reject"


def test_feedback_that_was_not_answered_is_repeated():
    reply = judged(GOOD, earlier_feedback=("Nothing answers “winter timetable”.", "Nor “rents”."))
    assert reply.verdict == "reject"
    assert "“winter timetable”; it is still not mentioned" in reply.feedback


def test_a_good_draft_scores_well_and_needs_no_revision():
    reply = scored(GOOD)
    assert reply.lowest >= 3
    assert 3.5 <= reply.mean <= 4.5
    assert reply.gaps == []
    assert reply.lesson == ""


def test_a_draft_without_citations_scores_below_three_everywhere():
    reply = scored(UNCITED)
    assert max(reply.completeness, reply.accuracy, reply.actionability, reply.depth) < 3
    assert reply.accuracy == 1
    assert reply.lesson
    assert any("carry no citation" in gap for gap in reply.gaps)


def test_the_critique_names_the_question_that_the_passages_could_answer():
    reply = scored(GOOD.partition("## Beaches")[0])
    assert "No cited line answers: What do the sources say about beaches?" in reply.gaps
    assert reply.completeness < scored(GOOD).completeness


def test_the_critique_names_the_sources_that_were_left_unused():
    reply = scored("\n".join(line for line in GOOD.splitlines() if "[3]" not in line))
    assert "Relevant but not cited: Sylt" in reply.gaps


def test_a_citation_whose_source_does_not_say_so_costs_accuracy():
    swapped = GOOD.replace("[1]", "[x]").replace("[2]", "[1]").replace("[x]", "[2]")
    assert scored(swapped).accuracy < scored(GOOD).accuracy


def test_unknown_citations_cost_accuracy_and_are_named():
    reply = scored(GOOD.replace("[2]", "[8]"))
    assert reply.accuracy <= 2.5
    assert "Cites sources that do not exist: 8." in reply.gaps


counts = st.integers(0, 12)
citation_sets = st.builds(
    Citations,
    score=st.floats(0, 1),
    substantive_lines=counts,
    cited_lines=counts,
    cited=st.lists(counts, max_size=6, unique=True).map(tuple),
    unknown=st.lists(counts, max_size=12, unique=True).map(tuple),
    quotable=counts,
    uncited_examples=st.lists(st.text(max_size=160), max_size=3).map(tuple),
)
drafts = st.one_of(
    st.text(max_size=300), st.sampled_from([GOOD, UNCITED, "", "# T\n\n| a | b |\n|---|---|\n"])
)
asked = st.lists(st.one_of(st.text(max_size=300), st.sampled_from(QUESTIONS)), max_size=5).map(tuple)


@given(text=drafts, citations=citation_sets, questions=asked, task=st.text(max_size=100), earlier=asked)
def test_any_verdict_fits_its_reply_and_its_scores(text, citations, questions, task, earlier):
    reply = judged(text, citations=citations, questions=questions, task=task, earlier_feedback=earlier)
    assert ReviewReply.model_validate_json(reply.model_dump_json()) == reply
    if reply.verdict == "approve":
        assert reply.lowest >= 3
        assert citations.cited
        assert not citations.unknown
    else:
        assert reply.lowest < 3


@given(text=drafts, citations=citation_sets, questions=asked, task=st.text(max_size=100))
def test_any_critique_fits_its_reply(text, citations, questions, task):
    reply = scored(text, citations=citations, questions=questions, task=task)
    assert CritiqueReply.model_validate_json(reply.model_dump_json()) == reply


@pytest.mark.parametrize(
    "text", ["", "# Only a title\n", "> Only a remark that is long enough to be read.\n"]
)
def test_a_deliverable_without_a_statement_is_sent_back(text):
    reply = judged(text)
    assert reply.verdict == "reject"
    assert "There is no statement in it." in reply.feedback


@pytest.mark.parametrize("row", ["| – | [1] |", "| 5 | [1] |", "| – | – | [1] |", "| Ada | [1] |", "…"])
def test_a_review_quotes_what_stands_in_the_shortest_table(row: str) -> None:
    text = f"# Prices\n\n> 1 of 1 document examined; 1 row.\n\n| price | source |\n|---|---|\n{row}\n"
    reply = judged(text, known=(1,))
    assert review_faults(reply, text, compares=False) == []
