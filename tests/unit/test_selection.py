"""Which passages a step works with."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from frasier.llm import Passage
from frasier.work.research.passage_selection import select_passages

passages = st.builds(
    Passage,
    number=st.integers(1, 6),
    title=st.just("t"),
    text=st.sampled_from([f"text {n}" for n in range(8)]),
)


def passage(number: int, text: str) -> Passage:
    return Passage(number=number, title="t", text=text)


def test_every_query_has_its_turn_before_any_has_its_second() -> None:
    first = [passage(1, "a"), passage(1, "b"), passage(1, "c")]
    second = [passage(2, "d"), passage(2, "e")]
    assert select_passages([first, second], limit=2, per_source=5) == (passage(1, "a"), passage(2, "d"))


def test_no_source_takes_more_than_its_share() -> None:
    many = [passage(1, str(n)) for n in range(9)] + [passage(2, "other")]
    chosen = select_passages([many], limit=5, per_source=2)
    assert Counter(p.number for p in chosen) == {1: 2, 2: 1}


@given(st.lists(st.lists(passages, max_size=10), max_size=5), st.integers(1, 12), st.integers(1, 4))
def test_bounds_hold_and_nothing_stands_twice(found: list[list[Passage]], most: int, per_source: int) -> None:
    chosen = select_passages(found, limit=most, per_source=per_source)
    assert len(chosen) <= most
    assert len(set(chosen)) == len(chosen)
    assert all(count <= per_source for count in Counter(p.number for p in chosen).values())
    assert [p.number for p in chosen] == sorted(p.number for p in chosen)
