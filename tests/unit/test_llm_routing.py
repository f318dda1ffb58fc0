"""Tier routing: the table is contractual, words count only when whole, and the strongest reason wins."""

from __future__ import annotations

import pytest

from frasier.llm.tier_routing import T2_WORDS, T3_WORDS, choose_tier, fallback_chain
from frasier.llm.tiers import Tier

# Written out a second time on purpose: a word lost in an edit must fail a test.
T3_TABLE = """product requirements, product specification, design document, final deliverable, executive report,
project plan, product roadmap, business case, investment memo"""
T2_TABLE = """strategy, analysis, architecture, financial, research, deep dive, multi-step, persona generation,
competitive, business plan, market analysis, code review, security audit, long-form, comprehensive,
detailed report, requirements, specification, go-to-market, pricing model, revenue model, technical design,
system design"""


def _words(table: str) -> set[str]:
    return {word.strip() for word in table.replace("\n", " ").split(",")}


def test_the_routing_table_is_the_agreed_one():
    assert set(T3_WORDS) == _words(T3_TABLE)
    assert set(T2_WORDS) == _words(T2_TABLE)


@pytest.mark.parametrize("word", sorted(_words(T3_TABLE)))
def test_each_high_stakes_word_asks_for_t3(word):
    assert choose_tier(f"Write the {word.upper()} for us.") is Tier.T3


@pytest.mark.parametrize("word", sorted(_words(T2_TABLE)))
def test_each_complex_word_asks_for_t2(word):
    assert choose_tier(f"We need {word}, soon") is Tier.T2


@pytest.mark.parametrize(
    "text",
    [
        "Say hello to the capital",
        "A strategyless researcher",
        "the unfinancial architectures",
        "plan the project",
        "",
    ],
)
def test_parts_of_words_do_not_count(text):
    assert choose_tier(text) is Tier.T1


def test_hyphens_and_line_breaks_join_the_words_of_a_phrase():
    assert choose_tier("a deep-dive into it") is Tier.T2
    assert choose_tier("the go to market") is Tier.T2
    assert choose_tier("an executive\n  report") is Tier.T3


def test_the_final_step_and_complex_work_ask_for_t2():
    assert choose_tier("Say hello", final=True) is Tier.T2
    assert choose_tier("Say hello", complex_work=True) is Tier.T2
    assert choose_tier("Say hello") is Tier.T1


def test_a_high_stakes_word_is_not_lowered_by_a_weaker_reason():
    assert choose_tier("Write the business case", final=True, complex_work=True) is Tier.T3


def test_a_tier_falls_back_to_each_lower_one_in_turn():
    assert fallback_chain(Tier.T3) == (Tier.T3, Tier.T2, Tier.T1)
    assert fallback_chain(Tier.T2) == (Tier.T2, Tier.T1)
    assert fallback_chain(Tier.T1) == (Tier.T1,)
