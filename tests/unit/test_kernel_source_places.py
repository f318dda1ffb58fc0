"""A place is named as its reader finds it: a page, a fragment, lines, a row, the headings above."""

from __future__ import annotations

import pytest

from frasier.kernel.source_places import PlaceMark, describe_place, shift_marks
from frasier.kernel.source_units import SourceText

PAGES = (PlaceMark(line=1, page=1), PlaceMark(line=10, page=2), PlaceMark(line=20, page=4))
FRAGMENTS = (PlaceMark(line=5, fragment="fees"), PlaceMark(line=9, fragment="hours"))


@pytest.mark.parametrize(
    ("lines", "facts", "place"),
    [
        ((3, 3), {}, "line 3"),
        ((3, 5), {"path": ("Harbour", "Fees")}, "lines 3–5, under Harbour › Fees"),
        ((3, 3), {"row": 2}, "row 2, line 3"),
        ((0, 0), {"row": 2, "path": ("items",)}, "record 2, under items"),
        ((0, 0), {}, ""),
        ((3, 5), {"marks": PAGES}, "page 1"),
        ((9, 10), {"marks": PAGES}, "pages 1–2"),
        ((25, 25), {"marks": PAGES, "row": 1}, "row 1, page 4"),
        ((4, 6), {"marks": FRAGMENTS}, "lines 4–6"),
        ((7, 12), {"marks": FRAGMENTS, "path": ("Fees",)}, "#fees, under Fees"),
    ],
)
def test_a_place_is_described(lines: tuple[int, int], facts: dict, place: str) -> None:
    assert describe_place(lines, **facts) == place


def test_the_lines_that_are_taken_from_the_beginning_are_not_counted() -> None:
    assert [mark.line for mark in shift_marks(PAGES, 3)] == [1, 7, 17]


def test_the_place_of_any_part_of_a_text_is_found() -> None:
    text = "# Harbour\n\n## Boats\n\n| boat | berth |\n|---|---|\n| Alma | 12 |\n| Bora | 14 |\n\n## Fees\n\nNone.\nAt all."
    source = SourceText(number=1, title="t", text=text)

    def place(words: str) -> str:
        start = text.index(words)
        return source.location_of(start, start + len(words))

    assert place("Bora | 14") == "row 2, line 8, under Harbour › Boats"
    assert place("None.\nAt all") == "lines 12–13, under Harbour › Fees"
    assert place("Harbour") == "line 1, under Harbour"
