"""Acronyms and near spellings: what they are, and how many there can be."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.kernel.stopwords import STOP_WORDS
from frasier.kernel.tokenizer import tokenize
from frasier.memory.expansion.acronyms import ACRONYMS, acronym_of, short_forms
from frasier.memory.expansion.typos import (
    NEIGHBOURS_MAX,
    can_be_misspelt,
    one_edit_away,
    two_edits_away,
)

_WORD = st.text("abcdefghijklmnopqrstuvwxyz", min_size=4, max_size=14)


def distance(a, b):
    """Edits between two words, neighbours that are swapped counting once."""
    table = {(i, 0): i for i in range(len(a) + 1)} | {(0, j): j for j in range(len(b) + 1)}
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            table[i, j] = min(
                table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (a[i - 1] != b[j - 1])
            )
            if i > 1 and j > 1 and (a[i - 1], a[i - 2]) == (b[j - 2], b[j - 1]):
                table[i, j] = min(table[i, j], table[i - 2, j - 2] + 1)
    return table[len(a), len(b)]


def test_no_stop_word_is_an_acronym():
    assert not STOP_WORDS & ACRONYMS.keys()
    assert not any(can_be_misspelt(word) for word in STOP_WORDS)


def test_there_are_many_acronyms_and_each_can_be_searched_for_in_both_forms():
    assert len(ACRONYMS) >= 50
    for acronym, long_form in ACRONYMS.items():
        assert tokenize(acronym)
        assert tokenize(long_form)
        assert acronym == acronym.lower()
    assert {"api", "ui", "db", "mcp", "adr", "rrf", "ci", "cd", "llm", "sql", "orm", "jwt"} <= ACRONYMS.keys()


@pytest.mark.parametrize("acronym", sorted(ACRONYMS))
def test_each_acronym_is_known_from_both_sides(acronym):
    [term, *_] = tokenize(acronym)
    assert acronym_of(acronym, term) == acronym
    terms = tokenize(f"we need the {ACRONYMS[acronym]} now")
    assert acronym in {short for short, _ in short_forms(terms)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("all pull requests", {"pr"}),
        ("single sign-on here", {"sso"}),
        ("requests pull", set()),
        ("pull the requests", {"pr"}),
        ("a large model of language", set()),
        ("", set()),
    ],
)
def test_a_long_form_counts_in_its_order_whatever_its_inflection(text, expected):
    assert {acronym for acronym, _ in short_forms(tokenize(text))} == expected


@settings(max_examples=200, deadline=None)
@given(_WORD)
def test_one_edit_away_is_exactly_that(word):
    near = one_edit_away(word)
    assert word not in near
    assert len(near) <= 54 * len(word) + 25
    assert all(distance(word, other) == 1 for other in list(near)[:60])


@settings(max_examples=200, deadline=None)
@given(_WORD, st.integers(0, 13), st.sampled_from("abcxyz"))
def test_every_single_mistake_is_undone(word, at, letter):
    at %= len(word)
    mistakes = {
        word[:at] + word[at + 1 :],
        word[:at] + letter + word[at:],
        word[:at] + letter + word[at + 1 :],
        word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :],
    }
    assert all(word in one_edit_away(mistake) for mistake in mistakes - {word})


@settings(max_examples=200, deadline=None)
@given(_WORD)
def test_two_edits_away_are_few_and_no_farther(word):
    far = two_edits_away(word)
    assert len(far) <= NEIGHBOURS_MAX
    assert word not in far
    # One letter moved across a pair that is swapped counts as three here, which swaps no pair twice.
    assert all(2 <= distance(word, other) <= 3 for other in list(far)[:60])


@pytest.mark.parametrize(
    "word",
    ["the", "db", "which", "2024", "v123", "abc4", "résumé", "北京大学", "", "x" * 31, "don't", "日本語です"],
)
def test_short_words_numbers_ids_and_stop_words_are_not_corrected(word):
    assert not can_be_misspelt(word)
