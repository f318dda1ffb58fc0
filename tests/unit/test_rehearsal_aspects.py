"""What a directive asks about, read without a model: aspects in their order, and nothing where it names nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.llm.providers.rehearsal.aspects import aspects
from frasier.llm.providers.rehearsal.evidence import evidence_of_line
from frasier.llm.providers.rehearsal.needs import need_of
from frasier.llm.providers.rehearsal.stems import content_stems, keywords, stem

DIRECTIVES = [
    (
        "Compare the tides and the ferry timetables of the islands described in these documents.",
        ("tides", "ferry timetables"),
    ),
    (
        "Summarise the decisions, open questions and action items from the meeting notes.",
        ("decisions", "open questions", "action items"),
    ),
    (
        "Write a report on the causes of the flood, its course and its consequences.",
        ("causes of the flood", "course of the flood", "consequences of the flood"),
    ),
    (
        "What do the recipes say about fermentation times and temperatures?",
        ("fermentation times", "temperatures"),
    ),
    ("Alpha vs Beta: price, warranty, and noise", ("price", "warranty", "noise")),
    (
        "How does replication work? What happens on failover?",
        ("How does replication work?", "What happens on failover?"),
    ),
    ("Explain how bread rises and why crust forms.", ("how bread rises", "why crust forms")),
    (
        'Compare "time to first byte" and "cold start" across the frameworks',
        ("time to first byte", "cold start"),
    ),
    (
        "Prepare a decision brief for choosing a bicycle: compare weight, range, and service; recommend one.",
        ("weight", "range", "service"),
    ),
    (
        "Please analyse:\n- pricing\n- support quality\n- data protection",
        ("pricing", "support quality", "data protection"),
    ),
    ("What are the pros and cons of remote work?", ("pros of remote work", "cons of remote work")),
    ("Differences between sourdough and yeast bread", ("sourdough", "yeast bread")),
    (
        "Write a cited brief that compares Oak, Ash and Elm on hardness, growth and price.",
        ("hardness", "growth", "price"),
    ),
    (
        "Vergleiche die Gefährdung und den Schutz der beschriebenen Lebensräume.",
        ("Gefährdung", "Schutz"),
    ),
    ("Research tidal mills and write a summary", ("tidal mills",)),
    (
        "List every package with a copyleft licence (GPL, LGPL or MPL), with version and author.",
        ("package with a copyleft licence (GPL, LGPL or MPL)",),
    ),
    (
        "On which boat, which trip and which day do they cross, and what does it cost?",
        ("which boat and which trip and which day do they cross", "what does it cost"),
    ),
    (
        "What are the value and the weekly hire of C-101 now, and who broke it?",
        ("value of C-101 now", "weekly hire of C-101 now", "who broke it"),
    ),
    (
        "Which offers are valid, at what price, and until when?",
        ("Which offers are valid", "at what price", "until when"),
    ),
    ("To which address do we write about the delay?", ("To which address do we write about the delay?",)),
]


@pytest.mark.parametrize(("directive", "expected"), DIRECTIVES)
def test_the_aspects_of_a_directive_are_named_in_its_order(directive, expected):
    assert aspects(directive) == expected


@pytest.mark.parametrize(
    "directive", ["", "???", "Compare", "Summarise these documents", "Write a summary of the folder."]
)
def test_a_directive_that_names_no_subject_has_no_aspects(directive):
    assert aspects(directive) == ()


@given(st.text(max_size=400))
def test_every_aspect_of_any_text_can_be_looked_for(text):
    found = aspects(text)
    assert len(found) <= 12
    assert all((keywords(aspect) or need_of(aspect).has_kind) and len(aspect) <= 200 for aspect in found)


@given(
    st.sampled_from(
        ["what about ", "on a, b ", ": a", "and ", "of the ", '"', "between ", "- a\n", "“a", "x, "]
    ),
    st.integers(1, 6_000),
)
def test_a_directive_that_repeats_itself_for_pages_is_read_like_any_other(piece, times):
    assert len(aspects(piece * times)) <= 12


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("licence", "licensed"),
        ("organise", "organized"),
        ("colour", "colors"),
        ("storage", "stores"),
        ("delivery", "delivers"),
        ("fed", "feeding"),
    ],
)
def test_spellings_and_forms_of_a_word_share_a_stem(one, other):
    assert stem(one) == stem(other)


def test_scripts_without_blanks_are_compared_by_pairs_of_characters():
    assert set(content_stems("配信保証")) & set(content_stems("保証について"))


def test_a_question_for_decisions_is_met_by_a_sentence_that_tells_of_one():
    need = need_of("decisions")
    assert need.share(evidence_of_line("We agreed to move the market to the square.")) > 0
    assert need.share(evidence_of_line("The market has forty stalls.")) == 0


def test_a_question_how_long_is_met_by_a_duration():
    need = need_of("How long does the glue dry?")
    assert need.answered_by(evidence_of_line("The glue dries for six hours."))
    assert not need.share(evidence_of_line("The glue dries in the sun."))
