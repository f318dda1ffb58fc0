"""Skills are methods (D-028): versioned texts that are shown, compared and rolled back, and that prompts are given."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from frasier.org.people import Role, founding_persona
from frasier.org.skills.method_catalog import catalogue_methods
from frasier.org.skills.skill_versions import SkillOrigin, SkillProvenance, add_skill_version
from frasier.store import Database
from frasier.workflow import SYSTEM
from support.cli import FrasierProgram
from support.model_responder import Prompt, plan_of, reviewed
from support.model_server import ScriptedAnswer
from support.organisation import write_documents
from support.scripted_founder import ScriptedFounder, scripted_founder

TITLE = "Compare the competitors"
NEEDED = {"competitive_analysis", "competitive_intel"}
SECTION = "How such work is done: competitive analysis"
NEWER = "Compare what a buyer weighs.\n\n1. Name the buyer.\n2. Fill the table row by row."


@pytest.fixture
def founder(frasier: FrasierProgram) -> Iterator[ScriptedFounder]:
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(planned())) as founder:
        yield founder


def planned(**changes: str) -> dict[str, Any]:
    plan = plan_of(1, final=TITLE)
    plan["steps"][0] |= {"role": "research"} | changes
    return plan


def run(founder: ScriptedFounder, tmp_path: Path, *options: str, **environment: Any) -> None:
    documents = write_documents(tmp_path / "drinks")
    out = ("--sources", documents, "--out", tmp_path / "out")
    founder("run", "Say which drink is better", *out, *options, **environment)


def texts(prompt: Prompt, skill: str) -> list[str]:
    return [fence.text for fence in prompt.named("skill") if fence.attributes.get("name") == skill]


def test_d028_a_step_is_given_the_short_texts_of_its_skills_and_the_long_ones_that_it_needs(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    run(founder, tmp_path)
    methods = catalogue_methods()
    for prompt in founder.prompts("decompose", "synthesize"):
        full = {fence.attributes["name"]: fence for fence in prompt.named("skill") if fence.attributes}
        assert full.keys() == NEEDED
        assert full["competitive_analysis"].text == methods["competitive_analysis"].long
        assert full["competitive_analysis"].section == SECTION
        assert full["competitive_analysis"].attributes["version"] == "1"
        (short,) = (fence for fence in prompt.named("skill") if not fence.attributes)
        assert short.text.splitlines() == [
            f"- {skill.replace('_', ' ')}: {methods[skill].short}" for skill in sorted(NEEDED)
        ]
    (critique,) = founder.prompts("critique")
    assert texts(critique, "competitive_analysis"), (
        "the critic judges by the method that the author was given"
    )
    (review, *_) = founder.prompts("review")
    (short,) = review.named("skill")
    assert methods["quality_assurance"].short not in review.outside
    assert short.text.startswith("- ")
    (plan,) = founder.prompts("plan")
    for prompt in (plan, review):
        given = [fence.text for fence in prompt.named("skill")]
        assert given
        assert not any(method.long in text for text in given for method in methods.values()), (
            "short texts only"
        )


def test_d028_persona_skill_and_what_is_retrieved_stand_apart(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    run(founder, tmp_path)
    (prompt,) = founder.prompts("synthesize")
    persona = founding_persona(Role.RESEARCH)
    for part in (persona.identity, persona.soul, persona.standards):
        assert part in prompt.outside, "the persona says who works and by which standards"
    for skill in NEEDED:
        method = catalogue_methods()[skill]
        assert method.short not in prompt.outside, "a method is data of ours, in a fence"
        assert method.long.splitlines()[0] not in prompt.outside
    assert prompt.sources, "facts are retrieved"
    assert {fence.name for fence in prompt.fences} >= {"skill", "source"}
    assert "Text inside <skill> fences is a method of the craft" in prompt.outside
    for sent in founder.prompts():
        system = sent.body["messages"][0]["content"]
        assert "█" not in system
        assert "level 1" not in system


async def test_the_version_in_force_is_used_and_every_run_says_which_it_was_given(
    founder: ScriptedFounder, db: Database, tmp_path: Path
) -> None:
    run(founder, tmp_path)
    async with db.transaction() as tx:
        task = SkillProvenance(origin=SkillOrigin.UPSKILL, source="task 7")
        await add_skill_version(
            tx, "competitive_analysis", "Name the buyer first.", NEWER, task, SYSTEM, "Buyers were missing"
        )
    assert shown_version(founder) == 1
    diff = founder.json("skills", "diff", "competitive_analysis")["data"]["diff"]
    assert (diff["old"], diff["new"]) == (1, 2)
    assert "+Name the buyer first." in diff["lines"]

    founder("skills", "rollback", "competitive_analysis", "2", "--why", "It is better")
    assert shown_version(founder) == 2
    founder.forget_prompts()
    run(founder, tmp_path)
    (prompt,) = founder.prompts("synthesize")
    assert texts(prompt, "competitive_analysis") == [NEWER]
    assert "competitive analysis: Name the buyer first." in str(prompt.body)
    step = founder.json("steps", "show", "last/final")
    used = {(one["skill"], one["version"]) for one in step["skills"] if one["in_full"]}
    assert used == {("competitive_analysis", 2), ("competitive_intel", 1)}
    assert {one["agent"] for one in step["skills"] if one["in_full"]} == {"Heron"}
    assert "competitive_analysis 2 in full" in " ".join(founder("steps", "show", "last/final").out.split())
    uses = founder.json("skills", "show", "competitive_analysis", "--version", "1")["data"]["skill"]["uses"]
    assert {(one["agent"], one["attempt"]) for one in uses if one["in_full"]} == {("Heron", 1)}

    founder("skills", "rollback", "competitive_analysis", "1", "--why", "It was worse")
    assert shown_version(founder) == 1
    history = founder.json("skills", "history", "competitive_analysis")["data"]["versions"]
    assert [(one["version"], one["in_force"], one["origin"], one["source"]) for one in history] == [
        (2, False, "upskill", "task 7"),
        (1, True, "catalogue", "methods/competitive_analysis.md"),
    ]


def shown_version(founder: ScriptedFounder) -> int:
    return int(founder.json("skills", "show", "competitive_analysis")["data"]["skill"]["text"]["version"])


def test_a_run_that_is_taken_over_goes_on_with_the_version_that_it_was_given(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    run(founder, tmp_path, code=-9, FRASIER_FAULT="run.context_saved:kill:2")
    run_again = founder("resume", "last")
    assert run_again.code == 0
    step = founder.json("steps", "show", "last/final")
    assert step["attempt"] > 1 or {one["attempt"] for one in step["skills"]} == {1}
    assert {one["skill"] for one in step["skills"] if one["in_full"]} == NEEDED


def test_work_that_waits_for_its_review_or_is_sent_back_grows_no_skill(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    run(founder, tmp_path, code=-9, FRASIER_FAULT="deliver.committed:kill:1")
    assert accepted(founder) == {}
    founder.answer(review=rejected)
    founder("resume", "last", code=4)
    assert accepted(founder) == {}
    assert founder.json("agents", "show", "heron")["skills"][0]["uses"] == 0


def rejected(prompt: Prompt) -> ScriptedAnswer:
    return reviewed(prompt, approves=False, feedback="It says nothing new.")


def accepted(founder: ScriptedFounder) -> dict[str, int]:
    listed = founder.json("skills", "list")["data"]["skills"]
    return {one["skill"]: one["accepted_works"] for one in listed if one["accepted_works"]}


async def test_the_higher_level_in_what_the_work_uses_is_given_it(
    founder: ScriptedFounder, db: Database, tmp_path: Path
) -> None:
    made = founder.json("agents", "hire", "Research analyst", "--role", "research")["data"]
    assert author_after(founder, tmp_path) == min("Heron", made["name"])
    second = max("Heron", made["name"])
    async with db.transaction() as tx:
        await tx.execute(
            "update org_skills set level = 6 where skill = 'competitive_analysis' and agent_id ="
            " (select id from org_agents where name = %s)",
            (second,),
        )
    # By a trade that both have, and by the role.
    plan = plan_of(2, final=TITLE)
    plan["steps"][0] |= {
        "title": TITLE,
        "expert": "Intelligence analyst",
        "expert_reason": "It is their trade",
    }
    plan["steps"][1] |= {"role": "research"}
    founder.answer(plan=lambda _: ScriptedAnswer.json(plan))
    assert author_after(founder, tmp_path) == second
    (part,) = [step for step in founder.json("missions", "show", "last")["steps"] if step["key"] == "part-1"]
    assert part["agent"] == second


def author_after(founder: ScriptedFounder, tmp_path: Path) -> str:
    run(founder, tmp_path)
    return str(founder.json("steps", "show", "last/final")["agent"])


def test_each_skill_of_the_catalogue_is_listed_and_shown_with_its_method(frasier: FrasierProgram) -> None:
    listed = {one["skill"]: one for one in frasier.json("skills", "list")["data"]["skills"]}
    assert listed.keys() == catalogue_methods().keys()
    assert listed["deep_research"]["version"] == 1
    assert listed["deep_research"]["agents"] == 1
    page = frasier.json("skills", "show", "deep_research")["data"]["skill"]
    assert page["text"]["long"] == catalogue_methods()["deep_research"].long
    assert (page["text"]["origin"], page["text"]["source"]) == ("catalogue", "methods/deep_research.md")
    assert [(one["name"], one["level"]) for one in page["holders"]] == [("Heron", 1)]
    drawn = frasier("skills", "show", "deep_research").out
    assert "Split the question into parts" in " ".join(drawn.split())
    assert "Usual mistakes" in drawn


@pytest.mark.parametrize(
    "arguments",
    [("show", "alchemy"), ("history", "alchemy"), ("diff", "alchemy"), ("show", "tdd", "--version", "9")],
)
def test_what_is_no_skill_or_version_is_refused(frasier: FrasierProgram, arguments: tuple[str, ...]) -> None:
    refused = frasier.ended("skills", *arguments)
    assert refused.code != 0
    assert "There is no skill 'alchemy'" in refused.err or "has no version 9" in refused.err
