"""Team routines: off until they have a budget; each has a transcript, a cost, and one outcome that is used."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.crash import ROUTINE_POINTS, poll
from support.model_responder import Prompt, plan_of, reviewed, speak
from support.model_server import ScriptedAnswer
from support.organisation import DIRECTIVE
from support.scripted_founder import ScriptedFounder, scripted_founder

DEEP = f"{DIRECTIVE}: a comprehensive market analysis"
APPROVED, REJECTED = 4.5, 2.0
BACK = "Why earlier versions were sent back: do better"
PROPOSED = "What your colleagues proposed in a brainstorm"
LESSON = "Count the bottles twice."
# A worker that could begin what has to wait for a routine.
SEVERAL_AT_ONCE = {"FRASIER_WORKER__CONCURRENCY": "8"}


@pytest.fixture
def founder(frasier: FrasierProgram) -> Iterator[ScriptedFounder]:
    with scripted_founder(frasier) as founder:
        yield founder


def allow(founder: ScriptedFounder, *rules: str) -> None:
    """Give routines a budget, of one kind alone where that is named."""
    kinds = {"stand_up", "brainstorm", "debate", "mentoring"}
    off = [f"{kind}=false" for kind in sorted(kinds - set(rules))] if kinds & set(rules) else []
    others = [rule for rule in rules if rule not in kinds]
    founder("policy", "set", "routines", "budget_usd=5", *off, *others)


def reviewers(**scores: list[float]) -> Callable[[Prompt], ScriptedAnswer]:
    """Answer as reviewers who give these scores in turn: QA is asked of the small model, the expert of the middle one."""

    def review(prompt: Prompt) -> ScriptedAnswer:
        score = scores[prompt.model].pop(0)
        verdict = "approve" if score >= 3 else "reject"
        said = f"The {prompt.model} model would {verdict} it."
        return reviewed(prompt, approves=score >= 3, feedback=said, score=score)

    return review


def deciding(stands: str) -> Callable[[Prompt], ScriptedAnswer]:
    decision = {"outcome": "decision", "text": "The term is right there.", "stands": stands}
    return lambda _: ScriptedAnswer.json(decision)


def run(founder: ScriptedFounder, documents: Path, directive: str = DIRECTIVE, **more: Any) -> dict[str, Any]:
    return founder.json("run", directive, "--sources", documents, **more)


def final(result: dict[str, Any]) -> dict[str, Any]:
    (step,) = (step for step in result["steps"] if step["key"] == "final")
    return step


def routines(founder: ScriptedFounder) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = founder.json("routine", "list")["data"]["routines"]
    return listed


def test_without_a_budget_nothing_is_held(founder: ScriptedFounder, documents: Path) -> None:
    founder.answer(review=reviewers(small=[APPROVED, APPROVED], middle=[REJECTED, APPROVED]))
    assert run(founder, documents, DEEP)["status"] == "delivered"
    assert routines(founder) == []
    assert founder.prompts("routine_turn", "routine_outcome") == []
    refused = founder("routine", "stand-up", code=3)
    assert "Team routines have no budget." in refused.err
    assert "policy set routines budget_usd=5" in refused.err
    allow(founder, "budget_usd=0.0000001")
    refused = founder("routine", "stand-up", code=3)
    assert "The budget of team routines for 30 days is used up." in refused.err
    run(founder, documents, DEEP, code=5, FRASIER_PLANNING__ASK_APPROVAL="true")
    assert routines(founder) == [], "where nothing is left, nothing is begun that could only end"


def test_a_debate_that_keeps_the_higher_verdict_approves_the_version(
    founder: ScriptedFounder, documents: Path
) -> None:
    allow(founder, "debate")
    founder.answer(review=reviewers(small=[APPROVED], middle=[REJECTED]), routine_outcome=deciding("higher"))
    step = final(run(founder, documents))
    assert (step["version"], step["strikes"], step["status"]) == (1, 0, "completed")
    assert sorted(one["verdict"] for one in step["reviews"]) == ["approved", "set_aside"]
    (held,) = routines(founder)
    assert (held["kind"], held["outcome"], held["state"]) == ("debate", "decision", "completed")
    assert 0 < held["cost_usd"] <= held["cap_usd"]
    shown = founder.json("routine", "show", held["routine"])["data"]
    speakers = [one["name"] for one in shown["transcript"]]
    judges = {one["by"] for one in step["reviews"]}
    assert set(speakers) == judges
    assert len(speakers) == 2
    assert f"{speakers[0]} has something to say about it." == shown["transcript"][0]["said"]
    first, second = founder.prompts("routine_turn")
    assert "The small model would approve it." in first.sections["What you bring to it"]
    assert "The middle model would reject it." in first.sections["What you bring to it"]
    assert [one.text for one in second.named("colleague")] == [shown["transcript"][0]["said"]]
    (closing,) = founder.prompts("routine_outcome")
    decides = closing.outside.partition("You are ")[2].partition(",")[0]
    assert decides in {one["name"] for one in founder.json("agents", "list")["agents"]}
    assert decides not in {*judges, step["agent"]}, "who decides wrote nothing of it and reviewed nothing"
    assert "Outcome: decision" in founder("routine", "show", held["routine"][-8:]).out


def test_a_debate_that_keeps_the_lower_verdict_sends_the_version_back_with_its_reason(
    founder: ScriptedFounder, documents: Path
) -> None:
    allow(founder, "debate")
    founder.answer(
        review=reviewers(small=[APPROVED, APPROVED], middle=[REJECTED, APPROVED]),
        routine_outcome=deciding("lower"),
    )
    step = final(run(founder, documents))
    assert (step["version"], step["strikes"]) == (2, 1)
    _, again = founder.prompts("synthesize")
    told = " ".join(again.sections[BACK].split())
    assert "The middle model would reject it." in told
    assert "Its reviewers debated it: The term is right there." in told
    assert "The small model" not in told, "the verdict that was set aside is not the author's concern"


def test_a_debate_that_decides_nothing_leaves_both_verdicts(
    founder: ScriptedFounder, documents: Path
) -> None:
    allow(founder, "debate")
    founder.answer(
        review=reviewers(small=[APPROVED, APPROVED], middle=[REJECTED, APPROVED]),
        routine_turn=lambda _: ScriptedAnswer(content="nothing of use"),
    )
    step = final(run(founder, documents))
    assert (step["version"], step["strikes"]) == (2, 1), "one rejection suffices, as without a debate"
    (held,) = routines(founder)
    assert held["outcome"] == "none"
    assert "No model gave a usable answer." in held["result"]
    assert held["effect"].startswith("Both verdicts count")


def test_whoever_reviewed_does_not_decide_and_without_anybody_else_nothing_is_debated(
    founder: ScriptedFounder, documents: Path
) -> None:
    founder("teams", "dormant", "team-research")
    for other in ("kestrel", "swift"):
        founder("agents", "dormant", other)
    allow(founder, "debate")
    founder.answer(review=reviewers(small=[APPROVED, APPROVED], middle=[REJECTED, APPROVED]))
    step = final(run(founder, documents))
    assert {one["by"] for one in step["reviews"]} == {"Osprey", "Frasier"}
    assert (step["version"], routines(founder)) == (2, [])


@pytest.mark.parametrize(("other", "debates"), [(3.0, 0), (2.9, 1)], ids=["by a point", "by more"])
def test_reviews_are_debated_that_differ_by_more_than_a_point(
    founder: ScriptedFounder, documents: Path, other: float, debates: int
) -> None:
    allow(founder, "debate")
    founder.answer(review=reviewers(small=[4.0, 4.0], middle=[other, 4.0]))
    run(founder, documents)
    assert len(routines(founder)) == debates


def test_what_computed_checks_forbid_is_not_debated(founder: ScriptedFounder, documents: Path) -> None:
    allow(founder, "debate")
    founder.answer(
        synthesize=lambda _: ScriptedAnswer(content="# Nothing\n\nWater is warm and storage is dry. [99]\n"),
        revise=lambda _: ScriptedAnswer(content="# Nothing\n\nWater is warm and storage is dry. [99]\n"),
        review=reviewers(small=[APPROVED] * 3, middle=[REJECTED] * 3),
        routine_outcome=deciding("higher"),
    )
    step = final(run(founder, documents, code=4))
    assert step["status"] == "failed"
    assert routines(founder) == []


def test_mentoring_after_a_rejection_is_a_lesson_in_the_next_attempt(
    founder: ScriptedFounder, documents: Path
) -> None:
    founder.settings |= SEVERAL_AT_ONCE
    allow(founder, "mentoring")
    founder.answer(review=reviewers(small=[REJECTED, APPROVED], middle=[REJECTED, APPROVED]))
    step = final(run(founder, documents))
    assert (step["version"], step["strikes"]) == (2, 1)
    (held,) = routines(founder)
    assert (held["kind"], held["outcome"], held["result"]) == ("mentoring", "lesson", LESSON)
    (mentored,) = founder.prompts("routine_turn")
    assert "The middle model would reject it." in mentored.sections["What you bring to it"]
    first, again = founder.prompts("synthesize")
    assert LESSON not in first.outside
    assert LESSON in again.outside, "the attempt after it knows the lesson"
    author = founder.json("agents", "show", step["agent"].lower())
    assert LESSON in [one["text"] for one in author["lessons"]]


def test_a_brainstorm_before_a_deep_mission_is_in_the_planners_prompt(
    founder: ScriptedFounder, documents: Path
) -> None:
    founder.settings |= SEVERAL_AT_ONCE
    allow(founder, "brainstorm", "speakers=2")
    lesson = "A comprehensive market analysis names the year of each figure."
    saved = founder.json("memory", "save", lesson, "--kind", "lesson", "--scope", "shared")["data"]
    result = run(founder, documents, DEEP)
    assert result["status"] == "delivered"
    assert [prompt.purpose for prompt in founder.prompts()][:4] == [
        *("routine_turn", "routine_turn", "routine_outcome"),
        "plan",
    ]
    (planned,) = founder.prompts("plan")
    assert LESSON in planned.sections[PROPOSED]
    turns = founder.prompts("routine_turn")
    assert all("a comprehensive market analysis" in turn.sections["What you bring to it"] for turn in turns)
    assert all(lesson in turn.outside for turn in turns)
    memories = json.loads((Path(result["folder"]) / "provenance.json").read_text("utf-8"))["memories"]
    (used,) = [one for one in memories if one["id"] == saved["id"]]
    assert "brainstorm" in {use["task"] for use in used["used_by"]}
    rows = {row["key"]: row for row in result["steps"]}
    assert rows["brainstorm"]["status"] == "completed", "the view of the mission tells of it"
    kinds = [one["kind"] for one in founder.json("events", "tail", "--limit", "500")["events"]]
    assert {"routine.began", "routine.ended"} <= set(kinds)


def test_a_simple_mission_has_no_brainstorm(founder: ScriptedFounder, documents: Path) -> None:
    allow(founder, "brainstorm")
    run(founder, documents)
    assert routines(founder) == []


@pytest.mark.parametrize(
    ("rules", "answer", "reason"),
    [
        (("each_up_to_usd=0.000001",), speak, "budget"),
        ((), lambda _: ScriptedAnswer(content="nothing of use"), "No model gave a usable answer."),
        (("minutes=0.01",), lambda _: ScriptedAnswer(hang=True), "not over within 0.01 minutes"),
        (("share_of_mission=0",), speak, "their share of the mission's, is used up"),
    ],
    ids=["too dear", "failed", "too long", "no share"],
)
def test_a_brainstorm_that_fails_is_skipped_and_says_why(
    founder: ScriptedFounder, documents: Path, rules: tuple[str, ...], answer: Any, reason: str
) -> None:
    allow(founder, "brainstorm", *rules)
    founder.answer(routine_turn=answer)
    assert run(founder, documents, DEEP)["status"] == "delivered"
    (planned,) = founder.prompts("plan")
    assert PROPOSED not in planned.sections
    (held,) = routines(founder)
    assert (held["outcome"], held["state"]) == ("none", "completed")
    assert reason in held["result"]


@pytest.mark.usefixtures("noon")
def test_a_stand_up_is_held_once_a_day_and_its_outcome_waits_for_the_founder(
    founder: ScriptedFounder, frasier: FrasierProgram, documents: Path
) -> None:
    allow(founder, "stand_up")
    run(founder, documents)
    founder.forget_prompts()
    founder.answer(
        routine_outcome=lambda _: ScriptedAnswer.json({"outcome": "proposal", "text": "Thank the team."})
    )
    held = founder.json("routine", "stand-up")["data"]
    assert held["routine"]["outcome"] == "proposal"
    turns = founder.prompts("routine_turn")
    assert len(turns) == len(held["transcript"]) > 0
    assert any("delivered version 1 of" in turn.sections["What you bring to it"] for turn in turns)
    asked = len(founder.prompts())
    titles = {line["title"]: line["is_mission"] for line in founder.json("costs")["by_mission"]}
    assert titles == {DIRECTIVE: True, held["routine"]["subject"]: False}
    again = founder.json("routine", "stand-up")["data"]
    assert again["routine"]["routine"] == held["routine"]["routine"]
    assert len(founder.prompts()) == asked, "today's stand-up answers"
    (question,) = founder.json("inbox")["questions"]
    assert "Thank the team." in question["text"]
    founder("decide", question["question"], "yes")
    assert founder.json("inbox")["questions"] == []
    with frasier.running("up", "--no-web", **founder.settings):
        poll(lambda: founder.prompts("classify"), "the chief of staff reads it")
    (understood,) = founder.prompts("classify")
    assert "Thank the team." in understood.sections["The founder's message"]


def test_an_empty_stand_up_costs_no_call(founder: ScriptedFounder) -> None:
    allow(founder, "stand_up")
    held = founder.json("routine", "stand-up")
    assert held["data"]["routine"] is None
    assert "Nothing has happened" in held["summary"]
    assert founder.prompts() == []
    assert routines(founder) == []


def test_a_blocker_waits_in_the_inbox_until_it_is_seen(founder: ScriptedFounder, documents: Path) -> None:
    allow(founder, "stand_up")
    run(founder, documents)
    founder("routine", "stand-up", "--team", "team-execution")
    (question,) = founder.json("inbox")["questions"]
    assert "names a blocker" in question["text"]
    assert question["options"] == ["seen"]
    assert "The answer is recorded." in founder("decide", question["question"], "seen").out


@pytest.mark.parametrize("point", ROUTINE_POINTS)
def test_killed_in_a_routine_the_mission_ends_the_same_and_nothing_is_paid_twice(
    founder: ScriptedFounder, documents: Path, point: str
) -> None:
    allow(founder, "mentoring")
    founder.answer(review=reviewers(small=[REJECTED, APPROVED], middle=[REJECTED, APPROVED]))
    founder("run", DIRECTIVE, "--sources", documents, code=-9, FRASIER_FAULT=f"{point}:kill:1")
    founder("resume", "last")
    result = founder.json("missions", "show", "last")
    assert result["status"] == "delivered"
    assert (final(result)["version"], final(result)["strikes"]) == (2, 1)
    assert len(founder.prompts("routine_turn")) == len(founder.prompts("routine_outcome")) == 1
    (held,) = routines(founder)
    assert held["outcome"] == "lesson"
    author = founder.json("agents", "show", final(result)["agent"].lower())
    assert [one["text"] for one in author["lessons"]].count(LESSON) == 1


def test_whom_an_agent_worked_well_with_is_shown_and_chosen_as_its_mentor(
    founder: ScriptedFounder, documents: Path
) -> None:
    founder.answer(review=reviewers(small=[5.0], middle=[3.1]))
    run(founder, documents)
    step = final(founder.json("missions", "show", "last"))
    author = founder.json("agents", "show", step["agent"].lower())
    met = {one["name"]: one for one in author["colleagues"]}
    assert {one["by"] for one in step["reviews"]} <= met.keys()
    assert all(one["affinity"] > 0 for one in met.values())
    assert "Colleagues" in founder("agents", "show", step["agent"].lower()).out
    allow(founder, "mentoring")
    founder.answer(review=reviewers(small=[REJECTED, APPROVED], middle=[REJECTED, APPROVED]))
    run(founder, documents)
    (held,) = routines(founder)
    mentors = {one["name"] for one in founder.json("routine", "show", held["routine"])["data"]["transcript"]}
    (best,) = (one["by"] for one in step["reviews"] if one["kind"] == "qa")
    assert mentors == {best}, "not whoever is the first of the team by name"


def test_of_two_who_have_a_trade_alike_whoever_worked_well_with_the_others_joins_them(
    founder: ScriptedFounder, documents: Path
) -> None:
    trades = ("Tax advisor for Austria", "Tax advisor for Belgium")
    first, second = (founder.json("agents", "hire", title)["data"]["agent"] for title in trades)
    assert first < second, "else the name decides"
    plan = plan_of(2)
    # Work that uses no skill, in which whoever did it would have a higher level.
    plan["steps"][-1] |= {"title": "Say it all", "task": "Say what is there."}

    def joins(**final: str) -> str:
        plan["steps"][-1] |= final
        founder.answer(plan=lambda _: ScriptedAnswer.json(plan))
        run(founder, documents, code=5, FRASIER_PLANNING__ASK_APPROVAL="true")
        steps = founder.json("missions", "show", "last")["plan"]["steps"]
        return str({step["key"]: step["agent"] for step in steps}["final"]).lower()

    assert joins(expert="Tax advisor") == first
    founder("cancel", "last")
    plan["steps"][-1] |= {"expert": "", "colleague": second}
    assert run(founder, documents)["status"] == "delivered"
    assert joins(expert="Tax advisor", colleague="") == second


def test_outcomes_that_a_routine_cannot_have_are_none(founder: ScriptedFounder, documents: Path) -> None:
    allow(founder, "mentoring")
    founder.answer(
        review=reviewers(small=[REJECTED, APPROVED], middle=[REJECTED, APPROVED]),
        routine_outcome=lambda _: ScriptedAnswer.json({"outcome": "decision", "text": "I decide."}),
    )
    assert run(founder, documents)["status"] == "delivered"
    (held,) = routines(founder)
    assert held["outcome"] == "none"
    assert "which no mentoring has" in held["result"]
