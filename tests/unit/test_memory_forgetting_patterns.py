"""Whether a query names a memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.memory.forgetting.patterns import QueryPattern
from frasier.memory.types import MemoryKind, MemoryType


def names(query, *, title="", triggers=(), kind=MemoryKind.OBSERVATION, memory_type=MemoryType.EPISODIC):
    return QueryPattern.of(query).names(title=title, triggers=triggers, kind=kind, memory_type=memory_type)


@pytest.mark.parametrize(
    ("query", "triggers"),
    [
        ("What about the nightly build?", ["nightly build"]),
        ("NIGHTLY-BUILD", ["Nightly Build"]),
        ("we are not done", ["not done"]),
    ],
)
def test_a_trigger_phrase_in_the_query_names_the_memory(query, triggers):
    assert names(query, triggers=triggers)


@pytest.mark.parametrize(
    ("query", "triggers"),
    [
        ("the capital", ["api"]),
        ("build nightly", ["nightly build"]),
        ("anything", ["", "…"]),
        ("", ["", "build"]),
    ],
)
def test_a_phrase_names_only_as_whole_words_in_order(query, triggers):
    assert not names(query, triggers=triggers)


def test_a_title_is_named_by_its_words_and_names_a_shorter_query():
    assert names("how do we choose the storage engine, then?", title="Choosing the storage engine")
    assert names("storage engines", title="Choosing the storage engine")
    assert not names("storage", title="Choosing the storage engine")
    assert not names("storage of apples", title="Choosing the storage engine")


def test_a_title_of_one_word_is_no_name():
    assert not names("the storage engine that we chose", title="Storage")


def test_asking_for_decisions_names_decisions_only():
    assert names("which decisions were taken?", kind=MemoryKind.DECISION)
    assert not names("which decisions were taken?", kind=MemoryKind.LESSON)
    assert names("semantic memories", memory_type=MemoryType.SEMANTIC)


@given(st.text(max_size=200), st.text(max_size=50), st.lists(st.text(max_size=30), max_size=5))
def test_any_text_is_answered(query, title, triggers):
    assert names(query, title=title, triggers=triggers) in {True, False}


@given(st.lists(st.sampled_from(["build", "fails", "nightly", "deploy", "server"]), min_size=1, max_size=6))
def test_every_query_names_a_memory_with_that_very_trigger(words):
    assert names(" ".join(words), triggers=[" ".join(words)])
