"""What stops several steps, and several missions, is one entry with one answer, however each step says it."""

from __future__ import annotations

from pathlib import Path

from acceptance.test_revise_mission import rejected
from support.cli import FrasierProgram
from support.organisation import DIRECTIVE
from support.scripted_founder import scripted_founder

LONGER = f"{DIRECTIVE}, and say of each drink how long it keeps its taste and where it has to be kept"


def test_a_used_up_budget_stops_missions_with_one_entry_and_one_answer(
    frasier: FrasierProgram, documents: Path
):
    with scripted_founder(frasier) as founder:
        for directive in (DIRECTIVE, LONGER):
            founder("run", directive, "--sources", documents, code=5, FRASIER_LLM__CAPS__DAY_USD="0.0001")
        inbox = founder.json("inbox")
        (entry,) = inbox["questions"]
        assert len(entry["missions"]) == len(entry["tasks"]) == 2
        assert entry["options"] == ["continue"]
        assert [one["kind"] for one in inbox["announcements"]] == ["blocked"]
        assert founder.json("status")["waits_for"]["decision"] == 1
        assert founder("status").out.count("frasier decide") == 1
        name = entry["question"][-8:]
        refused = founder("decide", name, "cancel", code=3)
        assert "stops several missions" in refused.err
        assert "goes on where it was" in founder("decide", name, "continue").out
        assert founder.json("inbox")["questions"] == []
        for mission in entry["missions"]:
            assert founder.json("resume", mission)["status"] == "delivered"


def test_a_mission_that_failed_by_its_last_rejection_is_announced_once(
    frasier: FrasierProgram, documents: Path
):
    with scripted_founder(frasier, review=rejected) as founder:
        founder("run", DIRECTIVE, "--sources", documents, code=4)
        inbox = founder.json("inbox")
    (announced,) = inbox["announcements"]
    assert announced["kind"] == "failed"
    assert "rejected 3 times; the last feedback: " in announced["text"]
    assert "Run `frasier inbox` to decide whether it is tried again." in announced["text"]
    assert [one["kind"] for one in inbox["questions"]] == ["strikes"]
