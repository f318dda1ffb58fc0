"""Papers: when a text is one, how it is divided, what it takes, and how its sections are put together."""

from __future__ import annotations

from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.llm import CheckedStatement, ResultForm, StepBrief, WrittenSection
from frasier.llm.reply_schemas import SECTIONS_MAX, CoherenceReply, SectionPlan
from frasier.work.deep_work.paper_size import PaperSize, size_of_paper
from frasier.work.deep_work.paper_text import assemble, section_body


def size(
    words: int, kind: DeliverableKind | None = DeliverableKind.REPORT, tokens: int = 6_000
) -> PaperSize | None:
    brief = StepBrief(directive="d", task="t", kind=kind, form=ResultForm(words=words))
    return size_of_paper(brief, reply_tokens=tokens)


@pytest.mark.parametrize(
    ("words", "kind", "tokens", "is_paper"),
    [
        (0, DeliverableKind.REPORT, 6_000, False),
        (3_000, DeliverableKind.REPORT, 6_000, False),
        (3_001, DeliverableKind.REPORT, 6_000, True),
        (2_000, DeliverableKind.PLAN, 2_730, True),
        (20_000, DeliverableKind.CONTENT, 6_000, True),
        (20_000, DeliverableKind.ANSWER, 6_000, False),
        (20_000, DeliverableKind.DATA, 6_000, False),
        (20_000, None, 6_000, False),
    ],
)
def test_a_text_is_a_paper_if_one_reply_of_its_tier_cannot_hold_it(
    words: int, kind: DeliverableKind | None, tokens: int, is_paper: bool
) -> None:
    assert (size(words, kind, tokens) is not None) == is_paper


@given(words=st.integers(3_001, 50_000), counts=st.lists(st.integers(1, 2_000), min_size=2, max_size=60))
def test_the_sections_of_an_outline_are_scaled_to_the_length_of_the_paper(
    words: int, counts: list[int]
) -> None:
    paper = size(words)
    assert paper is not None
    assert 2 <= paper.sections_min <= paper.sections_max <= SECTIONS_MAX
    assert paper.sections_min * paper.section_words_max >= words, "the fewest sections can hold it"
    planned = [
        SectionPlan(heading=f"## Part {at}", covers="c", words=count, queries=[])
        for at, count in enumerate(counts)
    ]
    fitted = paper.fit(planned)
    assert [section.heading for section in fitted] == [f"Part {at}" for at in range(len(counts))]
    assert all(1 <= section.words <= paper.section_words_max for section in fitted)
    if all(section.words < paper.section_words_max for section in fitted):
        assert abs(sum(section.words for section in fitted) - words) <= len(counts)


def test_calls_are_estimated_by_one_formula() -> None:
    paper = PaperSize(words=20_000, section_words_max=2_000)
    judging = ceil(20_000 / 1_200)
    assert paper.calls_max(12, judged=True, revised=True) == 1 + 12 + 1 + 12 + 2 * judging == 60
    assert paper.calls_max(12, judged=True, revised=False) == 1 + 12 + 1 + judging
    assert paper.calls_max(12, judged=False, revised=False) == 14


def test_a_section_has_no_heading_of_its_own_and_those_in_it_are_below_the_papers() -> None:
    text = "\n# Prices\n\n## Prices\n\nFirst.\n\n# Inner\n\n```\n# a comment\n```\n\n#### Deep\n"
    assert section_body(text) == "First.\n\n### Inner\n\n```\n# a comment\n```\n\n#### Deep"


def test_statements_are_found_in_the_section_that_has_them() -> None:
    sections = [
        WrittenSection(number=1, heading="A", text="It costs 5. [1]"),
        WrittenSection(number=2, heading="B", text="It costs 6. [1]\n\nIt costs 5. [1]"),
    ]
    paper = assemble("Costs", sections)
    assert paper.text == "# Costs\n\n## A\n\nIt costs 5. [1]\n\n## B\n\nIt costs 6. [1]\n\nIt costs 5. [1]\n"
    five, six, again = (
        CheckedStatement(text=text, markdown=text, verdict="doubtful")
        for text in ("It costs 5. [1]", "It costs 6. [1]", "It costs 5. [1]")
    )
    found = [paper.by_section((five, six, again))[number].statements for number in (1, 2)]
    assert found == [(five,), (six, again)]


def test_the_reading_of_a_paper_is_a_critique_of_it() -> None:
    scores = dict.fromkeys(("completeness", "accuracy", "actionability", "depth"), 3.5)
    notes = [{"section": number, "note": "x" * 300} for number in range(1, 10)]
    critique = CoherenceReply.model_validate({**scores, "notes": notes, "lesson": "Short."}).critique
    assert critique.mean == 3.5
    assert len(critique.gaps) == 6
    assert critique.gaps[1].startswith("Section 2: xxx")


def test_what_a_section_would_have_beyond_its_room_is_shared_out_among_the_others() -> None:
    paper = size(12_000)
    assert paper is not None
    planned = [SectionPlan(heading="###", covers="c", words=2_000, queries=[])]
    planned += [SectionPlan(heading="Part", covers="c", words=150, queries=[]) for _ in range(6)]
    fitted = paper.fit(planned)
    assert max(section.words for section in fitted) == paper.section_words_max
    assert abs(sum(section.words for section in fitted) - 12_000) <= len(fitted)
    assert fitted[0].heading == "Section 1"
