"""An escalated step is answered, planned anew, left out or failed: each where it is possible, and told truthfully."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.model_responder import Prompt, critique, plan_of, review, reviewed, write
from support.model_server import ScriptedAnswer
from support.organisation import write_documents
from support.scripted_founder import ScriptedFounder, scripted_founder

DIRECTIVE = "Compare the drinks by how they are brewed"


def is_about(prompt: Prompt, title: str) -> bool:
    return any(
        title in text for name, text in prompt.sections.items() if "assignment" in name or "had to do" in name
    )


def mediocre(prompt: Prompt, *titles: str) -> ScriptedAnswer:
    """Score the steps with these titles so that a person reviews them."""
    if not any(is_about(prompt, title) for title in titles):
        return critique(prompt)
    scores = dict.fromkeys(("completeness", "accuracy", "actionability", "depth"), 3.5)
    return ScriptedAnswer.json({**scores, "gaps": ["Which cup it is served in."], "lesson": ""})


def rejected(prompt: Prompt, *titles: str) -> ScriptedAnswer:
    if not any(is_about(prompt, title) for title in titles):
        return review(prompt)
    return reviewed(prompt, approves=False, feedback="Part 1 says nothing of cups.")


@pytest.fixture
def founder(frasier: FrasierProgram) -> Iterator[ScriptedFounder]:
    with scripted_founder(
        frasier,
        plan=lambda _: ScriptedAnswer.json(plan_of(3)),
        critique=lambda prompt: mediocre(prompt, "Read part 1"),
        review=lambda prompt: rejected(prompt, "Read part 1"),
    ) as founder:
        yield founder


def run(founder: ScriptedFounder, tmp_path: Path, code: int) -> dict[str, Any]:
    documents = write_documents(tmp_path / "drinks")
    return founder.json("run", DIRECTIVE, "--sources", documents, "--out", tmp_path / "out", code=code)


def the_question(founder: ScriptedFounder) -> dict[str, Any]:
    (question,) = founder.json("inbox")["questions"]
    return question


def announced(founder: ScriptedFounder) -> list[str]:
    inbox = founder.json("inbox")
    return [str(one) for one in [*inbox["announcements"], *inbox["digest"]]]


def test_12d_skip_a_rejected_step_is_left_out_and_the_result_says_so(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    assert run(founder, tmp_path, code=4)["status"] == "failed"
    question = the_question(founder)
    assert question["options"] == ["retry", "replan", "skip", "fail", "cancel"]
    told = founder.json("decide", question["question"], "skip", "--note", "Nobody asks for cups")
    assert "Read part 1 is left out" in told["done"]
    founder.forget_prompts()
    result = founder.json("resume", "last")
    assert (result["status"], result["ending"]) == ("delivered", "delivered_with_gaps")
    sentence = "Read part 1 was left out: Nobody asks for cups."
    assert result["left_out"] == [sentence]
    asked = founder.prompts("synthesize")[-1]
    (missing,) = [fence.text for fence in asked.fences if fence.section.startswith("What is missing")]
    assert sentence in missing
    assert [fence.attributes["step"] for fence in asked.named("colleague")] == ["Read part 2"]
    assert f"Incomplete. {sentence}" in (Path(result["folder"]) / "deliverable.md").read_text(
        "utf-8"
    ).replace("*", "")
    assert sentence in founder("missions", "show", "last").out
    assert sentence in founder("missions", "read", "last").out
    assert any("delivered with gaps" in text and sentence in text for text in announced(founder))
    assert founder.json("inbox")["questions"] == []


def test_12d_replan_a_rejected_step_is_planned_anew_and_done(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    run(founder, tmp_path, code=4)
    founder.answer(steer=changed_part)
    told = founder.json("decide", the_question(founder)["question"], "replan", "--note", "Leave the cups")
    assert "plans Read part 1 anew" in told["done"]
    result = founder.json("resume", "last")
    assert (result["status"], result["ending"], result["left_out"]) == ("delivered", "delivered", [])
    (asked,) = founder.prompts("steer")
    wish = asked.sections["What the founder wants now"]
    assert "Part 1 says nothing of cups" in wish
    assert "Leave the cups" in wish
    steps = {step["key"]: step for step in result["steps"]}
    assert steps["part-1"]["title"] == "Read what is said of brewing"
    assert steps["replan-part-1-1"]["status"] == "completed"
    assert [plan["state"] for plan in founder.json("missions", "show", "last")["plans"]] == [
        "replaced",
        "accepted",
    ]


def changed_part(_: Prompt) -> ScriptedAnswer:
    part = {
        "key": "part-1",
        "title": "Read what is said of brewing",
        "task": "Say what the documents state of brewing.",
        "depends_on": [],
        "acceptance": ["Every statement cites its source."],
    }
    return ScriptedAnswer.json(
        {"removed": [], "changed": [part], "added": [], "explanation": "Without cups."}
    )


def test_a_new_plan_that_breaks_the_rules_twice_asks_the_founder_again(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    run(founder, tmp_path, code=4)
    nothing = {"removed": [], "changed": [], "added": [], "explanation": "It is fine."}
    by_the_chief = plan_of(2)["steps"][0] | {"key": "tea", "colleague": "frasier"}
    changes = iter([nothing, nothing | {"removed": ["part-1"], "added": [by_the_chief]}])
    founder.answer(steer=lambda _: ScriptedAnswer.json(next(changes)))
    founder("decide", the_question(founder)["question"], "replan")
    founder("resume", "last", code=5)
    _, second = founder.prompts("steer")
    assert "Step part-1 stays as it is" in second.sections["Your last proposal was refused because"]
    question = the_question(founder)
    assert question["options"] == ["continue", "skip", "fail", "cancel"]
    assert "Step tea names the colleague frasier, who is not here" in question["text"]
    founder("decide", question["question"], "skip")
    assert founder.json("resume", "last")["ending"] == "delivered_with_gaps"


def test_12c_7_and_12d_fail_a_step_in_trouble_ends_the_mission_with_what_there_is(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    founder.answer(synthesize=empty_part, critique=critique, review=review)
    run(founder, tmp_path, code=5)
    question = the_question(founder)
    assert question["options"] == ["continue", "replan", "skip", "fail", "cancel"]
    told = founder.json("decide", question["question"], "fail", "--note", "Not worth more")["done"]
    assert "ends as failed; 1 accepted result is kept" in told
    mission = founder.json("missions", "show", "last")
    assert (mission["status"], mission["ending"]) == ("failed", "failed")
    assert "Read part 1: Not worth more." in mission["failure"]
    assert {step["key"]: step["status"] for step in mission["steps"]}["part-2"] == "completed"
    assert founder.json("inbox")["questions"] == []
    assert any("has failed: Read part 1" in text for text in announced(founder))
    assert founder.json("resume", "last", code=4)["ending"] == "failed"


def empty_part(prompt: Prompt) -> ScriptedAnswer:
    return ScriptedAnswer(content="") if is_about(prompt, "Read part 1") else write(prompt)


def test_a_mission_that_was_ended_asks_nothing_more_about_its_other_steps(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    def unreadable(prompt: Prompt) -> ScriptedAnswer:
        is_second = is_about(prompt, "Read part 2")
        return ScriptedAnswer(content="No scores today.") if is_second else critique(prompt)

    founder.answer(
        plan=lambda _: ScriptedAnswer.json(plan_of(4)),
        synthesize=empty_part,
        critique=unreadable,
        review=review,
    )
    run(founder, tmp_path, code=5)
    first, other = founder.json("inbox")["questions"]
    assert first["text"] != other["text"], "the causes differ, so that each is asked about"
    founder("decide", first["question"], "fail", "--note", "Not worth more")
    assert founder.json("inbox")["questions"] == []
    founder("decide", other["question"], "continue", code=3)


def test_the_final_step_cannot_be_left_out(founder: ScriptedFounder, tmp_path: Path) -> None:
    founder.answer(
        plan=lambda _: ScriptedAnswer.json(plan_of(1)), synthesize=lambda _: ScriptedAnswer(content="")
    )
    run(founder, tmp_path, code=5)
    question = the_question(founder)
    assert question["options"] == ["continue", "replan", "fail", "cancel"]
    refused = founder("decide", question["question"], "skip", code=3)
    assert "Choose one of: continue, replan, fail, cancel." in refused.err


def test_two_steps_that_failed_are_left_out_one_after_the_other(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    founder.answer(
        plan=lambda _: ScriptedAnswer.json(plan_of(4)),
        critique=lambda prompt: mediocre(prompt, "Read part 1", "Read part 2"),
        review=lambda prompt: rejected(prompt, "Read part 1", "Read part 2"),
    )
    run(founder, tmp_path, code=4)
    first, second = founder.json("inbox")["questions"]
    founder("decide", first["question"], "skip")
    assert founder.json("missions", "show", "last")["status"] == "failed"
    founder("decide", second["question"], "skip")
    result = founder.json("resume", "last")
    assert result["ending"] == "delivered_with_gaps"
    assert len(result["left_out"]) == 2


def test_12d_handover_notes_go_with_each_result_to_whoever_builds_on_it(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    founder.answer(review=review)
    run(founder, tmp_path, code=0)
    asked = founder.prompts("synthesize")[-1]
    (notes,) = [fence.text for fence in asked.fences if fence.section.startswith("What colleagues note on")]
    assert "Read part 1 (" in notes
    assert "Open: Which cup it is served in." in notes
    shown = founder.json("steps", "show", f"{mission_id(founder)}/part-1")
    assert "Open: Which cup it is served in." in shown["versions"][-1]["handover"]
    assert "Open: Which cup it is served in." in founder("steps", "show", f"{mission_id(founder)}/part-1").out


def mission_id(founder: ScriptedFounder) -> str:
    return str(founder.json("missions", "show", "last")["mission"])[-8:]
