"""An outage of a model service passes by itself: its runs are no failures, and work goes on once it answers again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from frasier.llm import LlmSettings
from frasier.org.execution.escalations import decide
from frasier.org.governance import open_questions
from frasier.org.missions import MissionStatus
from frasier.overview import MissionProgress, read_telemetry
from frasier.work import WorkerSettings, outages
from support.model_responder import Answer, CompetentModel, decompose, plan_of
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import carry_out, organisation, wait_until_settled, write_documents

DOWN = ScriptedAnswer.error(500, "The service is down.")
SLOW_DOWN = ScriptedAnswer.error(429, "Too many requests.")
MODELS = {f"t{tier}_model": "m" for tier in (1, 2, 3)}


def failing(count: int, failure: ScriptedAnswer) -> Answer:
    """Return an answer that is a failure so many times, and then a decomposition."""
    left = [failure] * count
    return lambda prompt: left.pop() if left else decompose(prompt)


async def run(
    database_url: str, folder: Path, worker: WorkerSettings, **answers: Answer
) -> tuple[MissionProgress, list[dict[str, Any]]]:
    """Carry out a mission of two branches; return its progress, and the number of its runs by outcome."""
    plan = ScriptedAnswer.json(plan_of(3))
    with ModelServer(CompetentModel(plan=lambda _: plan, **answers)) as server:
        llm = LlmSettings(base_url=server.base_url, attempts=1, probe_after_s=0.2, **MODELS)
        async with organisation(database_url, folder / "home", llm=llm, worker=worker) as services:
            progress = await carry_out(services, write_documents(folder / "drinks"))
            async with services.board.database.transaction() as tx:
                counted = "select outcome, count(*) as runs from work_runs group by outcome"
                rows = await (await tx.execute(counted)).fetchall()
                telemetry = await read_telemetry(tx, "last")
    assert sum(task.failed_runs for task in telemetry.tasks) == 0
    return progress, {row["outcome"]: row["runs"] for row in rows}


@pytest.mark.parametrize("failure", [DOWN, SLOW_DOWN], ids=["500", "429"])
async def test_an_outage_longer_than_the_retries_of_a_failed_run_asks_nobody(
    database_url: str, tmp_path: Path, failure: ScriptedAnswer
) -> None:
    quick = WorkerSettings(concurrency=2, lease_s=5.0, poll_s=0.1, retry_base_s=0.0)
    progress, runs = await run(database_url, tmp_path, quick, decompose=failing(14, failure))
    assert progress.status is MissionStatus.DELIVERED
    assert runs["outage"] >= 14
    assert not runs.keys() & {"retry_later", "needs_founder"}


@pytest.mark.parametrize("purpose", ["synthesize", "review"])
async def test_what_a_service_did_not_answer_becomes_neither_a_text_nor_an_approval(
    database_url: str, tmp_path: Path, purpose: str
) -> None:
    left, answer = [DOWN] * 3, CompetentModel().to(purpose)
    answers: dict[str, Answer] = {purpose: lambda prompt: left.pop() if left else answer(prompt)}
    quick = WorkerSettings(concurrency=2, lease_s=5.0, poll_s=0.1, retry_base_s=0.0)
    progress, runs = await run(database_url, tmp_path, quick, **answers)
    assert progress.status is MissionStatus.DELIVERED
    assert (left, runs["outage"] >= 1) == ([], True)


async def test_work_goes_on_soon_after_the_service_answers_however_long_the_delays_have_grown(
    database_url: str, tmp_path: Path
) -> None:
    patient = WorkerSettings(concurrency=2, lease_s=5.0, poll_s=0.1, retry_base_s=600.0, probe_s=1.0)
    progress, runs = await run(database_url, tmp_path, patient, decompose=failing(3, DOWN))
    assert progress.status is MissionStatus.DELIVERED
    assert runs["outage"] == 3


async def test_after_the_founder_was_asked_an_outage_is_waited_out_anew(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outages, "ASKS_AFTER_S", 0.001)
    failures = [SLOW_DOWN] * 3
    plan = ScriptedAnswer.json(plan_of(1))
    with ModelServer(CompetentModel(plan=lambda _: failures.pop() if failures else plan)) as server:
        llm = LlmSettings(base_url=server.base_url, attempts=1, **MODELS)
        async with organisation(database_url, tmp_path / "home", llm=llm) as services:
            progress = await carry_out(services, write_documents(tmp_path / "drinks"))
            assert progress.waits_for_founder
            async with services.board.database.transaction() as tx:
                (question,) = await open_questions(tx)
                await decide(tx, question, "continue")
            async with services.running():
                progress = await wait_until_settled(services, progress.mission_id)
            assert progress.status is MissionStatus.DELIVERED
            async with services.board.database.transaction() as tx:
                named = "select outcome from work_runs order by started_at limit 4"
                rows = await (await tx.execute(named)).fetchall()
    assert [row["outcome"] for row in rows] == ["outage", "needs_founder", "outage", "done"]
