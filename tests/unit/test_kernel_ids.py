"""Identifiers."""

from __future__ import annotations

import time
from uuid import RFC_4122, UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.kernel import ids
from frasier.kernel.errors import InvalidInput
from frasier.kernel.ids import CANDIDATES, new_id, only_match, parse_id


def test_an_id_is_a_uuid_of_version_seven_with_the_time_in_front() -> None:
    before = time.time_ns() // 1_000_000
    made = new_id()
    after = time.time_ns() // 1_000_000
    assert (made.version, made.variant) == (7, RFC_4122)
    assert before <= made.int >> 80 <= after


@given(st.lists(st.integers(0, 2**48 - 1), unique=True, min_size=2, max_size=20))
def test_ids_sort_by_the_time_they_were_made(milliseconds: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        made = []
        for moment in sorted(milliseconds):
            patch.setattr(ids.time, "time_ns", lambda moment=moment: moment * 1_000_000)
            made.append(new_id())
    assert made == sorted(made)
    assert [str(one) for one in made] == sorted(str(one) for one in made)


def test_ids_of_the_same_moment_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ids.time, "time_ns", lambda: 1_700_000_000_000_000_000)
    assert len({new_id() for _ in range(2_000)}) == 2_000


@given(st.uuids())
def test_an_id_is_read_back_from_its_text(some: UUID) -> None:
    assert parse_id(f" {some}\n") == some


@pytest.mark.parametrize("text", ["", "last", "0190", "not-an-id", "0190f2a6-0000-7000-8000-00000000000g"])
def test_what_spells_no_id_is_none(text: str) -> None:
    assert parse_id(text) is None


def test_a_part_of_several_ids_lists_as_many_as_were_looked_up() -> None:
    assert only_match("01a2", "tasks", [], str) is None
    assert only_match("01a2", "tasks", [7], str) == 7
    with pytest.raises(InvalidInput) as refused:
        only_match("01a2", "tasks", [7, 8], str)
    assert refused.value.hint == "Give more characters of one of these: 7, 8."
    with pytest.raises(InvalidInput) as refused:
        only_match("01a2", "tasks", range(CANDIDATES + 3), str)
    assert refused.value.hint == "Give more characters of one of these: 0, 1, 2, 3, 4, 5, …."
