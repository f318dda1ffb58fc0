"""Improvement proposals: from the figures of post-mortems alone, filtered by code, decided by the founder, measured."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.crash import IMPROVEMENT_POINTS
from support.model_responder import Prompt, plan_of
from support.model_server import ScriptedAnswer
from support.organisation import write_documents
from support.scripted_founder import ScriptedFounder, scripted_founder

FIGURE = re.compile(r"^(\w+) = (.+)$", re.MULTILINE)
CHANGE = "Set the chance of a wrong decision to a hundredth."


@pytest.fixture
def founder(frasier: FrasierProgram) -> Iterator[ScriptedFounder]:
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(plan_of(1))) as founder:
        yield founder


def mission(founder: ScriptedFounder, tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "drinks")
    founder("run", "Say which drink is better", "--sources", documents, "--out", tmp_path / "out")


def figures_in(prompt: Prompt, key: str = "M1") -> dict[str, float]:
    """Return the figures that a prompt shows of a mission."""
    (fence,) = [one for one in prompt.named("memory") if one.attributes.get("mission") == key]
    return {name: float(value) for name, value in FIGURE.findall(fence.text)}


def propose(**changes: Any) -> Callable[[Prompt], ScriptedAnswer]:
    """Answer with one proposal that rests on the calls of the newest mission; `changes` replace parts of it."""

    def answer(prompt: Prompt) -> ScriptedAnswer:
        calls = figures_in(prompt)["calls"]
        proposal = {
            "kind": "policy",
            "target": "trials",
            "title": "Decide trials by a smaller chance",
            "change": CHANGE,
            "rules": [{"name": "alpha", "value": 0.01}],
            "why": f"A mission took {calls:g} calls.",
            "figures": [{"mission": "M1", "name": "calls", "value": calls}],
        }
        return ScriptedAnswer.json({"proposals": [proposal | changes]})

    return answer


def run(founder: ScriptedFounder, **changes: Any) -> dict[str, Any]:
    founder("policy", "set", "proposals", "on=true")
    founder.answer(improve=propose(**changes))
    (proposal,) = founder.json("proposals", "run")["proposals"]
    return dict(founder.json("proposals", "show", proposal["proposal"])["data"]["proposal"])


def log(view: dict[str, Any]) -> list[tuple[str, str]]:
    return [(act["act"], act["by"]) for act in view["log"]]


def test_proposals_are_off_until_the_policy_switches_them_on(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    mission(founder, tmp_path)
    refused = founder("proposals", "run", code=3).err
    assert "switched off" in refused
    assert "frasier policy set proposals on=true" in refused
    assert founder.prompts("improve") == []


def test_a_proposal_rests_on_figures_that_were_read_and_accepting_it_changes_the_policy(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    mission(founder, tmp_path)
    shown = run(founder)
    (asked,) = founder.prompts("improve")
    figures = figures_in(asked)
    assert {"calls", "cost_usd", "wall_seconds", "accepted_deliverables"} <= figures.keys()
    assert figures["accepted_deliverables"] == 1
    assert "trials: " in asked.sections["Policies, with their rules in force"]
    assert "swift" in asked.sections["Colleagues, by key"]
    assert (shown["summary"]["state"], log(shown)) == ("proposed", [("proposed", "system:frasier")])
    assert [(one["name"], one["value"]) for one in shown["figures"]] == [("calls", figures["calls"])]
    assert founder.json("policy", "show", "trials")["version"] == 0
    identity = shown["summary"]["proposal"]
    decided = founder.json("proposals", "accept", identity, "--why", "Fewer false hopes.")["data"]["proposal"]
    assert decided["effect"] == "The policy trials has version 1."
    policy = founder.json("policy", "show", "trials")
    assert (policy["version"], policy["actor"]) == (1, "founder")
    assert {one["name"]: one["value"] for one in policy["rules"]}["alpha"] == 0.01
    assert "is accepted already" in founder("proposals", "refuse", identity, code=3).err


def test_what_followed_is_measured_by_the_next_post_mortems(founder: ScriptedFounder, tmp_path: Path) -> None:
    mission(founder, tmp_path)
    identity = run(founder)["summary"]["proposal"]
    founder("proposals", "accept", identity)
    assert founder.json("proposals", "show", identity)["data"]["proposal"]["measured"][0]["n_after"] == 0
    mission(founder, tmp_path)
    founder.answer(improve=lambda _: ScriptedAnswer.json({"proposals": []}))
    founder("proposals", "run")
    founder("proposals", "run")
    view = founder.json("proposals", "show", identity)["data"]["proposal"]
    (measured,) = view["measured"]
    assert (measured["name"], measured["n_before"], measured["n_after"]) == ("calls", 1, 1)
    assert measured["after"] == figures_in(founder.prompts("improve")[-1])["calls"]
    assert [act for act, _ in log(view)] == ["proposed", "decided", "measured"]
    assert "accepted" in " ".join(fence.text for fence in founder.prompts("improve")[-1].named("memory"))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"figures": [{"mission": "M1", "name": "calls", "value": 4711}]}, "is in no post-mortem"),
        ({"figures": [{"mission": "M9", "name": "calls", "value": 4}]}, "is in no post-mortem"),
        ({"figures": []}, "rests on no figure"),
        ({"why": "Costs rose by 37 percent."}, "names the number 37"),
        ({"rules": [{"name": "alpha", "value": 0.2}]}, "loosens trials.alpha"),
        ({"rules": [{"name": "automatic", "value": 1}], "target": "proposals"}, "policy proposals"),
        ({"kind": "persona", "target": "heron", "rules": [], "change": "Skip the review."}, "review"),
        (
            {"kind": "prompt", "target": "critique", "rules": [], "change": "Approve automatically."},
            "approves",
        ),
        ({"kind": "persona", "target": "nobody", "rules": []}, "no persona of 'nobody'"),
        ({"kind": "skill", "target": "no_such", "rules": []}, "no skill of 'no_such'"),
    ],
)
def test_what_is_invented_or_loosens_something_is_stored_as_refused_with_the_reason(
    founder: ScriptedFounder, tmp_path: Path, changes: dict[str, Any], reason: str
) -> None:
    mission(founder, tmp_path)
    shown = run(founder, **changes)
    assert (shown["summary"]["state"], shown["summary"]["decided_by"]) == ("refused", "system:frasier")
    assert reason in shown["summary"]["reason"]
    assert [act for act, _ in log(shown)] == ["proposed", "decided"]
    assert founder("proposals", "accept", shown["summary"]["proposal"], code=3).err
    assert all(one["value"] != 4711 for one in shown["figures"])


def test_an_accepted_persona_is_written_and_tried(founder: ScriptedFounder, tmp_path: Path) -> None:
    mission(founder, tmp_path)
    shown = run(founder, kind="persona", target="heron", rules=[], change="State each price with its date.")
    decided = founder.json("proposals", "accept", shown["summary"]["proposal"])["data"]["proposal"]
    assert "written and tried" in decided["effect"]
    (trial,) = founder.json("agents", "trial", "heron")["trials"]
    assert "State each price with its date." in trial["why"]


def test_a_refused_proposal_is_kept_with_the_reason_and_told_to_the_next_reader(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    mission(founder, tmp_path)
    identity = run(founder)["summary"]["proposal"]
    founder("proposals", "refuse", identity, "--why", "Not this year.")
    (one,) = founder.json("proposals", "list", "--state", "refused")["data"]["proposals"]
    assert (one["reason"], one["decided_by"]) == ("Not this year.", "founder:founder")
    founder("proposals", "run")
    earlier = [fence.text for fence in founder.prompts("improve")[-1].named("memory")]
    assert any("Not this year." in text for text in earlier)


def test_what_the_policy_in_force_would_be_loosened_by_is_refused_when_it_is_accepted(
    founder: ScriptedFounder, tmp_path: Path
) -> None:
    mission(founder, tmp_path)
    identity = run(founder)["summary"]["proposal"]
    founder("policy", "set", "trials", "alpha=0.005")
    assert "loosens trials.alpha" in " ".join(founder("proposals", "accept", identity, code=3).err.split())
    assert founder.json("proposals", "show", identity)["data"]["proposal"]["summary"]["state"] == "proposed"


@pytest.mark.parametrize("point", IMPROVEMENT_POINTS)
def test_killed_while_it_stores_the_proposals_are_there_once_and_paid_for_once(
    founder: ScriptedFounder, tmp_path: Path, point: str
) -> None:
    mission(founder, tmp_path)
    founder("policy", "set", "proposals", "on=true")
    founder.answer(improve=propose())
    founder("proposals", "run", code=-9, FRASIER_FAULT=f"{point}:kill:1")
    if point == "improvement.before_commit":
        founder("proposals", "run")
    assert len(founder.prompts("improve")) == 1
    assert len(founder.json("proposals", "list")["data"]["proposals"]) == 1


def test_a_reading_stays_within_its_cap(founder: ScriptedFounder, tmp_path: Path) -> None:
    mission(founder, tmp_path)
    founder("policy", "set", "proposals", "on=true", "each_up_to_usd=0.000001")
    shown = founder.ended("proposals", "run", "--json")
    assert founder.prompts("improve") == []
    assert json.loads(shown.out)["proposals"] == []
