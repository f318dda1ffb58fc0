"""A mission whose budget is used up goes on with another one, wherever its question is answered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.model_responder import plan_of
from support.model_server import ScriptedAnswer
from support.organisation import DIRECTIVE
from support.scripted_founder import ScriptedFounder, scripted_founder


@pytest.fixture
def founder(frasier: FrasierProgram) -> Iterator[ScriptedFounder]:
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(plan_of(3))) as founder:
        yield founder


def used_up(founder: ScriptedFounder, documents: Path) -> dict[str, Any]:
    """Run a mission whose budget is too small to plan it; return the question about it."""
    founder("run", DIRECTIVE, "--sources", documents, "--budget", "0.000001", code=5)
    return only_question(founder)


def used_up_after_planning(founder: ScriptedFounder, documents: Path) -> dict[str, Any]:
    """Run a mission whose budget is just enough to plan it; return the question about it."""
    question = used_up(founder, documents)
    least = f"{question['budget_least_usd']:.6f}"
    founder("decide", question["question"][-8:], "continue", "--budget", least)
    founder("resume", "last", code=5)
    return only_question(founder)


def only_question(founder: ScriptedFounder) -> dict[str, Any]:
    (question,) = founder.json("inbox")["questions"]
    return dict(question)


def budget_of_last(founder: ScriptedFounder) -> float | None:
    shown: float | None = founder.json("missions", "show", "last")["budget_usd"]
    return shown


def test_to_continue_gives_the_budget_that_the_question_proposes_and_the_mission_ends(
    founder: ScriptedFounder, documents: Path
) -> None:
    question = used_up_after_planning(founder, documents)
    least, proposed = question["budget_least_usd"], question["budget_proposed_usd"]
    high = founder.json("missions", "show", "last")["plan"]["estimate"]["usd"]["high"]
    assert least < high <= proposed < high * 1.2
    assert f"To continue without naming one gives it ${proposed:.2f}" in question["text"]
    name, inbox = question["question"][-8:], " ".join(founder("inbox").out.split())
    assert f"--budget {least:.6f}`".replace("0`", "`") in inbox
    assert "to let it make this call" in inbox
    assert f"--budget {proposed:.2f}` to give it what the whole mission may need by its plan" in inbox
    assert f"frasier decide {name} continue --budget {proposed:.6g}" in inbox
    done = founder("decide", name, "continue").out
    assert f"may cost ${proposed:.2f} in all now" in done
    assert founder.json("resume", "last")["status"] == "delivered"
    assert budget_of_last(founder) == proposed


def test_a_named_budget_counts_and_one_that_the_next_call_would_pass_is_refused(
    founder: ScriptedFounder, documents: Path
) -> None:
    question = used_up_after_planning(founder, documents)
    name, before = question["question"][-8:], budget_of_last(founder)
    for command in (["decide", name, "continue"], ["resume", "last"]):
        refused = founder(*command, "--budget", "0.001", code=3).err
        assert "A budget of $0.001 is too small" in refused
        assert f"needs ${question['budget_least_usd']}" in refused
    assert "goes with 'continue' only" in founder("decide", name, "cancel", "--budget", "3", code=3).err
    assert budget_of_last(founder) == before
    founder("decide", name, "continue", "--budget", "3")
    assert founder.json("resume", "last")["status"] == "delivered"
    assert budget_of_last(founder) == 3.0


def test_a_mission_that_has_no_plan_yet_is_given_no_budget_that_nobody_named(
    founder: ScriptedFounder, documents: Path
) -> None:
    question = used_up(founder, documents)
    assert question["budget_proposed_usd"] is None
    name = question["question"][-8:]
    refused = founder("decide", name, "continue", code=3).err
    assert "The budget is used up" in refused
    assert "continue --budget USD" in refused
    assert "The budget is used up" in founder("retry", "last", code=3).err
    founder.ended("resume", "last")
    assert founder.json("inbox")["questions"] == [question], "it stays open, and is not asked anew"
    founder("decide", name, "continue", "--budget", "3")
    assert founder.json("resume", "last")["status"] == "delivered"


def test_a_budget_goes_with_no_other_question(founder: ScriptedFounder, documents: Path) -> None:
    founder("run", DIRECTIVE, "--sources", documents, code=5, FRASIER_LLM__CAPS__DAY_USD="0.0001")
    (question,) = founder.json("inbox")["questions"]
    assert question["budget_least_usd"] is None
    name = question["question"][-8:]
    refused = founder("decide", name, "continue", "--budget", "3", code=3).err
    assert re.search("not about a mission's\\s+budget", refused)
    assert founder.json("inbox")["questions"] == [question]
