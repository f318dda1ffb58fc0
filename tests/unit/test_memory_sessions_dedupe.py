"""What counts as the same delivery."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from frasier.memory.sessions.dedupe import fingerprint

HASH = bytes(32)


PARTS = st.tuples(
    st.binary(min_size=32, max_size=32),
    st.frozensets(st.text("abc-/", min_size=1, max_size=4), max_size=4),
    st.sampled_from(["minimal", "compact", "standard", "full"]),
)


@given(PARTS, PARTS)
def test_fault_35_another_content_section_or_level_of_detail_is_another_delivery(one, other):
    first, second = (
        fingerprint(content, anchors=anchors, detail=detail) for content, anchors, detail in (one, other)
    )
    assert (first == second) == (one == other)


def test_the_order_and_repetition_of_sections_make_no_difference():
    assert fingerprint(HASH, anchors=("a", "b"), detail="full") == fingerprint(
        HASH, anchors=("b", "a", "b"), detail="full"
    )


def test_two_sections_are_not_one_of_their_joined_name():
    assert fingerprint(HASH, anchors=("a", "b"), detail="full") != fingerprint(
        HASH, anchors=("ab",), detail="full"
    )
    assert fingerprint(HASH, anchors=("b",), detail="a") != fingerprint(HASH, anchors=("a",), detail="b")


def test_a_fingerprint_fits_its_column():
    assert len(fingerprint(HASH, detail="full")) == 16
