"""A step that proves too large for one worker is replaced by several, once; what it read and paid is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.crash import CHANGE_POINTS
from support.model_responder import Prompt, plan_of, write
from support.model_server import ScriptedAnswer
from support.organisation import write_documents
from support.scripted_founder import ScriptedFounder, scripted_founder

DIRECTIVE = "Compare the drinks by how they are brewed"


def assignment(prompt: Prompt) -> str:
    return prompt.sections.get("The assignment", "")


def too_large(prompt: Prompt) -> ScriptedAnswer:
    """Say of part 1, and of nothing else, that it is too large."""
    is_part = "Read part 1" in assignment(prompt)
    return ScriptedAnswer.json({"sufficient": True, "gaps": [], "queries": [], "too_large": is_part})


def part(key: str, title: str) -> dict[str, Any]:
    return plan_of(2)["steps"][0] | {"key": key, "title": title}


def split(*added: dict[str, Any], removed: str = "part-1") -> ScriptedAnswer:
    return ScriptedAnswer.json(
        {"removed": [removed], "changed": [], "added": list(added), "explanation": "Each reads one drink."}
    )


@pytest.fixture
def founder(frasier: FrasierProgram) -> Iterator[ScriptedFounder]:
    with scripted_founder(
        frasier,
        plan=lambda _: ScriptedAnswer.json(plan_of(3)),
        gaps=too_large,
        steer=lambda _: split(part("tea", "Read of tea"), part("cocoa", "Read of cocoa")),
    ) as founder:
        yield founder


def run(founder: ScriptedFounder, tmp_path: Path, code: int = 0, **environment: str) -> dict[str, Any]:
    documents = write_documents(tmp_path / "drinks")
    for number in range(1, 4):
        (documents / f"brew-{number}.md").write_text(
            f"# Brewing {number}\n\nPot {number} is warmed for {number} minutes.\n"
        )
    options = ("--sources", documents, "--out", tmp_path / "out")
    ended = founder("run", DIRECTIVE, *options, "--json", code=code, **environment)
    return dict(json.loads(ended.out)) if ended.out else {}


def check_split(founder: ScriptedFounder) -> None:
    mission = founder.json("missions", "show", "last")
    steps = {step["key"]: step for step in mission["steps"]}
    assert mission["status"] == "delivered"
    assert {key: steps[key]["status"] for key in ("part-1", "tea", "cocoa", "part-2", "final")} == {
        "part-1": "cancelled",
        **dict.fromkeys(("tea", "cocoa", "part-2", "final"), "completed"),
    }
    assert sorted(steps["final"]["needs"]) == ["cocoa", "part-2", "tea"]
    assert steps["part-1"]["calls"] > 0, "what the step took is still on its bill"
    assert steps["replan-part-1-1"]["status"] == "completed"
    assert [plan["state"] for plan in mission["plans"]] == ["replaced", "accepted"]
    assert {step["key"] for step in mission["plan"]["steps"]} == {"tea", "cocoa", "part-2", "final"}
    assert all(step["usd"] for step in mission["plan"]["steps"] if step["key"] in {"tea", "cocoa"})


def test_a_step_that_is_too_large_is_replaced_by_several(founder: ScriptedFounder, tmp_path: Path) -> None:
    assert run(founder, tmp_path)["status"] == "delivered"
    check_split(founder)
    (asked,) = founder.prompts("steer")
    wish = asked.sections["What the founder wants now"]
    assert "part-1 (Read part 1) is too large for one worker" in wish
    assert "asks for more than one text can answer" in wish
    written = [assignment(prompt).strip().splitlines()[0] for prompt in founder.prompts("synthesize")]
    assert sorted(written) == ["Read of cocoa", "Read of tea", "Read part 2", "Write the comparison"]
    events = founder("events", "tail", "--json", "--limit", "500").out
    assert "step.too_large" in events


def test_what_does_not_fit_and_leaves_gaps_tells_that_a_step_is_too_large(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    """The passages fill their room, and the last round of research still leaves a gap."""
    asked: list[str] = []

    def never_enough(prompt: Prompt) -> ScriptedAnswer:
        if "Read part 1" not in assignment(prompt):
            return ScriptedAnswer.json({"sufficient": True, "gaps": [], "queries": []})
        asked.append("")
        gap = [f"Storage of drink {len(asked)}"]
        return ScriptedAnswer.json({"sufficient": False, "gaps": gap, "queries": gap})

    founder.answer(gaps=never_enough)
    run(founder, tmp_path, FRASIER_PIPELINE__PASSAGES_MAX="4", FRASIER_PIPELINE__ROUNDS_MAX="2")
    check_split(founder)
    assert (
        "its passages take all the room" in founder.prompts("steer")[0].sections["What the founder wants now"]
    )


def test_a_text_that_no_reply_has_room_for_tells_that_a_step_is_too_large(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    def cut_off(prompt: Prompt) -> ScriptedAnswer:
        if "Read part 1" not in assignment(prompt):
            return write(prompt)
        return ScriptedAnswer(content="It begins", finish_reason="length")

    enough = {"sufficient": True, "gaps": [], "queries": []}
    founder.answer(gaps=lambda _: ScriptedAnswer.json(enough), synthesize=cut_off)
    # A deep mission may have half as many steps more.
    run(founder, tmp_path, FRASIER_PLANNING__STEPS_MAX="3", FRASIER_PLANNING__DEPTH="deep")
    check_split(founder)
    assert "At most 4 steps" in founder.prompts("steer")[0].sections["Task"]


def test_a_part_is_not_split_again_and_a_plan_without_room_not_at_all(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    always = {"sufficient": True, "gaps": [], "queries": [], "too_large": True}
    founder.answer(gaps=lambda _: ScriptedAnswer.json(always), steer=split_named)
    assert run(founder, tmp_path)["status"] == "delivered"
    assert len(founder.prompts("steer")) == 2, "of two parts, each once; none of what replaced them"
    founder.forget_prompts()
    run(founder, tmp_path, FRASIER_PLANNING__STEPS_MAX="3")
    assert founder.prompts("steer") == []


def split_named(prompt: Prompt) -> ScriptedAnswer:
    wish = prompt.sections["What the founder wants now"]
    key = "part-1" if "part-1" in wish else "part-2"
    return split(part(f"{key}-a", f"Read {key} a"), part(f"{key}-b", f"Read {key} b"), removed=key)


def test_a_split_that_breaks_the_rules_twice_lets_the_step_go_on_as_it_is(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    founder.answer(steer=lambda _: split(part("tea", "Read of tea")))
    assert run(founder, tmp_path)["status"] == "delivered"
    _, second = founder.prompts("steer")
    assert (
        "must be replaced by 2 to 4 steps, not 1" in second.sections["Your last proposal was refused because"]
    )
    steps = {step["key"]: step["status"] for step in founder.json("missions", "show", "last")["steps"]}
    assert steps["part-1"] == "completed"
    assert "tea" not in steps


@pytest.mark.parametrize("point", CHANGE_POINTS)
def test_a_kill_while_a_step_is_replaced_neither_loses_nor_repeats_anything(
    founder: ScriptedFounder, tmp_path: Path, point: str
) -> None:
    run(founder, tmp_path, code=-9, FRASIER_FAULT=f"{point}:kill:1")
    founder("resume", "last")
    check_split(founder)
    assert len(founder.prompts("steer")) == 1
    assert len(founder.prompts("plan")) == 1
