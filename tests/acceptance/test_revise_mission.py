"""`frasier revise`: a new version of a delivered result, from the paid work, reviewed and published like the first."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from support.cli import FrasierProgram
from support.database_clock import offset_clock
from support.model_responder import Prompt, plan_of, review, reviewed
from support.model_server import ScriptedAnswer
from support.organisation import DIRECTIVE, write_documents
from support.scripted_founder import ScriptedFounder, scripted_founder

WISH = "Shorter, with the storage of beans"
ONLY_OF_THE_WISH = "A bin of zinc holds nine sacks full of beans."
"""It shares no word with the directive or the questions."""
SHORT = "# In short\n\nFilter coffee is brewed with water of 94 degrees for four minutes. [2]\n"
CHANGED = "What the founder changed since; the newest stands last and holds"


def shorter(_: Prompt) -> ScriptedAnswer:
    return ScriptedAnswer(content=SHORT)


def rejected(prompt: Prompt) -> ScriptedAnswer:
    return reviewed(prompt, approves=False, feedback="It says nothing of beans.")


@pytest.fixture
def founder(frasier: FrasierProgram, tmp_path: Path) -> Iterator[ScriptedFounder]:
    """A founder to whom a comparison of about 60 planned words was delivered."""
    plan = {**plan_of(3), "words": 60}
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(plan)) as founder:
        documents = write_documents(tmp_path / "drinks")
        (documents / "zinc.md").write_text(f"# Zinc\n\n{ONLY_OF_THE_WISH}\n", "utf-8")
        founder("run", DIRECTIVE, "--sources", documents, "--out", tmp_path / "out")
        founder.forget_prompts()
        yield founder


def folder_of(tmp_path: Path) -> Path:
    (folder,) = (tmp_path / "out").iterdir()
    return folder


def test_the_final_step_is_revised_verified_and_reviewed_and_no_research_is_paid_again(
    founder: ScriptedFounder, tmp_path: Path
):
    first = (folder_of(tmp_path) / "deliverable.md").read_text("utf-8")
    founder.answer(revise=shorter)
    revised = founder.json("revise", "last", WISH)
    assert revised["status"] == "delivered"
    sent = [prompt.purpose for prompt in founder.prompts()]
    assert set(sent) == {"revise", "critique", "review"}, "what was judged before is not judged again"
    assert sent.count("revise") == 1

    (revise,) = founder.prompts("revise")
    assert revise.named("draft")[0].text.splitlines()[0] == "# What the documents say"
    assert f"The founder wants: {WISH}" in revise.sections["Gaps to close"]
    for wanted in ("Roasted beans are kept in a bag", ONLY_OF_THE_WISH):
        assert any(wanted in source.text for source in revise.sources), (
            "what the wish asks for is searched in all that was read"
        )
    for prompt in founder.prompts("revise", "critique", "review"):
        assert WISH in prompt.sections[CHANGED], prompt.purpose
    assert "60 words" not in revise.sections["The form of the result"], "the planned length is over"

    folder = folder_of(tmp_path)
    assert "# In short" in (folder / "deliverable.md").read_text("utf-8"), "published again"
    provenance = json.loads((folder / "provenance.json").read_text("utf-8"))
    assert provenance["deliverable"]["version"] == 2
    kept = (folder / "steps" / "final" / "v1.md").read_text("utf-8")
    assert "# What the documents say" in kept
    assert "# What the documents say" in first


def test_the_audit_log_verifies_while_a_new_version_is_written(founder: ScriptedFounder):
    verified = []

    def verify_and_shorten(prompt: Prompt) -> ScriptedAnswer:
        verified.append(founder.ended("events", "verify", "--tasks", "all"))
        return shorter(prompt)

    founder.answer(revise=verify_and_shorten)
    assert founder.json("revise", "last", WISH)["status"] == "delivered"
    (during,) = verified
    assert during.code == 0, during.out


def test_each_further_version_goes_on_from_the_last_and_knows_all_wishes(
    founder: ScriptedFounder, tmp_path: Path
):
    founder.answer(revise=shorter)
    founder("revise", "last", WISH)
    founder.forget_prompts()
    again = founder.json("revise", "last", "And say it again")
    assert again["status"] == "delivered", "also where the text stays the same"
    (revise,) = founder.prompts("revise")
    assert revise.named("draft")[0].text.startswith("# In short")
    assert revise.sections[CHANGED].split("\n")[1:3] == [f"- {WISH}", "- And say it again"]
    final = founder.json("missions", "show", "last")["steps"][-1]
    assert final["version"] == 3
    folder = folder_of(tmp_path)
    assert json.loads((folder / "provenance.json").read_text("utf-8"))["deliverable"]["version"] == 3
    assert (folder / "steps" / "final" / "v3.md").exists(), "what reads the same is published, too"


def test_it_says_what_a_new_version_changed_or_that_nothing_was(founder: ScriptedFounder):
    founder.answer(revise=lambda prompt: ScriptedAnswer(content=prompt.named("draft")[0].text))
    assert (
        "\nVersion 2: nothing was changed since version 1.\n"
        in founder("revise", "last", "Use the same text").out
    )
    founder.answer(revise=shorter)
    told = founder("revise", "last", WISH).out
    [changed] = [line for line in told.splitlines() if line.startswith("Version 3: ")]
    assert re.fullmatch(r"Version 3: \d+ lines gone, 2 new since version 2\.", changed)
    assert changed in founder("missions", "show", "last").out
    assert founder.json("revise", "last", "And say it again")["change"] == (
        "Version 4: nothing was changed since version 3."
    )


def test_of_a_version_that_was_sent_back_the_change_is_not_told(founder: ScriptedFounder):
    verdicts = iter([rejected, rejected])

    def judge(prompt: Prompt) -> ScriptedAnswer:
        return next(verdicts, review)(prompt)

    founder.answer(revise=shorter, review=judge)
    told = founder.json("revise", "last", WISH)["change"]
    assert told.startswith("Version 3: ")
    assert told.endswith(" since version 1.")


def test_the_time_between_two_versions_and_the_first_reviews_are_not_those_of_the_second(
    frasier: FrasierProgram, documents: Path, owner_url: str
):
    offset_clock(owner_url, timedelta())
    with scripted_founder(frasier, revise=shorter) as founder:
        first = founder.json("run", DIRECTIVE, "--sources", documents)
        offset_clock(owner_url, timedelta(hours=3))
        revised = founder.json("revise", "last", WISH)
        assert first["duration_s"] < revised["duration_s"] < 600
        assert max(step["seconds"] for step in revised["steps"]) < 600, "nobody worked on it in between"
        folder = Path(revised["folder"])
        whole = json.loads((folder / "provenance.json").read_text("utf-8"))["mission"]["duration_s"]
        assert first["duration_s"] - 10 < whole < 600
        shown = frasier.on_terminal("watch", "last", columns=120)
    (approved,) = set(re.findall(r"version 2 .* approved by (.+)", shown))
    assert len(approved.split(", ")) == len(set(approved.split(", "))) == 2
    assert re.search(r"Delivered in [\d min]+ s for", shown)


def test_where_no_new_version_passes_its_review_the_one_before_stands(
    founder: ScriptedFounder, tmp_path: Path
):
    founder.answer(revise=shorter, review=rejected)
    ended = founder.json("revise", "last", WISH, code=4)
    assert ended["status"] == "delivered"
    assert "It says nothing of beans." in ended["failure"]
    assert "# In short" not in (folder_of(tmp_path) / "deliverable.md").read_text("utf-8")
    figures = founder.json("postmortem", "last")
    assert figures["accepted"] == 3, "what was delivered stands"
    assert sum(figures["telemetry"]["path_seconds"].values()) == pytest.approx(
        figures["telemetry"]["wall_seconds"], rel=0.01
    )
    rejections = founder.prompts("review")
    assert len(rejections) == 3 * 3, "three strikes, as for any version, each seen by all three reviewers"
    assert "It says nothing of beans." in founder.prompts("revise")[-1].sections["What reviewers said before"]
    founder.forget_prompts()
    founder("say", "What came of it?")
    turns = founder.prompts("talk")[0].named("memory")[0].text
    assert f"The founder: {WISH}" in turns
    assert "The earlier one stands." in turns


def test_a_kill_in_the_midst_loses_nothing(founder: ScriptedFounder, tmp_path: Path):
    founder.answer(revise=shorter)
    founder("revise", "last", WISH, code=-9, FRASIER_FAULT="phase.checkpointed:kill:2")
    resumed = founder.json("resume", "last")
    assert resumed["status"] == "delivered"
    assert len(founder.prompts("revise")) == 1, "the paid version is used"
    assert "# In short" in (folder_of(tmp_path) / "deliverable.md").read_text("utf-8")


def test_only_a_delivered_result_can_be_revised(frasier: FrasierProgram, tmp_path: Path):
    with scripted_founder(
        frasier, plan=lambda _: ScriptedAnswer.json(plan_of(2) | {"escalation": "Which?"})
    ) as founder:
        founder("run", DIRECTIVE, "--sources", write_documents(tmp_path / "drinks"), code=5)
        error = founder.json("revise", "last", WISH, code=3)["error"]
    assert "there is no result to revise" in error["message"]
    assert "frasier steer" in error["hint"]


def test_a_rehearsal_follows_no_wish_and_says_so(frasier: FrasierProgram, tmp_path: Path):
    frasier("run", DIRECTIVE, "--sources", str(write_documents(tmp_path / "drinks")))
    error = frasier.json("revise", "last", WISH, code=3)["error"]
    assert "Without a model nothing understands what shall be different" in error["message"]
    shown = frasier.json("missions", "show", "last")
    assert (shown["status"], shown["steps"][-1]["version"]) == ("delivered", 1)


def test_a_new_version_that_failed_is_tried_again_and_one_that_is_cancelled_leaves_the_result(
    founder: ScriptedFounder, tmp_path: Path
):
    founder.answer(revise=shorter, review=rejected)
    refused = founder("revise", "last", WISH, code=4)
    assert "No new version was accepted: " in refused.err
    founder("retry", "last")
    founder.answer(review=review)
    assert founder.json("resume", "last")["status"] == "delivered"
    assert "# In short" in (folder_of(tmp_path) / "deliverable.md").read_text("utf-8")
    founder("revise", "last", "Longer", code=-9, FRASIER_FAULT="phase.checkpointed:kill:1")
    founder("cancel", "last")
    assert founder.json("missions", "show", "last")["status"] == "delivered"
