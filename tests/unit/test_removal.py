"""The removal of statements: what is left reads as if they had never been there."""

from __future__ import annotations

import pytest

from frasier.work.verification.citations import without_citations
from frasier.work.verification.removal import remove_statements
from support.published import statement

WHOLE = """\
# Tea for all

Come in. [conclusion] Tea costs 5 EUR. [1] It lasts
a year. [1]

## Prices

Only a lie. [1]

- One lie. [1]
- [ ] A truth. [1] And another lie. [1]
  1. Nested lie. [1]
  2. Nested truth. [1]

| a | b |
|---|:-:|
| lie | x [1] |

| c | d |
|---|---|
| truth | y [1] |
| lie | z [1] |

### Deep

> A remark that lies. [1]

### Deeper

## End

Bye. [conclusion]
"""
LIES = [
    *("Tea costs 5 EUR. [1]", "Only a lie. [1]", "One lie. [1]", "And another lie. [1]", "Nested lie. [1]"),
    *("| lie | x [1] |", "| lie | z [1] |", "> A remark that lies. [1]"),
]
TRUTHS = [
    "Come in. [conclusion]",
    "It lasts a year. [1]",
    "A truth. [1]",
    "Nested truth. [1]",
    "| truth | y [1] |",
]


def removed(text: str, *lies: str) -> str:
    found = [statement(one) for one in sorted([*LIES, *TRUTHS], key=lambda one: _place(text, one))]
    return remove_statements(text, found, [one for one in found if one.markdown in lies])


def _place(text: str, one: str) -> int:
    return " ".join(text.split()).find(one)


def test_sentences_items_rows_and_sections_without_any_other_are_gone() -> None:
    assert removed(WHOLE, *LIES) == (
        "# Tea for all\n\nCome in. [conclusion] It lasts\na year. [1]\n\n## Prices\n\n"
        "- [ ] A truth. [1]\n  2. Nested truth. [1]\n\n| c | d |\n|---|---|\n| truth | y [1] |\n\n"
        "## End\n\nBye. [conclusion]\n"
    )


def test_a_text_of_which_nothing_is_removed_stays_as_it_is() -> None:
    whole = WHOLE.replace("### Deeper\n\n", "")
    assert removed(whole) == whole


def test_only_the_statement_that_is_meant_is_removed_and_not_its_double() -> None:
    text = "It is hot. [1]\n\nIt is hot. [1]\n"
    first, second = statement("It is hot. [1]"), statement("It is hot. [1]")
    assert remove_statements(f"# A\n\n{text}", [first, second], [second]) == "# A\n\nIt is hot. [1]\n"


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("It costs 5 EUR [1].", "It costs 5 EUR."),
        ("It costs 5 EUR. [1, 2] So buy it. [conclusion]", "It costs 5 EUR. So buy it."),
        ("[1] It costs 5 EUR.", "It costs 5 EUR."),
        ("- [3] See [the page](https://example.org) [1]!", "- See [the page](https://example.org)!"),
        ("| a [1] | b [2] |", "| a | b |"),
        ("```\nx[1]\n```\ny[1]", "```\nx[1]\n```\ny"),
        ("[1](https://example.org) stays", "[1](https://example.org) stays"),
    ],
)
def test_the_marks_of_sources_and_conclusions_leave_no_gap(marked: str, plain: str) -> None:
    assert without_citations(marked) == plain
