"""Cue phrases: which places of a text name something, what the name could be, and that any text is read in time."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.memory.graph.cues import REFERENCES_MAX, references
from frasier.memory.graph.types import Relation
from support.machine_speed import scaled


def only(text):
    [reference] = references(text)
    return reference


@pytest.mark.parametrize(
    ("text", "relation", "outgoing"),
    [
        ("We moved because of the outage in May.", Relation.CAUSED, False),
        ("CAUSED BY: the outage", Relation.CAUSED, False),
        ("It led to a new policy", Relation.CAUSED, True),
        ("made  possible by ADR-3", Relation.ENABLED, False),
        ("This supersedes ADR-12.", Relation.SUPERSEDES, True),
        ("superseded\tby ADR-12", Relation.SUPERSEDES, False),
        ("It contradicts the report", Relation.CONTRADICTS, True),
        ("derived from the survey", Relation.DERIVED_FROM, True),
        ("confirmed by the second run", Relation.SUPPORTS, False),
    ],
)
def test_a_cue_says_the_relation_and_its_direction(text, relation, outgoing):
    reference = only(text)
    assert (reference.relation, reference.outgoing) == (relation, outgoing)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("supersedes ADR-12.", "ADR-12"),
        ("supersedes ADR-12: Use SQLite, for now", "ADR-12: Use SQLite, for now"),
        ("because of the Great Outage, we moved", "Great Outage"),
        ("because of the Great Outage, we moved", "the Great Outage"),
        ("because of “Why are we slow?”", "Why are we slow?"),
        ("because of [[Great Outage]] and more", "Great Outage"),
        ("derived from **Great Outage**.", "Great Outage"),
        ("derived from /notes/a b.md", "/notes/a b.md"),
        ("led to 0198c0de-0000-7000-8000-000000000000)", "0198c0de-0000-7000-8000-000000000000"),
    ],
)
def test_the_names_hold_what_a_reader_would_take_for_the_name(text, name):
    assert name in only(text).names


def test_longer_names_come_first_and_none_is_longer_than_a_title_of_twelve_words():
    names = only("because of " + " ".join(f"w{n}" for n in range(30))).names
    assert [len(name) for name in names] == sorted((len(name) for name in names), reverse=True)
    assert names[0].split() == [f"w{n}" for n in range(12)]
    assert names[-1] == "w0"


def test_a_name_ends_with_its_line():
    assert only("because of the\nGreat Outage").names == ("the",)
    assert references("because of\nthe Great Outage") == []


@pytest.mark.parametrize(
    "text",
    [
        "This does not supersede and never led to Great Outage",
        "It wasn't caused by Great Outage",
        "It isn’t really based on Great Outage",
        "no longer supported by Great Outage",
        "It might be caused by Great Outage",
        "See whether it contradicts Great Outage",
        "<!-- write: supersedes Great Outage -->",
        "<!-- supersedes Great Outage",
        "```\n# caused by Great Outage\n```",
        "unsupersedes Great Outage",
        "supersedesGreat Outage",
        "The outage was great.",
        "because of",
        "because of …",
        "ſupersedes Great Outage",
        "derıved from Great Outage",
        "",
    ],
)
def test_what_is_denied_supposed_or_not_said_is_no_reference(text):
    assert references(text) == []


def test_what_was_denied_in_another_sentence_or_line_does_not_count():
    assert only("Not so.\nIt supersedes ADR-12").names[0] == "ADR-12"
    assert only("It did not. But then it led to ADR-12").names[0] == "ADR-12"


def test_text_behind_a_comment_and_behind_code_is_read():
    text = "<!-- caused by A1 -->\n```\ncaused by A2\n```\ncaused by A3"
    assert only(text).names[0] == "A3"


def test_marks_around_a_name_are_noticed():
    assert only('because of "Monday"').quoted
    assert only("because of [[Monday]]").quoted
    assert not only("because of Monday").quoted


def test_no_more_references_than_the_limit():
    assert len(references("caused by A1\n" * 500)) == REFERENCES_MAX


@given(
    st.text() | st.lists(st.sampled_from(["because of ", "<!--", "-->", "```", "\n", "x ", "“"])).map("".join)
)
def test_any_text_is_read_and_its_names_stand_in_it(text):
    for reference in references(text):
        assert reference.names
        assert all(name.strip() == name and 0 < len(name) <= 200 for name in reference.names)
        assert all(name in text or "-->" in text for name in reference.names)
        assert len(reference.evidence) <= 200


@pytest.mark.parametrize(
    "hostile",
    [
        "because" + " " * 99_000,
        "because of " * 9_000,
        "because  " * 11_000,
        "<!--" * 25_000,
        "made possible " * 7_000,
        "(" * 100_000,
        "not " * 25_000 + "caused by x",
        "caused by " + "(" * 99_000,
    ],
)
def test_fault_37_no_text_takes_more_than_linear_time(hostile):
    started = time.process_time()
    references(hostile)
    assert time.process_time() - started < scaled(1.5)
