"""Each way in which a mission can end, by what caused it: as JSON, in the exit code, in `show`, and on the page."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from frasier.overview import MissionEnding
from support.cli import FrasierProgram
from support.founder_page import logged_in
from support.model_responder import Prompt, critique, plan_of, review, reviewed, write
from support.model_server import ScriptedAnswer
from support.organisation import organisation, write_documents
from support.scripted_founder import ScriptedFounder, scripted_founder

DIRECTIVE = "Compare the drinks by how they are brewed"
WAITS, FAILED = 5, 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """A way to end, with what caused it; `cause` returns the exit code of the last command that carried it out."""

    cause: Callable[[ScriptedFounder, Path], int]
    ending: str | None
    status: str
    code: int
    sentence: str


def run(founder: ScriptedFounder, place: Path, *options: str) -> int:
    documents = write_documents(place / "drinks")
    return founder.ended("run", DIRECTIVE, "--sources", documents, "--out", place / "out", *options).code


def decide(founder: ScriptedFounder, answer: str) -> None:
    (question,) = founder.json("inbox")["questions"]
    founder("decide", question["question"], answer)


def is_about(prompt: Prompt, title: str) -> bool:
    return any(
        title in text for name, text in prompt.sections.items() if "assignment" in name or "had to do" in name
    )


def rejecting(title: str) -> Callable[[Prompt], ScriptedAnswer]:
    return lambda prompt: (
        reviewed(prompt, approves=False, feedback="It says nothing of cups.")
        if is_about(prompt, title)
        else review(prompt)
    )


def mediocre(prompt: Prompt) -> ScriptedAnswer:
    """Score the first part so that a person reviews it."""
    if not is_about(prompt, "Read part 1"):
        return critique(prompt)
    scores = dict.fromkeys(("completeness", "accuracy", "actionability", "depth"), 3.5)
    return ScriptedAnswer.json({**scores, "gaps": [], "lesson": ""})


def without_part(prompt: Prompt) -> ScriptedAnswer:
    return ScriptedAnswer(content="") if is_about(prompt, "Read part 1") else write(prompt)


def left_out(founder: ScriptedFounder, place: Path) -> int:
    founder.answer(critique=mediocre, review=rejecting("Read part 1"))
    run(founder, place)
    decide(founder, "skip")
    return founder.ended("resume", "last").code


def does_not_fit(founder: ScriptedFounder, place: Path) -> int:
    founder("policy", "set", "coherence", "tries=0")
    founder.answer(
        review=lambda prompt: reviewed(
            prompt, approves="as a whole" not in prompt.sections.get("Your scope", ""), feedback="Two times."
        )
    )
    return run(founder, place)


def no_new_version(founder: ScriptedFounder, place: Path) -> int:
    run(founder, place)
    founder.answer(review=rejecting("Write the comparison"))
    return founder.ended("revise", "last", "Shorter").code


def folder_in_the_way(founder: ScriptedFounder, place: Path) -> int:
    def plan(_: Prompt) -> ScriptedAnswer:
        shutil.rmtree(place / "out", ignore_errors=True)
        (place / "out").write_text("a file", "utf-8")
        return ScriptedAnswer.json(plan_of(1))

    founder.answer(plan=plan)
    return run(founder, place)


def rejected_at_last(founder: ScriptedFounder, place: Path) -> int:
    founder.answer(review=rejecting("Write the comparison"))
    return run(founder, place)


def a_part_rejected(founder: ScriptedFounder, place: Path) -> int:
    founder.answer(critique=mediocre, review=rejecting("Read part 1"))
    return run(founder, place)


def ended_by_founder(founder: ScriptedFounder, place: Path) -> int:
    in_trouble(founder, place)
    decide(founder, "fail")
    return founder.ended("resume", "last").code


def in_trouble(founder: ScriptedFounder, place: Path) -> int:
    founder.answer(synthesize=without_part)
    return run(founder, place)


def cancelled(founder: ScriptedFounder, place: Path) -> int:
    in_trouble(founder, place)
    founder("cancel", "last")
    return founder.ended("resume", "last").code


def answered_cancel(founder: ScriptedFounder, place: Path) -> int:
    in_trouble(founder, place)
    decide(founder, "cancel")
    return founder.ended("resume", "last").code


def plan_refused(founder: ScriptedFounder, place: Path) -> int:
    run(founder, place, "--plan")
    decide(founder, "no")
    return founder.ended("resume", "last").code


def paused(founder: ScriptedFounder, place: Path) -> int:
    code = run(founder, place, "--plan")
    founder("pause", "last")
    return code


GAPS = "Delivered with gaps, which the result states."
KEPT = "Failed. What it made is kept."
CANCELLED = "Cancelled. What it made is kept."
ENDINGS = {
    "every step is accepted": Ending(
        cause=run, ending="delivered", status="delivered", code=0, sentence="Delivered."
    ),
    "the founder leaves a step out": Ending(
        cause=left_out, ending="delivered_with_gaps", status="delivered", code=0, sentence=GAPS
    ),
    "its parts do not fit together": Ending(
        cause=does_not_fit, ending="delivered_with_gaps", status="delivered", code=0, sentence=GAPS
    ),
    "no new version is accepted": Ending(
        cause=no_new_version,
        ending="earlier_version",
        status="delivered",
        code=FAILED,
        sentence="No new version was accepted; the earlier one stands.",
    ),
    "its folder cannot be written": Ending(
        cause=folder_in_the_way,
        ending="not_published",
        status="completed",
        code=WAITS,
        sentence="Approved and stored; its folder cannot be written yet.",
    ),
    "the result is rejected three times": Ending(
        cause=rejected_at_last, ending="failed", status="failed", code=FAILED, sentence=KEPT
    ),
    "a part is rejected three times": Ending(
        cause=a_part_rejected, ending="failed", status="failed", code=FAILED, sentence=KEPT
    ),
    "the founder ends it with what there is": Ending(
        cause=ended_by_founder, ending="failed", status="failed", code=FAILED, sentence=KEPT
    ),
    "the founder cancels it": Ending(
        cause=cancelled, ending="cancelled", status="cancelled", code=FAILED, sentence=CANCELLED
    ),
    "the founder answers that it is cancelled": Ending(
        cause=answered_cancel, ending="cancelled", status="cancelled", code=FAILED, sentence=CANCELLED
    ),
    "the founder refuses its plan": Ending(
        cause=plan_refused, ending="cancelled", status="cancelled", code=FAILED, sentence=CANCELLED
    ),
    "it waits for an answer": Ending(
        cause=in_trouble, ending=None, status="in_progress", code=WAITS, sentence=""
    ),
    "it is paused": Ending(cause=paused, ending=None, status="paused", code=WAITS, sentence=""),
}


def last_turn(founder: ScriptedFounder) -> str:
    """Ask what came of it, and return the last turn before the question that the model is sent."""
    founder("say", "What came of it?")
    (asked,) = founder.prompts("talk")
    (turns,) = [fence.text for fence in asked.named("memory") if fence.section.startswith("The conversation")]
    return turns.splitlines()[-1]


@pytest.mark.parametrize("name", ENDINGS)
async def test_how_it_ended_is_told_alike_everywhere(
    name: str, frasier: FrasierProgram, home: Path, database_url: str, tmp_path: Path
) -> None:
    case = ENDINGS[name]
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(plan_of(3))) as founder:
        assert case.cause(founder, tmp_path) == case.code
        mission = founder.json("missions", "show", "last")
        shown = " ".join(founder("missions", "show", "last").out.split())
        outcome = last_turn(founder) if case.status == "failed" else ""
    assert (mission["ending"], mission["status"]) == (case.ending, case.status)
    async with organisation(database_url, home) as services, logged_in(services) as browser:
        await browser.get(f"/missions/{mission['mission']}")
        head = " ".join(browser.element("mission-head").text_content().split())
    told = [
        ending.sentence for ending in MissionEnding if ending.sentence in shown and ending.sentence in head
    ]
    assert told == ([case.sentence] if case.sentence else [])
    if case.status == "failed":
        assert outcome == f"You: The mission {mission['title']!r} has failed: {mission['failure']}"
    if case.ending is None:
        assert not any(ending.sentence in shown + head for ending in MissionEnding)


def test_every_ending_has_a_cause_in_the_table() -> None:
    assert {case.ending for case in ENDINGS.values()} == {None, *MissionEnding}
