"""The title of a mission is the first sentence of its directive."""

from __future__ import annotations

import pytest

from frasier.org.missions.new_missions import title_of


@pytest.mark.parametrize(
    ("directive", "title"),
    [
        ("compare the offers. Name the best.", "Compare the offers"),
        (
            "Welcher Lieferant liefert vor dem 1. Juni 2027?",
            "Welcher Lieferant liefert vor dem 1. Juni 2027?",
        ),
        ("Read https://example.org/a and say what it says", "Read and say what it says"),
        ("Say \u202ewhat it says", "Say what it says"),
        ("https://example.org", "Untitled mission"),
    ],
)
def test_the_title_is_the_first_sentence_without_links(directive: str, title: str) -> None:
    assert title_of(directive) == title
