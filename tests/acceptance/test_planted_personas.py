"""Planted personas: of versions that help and versions that harm, those that help are kept and no other, by real trials.

The author's text carries the mark of its persona, the judge scores by marks with noise between tasks, and nothing else
passes between them: what is decided here has gone through prompts, runs, pairs and the rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.crash import poll
from support.model_responder import plan_of
from support.model_server import ScriptedAnswer
from support.organisation import write_documents
from support.planted_personas import judge_by_marks, persona_with, write_with_mark
from support.scripted_founder import ScriptedFounder, scripted_founder

AUTHOR = "heron"
EFFECT, SD = 0.3, 0.5
ENDED = {"kept", "not_kept", "refused"}


@pytest.fixture
def founder(frasier: FrasierProgram) -> Iterator[ScriptedFounder]:
    with scripted_founder(
        frasier,
        plan=lambda _: ScriptedAnswer.json(plan_of(11)),
        synthesize=write_with_mark,
    ) as founder:
        founder.settings |= {"FRASIER_WORKER__CONCURRENCY": "8", "FRASIER_PLANNING__PARALLEL_MAX": "12"}
        yield founder


def try_personas(
    founder: ScriptedFounder, frasier: FrasierProgram, marks: list[str], *, sd: float, effect: float
) -> dict[str, dict[str, Any]]:
    """Upskill the author once for each mark, from the first persona each time; return the trials by their marks."""
    ended: dict[str, dict[str, Any]] = {}
    with frasier.running("up", "--no-web", **founder.settings):
        for mark in marks:
            founder.answer(
                upskill=lambda _, mark=mark: ScriptedAnswer.json(persona_with(mark)),
                compare=judge_by_marks(
                    lambda read: effect * (1 if read.startswith("good") else -1), noise=sd
                ),
            )
            founder("agents", "upskill", AUTHOR)

            def newest() -> dict[str, Any] | None:
                trial = founder.json("agents", "trial", AUTHOR)["trials"][0]
                return trial if trial["state"] in ENDED else None

            ended[mark] = poll(newest, f"the trial of {mark} ends")
            if ended[mark]["state"] == "kept":
                founder("agents", "persona", AUTHOR, "rollback", "--to", "1")
    return ended


def past_work(founder: ScriptedFounder, tmp_path: Path, missions: int) -> None:
    documents = write_documents(tmp_path / "drinks")
    for number in range(missions):
        directive = f"Compare the drinks by what their documents state, look {number}"
        founder("run", directive, "--sources", documents, "--out", tmp_path / "out")


def test_planted_good_personas_are_kept_and_bad_ones_are_not(
    founder: ScriptedFounder, frasier: FrasierProgram, tmp_path: Path
) -> None:
    past_work(founder, tmp_path, 1)
    ended = try_personas(founder, frasier, ["good1", "bad1"], sd=0.0, effect=0.5)
    assert {mark: (trial["state"], trial["outcome"]) for mark, trial in ended.items()} == {
        "good1": ("kept", "helps"),
        "bad1": ("not_kept", "harms"),
    }


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_of_twenty_planted_personas_that_help_and_twenty_that_harm_eighteen_of_each_are_decided_rightly(
    founder: ScriptedFounder, frasier: FrasierProgram, tmp_path: Path
) -> None:
    past_work(founder, tmp_path, 4)
    marks = [f"{kind}{number}" for number in range(20) for kind in ("good", "bad")]
    ended = try_personas(founder, frasier, marks, sd=SD, effect=EFFECT)
    good = [ended[mark]["outcome"] for mark in marks if mark.startswith("good")]
    bad = [ended[mark]["outcome"] for mark in marks if mark.startswith("bad")]
    assert good.count("helps") >= 18, good
    assert bad.count("harms") >= 18, bad
    assert "helps" not in bad
