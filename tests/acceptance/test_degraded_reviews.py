"""A review that a lower tier gave than was asked for says so, as a version does."""

from __future__ import annotations

import json
from pathlib import Path

from support.cli import FrasierProgram
from support.model_responder import Prompt, review
from support.model_server import ScriptedAnswer
from support.organisation import DIRECTIVE
from support.scripted_founder import scripted_founder


def by_the_smallest(prompt: Prompt) -> ScriptedAnswer:
    """Review a version with the smallest model; the others are out of order."""
    return review(prompt) if prompt.model == "small" else ScriptedAnswer.error(503, "Out of order.")


def test_a_review_by_a_lower_tier_is_marked_as_degraded_wherever_versions_are(
    frasier: FrasierProgram, documents: Path
) -> None:
    with scripted_founder(frasier, review=by_the_smallest) as founder:
        founder.settings["FRASIER_LLM__ATTEMPTS"] = "1"
        ended = founder.json("run", DIRECTIVE, "--sources", documents)
        assert ended["status"] == "delivered"
        assert "was reviewed by a lower tier than was asked for. " in f"{ended['degraded']} "
        shown = founder.json("steps", "show", "last/final")
        step = " ".join(founder("steps", "show", "last/final").out.split())
        assert [one["degraded"] for one in founder.json("missions", "list")["missions"]] == [True]
    (version,) = shown["versions"]
    marks = {one["kind"]: one["degraded"] for one in version["reviews"]}
    assert (version["degraded"], marks) == (False, {"qa": False, "expert": True}), (
        "QA is asked of the smallest"
    )
    assert "degraded: given by a lower tier than was asked for" in step
    provenance = json.loads((Path(ended["folder"]) / "provenance.json").read_text("utf-8"))
    (made,) = [one["versions"][-1] for one in provenance["steps"]]
    assert {one["kind"]: one["degraded"] for one in made["reviews"]} == marks
    assert "by a lower tier than was asked for" in provenance["deliverable"]["review"]


def test_a_review_by_the_tier_that_was_asked_for_is_not_degraded(
    frasier: FrasierProgram, documents: Path
) -> None:
    with scripted_founder(frasier) as founder:
        ended = founder.json("run", DIRECTIVE, "--sources", documents)
        (version,) = founder.json("steps", "show", "last/final")["versions"]
    assert ended["degraded"] is None
    assert {one["degraded"] for one in version["reviews"]} == {False}
