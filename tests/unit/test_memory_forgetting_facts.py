"""When two sentences state the same, and which of them are found together."""

import itertools
from uuid import UUID

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from frasier.memory.forgetting.clusters import clusters_of
from frasier.memory.forgetting.sentence_facts import FACTS_PER_MEMORY_MAX, facts_of, sentences, similarity


def fact(text, source=1):
    [only] = facts_of(UUID(int=source), text)
    return only


def same(one, other):
    return similarity(fact(one, 1), fact(other, 2)) > 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The nightly build fails on the old runner.", "The nightly build fails on the old runner."),
        ("The nightly build fails on the old runner.", "nightly builds fail on the old runner"),
        (
            "- the release notes name every breaking change of CI",
            "The release notes name each breaking change of CI",
        ),
    ],
)
def test_the_same_in_other_forms_is_the_same(one, other):
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # numbers
        (
            "The nightly build takes 20 minutes on the runner",
            "The nightly build takes 30 minutes on the runner",
        ),
        ("The nightly build takes two long hours", "The nightly build takes three long hours"),
        ("the release of version 1.2 broke the import", "the release of version 1.3 broke the import"),
        # negation
        ("The nightly build runs on the old runner", "The nightly build never runs on the old runner"),
        ("Deploys do work on the old runner", "Deploys don't work on the old runner"),
        ("Deploys do work on the old runner", "Deploys don’t work on the old runner"),
        # opposites, order and degree
        ("Always enable the cache of the runner", "Always disable the cache of the runner"),
        ("Run the backup before the nightly deploy", "Run the backup after the nightly deploy"),
        ("the cache was moved from the runner", "the cache was moved to the runner"),
        # names
        (
            "Mira prefers green tea every single morning at work",
            "Tom prefers green tea every single morning at work",
        ),
        (
            "every single morning at work, Mira drinks green tea",
            "every single morning at work, Tom drinks green tea",
        ),
        # who did what to whom
        ("Postgres replaced SQLite as store", "SQLite replaced Postgres as store"),
        ("the worker blocks the scheduler thread", "the scheduler blocks the worker thread"),
        # simply something else
        ("The nightly build fails on the old runner", "The weekly report goes to the founder"),
    ],
)
def test_what_could_mean_something_else_is_not_the_same(one, other):
    assert not same(one, other)


_TEXTS = st.lists(
    st.sampled_from("the build of Mira fails not 3 4 before after old runner nightly on CI".split()),
    min_size=5,
    max_size=10,
).map(" ".join)


@given(_TEXTS, _TEXTS)
def test_being_the_same_goes_both_ways_and_everything_is_the_same_as_itself(one, other):
    for mine, theirs in itertools.product(facts_of(UUID(int=1), one), facts_of(UUID(int=2), other)):
        assert similarity(mine, theirs) == similarity(theirs, mine)
        assert similarity(mine, mine) == 1.0


def test_questions_and_scraps_state_nothing():
    text = (
        "Done.\nDoes the nightly build fail on the runner?\n- The nightly build fails on the runner.\n\n* Ok!"
    )
    assert [fact.text for fact in facts_of(UUID(int=1), text)] == ["The nightly build fails on the runner."]


def test_a_long_memory_gives_its_first_facts():
    text = "\n".join(f"The nightly build number {number} failed." for number in range(100))
    facts = facts_of(UUID(int=1), text)
    assert len(facts) == FACTS_PER_MEMORY_MAX
    assert facts[-1].text == f"The nightly build number {FACTS_PER_MEMORY_MAX - 1} failed."


@given(st.text(max_size=300))
def test_any_text_has_sentences_that_are_their_own_sentences(text):
    for sentence in sentences(text):
        assert list(sentences(sentence)) == [sentence]


def test_a_chain_of_small_differences_joins_nothing_but_what_resembles_the_middle():
    words = "alpha bravo charlie delta echo foxtrot golf hotel india juliet".split()
    # Neighbours share 8 of 10 words, the outer two 7 of 11.
    texts = [" ".join(["zulu", *words[at : at + 8]]) for at in range(3)]
    clusters = clusters_of([fact(text, source) for source, text in enumerate(texts)])
    assert [[member.text for member in cluster.members] for cluster in clusters] == [texts]
    assert clusters[0].middle.text == texts[1]
    assert clusters_of([fact(texts[0], 1), fact(texts[2], 2)]) == []


def test_one_memory_that_says_it_twice_is_not_two():
    twice = facts_of(UUID(int=1), "The nightly build fails often.\nThe nightly build fails often.")
    assert len(twice) == 2
    assert clusters_of(twice) == []
    assert len(clusters_of([*twice, fact("The nightly build fails often.", 2)])[0].members) == 3


_VOCABULARY = "build runner cache deploy report founder index vector graph table".split()
_SETS = st.lists(
    st.lists(st.sampled_from(_VOCABULARY), min_size=3, max_size=6, unique=True).map(" ".join), max_size=12
)


@given(_SETS)
def test_every_pair_that_states_the_same_is_found(texts):
    facts = [fact(text, source) for source, text in enumerate(texts)]
    clustered = {member.source for cluster in clusters_of(facts) for member in cluster.members}
    for one, other in itertools.combinations(facts, 2):
        if similarity(one, other) > 0:
            assert {one.source, other.source} & clustered, "at least one of them was found beside a middle"


@given(_SETS)
@example(["build runner cache", "build runner cache deploy", "build runner cache deploy report"])
def test_the_middles_of_one_time_leave_nothing_new_to_the_next(texts):
    facts = [fact(text, source) for source, text in enumerate(texts)]
    first = clusters_of(facts)
    assert all(len({member.source for member in cluster.members}) > 1 for cluster in first)
    assert clusters_of(facts, [cluster.middle for cluster in first]) == first
    assert clusters_of(facts) == first
