"""What is learned comes from accepted work alone, as its reviewers saw it, and from the plan that led to it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from support.cli import FrasierProgram
from support.model_responder import Prompt, plan_of, reviewed
from support.model_server import ScriptedAnswer
from support.organisation import DIRECTIVE
from support.scripted_founder import ScriptedFounder, scripted_founder

TITLE = "Compare the competitors"
WORKED = "What worked before on similar tasks"
PLANNED = "What worked before"
DIMENSIONS = ("completeness", "accuracy", "actionability", "depth")


@pytest.fixture
def founder(frasier: FrasierProgram) -> Iterator[ScriptedFounder]:
    with scripted_founder(frasier, plan=lambda _: ScriptedAnswer.json(plan_of(1, final=TITLE))) as founder:
        yield founder


class Reviewer:
    """Sends back the first `rejections` versions, and gives every other 4.5 where its author gave it 4."""

    def __init__(self, rejections: int) -> None:
        self._left = rejections

    def __call__(self, prompt: Prompt) -> ScriptedAnswer:
        approves = self._left == 0
        self._left -= not approves
        feedback = "It can be acted on." if approves else "It says nothing new."
        return reviewed(prompt, approves=approves, feedback=feedback, score=4.5 if approves else 2)


class Asker:
    """Takes every version of a step apart by another question."""

    def __init__(self) -> None:
        self._number = count(1)

    def __call__(self, _: Prompt) -> ScriptedAnswer:
        question = f"What does attempt {next(self._number)} ask about the drinks?"
        return ScriptedAnswer.json({"questions": [question], "queries": ["drinks"], "requirements": []})


def uses(founder: ScriptedFounder) -> dict[str, int]:
    """How often each agent's skill in this work was used, where it was."""
    return {
        agent["key"]: skill["uses"]
        for agent in founder.json("agents", "list")["agents"]
        for skill in agent["skills"]
        if skill["skill"] == "competitive_analysis" and skill["uses"]
    }


def test_the_lesson_of_a_critique_is_its_authors_once_the_work_is_accepted_and_is_told_next_time(
    founder: ScriptedFounder, documents: Path
):
    learned = "When drinks are compared, the water temperatures stand in one table."
    critics = iter(["When drinks are compared, first drafts teach nothing.", learned, learned])
    founder.answer(
        review=Reviewer(rejections=1),
        decompose=Asker(),
        critique=lambda _: ScriptedAnswer.json(
            {**dict.fromkeys(DIMENSIONS, 4), "gaps": [], "lesson": next(critics)}
        ),
    )
    founder("run", DIRECTIVE, "--sources", documents)
    founder.forget_prompts()
    founder("run", f"{DIRECTIVE}, once more", "--sources", documents)
    told = {
        prompt.purpose for prompt in founder.prompts() if learned in prompt.body["messages"][0]["content"]
    }
    assert told >= {"decompose", "synthesize"}, "its author works with it"
    assert not told & {"critique", "review"}, "nobody else is told"
    assert all("teach nothing" not in str(prompt.body) for prompt in founder.prompts()), (
        "of a version sent back"
    )
    kept = [
        lesson["text"]
        for agent in founder.json("agents", "list")["agents"]
        for lesson in founder.json("agents", "show", agent["key"])["lessons"]
    ]
    assert kept.count(learned) == 1, "said again it is not saved again"


def test_only_the_accepted_version_and_its_plan_are_handed_on(founder: ScriptedFounder, documents: Path):
    founder.answer(review=Reviewer(rejections=1), decompose=Asker())
    first = founder.json("run", DIRECTIVE, "--sources", documents)
    (step,) = (step for step in first["steps"] if step["key"] == "final")
    assert (step["version"], step["strikes"]) == (2, 1)
    assert list(uses(founder).values()) == [1], "two versions were written, and one was accepted"

    founder.forget_prompts()
    founder("run", f"{DIRECTIVE}, once more", "--sources", documents)
    (plan,) = founder.prompts("plan")
    hint = plan.sections[PLANNED]
    assert DIRECTIVE in hint
    assert f"final (content): {TITLE}" in hint
    assert "accepted with 4.5 of 5" in hint
    assert "1 version was sent back" in hint
    (decompose,) = founder.prompts("decompose")
    hint = decompose.sections[WORKED]
    assert "attempt 2" in hint
    assert "attempt 1" not in hint
    assert "4.5 of 5" in hint
    assert "Own score" not in hint
    assert "4.00" not in hint


def test_work_that_was_struck_out_teaches_nothing_that_worked(founder: ScriptedFounder, documents: Path):
    founder.answer(review=Reviewer(rejections=6))  # three versions, two reviews each
    founder("run", DIRECTIVE, "--sources", documents, code=4)
    assert uses(founder) == {}
    founder.forget_prompts()
    founder("run", f"{DIRECTIVE}, once more", "--sources", documents)
    asked = founder.prompts("plan", "decompose")
    assert len(asked) == 2
    assert not any(WORKED in prompt.sections or PLANNED in prompt.sections for prompt in asked)


@pytest.mark.parametrize(
    "fault",
    [
        "review.before_commit:kill:2",
        pytest.param("mission.before_complete:kill", marks=pytest.mark.slow),
        pytest.param("review.committed:kill:2", marks=pytest.mark.slow),
    ],
)
async def test_a_kill_at_the_acceptance_neither_loses_nor_doubles_what_is_learned(
    db, founder: ScriptedFounder, documents: Path, fault: str
):
    founder.answer(review=Reviewer(rejections=0))
    founder("run", DIRECTIVE, "--sources", documents, code=-9, FRASIER_FAULT=fault)
    founder("resume", "last")
    assert list(uses(founder).values()) == [1]
    async with db.transaction() as tx:
        rows = await (
            await tx.execute(
                "select a.key from memory_items m join org_agents a on a.id = m.agent_id where m.kind = 'approach'"
            )
        ).fetchall()
    keys = [row["key"] for row in rows]
    assert keys.count("frasier") == 1
    assert len(keys) == 2
