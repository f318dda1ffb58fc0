"""`frasier steer`: what is not done yet of a mission is changed, by a proposal that rules check, and told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.model_responder import plan_of
from support.model_server import ScriptedAnswer
from support.organisation import DIRECTIVE, write_documents
from support.scripted_founder import ScriptedFounder, scripted_founder

WISH = "Leave out part 2, and mention the price of tins"
CHANGED = "What the founder changed since; the newest stands last and holds"
NOTHING: dict[str, Any] = {"removed": [], "changed": [], "added": [], "explanation": "Nothing has to change."}
FINAL = {
    "key": "final",
    "title": "Write the comparison of two",
    "task": "Compare what is left, and say what tins cost.",
    "depends_on": ["part-1", "part-2"],
    "acceptance": ["It names the price of tins."],
}
TINS = {
    "key": "tins",
    "title": "Read about tins",
    "task": "Say what tins cost.",
    "role": "research",
    "depends_on": [],
    "acceptance": ["It has a price."],
    "sources_needed": 1,
    "queries_needed": 1,
}
CHANGE = {
    "removed": ["part-2"],
    "changed": [FINAL],
    "added": [TINS],
    "explanation": "Part 2 is left out, and tins are looked up.",
}


def proposes(change: dict[str, Any]):
    return lambda _: ScriptedAnswer.json(change)


@contextmanager
def interrupted(
    frasier: FrasierProgram, home: Path, plan: dict[str, Any], *, fault: str
) -> Iterator[ScriptedFounder]:
    """Yield a founder whose mission with this plan stands where its program died."""
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(plan)) as founder:
        documents = write_documents(home / "drinks")
        arguments = ("run", DIRECTIVE, "--sources", documents, "--out", home / "out")
        founder(*arguments, code=-9, FRASIER_FAULT=fault)
        founder.forget_prompts()
        yield founder


@pytest.fixture
def founder(frasier: FrasierProgram, tmp_path: Path) -> Iterator[ScriptedFounder]:
    """A founder whose mission stands with part-1 done, and part-2 at work in a program that died."""
    # With one task at a time, the third claim is that of the second step.
    with interrupted(frasier, tmp_path, plan_of(3), fault="claim.committed:kill:3") as founder:
        yield founder


def statuses(founder: ScriptedFounder) -> dict[str, str]:
    return {step["key"]: step["status"] for step in founder.json("missions", "show", "last")["steps"]}


def test_what_is_not_done_is_changed_as_proposed_and_finished_steps_are_untouched(founder: ScriptedFounder):
    before = statuses(founder)
    assert before["part-1"] == "completed"
    founder.answer(steer=proposes(CHANGE))
    said = founder.json("steer", "last", WISH)

    (prompt,) = founder.prompts("steer")
    steps = prompt.sections["The steps of the mission"]
    assert "part-1 (research" in steps
    assert "completed, stays as it is" in steps
    assert "the final step; pending, can be changed, needs part-1, part-2" in steps
    assert prompt.sections["What the founder wants now"].strip() == WISH
    assert said["answer"].splitlines() == [
        "Part 2 is left out, and tins are looked up.",
        "",
        "Taken out: part-2 (Read part 2).",
        "Changed: final (Write the comparison of two).",
        "Added: tins (Read about tins).",
        "Untouched: part-1 (Read part 1).",
    ]
    after = statuses(founder)
    assert after == {
        "plan": "completed",
        "part-1": "completed",
        "part-2": "cancelled",
        "tins": "pending",
        "final": "pending",
    }
    founder.forget_prompts()
    resumed = founder.json("resume", "last")
    assert resumed["status"] == "delivered"
    worked_on = [prompt.sections["The assignment"] for prompt in founder.prompts("synthesize")]
    assert ["Read about tins" in task for task in worked_on] == [True, False]
    final = founder.prompts("synthesize")[-1]
    assert (
        "Write the comparison of two\nCompare what is left, and say what tins cost."
        in final.sections["The assignment"]
    )
    assert {fence.attributes["step"] for fence in final.named("colleague")} == {
        "Read part 1",
        "Read about tins",
    }
    assert "part 2" not in final.sections["What colleagues do beside it"]
    for sent in founder.prompts("synthesize", "critique", "review"):
        assert WISH in sent.sections[CHANGED], sent.purpose
    assert founder.json("missions", "show", "last")["status"] == "delivered"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"removed": ["part-1"]}, "Step part-1 is completed; it stays as it is."),
        ({"removed": ["final"]}, "The final step final cannot be taken out."),
        ({"removed": ["part-9"]}, "There is no step part-9."),
        ({"added": [TINS | {"key": "part-1"}]}, "The key part-1 is taken."),
        (
            {
                "added": [TINS | {"depends_on": ["final"]}],
                "changed": [FINAL | {"depends_on": ["part-1", "part-2", "tins"]}],
            },
            "The steps wait for each other: ",
        ),
        ({"added": [TINS | {"queries_needed": 50}]}, "Step tins needs 50 queries"),
    ],
)
def test_a_change_that_breaks_the_rules_goes_back_once_and_then_nothing_is_changed(
    founder: ScriptedFounder, change: dict[str, Any], reason: str
):
    before = statuses(founder)
    founder.answer(steer=proposes(NOTHING | change))
    refused = founder.json("steer", "last", WISH, code=4)
    first, second = founder.prompts("steer")
    assert "Your last proposal was refused because" not in first.sections
    assert reason in second.sections["Your last proposal was refused because"]
    assert reason in refused["next"]
    assert statuses(founder) == before


def test_where_no_step_has_to_change_all_that_follows_is_told_the_words(founder: ScriptedFounder):
    founder.answer(steer=proposes(NOTHING))
    said = founder("steer", "last", WISH)
    assert "No step was changed." in said.out
    founder.forget_prompts()
    founder("resume", "last")
    assert all(WISH in prompt.sections[CHANGED] for prompt in founder.prompts("synthesize"))


def test_the_plan_is_shown_as_it_was_changed(frasier: FrasierProgram, tmp_path: Path):
    planned = plan_of(3) | {"reader": "The board.", "words": 600, "language": "English"}
    planned["steps"][1]["folders"] = ["."]
    with interrupted(frasier, tmp_path, planned, fault="claim.committed:kill:2") as founder:
        before = founder.json("missions", "show", "last")["plan"]
        founder.answer(steer=proposes(NOTHING | {"removed": ["part-1"], "changed": [FINAL]}))
        founder("steer", "last", WISH)
        after = founder.json("missions", "show", "last")["plan"]
        assert (after["version"], after["state"]) == (before["version"] + 1, "accepted")
        assert after["digest"] != before["digest"]
        steps = {step["key"]: step for step in after["steps"]}
        assert list(steps) == ["part-2", "final"]
        assert steps["final"]["title"] == FINAL["title"]
        assert steps["final"]["needs"] == ["part-2"]
        assert steps["part-2"] == next(step for step in before["steps"] if step["key"] == "part-2")
        assert after["estimate"]["calls"]["expected"] < before["estimate"]["calls"]["expected"]

        founder.answer(steer=proposes(NOTHING | {"added": [TINS]}))
        founder("steer", "last", "And look up tins")
        asked = founder.prompts("steer")[-1]
        assert WISH in asked.sections[CHANGED]
        (turns,) = [one.text for one in asked.named("memory") if one.section.startswith("The conversation")]
        assert f"The founder: {WISH}" in turns.splitlines()
        assert "You: Nothing has to change. Taken out: part-1 (Read part 1)." in turns
        again = founder.json("missions", "show", "last")["plan"]
        (tins,) = [step for step in again["steps"] if step["key"] == "tins"]
        assert tins["agent"]
        assert tins["calls"]
        assert again["estimate"]["usd"]["expected"] > after["estimate"]["usd"]["expected"]
        assert founder.json("resume", "last")["status"] == "delivered"
        final = founder.prompts("synthesize")[-1]
        assert "The board." in final.outside


def test_what_steps_that_are_done_took_is_counted_once(founder: ScriptedFounder):
    before = founder.json("missions", "show", "last")["plan"]["estimate"]
    founder.answer(steer=proposes(NOTHING | {"changed": [FINAL]}))
    founder("steer", "last", WISH)
    after = founder.json("missions", "show", "last")["plan"]["estimate"]
    # part-1 is done: all that the steering adds is its own request.
    assert after["calls"]["expected"] <= before["calls"]["expected"] + 1
    assert after["calls"]["high"] < before["calls"]["high"]


def test_a_step_that_had_begun_is_told_the_words_too(frasier: FrasierProgram, tmp_path: Path):
    # The first context is that of the planning, the second that of the step.
    with interrupted(frasier, tmp_path, plan_of(1), fault="run.context_saved:kill:2") as founder:
        assert statuses(founder)["final"] == "lost", "its worker was killed"
        founder.answer(steer=proposes(NOTHING))
        founder("steer", "last", WISH)
        founder.forget_prompts()
        founder("resume", "last")
        sent = founder.prompts("decompose", "synthesize", "critique")
        assert {prompt.purpose for prompt in sent} == {"decompose", "synthesize", "critique"}
        assert all(WISH in prompt.sections[CHANGED] for prompt in sent)


def test_it_is_answered_after_a_kill_and_paid_once(founder: ScriptedFounder):
    founder.answer(steer=proposes(CHANGE))
    founder("steer", "last", WISH, code=-9, FRASIER_FAULT="phase.checkpointed:kill:1")
    assert statuses(founder)["part-2"] == "lost", "nothing is changed yet"
    said = founder.json("steer", "last", WISH)
    assert "Taken out: part-2" in said["answer"]
    assert len(founder.prompts("steer")) == 1


def test_a_steered_mission_can_be_cancelled(founder: ScriptedFounder):
    founder.answer(steer=proposes(CHANGE))
    founder("steer", "last", WISH)
    assert founder.json("cancel", "last")["status"] == "cancelled"
    assert set(statuses(founder).values()) == {"completed", "cancelled"}


def test_a_paused_mission_stays_paused(founder: ScriptedFounder):
    founder("pause", "last")
    founder.answer(steer=proposes(CHANGE))
    founder("steer", "last", WISH)
    assert founder.json("missions", "show", "last")["status"] == "paused"
    assert founder.json("resume", "last")["status"] == "delivered"


def test_what_has_ended_is_not_steered(founder: ScriptedFounder):
    founder("resume", "last")
    error = founder.json("steer", "last", WISH, code=3)["error"]
    assert "nothing of it is left to change" in error["message"]
    assert "frasier revise" in error["hint"]


def test_a_rehearsal_takes_out_the_steps_that_are_named(frasier: FrasierProgram, tmp_path: Path):
    documents = write_documents(tmp_path / "drinks")
    frasier("run", DIRECTIVE, "--sources", str(documents), code=-9, FRASIER_FAULT="plan.committed:kill:1")
    steps = frasier.json("missions", "show", "last")["steps"]
    titles = {step["key"]: step["title"] for step in steps if step["status"] == "pending"}
    assert len(titles) > 1
    key = next(key for key in titles if key != steps[-1]["key"])
    said = frasier.json("steer", "last", f"leave out {titles[key]}")
    assert said["answer"].startswith("Rehearsal: no model is configured.")
    assert f"Taken out: {key} (" in said["answer"]
    assert frasier.json("resume", "last")["status"] == "delivered"


def test_steps_that_need_each_other_are_taken_out_together(frasier: FrasierProgram, tmp_path: Path):
    plan = plan_of(4)
    plan["steps"][2]["depends_on"] = ["part-2"]
    with interrupted(frasier, tmp_path, plan, fault="claim.committed:kill:2") as founder:
        assert statuses(founder)["part-2"] == "lost", "what most waits for begins first"
        founder.answer(steer=proposes(NOTHING | {"removed": ["part-2", "part-3"]}))
        said = founder.json("steer", "last", WISH)
        assert "Taken out: part-2 (Read part 2), part-3 (Read part 3)." in said["answer"]
        after = statuses(founder)
        assert (after["part-2"], after["part-3"]) == ("cancelled", "cancelled")
        assert founder.json("resume", "last")["status"] == "delivered"


def test_added_work_that_most_waits_for_begins_first(frasier: FrasierProgram, tmp_path: Path):
    with interrupted(frasier, tmp_path, plan_of(4), fault="claim.committed:kill:2") as founder:
        more = TINS | {"key": "more", "title": "Read more about tins", "depends_on": ["tins"]}
        founder.answer(steer=proposes(NOTHING | {"added": [TINS, more]}))
        founder("steer", "last", WISH)
        founder.forget_prompts()
        founder("resume", "last")
        tasks = [prompt.sections["The assignment"] for prompt in founder.prompts("synthesize")]
        begun = [
            next(n for n, task in enumerate(tasks) if title in task)
            for title in (TINS["title"], "Read part 3")
        ]
        assert begun == sorted(begun), "two steps wait for the one about tins, and one for part 3"
