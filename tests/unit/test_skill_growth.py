"""Skill sets, the words by which work uses a skill, and the rule by which a skill grows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.org.people import Role
from frasier.org.skills.catalog import FALLBACK_SKILL, _table, skill_set, skills_in
from frasier.org.skills.store import LEVEL_MAX, THRESHOLDS, grow

SETS = {
    "strategy": (
        "strategic_planning business_modeling leadership product_management planning_execution "
        "decision_frameworks startup_analysis metrics_kpi business_analysis"
    ),
    "research": (
        "market_research data_analysis competitive_intel deep_research competitive_analysis market_sizing "
        "data_storytelling pricing_research analytics_design research_methodology"
    ),
    "content": (
        "copywriting social_media brand_storytelling seo_content_writing marketing_psychology "
        "content_planning content_marketing email_marketing content_auditing"
    ),
    "engineering": (
        "software_engineering system_architecture debugging fullstack_development architecture_patterns "
        "backend_architecture clean_code error_handling database_architecture api_design code_review"
    ),
    "qa": (
        "quality_assurance security_auditing test_design tdd systematic_debugging bug_detection "
        "threat_modeling e2e_testing code_review_excellence"
    ),
    "growth": (
        "seo_optimization campaign_management funnel_design programmatic_seo growth_tooling "
        "pricing_strategy ab_testing launch_strategy keyword_strategy conversion_optimization"
    ),
    "knowledge": (
        "documentation knowledge_synthesis information_architecture docs_architecture wiki_architecture "
        "wiki_research doc_templates data_storytelling decision_records prose_quality"
    ),
}


def test_every_role_begins_with_exactly_its_contractual_skills():
    assert {str(role): " ".join(skill_set(role)) for role in Role} == SETS


@pytest.mark.parametrize(
    ("words", "role"),
    [
        ("Chief Operating Officer", Role.STRATEGY),
        ("COO", Role.STRATEGY),
        ("Business Analyst", Role.STRATEGY),
        ("Senior Researcher", Role.RESEARCH),
        ("data analyst", Role.RESEARCH),
        ("Newsletter Editor", Role.CONTENT),
        ("Copywriter", Role.CONTENT),
        ("Full-Stack Developer", Role.ENGINEERING),
        ("software engineering", Role.ENGINEERING),
        ("QA", Role.QA),
        ("Penetration Tester", Role.QA),
        ("Auditor", Role.QA),
        ("SEO specialist", Role.GROWTH),
        ("Marketing Manager", Role.GROWTH),
        ("Librarian", Role.KNOWLEDGE),
    ],
)
def test_a_role_is_known_by_its_other_names(words, role):
    assert skill_set(words) == skill_set(role)


@pytest.mark.parametrize("words", ["Coordinator", "Cook", "Seoul office", "latest contests", "Janitor", ""])
def test_a_role_that_no_alias_fits_begins_with_the_fallback_skill(words):
    assert skill_set(words) == (FALLBACK_SKILL,)


def test_every_skill_is_in_a_set_and_can_be_trained():
    of_sets = {skill for role in Role for skill in skill_set(role)}
    assert set(_table()["keywords"]) == of_sets | {FALLBACK_SKILL}


@pytest.mark.parametrize("skill", sorted(_table()["keywords"]))
def test_a_skill_is_used_by_work_that_names_it_or_one_of_its_keywords(skill):
    for keyword in [skill.replace("_", " "), *_table()["keywords"][skill]]:
        assert skill in skills_in(f"Do the {keyword.upper()}, please.")
        assert skill not in skills_in(f"x{keyword}x")


def test_searching_inside_the_word_research_trains_no_search_skill():
    used = skills_in("Research rapid changes of capital in the latest marketing trends")
    assert used == ["deep_research"]


def test_one_text_may_use_skills_of_several_trades():
    assert skills_in("Compare our competitors' pricing pages and write a landing-page headline") == [
        "competitive_analysis",
        "competitive_intel",
        "copywriting",
        "pricing_strategy",
    ]


def test_the_thresholds_are_those_of_the_contract():
    assert THRESHOLDS == (0, 5, 12, 22, 35, 52, 73, 100, 135, 180)


@given(uses=st.integers(0, 400))
def test_from_the_start_the_level_is_what_the_uses_deserve(uses):
    level, used = 1, 0
    for _ in range(uses):
        level, used = grow(level, used)
    assert used == uses
    assert level == sum(uses >= threshold for threshold in THRESHOLDS)


@given(level=st.integers(1, LEVEL_MAX), uses=st.integers(0, 1_000))
def test_one_use_counts_once_and_climbs_one_level_at_most_and_never_down(level, uses):
    grown, used = grow(level, uses)
    assert used == uses + 1
    assert level <= grown <= min(level + 1, LEVEL_MAX)
    if grown > level:
        assert used >= THRESHOLDS[grown - 1]
