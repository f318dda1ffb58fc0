"""Failures of reviews that the organisation must not have (spec/organisation.md 12b and 12c), and marks of reviews."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.model_responder import CompetentModel, Prompt, plan_of, reviewed
from support.model_server import ScriptedAnswer
from support.organisation import write_documents
from support.scripted_founder import ScriptedFounder, scripted_founder

SUBJECT = "beekeeping in cities"
DIRECTIVE = "Compare the drinks for those who keep bees"


def plan(subject: str = SUBJECT, **changes: str) -> ScriptedAnswer:
    made = plan_of(1)
    made["steps"][0] |= {"subject": subject} | changes
    return ScriptedAnswer.json(made)


@pytest.fixture
def founder(frasier: FrasierProgram) -> Iterator[ScriptedFounder]:
    with scripted_founder(frasier, plan=lambda _: plan()) as founder:
        yield founder


def run(founder: ScriptedFounder, tmp_path: Path, *, code: int = 0) -> dict[str, Any]:
    documents = write_documents(tmp_path / "drinks")
    return founder.json("run", DIRECTIVE, "--sources", documents, "--out", tmp_path / "out", code=code)


def reviews_of(result: dict[str, Any]) -> list[tuple[str, str, str]]:
    (step,) = (step for step in result["steps"] if step["key"] == "final")
    return [(review["kind"], review["by"], review["verdict"]) for review in step["reviews"]]


def test_12b_027_a_test_identity_is_given_no_work_and_no_review(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    probe = founder.json("agents", "hire", "Beekeeper in cities", "--for-tests")["data"]
    assert "test identity" in probe["done"]
    founder.answer(plan=lambda _: plan(expert="Beekeeper in cities"))
    result = run(founder, tmp_path)
    assert probe["name"] not in {step["agent"] for step in result["steps"]}
    assert probe["name"] not in {by for _, by, _ in reviews_of(result)}
    assert all(f"You are {probe['name']}," not in prompt.outside for prompt in founder.prompts())
    assert probe["agent"] not in {one["key"] for one in founder.json("agents", "list")["agents"]}
    assert probe["agent"] in {one["key"] for one in founder.json("agents", "list", "--all")["agents"]}


def test_12c_1_the_approval_of_qa_moves_a_step_that_no_expert_can_judge(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    result = run(founder, tmp_path)
    assert reviews_of(result) == [("qa", "Osprey", "approved"), ("expert", "nobody", "waived")]
    assert len(founder.prompts("review")) == 1, "and is asked for once"


def test_12c_4_reviewers_are_told_what_the_founder_asked(founder: ScriptedFounder, tmp_path: Path) -> None:
    run(founder, tmp_path)
    (asked,) = founder.prompts("review")
    assert DIRECTIVE in asked.sections["The founder's directive"]
    assert "You review the craft only" in asked.sections["Your scope"]


def test_12c_18_a_verdict_that_cannot_be_read_approves_nothing(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    founder.answer(review=lambda _: ScriptedAnswer(content="[APPROVE] Looks good to me."))
    result = run(founder, tmp_path, code=5)
    assert reviews_of(result)[0] == ("qa", "Osprey", "pending")
    founder.answer(review=CompetentModel().to("review"))
    founder("resume", "last")
    assert founder.json("missions", "show", "last")["status"] == "delivered"


def test_accepted_work_on_a_subject_makes_a_colleague_its_reviewer(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    founder.answer(plan=lambda _: plan(colleague="rook"))
    for _ in range(2):
        assert ("expert", "nobody", "waived") in reviews_of(run(founder, tmp_path))
    founder.answer(plan=lambda _: plan(colleague="wren"))
    result = run(founder, tmp_path)
    assert ("expert", "Rook", "approved") in reviews_of(result)
    (step,) = result["steps"][1:]
    assert f"knows {SUBJECT}; 2 accepted works on it" in step["review_note"]


@pytest.mark.parametrize("approves", [True, False])
def test_12c_15_the_founder_s_verdict_ends_open_reviews_and_marks_those_of_the_same_content(
    founder: ScriptedFounder, tmp_path: Path, approves: bool
) -> None:
    """QA decides one way, the expert cannot be asked, and the founder decides the other way."""

    def review(prompt: Prompt) -> ScriptedAnswer:
        if prompt.model == "middle":
            return ScriptedAnswer.error(401, "wrong key")
        return reviewed(prompt, approves=approves, feedback="As QA sees it.")

    founder.answer(review=review, plan=lambda _: plan(subject="", role="content"))
    run(founder, tmp_path, code=5)
    before = founder.json("agents", "show", "osprey")["review_agreement"]
    assert before == {"given": 1, "marked": 0, "agreed": 0, "agreement": None}
    assert "1 review, none judged since" in founder("agents", "show", "osprey").out
    if approves:
        founder("reject", "last/final", "--reason", "The honey is missing")
    else:
        founder("approve", "last/final")
    (reviews,) = [one["reviews"] for one in founder.json("steps", "show", "last/final")["versions"]]
    assert "pending" not in {one["verdict"] for one in reviews}, "no later verdict opens it again"
    after = founder.json("agents", "show", "osprey")
    assert after["review_agreement"] == {"given": 1, "marked": 1, "agreed": 0, "agreement": 0.0}
    assert after["status"] == "active", "nobody is dismissed for it (D-007)"
