"""The reviews of a version are given at the same time, and the author gets what all reviewers say, for one strike."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.cli import FrasierProgram
from support.model_responder import Prompt, reviewed
from support.model_server import ScriptedAnswer
from support.organisation import DIRECTIVE
from support.scripted_founder import ScriptedFounder, scripted_founder

BACK = "Why earlier versions were sent back: do better"
APPROVED, REJECTED = "approve", "reject"


@pytest.fixture
def founder(frasier: FrasierProgram) -> Iterator[ScriptedFounder]:
    with scripted_founder(frasier) as founder:
        founder.settings["FRASIER_WORKER__CONCURRENCY"] = "8"
        yield founder


class Reviewers:
    """Two reviewers, who both begin before one of them answers; QA is asked of the small model, the expert of the
    middle one. `verdicts` are those of the versions, in order, of both.
    """

    def __init__(self, **verdicts: list[str]) -> None:
        self._verdicts = verdicts
        self._both = threading.Barrier(2)

    def __call__(self, prompt: Prompt) -> ScriptedAnswer:
        self._both.wait(30)
        verdict = self._verdicts[prompt.model].pop(0)
        note = f"The {prompt.model} model would {verdict} it."
        return reviewed(prompt, approves=verdict == APPROVED, feedback=note)


def run(founder: ScriptedFounder, documents: Path, reviewers: Reviewers, *, code: int = 0) -> dict:
    founder.answer(review=reviewers)
    result = founder.json("run", DIRECTIVE, "--sources", documents, code=code)
    (step,) = (step for step in result["steps"] if step["key"] == "final")
    return step


def notes_to_author(founder: ScriptedFounder) -> str:
    """What the author of the second version is told of the first."""
    _, again = founder.prompts("synthesize")
    return " ".join(again.sections[BACK].split())


def test_both_reviews_of_a_version_are_asked_for_at_once(founder: ScriptedFounder, documents: Path):
    step = run(founder, documents, Reviewers(small=[APPROVED], middle=[APPROVED]))
    assert [(review["kind"], review["verdict"]) for review in step["reviews"]] == [
        ("qa", "approved"),
        ("expert", "approved"),
    ]
    assert len({review["by"] for review in step["reviews"]}) == 2


def test_two_rejections_of_one_version_are_one_strike(founder: ScriptedFounder, documents: Path):
    step = run(founder, documents, Reviewers(small=[REJECTED, APPROVED], middle=[REJECTED, APPROVED]))
    assert (step["version"], step["strikes"], step["status"]) == (2, 1, "completed")
    notes = notes_to_author(founder)
    assert notes.count("- ") == 1, "one version, one entry"
    assert "The qa review rejected it: The small model would reject it." in notes
    assert "The expert review rejected it: The middle model would reject it." in notes


def test_the_notes_of_who_approves_are_kept_where_the_other_rejects(
    founder: ScriptedFounder, documents: Path
):
    step = run(founder, documents, Reviewers(small=[APPROVED, APPROVED], middle=[REJECTED, APPROVED]))
    assert (step["version"], step["strikes"]) == (2, 1)
    notes = notes_to_author(founder)
    rejection = "The expert review rejected it: The middle model would reject it."
    approval = "The qa review approved it: The small model would approve it."
    assert rejection in notes
    assert notes.endswith(approval), "who rejects is read first"
    first = [review["verdict"] for review in step["reviews"]][:2]
    assert sorted(first) == ["approved", "rejected"], "neither is withdrawn"


def test_12b_014_three_versions_that_both_reject_strike_the_step_out(
    founder: ScriptedFounder, documents: Path
):
    thrice = [REJECTED] * 3
    step = run(founder, documents, Reviewers(small=thrice.copy(), middle=thrice), code=4)
    assert (step["version"], step["strikes"], step["status"]) == (3, 3, "failed")
