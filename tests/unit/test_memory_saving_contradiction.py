"""Which texts contradict each other, and which only look like it."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.memory.admission.contradiction import find_contradiction
from frasier.memory.admission.opposites import SIDES
from support.machine_speed import scaled

PAIRS = [
    ("Always deploy from the main branch.", "Never deploy from the main branch.", "always/never"),
    ("Reviews must be signed by two people.", "Reviews must not be signed by two people.", "must/must not"),
    ("Workers should cache the page.", "Workers shouldn't cache the page.", "should/should not"),
    ("Use Redis for the session cache.", "Don't use Redis for the session cache.", "use/don't use"),
    ("Enable the nightly backup job.", "Disable the nightly backup job.", "enable/disable"),
    ("The flag for caching is true now.", "The flag for caching is false now.", "true/false"),
    ("Caching in staging: yes, please", "Caching in staging: no, please", "yes/no"),
    ("A changelog entry is required.", "A changelog entry is optional.", "required/optional"),
    ("Two reviewers are mandatory here.", "Two reviewers are forbidden here.", "mandatory/forbidden"),
    ("Allow outgoing mail from workers.", "Deny outgoing mail from workers.", "allow/deny"),
    ("Include the drafts in the export.", "Exclude the drafts from the export.", "include/exclude"),
    ("The staging cluster is stable.", "The staging cluster is not stable.", "is/is not"),
    ("Prefer composition in the domain.", "Avoid composition in the domain.", "prefer/avoid"),
]


@pytest.mark.parametrize(("one", "other", "pair"), PAIRS, ids=[pair for *_, pair in PAIRS])
def test_each_of_the_thirteen_pairs_is_known_from_both_sides(one, other, pair):
    assert find_contradiction(one, other).pair == pair
    assert find_contradiction(other, one).pair == pair


def test_there_are_thirteen_pairs():
    assert {pair for pair, _ in SIDES.values()} == {pair for *_, pair in PAIRS}
    assert len(PAIRS) == 13


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Don't use Redis for the session cache.", "Do not use Redis for the session cache, please."),
        ("Never use Redis for the session cache.", "Don't use Redis for the session cache."),
        ("We are no longer using Redis for sessions.", "Redis is not to be used for sessions."),
        ("Outgoing mail is not allowed.", "Outgoing mail is denied."),
    ],
)
def test_fault_19_a_use_inside_of_a_prohibition_is_no_use(one, other):
    assert find_contradiction(one, other) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Always deploy from the main branch.", "Never eat lunch at your desk."),
        ("Always deploy to Alpha from the main branch.", "Never deploy to Beta from the main branch."),
        ("Enable backups for 3 nodes of the cluster.", "Disable backups for 4 nodes of the cluster."),
        ("Because of the user we must wait.", "The causes must be known."),
        ("The misuse of caches is a problem.", "Don't use big caches for it."),
        ("It is enabled today.", "Be disabled soon, tomorrow."),
        ("yes", "no"),
        ("", "Never deploy from the main branch."),
        ("Never.", "Always."),
        ("Prefer tabs over spaces everywhere.", "Avoid tabs in makefiles and in yaml documents."),
    ],
)
def test_fault_19_what_is_not_about_the_same_is_no_contradiction(one, other):
    assert find_contradiction(one, other) is None


def test_fault_19_the_content_is_read_not_a_placeholder():
    found = find_contradiction(
        "The team met.\nAlways deploy from the main branch.", "Never deploy from the main branch! All agreed."
    )
    assert (found.first, found.second) == (
        "Always deploy from the main branch",
        "Never deploy from the main branch",
    )


def test_what_both_texts_say_is_not_held_against_either():
    shared = "Always deploy from main. Never deploy from main on a holiday."
    assert find_contradiction(f"{shared} One more thing.", f"{shared} Another thing.") is None


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(exclude_categories=()), max_size=200))
def test_no_text_contradicts_itself(text):
    assert find_contradiction(text, text) is None


_SENTENCE = st.lists(
    st.sampled_from(
        "use not never don't redis cache always must deploy is are no the enable disable true".split()
    ),
    min_size=3,
    max_size=8,
).map(" ".join)


@settings(max_examples=200, deadline=None)
@given(_SENTENCE, _SENTENCE)
def test_contradicting_is_mutual(one, other):
    forth, back = find_contradiction(one, other), find_contradiction(other, one)
    assert (forth is None) == (back is None)


@pytest.mark.parametrize("piece", ["must not use. ", "a", "n't ", "always never\n", "don't use x! ", ". "])
def test_fault_37_no_text_takes_long(piece):
    text = piece * (100_000 // len(piece))
    started = time.process_time()
    find_contradiction(text, f"Never {text}")
    assert time.process_time() - started < scaled(3.0)
