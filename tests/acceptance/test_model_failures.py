"""Whatever a server answers in place of a result, over real HTTP: it is repaired, replaced or told, and never delivered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from frasier.interfaces.cli.waiting import questions_of
from frasier.llm import LlmSettings
from frasier.org.execution.escalations import continue_mission
from frasier.org.missions import MissionStatus, find_mission
from frasier.overview import MissionProgress
from support.model_responder import Answer, CompetentModel, Prompt, plan_of, read_prompt, write
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import carry_out, organisation, wait_until_settled, write_documents

MODELS = {"t1_model": "small", "t2_model": "middle", "t3_model": "large"}
NONSENSE = ScriptedAnswer.json({"unexpected": True})
PLAN = ScriptedAnswer.json(plan_of(1))


class Job:
    """One mission of a single step against one server."""

    def __init__(self, database_url: str, folder: Path) -> None:
        self._database_url = database_url
        self._folder = folder
        self.prompts: list[Prompt] = []
        self.arrived: list[float] = []
        self.deliverables: list[dict[str, Any]] = []
        self.said: list[str] = []

    async def run(self, *, attempts: int = 2, **answers: Answer) -> MissionProgress:
        with ModelServer(CompetentModel(**{"plan": lambda _: PLAN, **answers})) as server:
            llm = LlmSettings(base_url=server.base_url, attempts=attempts, **MODELS)
            async with organisation(self._database_url, self._folder / "home", llm=llm) as services:
                snapshot = await carry_out(services, write_documents(self._folder / "drinks"))
                async with services.board.database.transaction() as tx:
                    rows = await (await tx.execute("select content from org_deliverables")).fetchall()
                    calls = await (await tx.execute("select error from llm_calls")).fetchall()
        self.prompts = [read_prompt(request.body) for request in server.log]
        self.arrived = [request.arrived_at for request in server.log]
        self.deliverables = list(rows)
        self.said = [row["error"] for row in calls if row["error"]]
        return snapshot

    def asked(self, purpose: str) -> list[Prompt]:
        return [prompt for prompt in self.prompts if prompt.purpose == purpose]


@pytest.fixture
def job(database_url: str, tmp_path: Path) -> Job:
    return Job(database_url, tmp_path)


def first(count: int, bad: ScriptedAnswer, then: Answer) -> Answer:
    """Answers `bad` so many times, and then as `then` does."""
    left = [bad] * count
    return lambda prompt: left.pop() if left else then(prompt)


# --- what the next question mends


async def test_a_reply_of_the_wrong_shape_is_repaired_once_with_the_problem_in_words(job: Job) -> None:
    snapshot = await job.run(plan=first(1, NONSENSE, lambda _: PLAN))
    assert snapshot.status is MissionStatus.DELIVERED
    asked, repaired = job.asked("plan")
    assert [prompt.model for prompt in (asked, repaired)] == ["middle", "middle"]
    *before, quoted, complaint = repaired.body["messages"]
    assert before == asked.body["messages"]
    assert quoted == {"role": "assistant", "content": '{"unexpected": true}'}
    assert "steps: Field required" in complaint["content"]


async def test_a_model_that_cannot_keep_the_shape_is_replaced_by_the_next_tier(job: Job) -> None:
    snapshot = await job.run(plan=lambda prompt: NONSENSE if prompt.model == "middle" else PLAN)
    assert snapshot.status is MissionStatus.DELIVERED
    assert [prompt.model for prompt in job.asked("plan")] == ["middle", "middle", "small"]


async def test_a_plan_that_breaks_the_rules_is_asked_for_again_with_the_reasons(job: Job) -> None:
    dangling = plan_of(1)
    dangling["steps"][0]["depends_on"] = ["nothing"]
    snapshot = await job.run(plan=first(1, ScriptedAnswer.json(dangling), lambda _: PLAN))
    assert snapshot.status is MissionStatus.DELIVERED
    refusals = job.asked("plan")[1].sections["Your last plan was refused because"]
    assert "Step final depends on nothing, which is not in the plan." in refusals


async def test_a_role_that_nobody_fills_does_not_fit_the_shape_and_the_model_is_told_which_would(
    job: Job,
) -> None:
    nobody = plan_of(1)
    nobody["steps"][0]["role"] = "astrologer"
    snapshot = await job.run(plan=first(1, ScriptedAnswer.json(nobody), lambda _: PLAN))
    assert snapshot.status is MissionStatus.DELIVERED
    asked, repaired = job.asked("plan")
    shape = asked.body["response_format"]["json_schema"]["schema"]["properties"]["steps"]
    assert shape["maxItems"] == 12
    assert "research" in shape["items"]["properties"]["role"]["enum"]
    assert "steps.0.role: Input should be" in repaired.body["messages"][-1]["content"]


async def test_the_wait_that_a_server_asks_for_is_kept(job: Job) -> None:
    slow_down = ScriptedAnswer.error(429, "slow down", headers={"retry-after": "1"})
    snapshot = await job.run(gaps=first(1, slow_down, CompetentModel().to("gaps")))
    assert snapshot.status is MissionStatus.DELIVERED
    first_at, second_at = (
        at for at, prompt in zip(job.arrived, job.prompts, strict=True) if prompt.purpose == "gaps"
    )
    assert second_at - first_at >= 1.0


async def test_a_server_that_stumbles_is_asked_again(job: Job) -> None:
    snapshot = await job.run(
        decompose=first(1, ScriptedAnswer.error(500), CompetentModel().to("decompose")),
        critique=first(1, ScriptedAnswer(drop=True), CompetentModel().to("critique")),
    )
    assert snapshot.status is MissionStatus.DELIVERED
    assert not any(step.degraded for step in snapshot.steps)
    assert [prompt.model for prompt in job.asked("decompose")] == ["small", "small"]


async def test_a_text_that_cannot_be_a_result_is_asked_for_once_more_with_the_reason(job: Job) -> None:
    refusal = ScriptedAnswer(
        content="I’m sorry, but I can’t help with that. As an AI language model I have no taste."
    )
    snapshot = await job.run(synthesize=first(1, refusal, write))
    assert snapshot.status is MissionStatus.DELIVERED
    asked, again = job.asked("synthesize")
    assert asked.model == again.model
    assert "It is a refusal, not a result." in again.body["messages"][-1]["content"]
    assert [row["content"] for row in job.deliverables if "sorry" in row["content"]] == []


# --- what nothing mends is told, and never becomes a deliverable


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (ScriptedAnswer(content=""), "the reply was empty"),
        (ScriptedAnswer(content=None), "the reply was empty"),
        (ScriptedAnswer(content=" \n\u200b\n"), "the text cannot be used"),
        (
            ScriptedAnswer(content="# Drinks\n\nGreen tea is [1]", finish_reason="length"),
            "cut off at its limit",
        ),
        (ScriptedAnswer(content="# Drinks\n\nGreen tea [1]", finish_reason=None), "did not end by itself"),
        (ScriptedAnswer(content="# Drinks", finish_reason="content_filter"), "content filter"),
        (ScriptedAnswer.json({"error": {"message": "overloaded", "code": 529}}), "error message"),
        (ScriptedAnswer(content="<!DOCTYPE html><html><body>502 Bad Gateway</body></html>"), "error message"),
        (
            ScriptedAnswer(content="Error: 401 Unauthorized, the key is not valid for this model."),
            "error message",
        ),
        (
            ScriptedAnswer(content="Rate limit reached for requests. Please try again later."),
            "a server's error",
        ),
        (
            ScriptedAnswer(content="As an AI language model, I cannot write reports about drinks."),
            "a refusal",
        ),
        (
            ScriptedAnswer(content="# Drinks\n\nTea is brewed at [insert temperature] degrees. [1]"),
            "a placeholder",
        ),
        (
            ScriptedAnswer(content="# Drinks\n\n[WEB_SEARCH: temperature of tea] tells it. [1]"),
            "request for a tool",
        ),
        (ScriptedAnswer(body="<html><title>Log in to the network</title></html>"), "malformed completion"),
        (ScriptedAnswer(body='{"error": {"message": "no credit", "code": 402}}'), "no credit left"),
    ],
)
async def test_what_is_no_result_never_becomes_one_and_the_true_reason_waits_for_the_founder(
    job: Job, answer: ScriptedAnswer, reason: str
) -> None:
    snapshot = await job.run(attempts=1, synthesize=lambda _: answer)
    assert job.deliverables == []
    assert snapshot.status is MissionStatus.IN_PROGRESS
    assert snapshot.waits_for_founder
    assert snapshot.path is None
    (waiting,) = questions_of(snapshot)
    assert reason in waiting
    assert any(reason in said for said in job.said)


async def test_a_text_that_was_refused_is_never_taken_from_the_ledger_when_the_founder_goes_on(
    database_url: str, tmp_path: Path
) -> None:
    answers = {
        "synthesize": lambda _: ScriptedAnswer(content="I am unable to write this report for you today.")
    }
    model = CompetentModel(plan=lambda _: PLAN, **answers)
    with ModelServer(model) as server:
        llm = LlmSettings(base_url=server.base_url, attempts=1, **MODELS)
        async with organisation(database_url, tmp_path / "home", llm=llm) as services:
            stopped = await carry_out(services, write_documents(tmp_path / "drinks"))
            assert "a refusal" in stopped.waiting[0].text
            server.responder = CompetentModel()
            asked = len(server.log)
            async with services.board.database.transaction() as tx:
                await continue_mission(tx, await find_mission(tx, "last"))
            async with services.running():
                ended = await wait_until_settled(services, stopped.mission_id)
    assert ended.status is MissionStatus.DELIVERED
    later = [read_prompt(request.body).purpose for request in server.log[asked:]]
    assert later == ["synthesize", "judge", "critique", "review", "review"], "only what was missing is asked"
