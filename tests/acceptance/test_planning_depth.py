"""A mission is carried out to a depth: the planner's choice or the founder's, with bounds that hold whatever is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.model_responder import Prompt, plan_of, write
from support.model_server import ScriptedAnswer
from support.organisation import write_documents
from support.scripted_founder import ScriptedFounder, scripted_founder

DIRECTIVE = "Compare the drinks by how they are brewed"
SIMPLE_CALLS_MAX = 12
"""Two plans, then of one step: its questions, a round of research, a draft and a revision, each judged and criticised,
and two reviews."""


@pytest.fixture
def founder(frasier: FrasierProgram) -> Iterator[ScriptedFounder]:
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(plan_of(3))) as founder:
        yield founder


def planned(complexity: str, steps: int) -> dict[str, Any]:
    return plan_of(steps) | {"complexity": complexity}


def run(founder: ScriptedFounder, tmp_path: Path, *options: str, code: int = 0) -> dict[str, Any]:
    documents = write_documents(tmp_path / "drinks")
    for metal in METALS:
        text = f"# {metal}\n\nVessels of {metal} are rinsed twice before they are filled.\n"
        (documents / f"{metal}.md").write_text(text, encoding="utf-8")
    out = ("--sources", documents, "--out", tmp_path / "out")
    return founder.json("run", DIRECTIVE, *out, *options, code=code)


METALS = ("zirconium", "yttrium", "wolfram", "vanadium", "rhodium", "niobium")
"""Words of documents that only a further round of research finds."""


def insatiable() -> dict[str, Any]:
    """Answers of a model that is never satisfied: always another gap, and a draft that is always to be revised."""
    asked: Counter[str] = Counter()

    def gaps(prompt: Prompt) -> ScriptedAnswer:
        assignment = prompt.sections["The assignment"]
        wanted = [METALS[asked[assignment]]]
        asked[assignment] += 1
        return ScriptedAnswer.json({"sufficient": False, "gaps": wanted, "queries": wanted})

    def revise(prompt: Prompt) -> ScriptedAnswer:
        asked["revise"] += 1
        return ScriptedAnswer(
            content=f"{write(prompt).content}\nRead {asked['revise']} times. [conclusion]\n"
        )

    scores = dict.fromkeys(("completeness", "accuracy", "actionability", "depth"), 1)
    poor = ScriptedAnswer.json({**scores, "gaps": ["More."], "lesson": ""})
    return {"gaps": gaps, "revise": revise, "critique": lambda _: poor}


def test_a_simple_mission_takes_few_calls_whatever_the_models_say(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    plans = iter([planned("simple", 4), planned("simple", 1)])
    founder.answer(plan=lambda _: ScriptedAnswer.json(next(plans)), **insatiable())
    result = run(founder, tmp_path)
    assert result["status"] == "delivered"
    assert result["calls"] == len(founder.prompts()) <= SIMPLE_CALLS_MAX
    first, second = founder.prompts("plan")
    assert "complexity is simple where one colleague answers" in first.sections["Task"]
    assert "a simple one has 1" in second.sections["Your last plan was refused because"]
    assert len(founder.prompts("gaps")) == 1
    assert len(founder.prompts("revise")) == 1
    assert result["plan"]["complexity"] == "simple"
    assert result["calls"] <= result["plan"]["estimate"]["calls"]["high"]


def test_the_founders_depth_counts_and_not_the_planners(founder: ScriptedFounder, tmp_path: Path) -> None:
    plans = iter([planned("deep", 3), planned("deep", 1)])
    founder.answer(plan=lambda _: ScriptedAnswer.json(next(plans)))
    result = run(founder, tmp_path, "--depth", "simple")
    assert result["plan"]["complexity"] == "simple"
    first, _ = founder.prompts("plan")
    assert "The founder asks for this complexity: simple." in first.sections["The complexity of the work"]
    assert "At most 1 steps" in first.sections["Task"]
    shown = founder("missions", "show", "last").out
    assert "report  ·  simple" in shown


def test_12d_complexity_a_deep_mission_researches_and_revises_longer_and_each_result_is_reviewed(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    amounts = {}
    for depth in ("standard", "deep"):
        founder.forget_prompts()
        founder.answer(**insatiable())
        result = run(founder, tmp_path, "--depth", depth)
        assert result["status"] == "delivered"
        reviewed = {step["key"] for step in result["steps"] if step["reviews"]}
        amounts[depth] = (
            len(founder.prompts("gaps")),
            len(founder.prompts("revise")),
            result["plan"]["estimate"],
        )
        assert reviewed == {"part-1", "part-2", "final"}
    assert amounts["standard"][:2] == (6, 6)
    assert amounts["deep"][:2] == (8, 9)
    # Tokens and seconds are those of the ledger, which the first mission filled.
    assert amounts["deep"][2]["calls"]["high"] > amounts["standard"][2]["calls"]["high"]


def test_of_a_deep_mission_no_result_passes_by_the_policy(founder: ScriptedFounder, tmp_path: Path) -> None:
    kinds = {}
    for depth in ("standard", "deep"):
        steps = run(founder, tmp_path, "--depth", depth)["steps"]
        kinds[depth] = {
            review["kind"] for step in steps if step["key"] == "part-1" for review in step["reviews"]
        }
    assert kinds == {"standard": {"policy"}, "deep": {"qa"}}


def test_the_setting_gives_every_mission_its_depth(founder: ScriptedFounder, tmp_path: Path) -> None:
    founder.settings["FRASIER_PLANNING__DEPTH"] = "deep"
    founder.settings["FRASIER_PLANNING__STEPS_MAX"] = "2"
    assert run(founder, tmp_path)["plan"]["complexity"] == "deep"
    (asked,) = founder.prompts("plan")
    assert "At most 3 steps" in asked.sections["Task"], "a deep one may have half as many more"
    assert run(founder, tmp_path, "--depth", "standard")["plan"]["complexity"] == "standard"


def test_a_plan_that_is_expected_to_cost_more_than_its_budget_says_so_before_its_first_step(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    expected = run(founder, tmp_path)["plan"]["estimate"]["usd"]["expected"]
    documents = write_documents(tmp_path / "other")
    told = founder.ended("run", DIRECTIVE, "--sources", documents, "--budget", f"{expected * 0.95:.6f}").err
    before = told.partition("part-1: active")[0].partition("Waiting for you")[0]
    assert "▲ The plan is expected to cost $" in before
    assert "it stops and asks you before a call that would pass it." in before
    shown = " ".join(founder("missions", "show", "last").out.split())
    assert f"at most ${expected * 0.95:.2f} by its budget" in shown
    assert "expected to cost" not in founder("run", DIRECTIVE, "--sources", documents, "--budget", "50").err


def test_12d_cost_caps_each_depth_has_a_budget_that_is_shown_enforced_and_raised(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    founder("policy", "set", "depth", "simple_share=0.001")
    founder.answer(plan=lambda _: ScriptedAnswer.json(plan_of(1)))
    standard = run(founder, tmp_path, "--depth", "standard")
    assert (standard["status"], standard["plan"]["budget_usd"]) == ("delivered", 3.0)
    told = founder.ended(
        "run", DIRECTIVE, "--sources", write_documents(tmp_path / "first"), "--depth", "simple"
    )
    assert "and the budget of its depth is $0.0050" in told.err
    founder("cancel", "last")
    stopped = run(founder, tmp_path, "--depth", "simple", code=5)
    assert stopped["plan"]["budget_usd"] == 0.005
    assert "at most $0.0050 by its depth" in " ".join(founder("missions", "show", "last").out.split())
    (question,) = founder.json("inbox")["questions"]
    assert "The mission budget of $0.005 for its depth would be passed" in question["text"]
    assert founder.json("resume", "last", "--budget", "1")["status"] == "delivered"
