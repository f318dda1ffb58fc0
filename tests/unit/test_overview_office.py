"""The last line of a text, as an agent in the office says it."""

from __future__ import annotations

import pytest

from frasier.overview.office import last_line


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("# Tea\n\n- Green tea is brewed with **75 degrees** [1]\n", "Green tea is brewed with 75 degrees"),
        ("It costs 4 euros [1, 2].\n\n## Open\n", "It costs 4 euros."),
        ("The prices differ.\n\n| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n", "The prices differ."),
        ("A cites B [1].\n\n## Sources\n\n[1] tea.md, a document\n", "A cites B."),
        ("> - Beta was read, and says nothing of it.\n", "Beta was read, and says nothing of it."),
        ("Yes", "Yes"),
        ("# Only a heading", "Only a heading"),
        ("", ""),
    ],
)
def test_the_last_line_of_prose_is_said_without_its_marks(text: str, last: str):
    assert last_line(text) == last


def test_a_long_line_is_shortened():
    said = last_line("word " * 100)
    assert len(said) <= 80
    assert said.endswith("…")
