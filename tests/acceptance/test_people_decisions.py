"""The decisions about people, each shown over the command line with what the model was really asked.

| Decision | Shown by |
|---|---|
| D-006, D-013, D-014, D-016, D-023, D-030, D-031, D-032 | the tests here, by number |
| D-005, D-007, D-021 | test_upskilling.py |
| D-015 | test_expert_reviews.py |
| D-022 | test_third_party_skills.py |
| D-028 | test_skill_methods.py |
| no firing for scores (D-007), hires by policy, refusals, retirement | test_hiring.py |
| the hire, its costs, personas and reviews to be read | test_hires_visible.py |
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.model_responder import Prompt, plan_of, write
from support.model_server import ScriptedAnswer
from support.scripted_founder import ScriptedFounder, scripted_founder
from support.wanted_trade import DIRECTIVE, REASON, TITLE, hired, plan_with_expert, run_mission

WORK = ("decompose", "synthesize", "revise")


@pytest.fixture
def founder(frasier: FrasierProgram) -> Iterator[ScriptedFounder]:
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(plan_with_expert())) as founder:
        yield founder


def asked_as(agent: dict[str, Any], prompts: list[Prompt]) -> list[Prompt]:
    """Return the prompts whose system message makes the model that agent."""
    return [one for one in prompts if one.outside.startswith(f"You are {agent['name']}, {agent['title']}.")]


def agents_of_steps(founder: ScriptedFounder) -> dict[str, str]:
    return {step["key"]: step["agent"] for step in founder.json("missions", "show", "last")["steps"]}


def test_d006_frasier_is_the_chief_of_staff_who_plans_and_does_no_step(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    to_the_chief = plan_with_expert("", expert_reason="", colleague="frasier")
    plans = [plan_of(3), to_the_chief]
    founder.answer(plan=lambda _: ScriptedAnswer.json(plans.pop()))
    run_mission(founder, tmp_path)
    (chief,) = [one for one in founder.json("agents", "list")["agents"] if one["kind"] == "chief_of_staff"]
    assert (chief["name"], chief["title"], chief["team"]) == ("Frasier", "Chief of Staff", None)
    asked = founder.prompts("plan")
    assert asked_as(chief, asked) == asked
    assert len(asked) == 2
    assert (
        "names the colleague frasier, who is not here"
        in asked[1].sections["Your last plan was refused because"]
    )
    assert asked_as(chief, founder.prompts(*WORK)) == []
    work = {key: agent for key, agent in agents_of_steps(founder).items() if key != "plan"}
    assert "Frasier" not in work.values()
    for command in ("retire", "dormant"):
        assert "chief of staff" in founder("agents", command, "frasier", code=3).err


def test_d013_the_model_names_the_roles_of_any_industry_and_a_category_routes_them(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    plan = plan_of(3)
    trades = {"Healthcare compliance specialist": "research", "Embedded firmware engineer": "engineering"}
    for step, (title, role) in zip(plan["steps"], trades.items(), strict=False):
        step |= {"expert": title, "expert_reason": REASON, "role": role}
    founder.answer(plan=lambda _: ScriptedAnswer.json(plan))
    assert run_mission(founder, tmp_path)["status"] == "delivered"
    (asked,) = founder.prompts("plan")
    for category in ("strategy", "research", "content", "engineering", "qa", "growth", "knowledge"):
        assert category in asked.sections["Your colleagues, by role"]
    shape = str(asked.body["response_format"])
    assert "expert" in shape
    made = {title: hired(founder, title) for title in trades}
    assert {title: one["role"] for title, one in made.items()} == trades
    assert [one["team"] for one in made.values()] == ["team-research", "team-execution"]
    assert agents_of_steps(founder)["part-1"] == made["Healthcare compliance specialist"]["name"]
    assert {
        one.sections["The new colleague"].split(", ", 1)[1].strip() for one in founder.prompts("persona")
    } == {f"{title} ({role})" for title, role in trades.items()}


def test_d014_the_persona_is_written_from_the_trade_and_the_work_before_its_first_work(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    run_mission(founder, tmp_path)
    agent = hired(founder)
    persona = founder.json("agents", "show", agent["key"])["persona"]
    prompts = founder.prompts()
    steps = {step["key"]: step for step in founder.json("missions", "show", "last")["steps"]}
    assert steps["part-1"]["needs"] == [f"hire-{agent['key']}"]
    (asked,) = founder.prompts("persona")
    assert DIRECTIVE in asked.sections["The founder's directive"]
    assert "Read part 1" in asked.sections["The work that waits for them"]
    assert "standards: what a reviewer of the trade would send back" in asked.sections["Task"]
    work = asked_as(agent, prompts)
    assert {one.purpose for one in work} >= {"decompose", "synthesize"}
    assert prompts.index(asked) < prompts.index(work[0])
    for one in work:
        for part in ("identity", "soul", "method", "standards"):
            assert persona[part] in one.outside
        assert "You were hired because" not in one.outside


@pytest.mark.parametrize("trade", [TITLE, ""], ids=["hired", "founding"])
def test_d016_and_12b_007_every_author_is_the_expert_who_does_the_work(
    founder: ScriptedFounder, tmp_path: Path, trade: str
) -> None:
    scores = dict.fromkeys(("completeness", "accuracy", "actionability", "depth"), 2)
    founder.answer(
        plan=lambda _: ScriptedAnswer.json(plan_with_expert(trade)),
        critique=lambda _: ScriptedAnswer.json({**scores, "gaps": ["More"], "lesson": ""}),
    )
    run_mission(founder, tmp_path)
    agents = {one["name"]: one for one in founder.json("agents", "list")["agents"]}
    author = agents[agents_of_steps(founder)["part-1"]]
    assert (author["title"] == TITLE) == bool(trade)
    work = asked_as(author, founder.prompts(*WORK))
    assert {one.purpose for one in work} == set(WORK)
    for one in work:
        assert (
            "Never hand over advice, an outline or a promise in place of the work. Do the work yourself"
            in (one.outside)
        )
        if one.purpose != "decompose":
            assert "You are the expert, and you do the work yourself" in one.outside


@pytest.mark.parametrize(
    ("title", "role"),
    [
        ("Newsletter editor", "content"),
        ("Senior software developer", "engineering"),
        ("Archivist", "knowledge"),
        ("SEO marketing manager", "growth"),
        ("Intelligence analyst", "research"),
    ],
)
def test_d023_and_12b_010_a_title_that_is_an_alias_finds_who_is_here(
    founder: ScriptedFounder, tmp_path: Path, title: str, role: str
) -> None:
    founder.answer(plan=lambda _: ScriptedAnswer.json(plan_with_expert(title, role="research")))
    assert run_mission(founder, tmp_path)["status"] == "delivered"
    everybody = founder.json("agents", "list", "--all")["agents"]
    assert len(everybody) == 7
    assert founder.prompts("persona") == []
    author = agents_of_steps(founder)["part-1"]
    assert {one["name"]: one["role"] for one in everybody}[author] == role


def test_d030_a_plan_begins_without_approval_and_only_frasier_breaks_a_directive_up(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    assert run_mission(founder, tmp_path)["status"] == "delivered"
    assert founder.json("inbox")["questions"] == []
    kinds = [one["kind"] for one in founder.json("events", "tail", "--limit", "500")["events"]]
    assert "agent.hired" in kinds
    assert not {"task.block", "task.decision_asked", "plan.approved", "founder.decided"} & set(kinds)
    (asked,) = founder.prompts("plan")
    assert asked.outside.startswith("You are Frasier, Chief of Staff.")


def test_d030_and_12c_7_what_only_the_founder_can_say_is_asked_before_anybody_works(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    founder.answer(
        plan=lambda _: ScriptedAnswer.json(plan_with_expert() | {"escalation": "Which of the two markets?"})
    )
    run_mission(founder, tmp_path, code=5)
    (question,) = founder.json("inbox")["questions"]
    assert "Which of the two markets?" in question["text"]
    assert founder.prompts("persona", *WORK) == []
    assert len(founder.json("agents", "list", "--all")["agents"]) == 7
    founder.answer(plan=lambda _: ScriptedAnswer.json(plan_of(1)))
    founder("decide", question["question"], "continue", "--note", "The one for tea")
    assert founder.json("resume", "last")["status"] == "delivered"
    assert "The one for tea" in str(founder.prompts("plan")[-1].body)


def test_d031_steps_that_need_nothing_of_a_hire_go_on_while_it_waits(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    founder("policy", "set", "hiring", "automatic=false")
    run_mission(founder, tmp_path, code=5)
    steps = {step["key"]: step for step in founder.json("missions", "show", "last")["steps"]}
    key = next(key for key in steps if key.startswith("hire-"))
    assert {name: step["status"] for name, step in steps.items()} == {
        "plan": "completed",
        key: "blocked",
        "part-1": "pending",
        "part-2": "completed",
        "final": "pending",
    }
    assert steps["part-1"]["needs"] == [key]
    assert steps["part-2"]["needs"] == []
    assert set(steps["final"]["needs"]) == {"part-1", "part-2"}
    (question,) = founder.json("inbox")["questions"]
    founder("decide", question["question"], "yes")
    founder("resume", "last")
    final = [one for one in founder.prompts("synthesize") if one.named("colleague")][-1]
    assert len(final.named("colleague")) == 2


@pytest.mark.parametrize(
    ("scores", "revisions"),
    [
        ((3, 3, 3, 3), 0),
        ((5, 5, 5, 2), 2),
        ((2.5, 3, 3, 3), 2),
    ],
)
def test_d032_three_is_good_and_one_low_dimension_has_it_written_again_twice_at_most(
    founder: ScriptedFounder, tmp_path: Path, scores: tuple[float, ...], revisions: int
) -> None:
    turns = count(1)
    dimensions = dict(zip(("completeness", "accuracy", "actionability", "depth"), scores, strict=True))
    founder.answer(
        plan=lambda _: ScriptedAnswer.json(plan_of(1)),
        critique=lambda _: ScriptedAnswer.json({**dimensions, "gaps": ["More depth"], "lesson": ""}),
        revise=lambda prompt: ScriptedAnswer(content=f"{write(prompt).content}\n> Turn {next(turns)}.\n"),
    )
    run_mission(founder, tmp_path)
    asked = founder.prompts("critique")
    assert len(asked) == 1 + revisions
    assert len(founder.prompts("revise")) == revisions
    task = " ".join(asked[0].sections["Task"].split())
    assert "3: good; it does the task" in task
    assert "Most drafts that are sound deserve 3." in task
    assert "Judge it as its hardest honest reader." in task
