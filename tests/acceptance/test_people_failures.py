"""What went wrong with people in the organisation before this one (spec 12b to 12d), and cannot any more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.cli import FrasierProgram
from support.model_responder import Prompt, plan_of, reviewed
from support.model_server import ScriptedAnswer
from support.scripted_founder import ScriptedFounder, scripted_founder
from support.wanted_trade import REASON, TITLE, hired, plan_with_expert, run_mission


@pytest.fixture
def founder(frasier: FrasierProgram) -> Iterator[ScriptedFounder]:
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(plan_with_expert())) as founder:
        yield founder


def test_12b_006_and_12c_6_whoever_is_hired_by_a_plan_has_persona_skills_and_the_team_of_their_category(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    founder.answer(
        plan=lambda _: ScriptedAnswer.json(plan_with_expert("Embedded firmware engineer", role="engineering"))
    )
    run_mission(founder, tmp_path)
    agent = hired(founder, "Embedded firmware engineer")
    shown = founder.json("agents", "show", agent["key"])
    assert agent["team"] == "team-execution"
    assert {one["skill"] for one in shown["skills"]} >= {"software_engineering", "debugging"}
    assert shown["persona"]["version"] == 2
    works = [one for one in founder.prompts() if one.outside.startswith(f"You are {agent['name']}, ")]
    assert works
    assert all(shown["persona"]["method"] in one.outside for one in works)


def test_12b_005_and_12c_5_no_review_is_given_by_the_author_and_a_rejection_reaches_the_next_version(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    plan = plan_of(2)
    plan["steps"][-1] |= {"expert": TITLE, "expert_reason": REASON, "role": "research"}
    # Another colleague knows this field; nobody but the author has the trade.
    plan["steps"][-1]["subject"] = "prose quality and documentation"
    verdicts = [*["approve"] * 5, "reject"]

    def review(prompt: Prompt) -> ScriptedAnswer:
        approves = verdicts.pop() == "approve"
        return reviewed(prompt, approves=approves, feedback="The rate has no date.")

    founder.answer(plan=lambda _: ScriptedAnswer.json(plan), review=review)
    run_mission(founder, tmp_path)
    agent = hired(founder)
    shown = founder.json("agents", "show", agent["key"])
    received = shown["reviews_received"]
    assert sorted(one["state"] for one in received) == [*["approved"] * 5, "rejected"]
    assert agent["name"] not in {one["reviewer"] for one in received}
    assert shown["reviews_given"] == []
    again = [
        one for one in founder.prompts("synthesize") if one.outside.startswith(f"You are {agent['name']},")
    ][-1]
    assert any("The rate has no date." in text for text in again.sections.values())
    versions = founder.json("steps", "show", "last/final")["versions"]
    assert [one["version"] for one in versions] == [1, 2], "what was sent back is kept"


@pytest.mark.parametrize("content", ["", "Looks fine to me.", '{"verdict": "approve"}'])
def test_12c_18_a_review_that_cannot_be_read_approves_nothing(
    founder: ScriptedFounder, tmp_path: Path, content: str
) -> None:
    founder.answer(
        plan=lambda _: ScriptedAnswer.json(plan_of(1)), review=lambda _: ScriptedAnswer(content=content)
    )
    result = run_mission(founder, tmp_path, code=5)
    assert result["status"] != "delivered"
    (final,) = [step for step in founder.json("missions", "show", "last")["steps"] if step["key"] == "final"]
    assert "approved" not in {one["verdict"] for one in final["reviews"]}


def test_12c_1_a_version_is_judged_once_by_each_of_its_reviewers(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    founder.answer(plan=lambda _: ScriptedAnswer.json(plan_of(1)))
    run_mission(founder, tmp_path)
    (final,) = [step for step in founder.json("missions", "show", "last")["steps"] if step["key"] == "final"]
    assert len(founder.prompts("review")) == len(final["reviews"]) == 2
    assert len({one["by"] for one in final["reviews"]}) == 2


def test_12c_13_a_word_within_a_word_finds_no_colleague_and_trains_no_skill(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    plan = plan_with_expert("Capital therapist", role="research")
    for step in plan["steps"]:
        step["title"] = f"Rapid research on capital: {step['title'].lower()}"
    founder.answer(plan=lambda _: ScriptedAnswer.json(plan))
    run_mission(founder, tmp_path)
    assert hired(founder, "Capital therapist")["role"] == "research"
    used = {
        skill["skill"]
        for agent in founder.json("agents", "list", "--all")["agents"]
        for skill in agent["skills"]
        if skill["uses"]
    }
    assert used
    assert not [skill for skill in used if "seo" in skill or "api" in skill]


def test_12c_19_a_start_resets_no_skill(founder: ScriptedFounder, tmp_path: Path) -> None:
    run_mission(founder, tmp_path)

    def uses() -> dict[tuple[str, str], int]:
        return {
            (agent["key"], skill["skill"]): skill["uses"]
            for agent in founder.json("agents", "list")["agents"]
            for skill in agent["skills"]
        }

    before = uses()
    assert sum(before.values()) > 0
    founder("status")  # every command founds what is missing
    assert uses() == before
    run_mission(founder, tmp_path)
    assert sum(uses().values()) == 2 * sum(before.values()), "what is used again is not begun again"


def test_12c_20_a_message_hires_no_more_than_the_policy_allows(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    trades = ("Notary", "Glazier", "Plumber", "Weaver")
    plan = plan_of(5)
    for step, title in zip(plan["steps"], trades, strict=False):
        step |= {"expert": title, "expert_reason": REASON}
    founder.answer(plan=lambda _: ScriptedAnswer.json(plan))
    run_mission(founder, tmp_path, code=5)
    states = [hired(founder, title)["status"] for title in trades]
    assert sorted(states) == ["active", "active", "active", "proposed"]
    (question,) = founder.json("inbox")["questions"]
    assert "has hired 3 already, of 3 that the policy allows" in question["text"]
    assert len({one.sections["The new colleague"] for one in founder.prompts("persona")}) == 3


def test_names_come_from_the_pool_and_a_name_that_is_free_again_is_given_again(
    founder: ScriptedFounder,
) -> None:
    made = [founder.json("agents", "hire", title)["data"] for title in ("Notary", "Glazier")]
    assert [one["name"] for one in made] == ["Alder", "Amber"]
    founder("agents", "retire", made[0]["agent"])
    again = founder.json("agents", "hire", "Plumber")["data"]
    assert again["name"] == "Alder"
    assert again["agent"] not in {one["agent"] for one in made}
    assert founder.json("agents", "show", "Alder")["key"] == again["agent"]
    kept = founder.json("agents", "show", made[0]["agent"])
    assert (kept["status"], kept["title"], kept["hire"]["state"]) == ("retired", "Notary", "ended")
    assert [one["why"] for one in kept["personas"]] == ["as hired"]
