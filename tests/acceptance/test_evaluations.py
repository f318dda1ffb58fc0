"""Evaluations of artefacts: by whoever used them, cited, bound to the text, apart from the mission and never in its way."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from frasier.llm import spend_of_mission
from frasier.org.improvement import evaluations_are_to_come
from frasier.overview import read_mission_view
from frasier.work import Directive, WorkerSettings
from support.cli import FrasierProgram
from support.crash import EVALUATION_POINTS
from support.evaluated_mission import CALL_USD, evaluated_missions
from support.founder_page import logged_in
from support.model_responder import CompetentModel, Prompt, evaluated, plan_of
from support.model_server import ScriptedAnswer
from support.organisation import DIRECTIVE, wait_until_settled, write_documents

# Two parts that the final step uses, and the final result that three reviewers judge.
USED = 5
# Of a mission with one author.
REVIEWERS = 2


def hang(_: Prompt) -> ScriptedAnswer:
    return ScriptedAnswer(hang=True)


def fail(_: Prompt) -> ScriptedAnswer:
    return ScriptedAnswer.error(500, "out of order")


def garbage(_: Prompt) -> ScriptedAnswer:
    return ScriptedAnswer(content="Everything was great!")


async def test_whoever_used_an_artefact_evaluates_it_after_its_own_work(
    database_url: str, owner_url: str, tmp_path: Path
):
    async with evaluated_missions(database_url, tmp_path) as missions:
        await missions.allow()
        progress = await missions.mission()
        assert progress.status == "delivered"
        view = await missions.finish(USED)
        assert not view.errors
        roles = sorted(one.role for one in view.evaluations)
        assert roles == ["assembler", "assembler", "reviewer", "reviewer", "reviewer"]
        assert all(one.evaluator != one.producer for one in view.evaluations), "nobody judges their own work"
        parts = {one.step: one for one in view.evaluations if one.role == "assembler"}
        assert sorted((one.rank, one.siblings) for one in parts.values()) == [(1, 1), (2, 1)]
        deliverable = (await missions.api.call("deliverable_get"))["deliverable"]
        finals = [one for one in view.evaluations if one.step == "final"]
        assert {one.sha256 for one in finals} == {deliverable["sha256"]}
        assert all(one.consumer_attempt for one in view.evaluations)
        assert {(one.usefulness_points, one.clarity_points) for one in view.evaluations} == {(4, 3)}
        # What was really sent: the evaluator's own work, each artefact in a fence of its own, evidence before labels.
        asked = next(
            prompt for prompt in missions.prompts("evaluate") if len(prompt.named("deliverable")) == 2
        )
        assert [one.attributes["key"] for one in asked.named("deliverable")] == ["A1", "A2"]
        assert "## From" in asked.named("draft")[0].text, "what came of the evaluator's own work"
        assert "had to be found elsewhere" in asked.sections["Usefulness"]
        schema = asked.body["response_format"]["json_schema"]["schema"]
        fields = list(schema["properties"]["artefacts"]["items"]["properties"])
        assert fields.index("evidence") < fields.index("usefulness") < fields.index("clarity")
        # They cost nothing of the mission's budget, and are in its telemetry nowhere.
        spent = await missions.api.services.in_transaction(spend_of_mission, progress.mission_id)
        assert spent.calls == len(missions.server.log) - len(missions.prompts("evaluate"))
        assert view.cost_usd > 0
        bill = (await missions.api.call("cost_get"))["costs"]
        titles = [row["title"] for row in bill["by_mission"]]
        assert f"evaluations of {progress.title}" in titles
        # Also where the mission itself cost nothing in these days.
        with psycopg.connect(owner_url, autocommit=True) as owner:
            owner.execute("update llm_calls set day = day - 2 where purpose <> 'evaluate'")
        bill = (await missions.api.call("cost_get", since=bill["by_day"][-1]["key"]))["costs"]
        assert [row["title"] for row in bill["by_mission"]] == [f"evaluations of {progress.title}"]
        shown = await missions.api.services.in_transaction(read_mission_view, "last", lines=1, messages=1)
        assert len(shown.evaluations.evaluations) == USED
        telemetry = (await missions.api.call("telemetry_get"))["telemetry"]
        assert not [task for task in telemetry["tasks"] if task["process"] == "evaluation"]


async def test_nothing_is_evaluated_until_the_founder_allows_it(database_url: str, tmp_path: Path):
    async with evaluated_missions(database_url, tmp_path) as missions:
        await missions.mission()
        await missions.finish(0)
        await missions.allow()
        second = await missions.mission()
        view = await missions.finish(USED, second.mission_id)
        assert len(view.evaluations) == USED
        listed = (await missions.api.call("mission_list"))["missions"]
        (first,) = (one["mission"] for one in listed if one["mission"] != str(second.mission_id))
        assert not (await missions.read(first)).evaluations, "what was done before is never evaluated"


@pytest.mark.parametrize(
    ("answer", "rules", "reason", "calls"),
    [
        (garbage, {}, "No model gave a usable answer", 2),
        (fail, {}, "No model answered", 1),
        (hang, {"minutes": 0.03}, "not over within 0.03 minutes", 1),
        (evaluated, {"share_of_mission": 0}, "budget", 0),
    ],
    ids=["garbage", "failing", "hanging", "no share"],
)
async def test_an_evaluator_that_gives_nothing_changes_nothing_but_an_error_that_the_runner_writes(
    database_url: str,
    tmp_path: Path,
    answer: Callable[[Prompt], Any],
    rules: dict[str, Any],
    reason: str,
    calls: int,
    monkeypatch: pytest.MonkeyPatch,
):
    def reply(prompt: Prompt) -> ScriptedAnswer:
        given = answer(prompt)
        return given if isinstance(given, ScriptedAnswer) else ScriptedAnswer.json(given)

    async with evaluated_missions(database_url, tmp_path, evaluate=reply) as missions:
        await missions.allow(**rules)
        with monkeypatch.context() as patched:
            # The end of the mission's worker would interrupt an evaluation, which the next worker asks for again.
            patched.setattr("frasier.work.worker._BACKGROUND_MAX", 0)
            progress = await missions.mission()
        assert progress.status == "delivered"
        assert not missions.prompts("evaluate")
        view = await missions.finish(USED)
        assert not view.evaluations
        assert len(view.errors) == USED
        assert all(reason in one.error for one in view.errors), view.errors[0].error
        assert {one.evaluator for one in view.errors} != {"?"}
        tasks = len({(one.evaluator, one.consumer) for one in view.errors})
        assert len(missions.prompts("evaluate")) == calls * tasks
        status = (await missions.api.call("mission_get"))["mission"]["progress"]["status"]
        assert status == "delivered"


async def test_a_faulty_evaluation_is_repaired_once(database_url: str, tmp_path: Path):
    asked: list[int] = []

    def invent_first(prompt: Prompt) -> ScriptedAnswer:
        asked.append(len(prompt.body["messages"]))
        invented = [{"quotation": "Nobody wrote these words.", "remark": "so"}]
        changes = {} if len(prompt.body["messages"]) > 2 else {"evidence": invented}
        return ScriptedAnswer.json(evaluated(prompt, **changes))

    async with evaluated_missions(database_url, tmp_path, evaluate=invent_first) as missions:
        await missions.allow()
        await missions.mission()
        view = await missions.finish(USED)
        assert len(view.evaluations) == USED
        told = [prompt for prompt in missions.prompts("evaluate") if len(prompt.body["messages"]) > 2]
        assert "does not stand in A1" in str(told[0].body["messages"][-1]["content"])


async def test_a_worker_whose_only_place_is_taken_by_no_evaluation_goes_on_with_missions(
    database_url: str, tmp_path: Path
):
    worker = WorkerSettings(concurrency=1, poll_s=0.05, retry_base_s=0.0)
    async with evaluated_missions(database_url, tmp_path, worker=worker, evaluate=hang) as missions:
        await missions.allow(minutes=5)
        await missions.mission()
        # The evaluations of the first mission hang while the second is carried out.
        second = await missions.mission()
        assert second.status == "delivered"
        view = await missions.read()
        assert not view.evaluations
        assert not view.errors
        first = missions.prompts("evaluate")
        assert first, "an evaluation was on its way"


async def test_where_one_call_may_be_in_flight_evaluations_give_way_and_run_when_nothing_else_is_ready(
    database_url: str, tmp_path: Path
):
    answers = {"evaluate": hang}

    def evaluate(prompt: Prompt) -> ScriptedAnswer:
        return answers["evaluate"](prompt)

    async with evaluated_missions(database_url, tmp_path, calls_at_once=1, evaluate=evaluate) as missions:
        await missions.allow(minutes=5)
        first = await missions.mission()
        services = missions.api.services
        async with services.running():
            async with asyncio.timeout(60):
                while not missions.prompts("evaluate"):
                    await asyncio.sleep(0.05)
            # An evaluation of the first mission holds the only slot and hangs when the second begins.
            request = Directive(text=DIRECTIVE, destination=tmp_path / "out", sources=(tmp_path / "drinks",))
            second = (await services.take_directive(request)).mission.id
            assert (await wait_until_settled(services, second)).status == "delivered"
        answers["evaluate"] = CompetentModel().to("evaluate")
        for mission in (first.mission_id, second):
            view = await missions.finish(USED, mission)
            assert (len(view.evaluations), view.errors) == (USED, ())


@pytest.mark.parametrize("point", EVALUATION_POINTS)
async def test_killed_while_it_stores_an_evaluation_is_there_once_and_paid_for_once(
    frasier: FrasierProgram, database_url: str, tmp_path: Path, point: str
):
    async with evaluated_missions(
        database_url, tmp_path, plan=lambda _: ScriptedAnswer.json(plan_of(1))
    ) as missions:
        await missions.allow()
        documents = write_documents(tmp_path / "drinks")
        request = Directive(text=DIRECTIVE, destination=tmp_path / "out", sources=(documents,))
        await missions.api.services.take_directive(request)
        fault = {"FRASIER_FAULT": f"{point}:kill:1"}
        await asyncio.to_thread(frasier, "up", "--no-web", code=-9, **missions.environment, **fault)
        view = await missions.finish(REVIEWERS)
        assert (len(view.evaluations), view.errors) == (REVIEWERS, ())
        assert len({(one.evaluator, one.sha256) for one in view.evaluations}) == REVIEWERS
        assert len(missions.prompts("evaluate")) == REVIEWERS
        assert view.cost_usd == pytest.approx(REVIEWERS * CALL_USD)


async def test_evaluations_of_superseded_versions_are_left_out_and_counted(database_url: str, tmp_path: Path):
    async with evaluated_missions(database_url, tmp_path) as missions:
        await missions.allow()
        progress = await missions.mission()
        await missions.finish(USED)
        await missions.api.call("mission_revise", mission=str(progress.mission_id), wish="Say more of cocoa.")
        view = await missions.finish(2 * USED)
        assert view.superseded == 3, "three reviewers evaluated the version before"
        (version,) = {one.version for one in view.evaluations if one.step == "final"}
        assert version == 2
        computed = (await missions.api.call("post_mortem_get"))["post_mortem"]["evaluations"]
        assert computed["of_mission"] == len(view.evaluations)


async def test_an_evaluator_whose_scores_never_vary_gives_no_signal(database_url: str, tmp_path: Path):
    def flatter(prompt: Prompt) -> ScriptedAnswer:
        return ScriptedAnswer.json(evaluated(prompt, usefulness="essential", clarity="exemplary"))

    async with evaluated_missions(database_url, tmp_path, evaluate=flatter) as missions:
        await missions.allow()
        for number in range(1, 5):
            await missions.mission()
            view = await missions.finish(USED)
            if number < 4:
                assert not view.without_signal
        assert view.without_signal
        assert all(one.n >= 8 for one in view.without_signal)
        assert view.flat > 0
        left = {one.evaluator for one in view.without_signal}
        assert not [one for one in view.evaluations if one.evaluator in left]


async def test_whoever_ran_one_mission_is_told_of_its_evaluations_and_reads_and_exports_them(
    frasier: FrasierProgram, database_url: str, tmp_path: Path
):
    async with evaluated_missions(database_url, tmp_path) as missions:
        await missions.allow()
        documents = write_documents(tmp_path / "drinks")
        given = "run", DIRECTIVE, "--sources", str(documents), "--out", str(tmp_path / "out")
        ran = await asyncio.to_thread(frasier, *given, **missions.environment)
        assert "still to be evaluated by the colleagues who used them. `frasier up`" in ran.out
        view = await missions.finish(USED)
        assert not await missions.api.services.in_transaction(evaluations_are_to_come, view.mission)
        shown, lined, logged = [
            (await asyncio.to_thread(frasier, "evaluations", "last", "--format", form)).out
            for form in ("text", "jsonl", "inspect")
        ]
        async with logged_in(missions.api.services) as browser:
            await browser.get(f"/missions/{view.mission}")
            on_page = browser.element("mission-evaluations").text_content()
    for one in view.evaluations:
        assert f"{one.step} v{one.version}, by {one.evaluator}" in shown
        assert one.evaluator in on_page
    assert "the price of the water" in shown
    assert "the price of the water" in on_page
    lines = [json.loads(line) for line in lined.splitlines()]
    log = json.loads(logged)
    assert [line["kind"] for line in lines] == ["artefact_evaluation"] * USED
    assert all(line["mission"] == str(view.mission) and line["sha256"] for line in lines)
    assert (log["version"], log["status"], len(log["samples"])) == (2, "success", USED)
    assert {"created", "task", "dataset", "model", "config"} <= log["eval"].keys()
    assert {score["name"]: score["metrics"]["mean"]["value"] for score in log["results"]["scores"]} == {
        "usefulness": 4,
        "clarity": 3,
    }
    for sample in log["samples"]:
        assert {"id", "epoch", "input", "target"} <= sample.keys()
        assert sample["scores"]["usefulness"]["value"] == 4
