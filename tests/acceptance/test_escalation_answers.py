"""Each answer to an escalation by a plain form of the page, as without JavaScript, and over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.founder_page import logged_in
from support.model_responder import Prompt, plan_of, write
from support.model_server import ScriptedAnswer
from support.organisation import organisation, write_documents
from support.organisation_api import open_organisation_api
from support.scripted_founder import ScriptedFounder, scripted_founder

NOTE = "Nobody asks for cups"
ANSWERS = ("continue", "replan", "skip", "fail")
ENDED = {"continue": "delivered", "replan": "delivered", "skip": "delivered_with_gaps", "fail": "failed"}


def without_part(prompt: Prompt) -> ScriptedAnswer:
    is_part = any("Read part 1" in text for name, text in prompt.sections.items() if "assignment" in name)
    return ScriptedAnswer(content="") if is_part else write(prompt)


def changed_part(_: Prompt) -> ScriptedAnswer:
    part = {
        "key": "part-1",
        "title": "Read what is said of brewing",
        "task": "Say what the documents state of brewing.",
        "depends_on": [],
        "acceptance": ["Every statement cites its source."],
    }
    return ScriptedAnswer.json({"removed": [], "changed": [part], "added": [], "explanation": "Shorter."})


@asynccontextmanager
async def in_trouble(frasier: FrasierProgram, tmp_path: Path) -> AsyncIterator[tuple[ScriptedFounder, str]]:
    """A mission of which a step is in trouble; yield its founder and the question."""
    with scripted_founder(
        frasier,
        plan=lambda _: ScriptedAnswer.json(plan_of(3)),
        synthesize=without_part,
        steer=changed_part,
    ) as founder:
        documents = write_documents(tmp_path / "drinks")
        out = ("--sources", documents, "--out", tmp_path / "out")
        founder.json("run", "Compare the drinks by how they are brewed", *out, code=5)
        (question,) = founder.json("inbox")["questions"]
        assert question["options"] == [*ANSWERS, "cancel"]
        founder.answer(synthesize=write)
        yield founder, question["question"]


def ended(founder: ScriptedFounder, answer: str) -> dict[str, Any]:
    result = founder.json("resume", "last", code=4 if answer == "fail" else 0)
    assert result["ending"] == ENDED[answer]
    assert founder.json("inbox")["questions"] == []
    return result


def has_effect(result: dict[str, Any], answer: str) -> bool:
    steps = {step["key"]: step for step in result["steps"]}
    return {
        "continue": steps["part-1"]["status"] == "completed",
        "replan": steps["part-1"]["title"] == "Read what is said of brewing",
        "skip": result["left_out"] == [f"Read part 1 was left out: {NOTE}."],
        "fail": NOTE in (result["failure"] or ""),
    }[answer]


@pytest.mark.parametrize("answer", ANSWERS)
async def test_a_form_of_the_page_gives_the_answer_without_javascript(
    answer: str, frasier: FrasierProgram, home: Path, database_url: str, tmp_path: Path
) -> None:
    async with in_trouble(frasier, tmp_path) as (founder, question):
        async with organisation(database_url, home) as services, logged_in(services) as browser:
            offered = browser.element(f"question-{question}").xpath(".//button[@name='answer']/@value")
            assert offered == [*ANSWERS, "cancel"]
            sent = await browser.send(f"question-{question}", answer=answer, note=NOTE)
            assert (sent.status_code, sent.headers["location"]) == (303, "/")
            assert f"question-{question}" not in (await browser.get("/")).text
        assert has_effect(ended(founder, answer), answer)


@pytest.mark.parametrize("answer", ANSWERS)
async def test_http_gives_the_answer_and_only_once(
    answer: str, frasier: FrasierProgram, home: Path, database_url: str, tmp_path: Path
) -> None:
    async with in_trouble(frasier, tmp_path) as (founder, question):
        async with open_organisation_api(database_url, home) as api:
            given = {"answer": answer, "note": NOTE}
            address = f"/api/v1/inbox/{question}/answer"
            assert (await api.observer.post(address, json=given)).status_code == 403
            answered = await api.founder.post(address, json=given)
            assert answered.status_code == 200, answered.text
            assert (await api.founder.post(address, json=given)).status_code == 409
        assert has_effect(ended(founder, answer), answer)
