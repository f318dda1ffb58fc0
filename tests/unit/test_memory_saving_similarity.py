"""How alike two texts are, and in which words that matter they differ."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from frasier.kernel.tokenizer import tokenize
from frasier.memory.admission.key_words import differing_facts, differing_identities, lost_identities
from frasier.memory.admission.similarity import greatest_length, least_length, similarity, term_similarity

_WORD = st.sampled_from(
    "deploy cluster backup nightly region token lease worker mission budget cache".split()
)
_TEXT = st.lists(_WORD, max_size=12).map(" ".join)
_ANY = st.text(st.characters(exclude_categories=()), max_size=120)


@settings(max_examples=200, deadline=None)
@given(_TEXT | _ANY, _TEXT | _ANY)
def test_similarity_is_a_symmetric_share(a, b):
    assert similarity(a, b) == similarity(b, a)
    assert 0.0 <= similarity(a, b) <= 1.0


@settings(max_examples=200, deadline=None)
@given(_TEXT, _TEXT)
def test_only_the_same_terms_in_the_same_order_are_wholly_alike(a, b):
    assume(tokenize(a))
    assert (similarity(a, b) == 1.0) == (tokenize(a) == tokenize(b))


@settings(max_examples=200, deadline=None)
@given(st.lists(_WORD, min_size=2, max_size=40), st.integers(0, 39))
def test_one_other_word_of_n_costs_one_nth(words, at):
    other = list(words)
    other[at % len(words)] = "unheardof"
    expected = 1 - 1 / len(words)
    assert similarity(" ".join(words), " ".join(other)) == pytest.approx(expected)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(_WORD, min_size=1, max_size=30),
    st.lists(_WORD, min_size=1, max_size=60),
    st.sampled_from([0.7, 0.9]),
)
def test_lengths_outside_of_the_bounds_cannot_be_that_alike(a, b, threshold):
    if not least_length(len(a), threshold) <= len(b) <= greatest_length(len(a), threshold):
        assert term_similarity(a, b) < threshold


def test_texts_without_words_are_not_alike():
    assert similarity("!!!", "???") == 0.0
    assert similarity("and the", "and the") == 0.0


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The lease lasts 30 seconds.", "The lease lasts 60 seconds."),
        ("Version 1.2.3 is out.", "Version 1.2.4 is out."),
        ("It costs $5 a day.", "It costs €5 a day."),
        ("It is -5 outside.", "It is 5 outside."),
        ("The load was 5 % then.", "The load was 5 then."),
        ("The release is on 2024-05-01.", "The release is on 2024-06-01."),
        ("The review is on Monday.", "The review is on Tuesday."),
        ("Alice owns the deploy.", "Bob owns the deploy."),
        ("Copy it from Alpha to Beta.", "Copy it from Beta to Alpha."),
        ("Set a to 1 and b to 2.", "Set a to 2 and b to 1."),
        ("The cache is warm.", "The cache is not warm."),
        ("The cache is warm.", "The cache isn't warm."),
        ("Run it before the deploy.", "Run it after the deploy."),
        ("I own the deploy.", "You own the deploy."),
        ("Use two workers.", "Use three workers."),
        ("Always use tabs.", "Never use tabs."),
        ("Deploys are allowed.", "Deploys are denied."),
        ("It may be late.", "It must be late."),
        ("The service is down.", "The service was down."),
        ("部署在东京进行。", "部署在大阪进行。"),
        ("Сервер в Москве.", "Сервер в Киеве."),
    ],
)
def test_texts_that_turn_on_another_word_differ(a, b):
    assert differing_facts(a, b)
    assert differing_facts(a, b) == differing_facts(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The worker renews its lease.", "Worker renews the lease!"),
        ("Deploys need a review.", "The deploys need a review"),
        ("Don't deploy on Friday.", "Do not deploy on Friday."),
        ("You can't merge alone.", "You cannot merge alone."),
        ("It holds 1,000 rows.", "It holds 1000 rows."),
        ("The Cache is warm", "The cache is warm"),
        ("PostgreSQL keeps it", "postgresql keeps it"),
    ],
)
def test_another_way_of_saying_it_is_no_difference(a, b):
    assert differing_facts(a, b) == frozenset()


@settings(max_examples=200, deadline=None)
@given(_ANY)
def test_nothing_differs_from_itself(text):
    assert differing_facts(text, text) == frozenset()
    assert lost_identities(text, text) == frozenset()


@settings(max_examples=200, deadline=None)
@given(_ANY, _ANY)
def test_differences_are_the_same_from_either_side(a, b):
    assert differing_facts(a, b) == differing_facts(b, a)
    assert differing_identities(a, b) <= differing_facts(a, b)


@settings(max_examples=200, deadline=None)
@given(_TEXT, st.integers(0, 10**6), st.integers(0, 10**6))
def test_another_number_always_differs(text, one, other):
    assume(one != other)
    assert {str(one), str(other)} <= differing_facts(f"{text} {one}", f"{text} {other}")


def test_what_a_longer_text_adds_is_not_lost():
    assert lost_identities("Alice has 3 keys.", "Alice has 3 keys and Bob has 4.") == frozenset()
    assert lost_identities("Alice has 3 keys.", "Alice has 4 keys.") == {"3"}
    assert lost_identities("Alice has 3 keys.", "Bob has 3 keys.") == {"alic"}
