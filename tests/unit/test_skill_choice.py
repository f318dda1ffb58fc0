"""The choice of skills for a piece of work: by its words, the needed ones first, and never more than fit."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.org.skills.catalog import FALLBACK_SKILL, _table, skills_in
from frasier.org.skills.method_catalog import catalogue_methods
from frasier.org.skills.skill_choice import LONG_MAX, SHORT_MAX, choose_skills
from frasier.org.skills.skill_versions import SkillOrigin, SkillVersion, render_skills


def version(skill: str, short: str, origin: SkillOrigin = SkillOrigin.CATALOGUE) -> SkillVersion:
    return SkillVersion(
        skill=skill,
        version=1,
        short=short,
        long=f"{short} And so on.",
        origin=origin,
        source="",
        source_digest="",
        actor="system:frasier",
        why="as it was",
        added_at=datetime(2026, 1, 1, tzinfo=UTC),
        in_force=True,
    )


CATALOGUE = [version(one.skill, one.short) for one in catalogue_methods().values()]
FORMS = version("pdf_forms", "Fill the fields of a PDF form and flatten it.", SkillOrigin.THIRD_PARTY)


def names(versions: tuple[SkillVersion, ...]) -> list[str]:
    return [one.skill for one in versions]


@pytest.mark.parametrize(
    ("work", "long"),
    [
        (
            "Compare the competitors and their pricing pages",
            ["competitive_analysis", "competitive_intel", "pricing_strategy"],
        ),
        ("Write the SQL schema of the database; postgres", ["database_architecture"]),
        (
            "Compare the rivals\nSay what the documents and the chart state.",
            ["competitive_analysis", "competitive_intel"],
        ),
        ("Proofread the newsletter", ["email_marketing", "prose_quality"]),
        ("Say hello", [FALLBACK_SKILL]),
        ("Fill the PDF forms", ["pdf_forms"]),
        ("Flatten the form with all fields filled, as a PDF", ["pdf_forms"]),
    ],
)
def test_a_step_is_given_in_full_what_its_words_need_most(work: str, long: list[str]):
    assert names(choose_skills(work, [*CATALOGUE, FORMS], {}).long) == long


def test_of_equally_needed_skills_those_that_the_agent_has_come_first():
    work = "A chart for the newsletter about the wiki and the funnel"
    assert names(choose_skills(work, CATALOGUE, {}).long) == [
        "data_storytelling",
        "email_marketing",
        "funnel_design",
    ]
    assert names(choose_skills(work, CATALOGUE, {"wiki_architecture": 4}).long)[0] == "wiki_architecture"


def test_short_are_those_that_the_agent_has_and_the_work_needs_or_else_its_trade():
    levels = {"tdd": 1, "debugging": 3, "clean_code": 2, "api_design": 1}
    assert names(choose_skills("Debug the crash by unit tests for the SEO", CATALOGUE, levels).short) == [
        "debugging",
        "tdd",
    ]
    assert names(choose_skills("Say hello", CATALOGUE, levels).short) == [
        "debugging",
        "clean_code",
        "api_design",
    ]
    assert choose_skills("Debug it", CATALOGUE, {}).short == ()


def test_lines_of_a_prompt_have_method_and_no_level():
    line = render_skills([version("api_design", "Design from the caller's task.")])
    assert line == ("api design: Design from the caller's task.",)


KEYWORDS = sorted({word for words in _table()["keywords"].values() for word in words})


@given(
    words=st.lists(st.sampled_from(KEYWORDS), max_size=12),
    levels=st.dictionaries(st.sampled_from([one.skill for one in CATALOGUE]), st.integers(1, 10), max_size=8),
)
@settings(max_examples=150)
def test_one_to_three_are_given_in_full_and_all_of_them_are_needed(words: list[str], levels: dict[str, int]):
    work = "; ".join(words)
    choice = choose_skills(work, CATALOGUE, levels)
    needed = skills_in(work)
    assert 1 <= len(choice.long) <= LONG_MAX
    assert set(names(choice.long)) <= set(needed or [FALLBACK_SKILL])
    assert len(choice.short) <= SHORT_MAX
    assert set(names(choice.short)) <= levels.keys()
    assert bool(choice.short) == bool(levels)
    assert choice == choose_skills(work, list(reversed(CATALOGUE)), levels), (
        "the order of the rows decides nothing"
    )
