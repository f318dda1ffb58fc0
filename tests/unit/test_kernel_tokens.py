"""The tokenizer: what it finds in a text, and what holds for any text."""

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.kernel.tokenizer import TERM_CHARS_MAX, TERMS_MAX, tokenize, words_and_terms

_ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=300)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The leases were renewed; leasing renews them.", ["leas", "renew", "leas", "renew"]),
        ("Who are you and what is this?", []),
        ("don't can't it's", []),
        ("The founder’s directive", ["founder", "direct"]),
        ("memory_items and half-life", ["memori", "item", "half", "life"]),
        ("HTTPServer fooBar", ["httpserver", "http", "server", "foobar", "foo", "bar"]),
        ("many APIs and IDs", ["mani", "api", "id"]),
        ("version v18.6.3, not 18.6.2", ["version", "18.6.3", "18.6.2"]),
        ("1,000,000 rows, 1,250.50 dollars", ["1000000", "row", "1250.50", "dollar"]),
        ("see docs.python.org", ["see", "doc", "python", "org"]),
        ("vitamin C, plan 9", ["vitamin", "c", "plan", "9"]),
        ("CAFÉ Café café", ["cafe", "cafe", "cafe"]),
        ("ﬁle Straße", ["file", "strass"]),
        ("北京大学 2024年", ["北京", "京大", "大学", "2024", "年"]),
        ("' -- \" & | ! <-> :*", []),
        ("a\x00b \ud800 c", ["b", "c"]),
        ("foo\0bar", ["foo", "bar"]),
    ],
)
def test_text_gives_the_terms_it_is_searched_by(text, terms):
    assert tokenize(text) == terms


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("PostgreSQL", "postgresql"),
        ("S3Client", "client"),
        ("Résumé", "resume"),
        ("v1.2.3", "1.2.3"),
        ("decomposition", "DECOMPOSITIONS"),
        ("東京タワー", "タワー"),
    ],
)
def test_two_spellings_of_one_thing_meet(written, asked):
    assert set(tokenize(asked)) & set(tokenize(written))


def test_each_term_names_the_word_it_came_from():
    assert words_and_terms("Budgets were exceeded") == [("budgets", "budget"), ("exceeded", "exceed")]


@settings(max_examples=200, deadline=None)
@given(_ANY_TEXT)
def test_any_text_gives_bounded_terms_that_are_never_empty(text):
    terms = tokenize(text)
    assert all(0 < len(term) <= TERM_CHARS_MAX for term in terms)
    assert all(term == term.casefold() for term in terms)
    assert all(not any(character.isspace() or character == "\0" for character in term) for term in terms)
    for term in terms:
        term.encode()


@settings(max_examples=200, deadline=None)
@given(_ANY_TEXT)
def test_the_same_text_gives_the_same_terms(text):
    assert tokenize(text) == tokenize(text) == [term for _, term in words_and_terms(text)]


@settings(max_examples=200, deadline=None)
@given(_ANY_TEXT, _ANY_TEXT)
def test_texts_apart_give_the_terms_of_each(one, other):
    assert tokenize(f"{one}\n{other}") == tokenize(one) + tokenize(other)


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(max_codepoint=127, exclude_categories=["Nd"]), max_size=200))
def test_case_does_not_matter_where_no_identifier_is_humped(text):
    lowered = text.lower()
    assert tokenize(lowered) == tokenize(lowered.upper())


def test_a_huge_text_gives_no_more_terms_than_a_length_can_count():
    assert len(tokenize("ab " * 60_000)) == TERMS_MAX


def test_a_word_without_end_is_cut():
    assert [len(term) for term in tokenize("x" * 100_000)] == [TERM_CHARS_MAX]


def test_threads_agree_on_the_terms():
    text = "The renewing of leases is renewed by the renewers. " * 200
    expected = tokenize(text)
    results = []

    def work():
        results.extend(tokenize(text) == expected for _ in range(20))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 80
