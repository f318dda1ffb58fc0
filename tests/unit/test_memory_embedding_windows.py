"""How long texts are cut for the local encoder, and for a remote one."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from frasier.memory.embedding.http_encoder import PART_CHARS, PARTS_MAX, parts_of
from frasier.memory.embedding.text_windows import (
    OVERLAP,
    PART,
    WHOLE_MAX,
    in_front,
    windows,
)
from frasier.memory.embedding.text_windows import PARTS_MAX as WINDOWS_MAX


def words_of(lengths: list[int]) -> list[int]:
    """For each wordpiece its word, given how many wordpieces each word has."""
    return [word for word, length in enumerate(lengths) for _ in range(length)]


@given(st.lists(st.integers(1, 100), max_size=200).map(words_of))
def test_the_parts_cover_the_text_and_overlap_without_beginning_inside_a_word(words):
    parts = windows(words)
    assert parts[0].start == 0
    assert parts[-1].stop == len(words)
    for before, part in pairwise(parts):
        assert before.start < part.start <= before.stop - OVERLAP
        assert part.stop - part.start <= PART
        assert words[part.start] != words[part.start - 1]
    assert (len(parts) == 1) == (len(words) <= WHOLE_MAX)


def test_a_text_that_is_one_endless_word_still_comes_to_an_end():
    parts = windows([7] * 2_000)
    assert parts[-1].stop == 2_000
    assert all(before.start < part.start for before, part in pairwise(parts))


def test_no_more_than_the_first_parts_of_a_huge_text_are_encoded():
    parts = windows(list(range(100_000)))
    assert len(parts) == WINDOWS_MAX
    assert parts[-1].stop == PART + (WINDOWS_MAX - 1) * (PART - OVERLAP)


@given(st.lists(st.lists(st.integers(1, 9), max_size=20), max_size=3), st.integers(0, 40))
def test_of_what_came_before_the_end_is_kept(context, room):
    joined = [piece for turn in context for piece in turn]
    kept = in_front(context, room)
    assert len(kept) == min(room, len(joined))
    assert kept == joined[len(joined) - len(kept) :]


@given(st.text(st.sampled_from("abc "), max_size=400).map(lambda text: text * 100))
def test_the_parts_for_a_remote_encoder_are_the_text_cut_at_blanks(text):
    parts = parts_of(text)
    assert "".join(parts) == text
    assert all(0 < len(part) <= PART_CHARS for part in parts) or parts == [""]
    for part in parts[:-1]:
        assert part.endswith(" ") or " " not in part[-200:]


def test_a_remote_encoder_is_sent_no_more_than_its_share_of_a_huge_text():
    parts = parts_of("x" * 1_000_000)
    assert [len(part) for part in parts] == [PART_CHARS] * PARTS_MAX
