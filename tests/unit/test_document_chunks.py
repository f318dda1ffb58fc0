"""Passages: exact, complete, in order, and cut where the text itself is divided."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.work.research.documents.chunks import passages

_SENTENCE = "The committee met on Monday and agreed that the figures of the third quarter were sound."

_lines = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        [
            "",
            "# One",
            "## Two words",
            "### x #",
            "```",
            "~~~",
            "| a | b |",
            "| --- | --- |",
            "- item",
            "  2. item",
            "key: value",
        ]
    ),
    st.just(_SENTENCE * 4),
    st.just("x" * 3_000),
    st.just("wort " * 500),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_lines, max_size=30).map("\n".join))
def test_passages_hold_all_that_is_not_blank_in_order_and_verbatim(text):
    position = 0
    kept = []
    for number, chunk in enumerate(passages(text)):
        assert chunk.ordinal == number
        assert chunk.text == chunk.text.strip() != ""
        found = text.index(chunk.text, position)
        assert not text[position:found].strip()
        position = found + len(chunk.text)
        kept.append(chunk.text)
    assert not text[position:].strip()
    assert "".join("".join(kept).split()) == "".join(text.split())


@settings(max_examples=100, deadline=None)
@given(st.lists(_lines, max_size=30).map("\n".join))
def test_passages_are_bounded(text):
    headings = len(re.findall(r"^#", text, re.MULTILINE))
    for chunk in passages(text):
        assert len(chunk.text.split()) <= 60 + 300 + 4 * headings


def test_long_prose_is_cut_only_between_sentences():
    text = "\n".join([" ".join([_SENTENCE] * 60)] * 2)
    chunks = passages(text)
    assert len(chunks) > 5
    for chunk in chunks:
        assert chunk.text.startswith("The committee")
        assert chunk.text.endswith("sound.")
        assert 100 <= len(chunk.text.split()) <= 220 or chunk is chunks[-1]


def test_abbreviations_and_initials_end_no_sentence():
    sentence = "As Dr. J. Smith showed, e.g. Figure 3 of the annex (cf. Table 2) supports this view."
    for chunk in passages(" ".join([sentence] * 60)):
        assert chunk.text.startswith("As Dr. J. Smith")
        assert chunk.text.endswith("this view.")


def test_a_sentence_that_never_ends_is_cut_at_a_blank():
    chunks = passages("word " * 2_000)
    assert len(chunks) > 5
    assert all(re.fullmatch(r"word( word)*", chunk.text) for chunk in chunks)


def test_text_without_blanks_is_cut_by_length():
    assert {len(chunk.text) for chunk in passages("界" * 6_000)} == {1_500}


def test_a_passage_carries_the_path_of_its_headings():
    body = " ".join([_SENTENCE] * 8)
    text = f"# Report\n\n{body}\n\n## Costs\n\n{body}\n\n### Staff\n\n{body}\n\n## Risks\n\n{body}"
    assert [chunk.heading for chunk in passages(text)] == [
        "Report",
        "Report > Costs",
        "Report > Costs > Staff",
        "Report > Risks",
    ]


def test_a_heading_stays_with_what_it_heads():
    text = f"{' '.join([_SENTENCE] * 9)}\n\n## Costs\n\n{' '.join([_SENTENCE] * 3)}"
    first, second = passages(text)
    assert first.text.endswith("sound.")
    assert second.text.startswith("## Costs\n\nThe committee")


def test_short_sections_share_a_passage():
    text = "\n\n".join(f"## Question {number}\n\nA short answer to it." for number in range(5))
    assert [chunk.heading for chunk in passages(text)] == ["Question 0"]


def test_a_comment_in_a_listing_is_no_heading():
    text = f"# Setup\n\n```\n# not a heading\nrun it\n```\n\n{_SENTENCE}"
    assert [chunk.heading for chunk in passages(text)] == ["Setup"]


def test_rows_stay_whole_and_know_their_columns():
    rows = "\n".join(f"| region {number} of the north | {number} units were sold |" for number in range(60))
    chunks = passages(f"# Sales\n\n| Region | Units |\n| --- | --- |\n{rows}")
    assert len(chunks) > 2
    assert chunks[0].heading == "Sales"
    assert {chunk.heading for chunk in chunks[1:]} == {"Sales > columns: Region | Units"}
    assert all(
        line.startswith("| ") and line.endswith(" |")
        for chunk in chunks[1:]
        for line in chunk.text.split("\n")
    )


def test_records_stay_whole():
    record = "name: Ada Lovelace; note: Wrote the first program. It computed numbers; year: 1843"
    chunks = passages("\n".join([record] * 100))
    assert len(chunks) > 3
    assert all(set(chunk.text.split("\n")) == {record} for chunk in chunks)


def test_list_items_stay_whole():
    item = "- The item names a rule.\n  It has a second sentence. And a third one."
    chunks = passages("\n".join([item] * 60))
    assert len(chunks) > 2
    assert all(chunk.text.startswith("- The item") and chunk.text.endswith("third one.") for chunk in chunks)


def test_blank_text_has_no_passage():
    assert passages("") == passages(" \n\t\n") == ()


@pytest.mark.parametrize(
    "text",
    [
        "# a" + " " * 200_000 + "b",
        "#" * 200_000,
        "# " + "# " * 100_000 + "x",
        "." * 200_000 + "x",
        "x." + '"' * 200_000 + "x",
        "|" * 200_000 + "\n|" + "-" * 200_000 + "x",
        "- " + " " * 200_000,
        "```\n" * 50_000,
        "a: " * 100_000,
    ],
    ids=range(9),
)
def test_hostile_text_is_divided_in_linear_time(text):
    assert "".join(chunk.text for chunk in passages(text))
