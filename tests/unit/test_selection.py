"""Which passages a step works with."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from frasier.kernel.text import estimate_tokens
from frasier.llm import Passage
from frasier.work.research.passage_selection import select_passages

passages = st.builds(
    Passage,
    number=st.integers(1, 6),
    title=st.just("t"),
    text=st.sampled_from([f"text {n}" for n in range(8)]),
)


ROOM = 10_000


def passage(number: int, text: str) -> Passage:
    return Passage(number=number, title="t", text=text)


def test_every_query_has_its_turn_before_any_has_its_second() -> None:
    first = [passage(1, "a"), passage(1, "b"), passage(1, "c")]
    second = [passage(2, "d"), passage(2, "e")]
    chosen = select_passages([first, second], limit=2, tokens_max=ROOM, per_source=5)
    assert chosen == (passage(1, "a"), passage(2, "d"))


def test_no_source_takes_more_than_its_share_before_the_others_have_theirs() -> None:
    many = [passage(1, str(n)) for n in range(9)] + [passage(2, "other")]
    chosen = select_passages([many], limit=3, tokens_max=ROOM, per_source=2)
    assert Counter(p.number for p in chosen) == {1: 2, 2: 1}


def test_what_room_is_left_goes_to_the_next_best() -> None:
    many = [passage(1, str(n)) for n in range(9)] + [passage(2, "other")]
    chosen = select_passages([many], limit=5, tokens_max=ROOM, per_source=2)
    assert [p.text for p in chosen] == ["0", "1", "2", "3", "other"]


def test_the_room_is_counted_in_tokens() -> None:
    long = [passage(number, "word " * 100) for number in range(1, 9)]
    chosen = select_passages([long], limit=8, tokens_max=3 * estimate_tokens("word " * 100), per_source=2)
    assert len(chosen) == 3
    assert len(select_passages([long], limit=8, tokens_max=1, per_source=2)) == 1, "one is better than none"


@given(st.lists(st.lists(passages, max_size=10), max_size=5), st.integers(1, 12), st.integers(1, 4))
def test_bounds_hold_and_nothing_stands_twice(found: list[list[Passage]], most: int, per_source: int) -> None:
    chosen = select_passages(found, limit=most, tokens_max=ROOM, per_source=per_source)
    assert len(chosen) == min(most, len({p for ranking in found for p in ranking}))
    assert len(set(chosen)) == len(chosen)
    assert [p.number for p in chosen] == sorted(p.number for p in chosen)
