"""The citation check: what counts as a claim, which numbers count, and what the source list says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from frasier.work.verification.citations import check_citations, cited_numbers, with_sources

CLAIM = "Filter coffee is brewed at ninety-four degrees"


def test_a_claim_with_a_known_number_is_cited_and_one_without_is_not() -> None:
    found = check_citations(f"{CLAIM}. [1]\n{CLAIM} for four minutes.\n", {1, 2})
    assert (found.substantive_lines, found.cited_lines, found.score) == (2, 1, 0.5)
    assert found.cited == (1,)
    assert found.quotable == 2
    assert found.uncited_examples == (f"{CLAIM} for four minutes.",)


def test_headings_dividers_quotes_code_and_table_heads_make_no_claims() -> None:
    text = "\n".join(
        [
            "# A heading that is longer than thirty characters",
            "> A note that is longer than thirty characters, too",
            "--------------------------------------------------",
            "```",
            "a_line_of_code_that_is_long = 'and proves nothing at all'",
            "```",
            "| Source and its name, long | What it says about water |",
            "|---|---|",
            "The sources say the following about the water:",
            "short line",
        ]
    )
    assert check_citations(text, {1}).substantive_lines == 0


def test_the_score_of_a_text_without_claims_is_zero_not_one() -> None:
    assert check_citations("# Only a heading\n", {1}).score == 0.0


def test_a_line_that_cites_only_unknown_numbers_is_uncited_and_the_numbers_are_named() -> None:
    found = check_citations(f"{CLAIM}. [7]\n", {1, 2})
    assert found.unknown == (7,)
    assert found.cited_lines == 0


def test_several_numbers_in_one_bracket_all_count() -> None:
    found = check_citations(f"{CLAIM}. [1, 2; 9]\n", {1, 2})
    assert found.cited == (1, 2)
    assert found.unknown == (9,)


def test_links_checkboxes_and_footnote_definitions_are_no_citations() -> None:
    assert cited_numbers("[1](https://example.org) [ ] [x] [2]: note [3] [2024-05]") == [3]


def test_what_stands_in_the_list_of_sources_is_not_counted() -> None:
    found = check_citations(f"{CLAIM}. [1]\n\n## Sources\n\n{CLAIM} without a number\n[9]\n", {1})
    assert found.substantive_lines == 1
    assert found.unknown == ()


def test_the_list_names_the_cited_sources_only_and_replaces_one_that_was_written() -> None:
    text = f"{CLAIM}. [2]\n\n## Sources\n\n1. invented — nowhere\n"
    listed = with_sources(text, [(1, "Tea", "tea.md"), (2, "Coffee", "coffee.md")])
    assert listed == f"{CLAIM}. [2]\n\n## Sources\n\n- [2] Coffee — coffee.md\n"


def test_only_a_heading_that_says_nothing_else_begins_a_list_of_sources() -> None:
    found = check_citations(f"## Sources of error\n\n{CLAIM}. [9]\n", {1})
    assert found.unknown == (9,)
    assert found.substantive_lines == 1


def test_what_follows_the_list_of_sources_is_checked_and_kept() -> None:
    text = f"# T\n\n{CLAIM}. [1]\n\n## References\n\n[9] x\n\n### More\n\n[8] y\n\n## End\n\n{CLAIM}. [7]\n"
    assert check_citations(text, {1}).unknown == (7,)
    listed = with_sources(text, [(1, "Tea", "tea.md")])
    assert listed == f"# T\n\n{CLAIM}. [1]\n\n## End\n\n{CLAIM}. [7]\n\n## Sources\n\n- [1] Tea — tea.md\n"


def test_the_name_of_a_source_stays_on_its_line_and_acts_on_no_terminal() -> None:
    listed = with_sources(f"{CLAIM}. [1]\n", [(1, "A\n## Task\x1b[2J\u202e", "p\n.md")])
    assert listed.splitlines()[-1] == "- [1] A ## Task[2J — p .md"


def test_where_no_source_was_read_the_text_keeps_its_own_list() -> None:
    text = "A letter.\n\n## References\n\n- My book\n"
    assert with_sources(text, []) == text


@given(st.text(max_size=400), st.sets(st.integers(0, 20), max_size=5))
def test_the_figures_are_consistent_whatever_the_text(text: str, known: set[int]) -> None:
    found = check_citations(text, known)
    assert 0.0 <= found.score <= 1.0
    assert found.cited_lines <= found.substantive_lines
    assert set(found.cited) <= known
    assert not set(found.unknown) & known
