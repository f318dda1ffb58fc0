"""The result of several authors is read as a whole by somebody else; faults that stay after two tries are stated."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.crash import COHERENCE_POINTS
from support.founder_page import logged_in
from support.model_responder import Prompt, plan_of, review, reviewed, write
from support.model_server import ScriptedAnswer
from support.organisation import organisation, write_documents
from support.scripted_founder import ScriptedFounder, scripted_founder

DIRECTIVE = "Compare the drinks by how they are brewed"
READ = "You read the deliverable as a whole"
FAULT = "One part says four minutes and another five."
RESEARCHED, WRITTEN = 5, 4
"""The least calls of a step: its questions, its gaps if it does research, a draft, its judge and its critique."""
LEFT = "Its parts do not fit together everywhere"


def reads_whole(prompt: Prompt) -> bool:
    return READ in prompt.sections.get("Your scope", "")


def incoherent(prompt: Prompt) -> ScriptedAnswer:
    """Reject for how the parts fit together, and for nothing else."""
    if reads_whole(prompt):
        return reviewed(prompt, approves=False, feedback=FAULT)
    return review(prompt)


def changing() -> Any:
    """An author who writes another text each time."""
    asked: Counter[str] = Counter()

    def write_anew(prompt: Prompt) -> ScriptedAnswer:
        asked["text"] += 1
        return ScriptedAnswer(
            content=f"{write(prompt).content}\nWritten {asked['text']} times. [conclusion]\n"
        )

    return write_anew


@pytest.fixture
def founder(frasier: FrasierProgram) -> Iterator[ScriptedFounder]:
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(plan_of(3))) as founder:
        yield founder


def run(founder: ScriptedFounder, tmp_path: Path, *options: str, code: int = 0) -> dict[str, Any]:
    documents = write_documents(tmp_path / "drinks")
    out = ("--sources", documents, "--out", tmp_path / "out")
    return founder.json("run", DIRECTIVE, *out, *options, code=code)


def final_of(result: dict[str, Any]) -> dict[str, Any]:
    (step,) = (step for step in result["steps"] if step["key"] == "final")
    return step


def authors_in(result: dict[str, Any]) -> set[str]:
    return {step["agent"] for step in result["steps"] if step["version"]}


def readings(founder: ScriptedFounder) -> list[Prompt]:
    return [prompt for prompt in founder.prompts("review") if reads_whole(prompt)]


def test_somebody_who_wrote_no_part_reads_the_whole_beside_the_other_reviewers(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    result = run(founder, tmp_path)
    assert (result["ending"], result["unsettled"]) == ("delivered", [])
    (asked,) = readings(founder)
    parts = {fence.attributes["step"] for fence in asked.named("colleague")}
    assert parts == {"Read part 1", "Read part 2"}
    assert asked.model == "middle"
    reviews = {review["kind"]: review for review in final_of(result)["reviews"]}
    assert set(reviews) == {"qa", "expert", "coherence"}
    assert len({review["by"] for review in reviews.values()}) == 3
    assert reviews["coherence"]["verdict"] == "approved"
    assert authors_in(result).isdisjoint(review["by"] for review in reviews.values())
    assert f"coherence by {reviews['coherence']['by']}" in " ".join(
        founder("missions", "show", "last").out.split()
    )
    calls = result["plan"]["estimate"]["calls"]
    assert calls["within"]
    assert calls["low"] == 1 + 2 * RESEARCHED + WRITTEN + 3, "that there is this review is sure"


def test_one_author_and_a_simple_mission_have_none(founder: ScriptedFounder, tmp_path: Path) -> None:
    alone = plan_of(2)
    for step in alone["steps"]:
        step["colleague"] = "wren"
    least = []
    for plan, options in ((alone, ()), (plan_of(1), ("--depth", "simple"))):
        founder.answer(plan=lambda _, plan=plan: ScriptedAnswer.json(plan))
        result = run(founder, tmp_path, *options)
        assert {review["kind"] for review in final_of(result)["reviews"]} == {"qa", "expert"}
        least.append(result["plan"]["estimate"]["calls"]["low"])
    assert readings(founder) == []
    assert least == [1 + RESEARCHED + WRITTEN + 2, 1 + RESEARCHED + 2]


def test_a_simple_mission_whose_author_changed_has_none(founder: ScriptedFounder, tmp_path: Path) -> None:
    founder.answer(plan=lambda _: ScriptedAnswer.json(plan_of(1)), synthesize=changing(), revise=changing())
    author = final_of(run(founder, tmp_path, "--depth", "simple"))["agent"]
    founder("agents", "retire", author)
    founder.forget_prompts()
    revised = final_of(founder.json("revise", "last", "Shorter"))
    assert revised["agent"] != author
    assert all(f"You are {author}," not in prompt.outside for prompt in founder.prompts())
    assert {review["kind"] for review in revised["reviews"]} == {"qa", "expert"}
    assert readings(founder) == []


async def test_12d_coherence_what_stays_after_two_tries_is_delivered_and_stated(
    founder: ScriptedFounder, database_url: str, home: Path, tmp_path: Path
) -> None:
    founder.answer(review=incoherent, synthesize=changing(), revise=changing())
    result = run(founder, tmp_path)
    assert (result["status"], result["ending"]) == ("delivered", "delivered_with_gaps")
    assert len(readings(founder)) == 3, "the first version and two revisions"
    assert any(FAULT in json.dumps(dict(prompt.sections)) for prompt in founder.prompts("synthesize")[-1:])
    (sentence,) = result["unsettled"]
    assert sentence.startswith(f"{LEFT} after 3 versions.")
    assert FAULT in sentence
    assert final_of(result)["strikes"] == 2
    folder = Path(result["folder"])
    assert LEFT in (folder / "deliverable.md").read_text("utf-8")
    assert LEFT in (folder / "deliverable.html").read_text("utf-8")
    assert json.loads((folder / "provenance.json").read_text("utf-8"))["unsettled"] == [sentence]
    assert LEFT in " ".join(founder("missions", "show", "last").out.split())
    inbox = founder.json("inbox")
    assert any(LEFT in str(one) for one in [*inbox["announcements"], *inbox["digest"]])
    assert inbox["questions"] == []
    async with organisation(database_url, home) as services, logged_in(services) as browser:
        await browser.get(f"/missions/{result['mission']}")
        head = " ".join(browser.element("mission-head").text_content().split())
    assert sentence in head


def test_the_policy_asks_the_founder_instead_and_sets_the_tries(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    founder("policy", "set", "coherence", "escalate=true", "tries=1")
    founder.answer(review=incoherent, synthesize=changing(), revise=changing())
    assert run(founder, tmp_path, code=4)["ending"] == "failed"
    assert len(readings(founder)) == 2
    (question,) = founder.json("inbox")["questions"]
    assert FAULT in question["text"]
    founder("policy", "set", "coherence", "review=false")
    founder("decide", question["question"], "retry")
    result = founder.json("resume", "last")
    assert result["ending"] == "delivered"
    assert len(readings(founder)) == 2, "switched off, it is not asked for any more"


def test_other_faults_are_never_passed_over(founder: ScriptedFounder, tmp_path: Path) -> None:
    founder.answer(
        review=lambda prompt: (
            reviewed(prompt, approves=False, feedback=FAULT) if is_final(prompt) else review(prompt)
        ),
        synthesize=changing(),
        revise=changing(),
    )
    assert run(founder, tmp_path, code=4)["ending"] == "failed"


def is_final(prompt: Prompt) -> bool:
    return "Write the comparison" in prompt.sections["What the author had to do"]


def test_where_nobody_else_is_left_qa_reads_the_whole_as_well(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    for one in founder.json("agents", "list")["agents"]:
        if one["name"] not in {"Frasier", "Heron", "Wren", "Osprey"}:
            founder("agents", "dormant", one["name"])
    result = run(founder, tmp_path)
    assert authors_in(result) == {"Heron", "Wren"}
    by = {review["kind"]: review["by"] for review in final_of(result)["reviews"]}
    assert by == {"qa": "Osprey", "expert": "Frasier", "coherence": "Osprey"}
    assert len(readings(founder)) == 1


@pytest.mark.parametrize("point", COHERENCE_POINTS)
def test_killed_while_it_is_accepted_it_ends_the_same(
    founder: ScriptedFounder, tmp_path: Path, point: str
) -> None:
    founder.answer(review=incoherent, synthesize=changing(), revise=changing())
    documents = write_documents(tmp_path / "drinks")
    out = ("--sources", documents, "--out", tmp_path / "out")
    killed = founder.ended("run", DIRECTIVE, *out, FRASIER_FAULT=f"{point}:kill")
    assert killed.code == -9
    asked = len(readings(founder))
    result = founder.json("resume", "last")
    assert result["ending"] == "delivered_with_gaps"
    assert len(readings(founder)) == asked == 3, "the paid verdict is not asked for again"
