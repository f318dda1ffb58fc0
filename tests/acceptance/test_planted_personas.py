"""Planted personas: of versions that help and versions that harm, those that help are kept and no other, by real trials.

The author's text carries the mark of its persona, the judge scores by marks with noise between tasks, and nothing else
passes between them: what is decided here has gone through prompts, runs, pairs and the rule.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.crash import connect_for_checks, poll
from support.founder_page import logged_in
from support.model_responder import plan_of
from support.model_server import ScriptedAnswer
from support.organisation import organisation, write_documents
from support.planted_personas import judge_by_marks, persona_with, planted_gain, write_with_mark
from support.scripted_founder import ScriptedFounder, scripted_founder

AUTHOR = "heron"
EFFECT, SD = 0.3, 0.5
FIRST_LOOK = 10


@pytest.fixture
def founder(frasier: FrasierProgram) -> Iterator[ScriptedFounder]:
    with scripted_founder(
        frasier,
        plan=lambda _: ScriptedAnswer.json(plan_of(11)),
        synthesize=write_with_mark,
    ) as founder:
        founder.settings |= {"FRASIER_WORKER__CONCURRENCY": "8", "FRASIER_PLANNING__PARALLEL_MAX": "12"}
        yield founder


def planted_effect(mark: str) -> int:
    return 1 if mark.startswith("good") else -1


def try_personas(
    founder: ScriptedFounder,
    frasier: FrasierProgram,
    database_url: str,
    marks: list[str],
    *,
    sd: float,
    effect: float,
) -> dict[str, dict[str, Any]]:
    """Upskill the author once for each mark, from the first persona each time; return the trials by their marks.

    All of them in one organisation, over the same past work; the end of each is seen in the database, which costs less
    than a command.
    """
    founder.answer(compare=judge_by_marks(lambda mark: effect * planted_effect(mark), noise=sd))
    ended: dict[str, dict[str, Any]] = {}
    with (
        frasier.running("up", "--no-web", **founder.settings),
        connect_for_checks(database_url) as connection,
    ):
        for mark in marks:
            founder.answer(upskill=lambda _, mark=mark: ScriptedAnswer.json(persona_with(mark)))
            founder("agents", "upskill", AUTHOR)
            poll(
                lambda: not connection.execute("select 1 from org_trials where ended_at is null").fetchall(),
                f"the trial of {mark} ends",
            )
            founder.forget_prompts()
            ended[mark] = founder.json("agents", "trial", AUTHOR, "--limit", "1")["trials"][0]
            if ended[mark]["state"] == "kept":
                founder("agents", "persona", AUTHOR, "rollback", "--to", "1")
    return ended


async def trials_on_page(database_url: str, tmp_path: Path) -> str:
    async with organisation(database_url, tmp_path / "page") as services, logged_in(services) as browser:
        await browser.get(f"/people/{AUTHOR}")
        return " ".join(browser.element("person-trials").text_content().split())


def past_work(founder: ScriptedFounder, tmp_path: Path, missions: int) -> None:
    documents = write_documents(tmp_path / "drinks")
    for number in range(missions):
        directive = f"Compare the drinks by what their documents state, look {number}"
        founder("run", directive, "--sources", documents, "--out", tmp_path / "out")


def test_the_planted_gains_have_the_mean_and_the_spread_that_they_are_said_to_have() -> None:
    gains = [
        planted_gain(f"good{mark}", f"task {task}", effect=EFFECT, noise=SD)
        for mark in range(20)
        for task in range(40)
    ]
    assert fmean(gains) == pytest.approx(EFFECT, abs=0.05)
    assert stdev(gains) == pytest.approx(SD, abs=0.05)


def test_planted_good_personas_are_kept_and_bad_ones_are_not(
    founder: ScriptedFounder, frasier: FrasierProgram, database_url: str, tmp_path: Path
) -> None:
    past_work(founder, tmp_path, 1)
    ended = try_personas(founder, frasier, database_url, ["good1", "bad1"], sd=0.0, effect=0.5)
    assert {mark: (trial["state"], trial["outcome"]) for mark, trial in ended.items()} == {
        "good1": ("kept", "helps"),
        "bad1": ("not_kept", "harms"),
    }
    found = [(one["compared"], one["mean"], one["low"], one["high"]) for one in ended.values()]
    assert found == [(10, 0.5, 0.5, 0.5), (10, -0.5, -0.5, -0.5)]
    assert "mean difference -0.50 points (95 % interval -0.50 to -0.50), exact" in ended["bad1"]["report"]
    page = asyncio.run(trials_on_page(database_url, tmp_path))
    assert "-0.50 -0.50 to -0.50, 95 % interval p = 0.0010" in page
    shown = " ".join(founder("agents", "trial", ended["bad1"]["trial"]).out.split())
    assert "mean difference -0.50 (95 % interval -0.50 to -0.50);" in shown


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_of_twenty_planted_personas_that_help_and_twenty_that_harm_eighteen_of_each_are_decided_rightly(
    founder: ScriptedFounder, frasier: FrasierProgram, database_url: str, tmp_path: Path
) -> None:
    past_work(founder, tmp_path, 4)
    marks = [f"{kind}{number}" for number in range(20) for kind in ("good", "bad")]
    ended = try_personas(founder, frasier, database_url, marks, sd=SD, effect=EFFECT)
    for mark, trial in ended.items():
        print(mark, trial["outcome"], trial["compared"], trial["mean"], trial["p_value"])
    good = [ended[mark]["outcome"] for mark in marks if mark.startswith("good")]
    bad = [ended[mark]["outcome"] for mark in marks if mark.startswith("bad")]
    assert good.count("helps") >= 18, good
    assert bad.count("harms") >= 18, bad
    assert "helps" not in bad
    # The pairs until the first look are compared whatever comes of them; those behind it only where it decided nothing.
    gains = [
        pair["difference"] * planted_effect(mark)
        for mark in marks
        for pair in ended[mark]["pairs"][:FIRST_LOOK]
    ]
    print(f"{len(gains)} unselected gains: mean {fmean(gains):.3f}, sd {stdev(gains):.3f}")
    assert fmean(gains) == pytest.approx(EFFECT, abs=0.08)
    assert stdev(gains) == pytest.approx(SD, abs=0.06)
