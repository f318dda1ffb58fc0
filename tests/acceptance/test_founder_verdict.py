"""`frasier approve` and `frasier reject`: the founder gives the verdict on a step in place of its reviewers."""

from __future__ import annotations

from pathlib import Path

import pytest

from frasier.org.execution import block_for_founder
from frasier.workflow import SYSTEM, get_task
from support.cli import FrasierProgram
from support.cli_states import deliver, planned_mission
from support.model_responder import CompetentModel
from support.model_server import ScriptedAnswer
from support.scripted_founder import scripted_founder


@pytest.fixture
async def delivered(db, home: Path):
    """A mission whose first step waits for a review; its key."""
    async with db.transaction() as tx:
        planned = await planned_mission(tx, home / "out")
        step, _ = await deliver(tx, planned)
    return step


def states(frasier: FrasierProgram) -> dict[str, str]:
    return {step["key"]: step["status"] for step in frasier.json("missions", "show", "last")["steps"]}


async def test_an_approval_completes_the_step_and_withdraws_its_reviews(
    frasier: FrasierProgram, db, delivered
):
    document = frasier.json("approve", f"last/{delivered.key}", "--reason", "Good enough for a first look")
    assert (document["status"], document["version"]) == ("completed", 1)
    assert "Nobody is at work" in document["next"]
    shown = frasier.json("steps", "show", f"last/{delivered.key}")
    verdicts = {(review["kind"], review["verdict"]): review for review in shown["versions"][0]["reviews"]}
    assert verdicts["founder", "approved"]["by"] == "founder"
    assert verdicts["founder", "approved"]["feedback"] == (
        "Approved by the founder. Good enough for a first look."
    )
    assert ("qa", "withdrawn") in verdicts
    async with db.transaction() as tx:
        rows = await (
            await tx.execute("select status from workflow_tasks where process = 'review'")
        ).fetchall()
    assert [row["status"] for row in rows] == ["cancelled"]
    assert "founder" in frasier("missions", "show").out
    assert f"last/{delivered.key}" in frasier("approve", f"last/{delivered.key}", code=3).err


async def test_a_rejection_needs_a_reason_and_makes_a_strike(frasier: FrasierProgram, delivered):
    refused = frasier("reject", f"last/{delivered.key}", code=3)
    assert "needs a reason" in refused.err
    assert f"frasier reject last/{delivered.key} --reason WHY" in refused.err
    document = frasier.json("reject", f"last/{delivered.key}", "--reason", "The price is missing")
    assert document["status"] == "pending"
    step = next(step for step in frasier.json("missions", "show")["steps"] if step["key"] == delivered.key)
    assert step["strikes"] == 1
    assert ("founder", "rejected", "The price is missing") in [
        (review["kind"], review["verdict"], review["feedback"]) for review in step["reviews"]
    ]


async def test_a_step_that_nobody_can_review_is_approved_by_the_founder(
    frasier: FrasierProgram, db, delivered
):
    async with db.transaction() as tx:
        await block_for_founder(
            tx,
            await get_task(tx, delivered.task_id),
            reason="nobody but its author could give the qa review.",
            action="activate or hire a reviewer, then continue",
            actor=SYSTEM,
        )
    assert len(frasier.json("inbox")["questions"]) == 1
    assert frasier.json("approve", str(delivered.task_id))["status"] == "completed"
    assert frasier.json("inbox")["questions"] == []


async def test_what_waits_for_no_verdict_is_refused(frasier: FrasierProgram, delivered):
    other = next(key for key, status in states(frasier).items() if status == "pending")
    refused = frasier("approve", f"last/{other}", code=3)
    assert "no version of it waits for a verdict" in refused.err
    assert f"frasier steps show last/{other}" in refused.err
    assert "is not a step" in frasier("approve", "last/plan", code=3).err


async def test_the_last_step_may_be_approved_while_the_mission_is_paused(frasier: FrasierProgram, db, home):
    async with db.transaction() as tx:
        planned = await planned_mission(tx, home / "out")
        for _ in range(3):
            step, _ = await deliver(tx, planned, score=4.5)
        assert step.is_final
    frasier("pause", "last")
    assert frasier.json("approve", "last/report")["mission_status"] == "paused"
    frasier("resume", "last", FRASIER_MEMORY__EMBEDDING__PROVIDER="none")
    assert frasier.json("missions", "show")["status"] == "delivered"


def test_the_author_is_told_the_reason_of_the_founder(frasier: FrasierProgram, documents: Path):
    with scripted_founder(frasier, review=lambda _: ScriptedAnswer.error(401, "wrong key")) as founder:
        founder("run", "Compare the drinks in these documents", "--sources", documents, code=5)
        key = next(
            step["key"] for step in founder.json("missions", "show")["steps"] if step["status"] == "in_review"
        )
        founder("reject", f"last/{key}", "--reason", "Say which of them keeps longest")
        founder.forget_prompts()
        founder.answer(review=CompetentModel().to("review"))
        founder("resume", "last")
        assert any(
            "Say which of them keeps longest" in prompt.outside for prompt in founder.prompts("synthesize")
        )
        steps = founder.json("missions", "show")["steps"]
    assert [(step["key"], step["version"]) for step in steps if step["key"] == key] == [(key, 2)]
