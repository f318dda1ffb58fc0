"""The decisions of the second seed, on which evaluation rests, and the faults that its first try had.

Held elsewhere: telemetry that runners stamp and that survives a crash in test_telemetry and tests/simulation; evidence
from executed commands and gates that fire in test_workflow_pains_*; capabilities of roles in the tests of agents;
limits told in prompts as settings in test_prompts.
"""

from __future__ import annotations

import json
import statistics
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from frasier.interfaces.operations.organisation.evaluations import EvaluateInput
from frasier.interfaces.post_mortem_rendering import report_of
from frasier.kernel.evaluation_scale import CLARITY_ANCHORS, USEFULNESS_ANCHORS, Clarity, Usefulness
from frasier.llm.reply_schemas import EvaluatedArtefact, EvaluateReply
from frasier.overview import EvaluationView, compute_post_mortem, read_post_mortem
from support.evaluated_mission import EvaluatedMissions, evaluated_missions
from support.machine_speed import in_time
from support.model_responder import CompetentModel, Prompt, evaluated
from support.model_server import ScriptedAnswer

SCHEMA = Path(__file__).parents[2] / "docs" / "schema.sql"
USED = 5
WITHIN = 1.05
WITHIN_FEW = 1.3
_CALL_S = 0.1


def fail(_: Prompt) -> ScriptedAnswer:
    return ScriptedAnswer.error(500, "out of order")


def hang(_: Prompt) -> ScriptedAnswer:
    return ScriptedAnswer(hang=True)


def give(prompt: Prompt) -> ScriptedAnswer:
    return ScriptedAnswer.json(evaluated(prompt))


def test_1_one_schema_serves_every_evaluator_the_table_and_the_prompt():
    stored = SCHEMA.read_text("utf-8")
    for scale, anchors in ((Usefulness, USEFULNESS_ANCHORS), (Clarity, CLARITY_ANCHORS)):
        assert list(anchors) == list(scale)
        assert [label.points for label in scale] == [1, 2, 3, 4, 5]
        assert ", ".join(f"'{label}'::text" for label in scale) in stored
    for model in (EvaluatedArtefact, EvaluateInput):
        annotations = {name: field.annotation for name, field in model.model_fields.items()}
        assert (annotations["usefulness"], annotations["clarity"]) == (Usefulness, Clarity)
    of_agents = EvaluatedArtefact.model_fields.keys() - {"key"}
    assert (
        EvaluateInput.model_fields.keys() - {"sha256"}
        == of_agents
        <= {one.name for one in fields(EvaluationView)}
    )


def test_2_what_replaces_it_no_evaluator_writes_a_time_a_run_or_a_count():
    artefact: dict[str, Any] = {
        **{name: [] for name in ("useful", "missing", "unused", "inaccuracies")},
        "key": "A1",
        "evidence": [{"quotation": "Water of 75 degrees", "remark": "so"}],
        "effect": "It saved a search.",
        "usefulness": "good",
        "clarity": "clear",
    }
    EvaluateReply.model_validate({"artefacts": [artefact], "ranking": []})
    for invented in ("execution_time_ms", "attempt", "run_id", "created_at", "retry_count"):
        with pytest.raises(ValidationError):
            EvaluateReply.model_validate({"artefacts": [artefact | {invented: 1}], "ranking": []})


ADVICE = "The organisation should hire a second reviewer and rewrite its prompts."


def advise(purpose: str, **changes: Any) -> Any:
    """Answer like a competent model that also gives advice about the organisation."""

    def reply(prompt: Prompt) -> ScriptedAnswer:
        given = json.loads(str(CompetentModel().to(purpose)(prompt).content))
        return ScriptedAnswer.json({**given, **changes})

    return reply


async def test_3_a_post_mortem_is_computed_from_rows_asks_no_model_and_repeats_no_advice(
    database_url: str, tmp_path: Path
):
    answers = {
        "critique": advise("critique", lesson=ADVICE, gaps=[ADVICE]),
        "review": advise("review", feedback=ADVICE),
        "evaluate": lambda prompt: ScriptedAnswer.json(evaluated(prompt, effect=ADVICE, useful=[ADVICE])),
    }
    async with evaluated_missions(database_url, tmp_path, **answers) as missions:
        await missions.allow()
        progress = await missions.mission()
        assert ADVICE in json.dumps((await missions.finish(USED)).evaluations[0].effect)
        services, asked = missions.api.services, len(missions.server.log)
        assert not missions.prompts("improve"), "to propose changes is another task, which nobody began"
        computed = [await services.in_transaction(compute_post_mortem, progress.mission_id) for _ in range(2)]
        documents = [one.document | {"telemetry": None} for one in computed if one]
        assert documents[0] == documents[1]
        view = await services.in_transaction(read_post_mortem, "last")
        assert view.evaluations.of_mission == USED
        assert view.judgements.verdicts
        shown = f"{documents}{view}{report_of(view)}"
        assert "Cliff's delta" in shown
        assert ADVICE not in shown
        assert (await missions.api.call("proposal_list"))["proposals"] == []
        assert len(missions.server.log) == asked


async def test_4_and_6_who_plans_is_given_no_tools_and_who_builds_on_a_result_waits_for_it(
    database_url: str, tmp_path: Path
):
    async with evaluated_missions(database_url, tmp_path) as missions:
        await missions.mission()
        assert missions.prompts("plan")
        sent = [request.body for request in missions.server.log]
        assert not [body for body in sent if body.keys() & {"tools", "functions", "tool_choice"}]
        tasks = (await missions.api.call("telemetry_get"))["telemetry"]["tasks"]
        by_key = {task["key"]: task for task in tasks if task["process"] == "mission_step"}
        began = min(run["started_at"] for run in by_key["final"]["runs"])
        assert all(by_key[key]["ended_at"] <= began for key in ("part-1", "part-2"))


async def test_5_an_evaluation_that_fails_is_an_error_of_its_own_and_never_one_of_the_mission(
    database_url: str, tmp_path: Path
):
    async with evaluated_missions(database_url, tmp_path, evaluate=fail) as missions:
        await missions.allow()
        assert (await missions.mission()).status == "delivered"
        view = await missions.finish(USED)
        assert (len(view.evaluations), len(view.errors)) == (0, USED)
        assert all(one.evaluator and one.step and one.error for one in view.errors), "who, what, and why"
        assert (await missions.mission()).status == "delivered", "the model is not left alone for it"


async def seconds_of(missions: EvaluatedMissions, *, enabled: bool) -> float:
    await missions.api.call("policy_set", subject="evaluation", rules={"enabled": enabled, "minutes": 1})
    progress = await missions.mission()
    assert progress.status == "delivered"
    return float(progress.seconds)


async def ratio_of(database_url: str, folder: Path, answer: Any, pairs: int) -> float:
    """Return how long a mission takes with evaluations, as a multiple of one without: the median of pairs."""
    competent = CompetentModel(evaluate=answer)

    def slowly(purpose: str) -> Any:
        def reply(prompt: Prompt) -> ScriptedAnswer:
            given = competent.to(purpose)(prompt)
            return ScriptedAnswer(content=given.content, delay_s=_CALL_S)

        return reply

    slow = {
        purpose: slowly(purpose)
        for purpose in ("plan", "decompose", "gaps", "synthesize", "critique", "review")
    }
    ratios = []
    async with evaluated_missions(database_url, folder, evaluate=answer, **slow) as missions:
        for number in range(pairs):
            order = (True, False) if number % 2 else (False, True)
            taken = {enabled: await seconds_of(missions, enabled=enabled) for enabled in order}
            ratios.append(taken[True] / taken[False])
    return statistics.median(ratios)


@pytest.mark.parametrize("answer", [give, hang], ids=["given", "hanging"])
async def test_evaluations_delay_no_mission(database_url: str, tmp_path: Path, answer: Any):
    assert in_time(await ratio_of(database_url, tmp_path, answer, 2), WITHIN_FEW)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("answer", [give, fail, hang], ids=["given", "failing", "hanging"])
async def test_evaluations_delay_no_mission_in_ten_pairs(database_url: str, tmp_path: Path, answer: Any):
    assert await ratio_of(database_url, tmp_path, answer, 10) <= WITHIN


async def test_evaluations_cost_no_more_than_their_share(database_url: str, tmp_path: Path):
    share = 0.00005
    async with evaluated_missions(database_url, tmp_path) as missions:
        await missions.allow(share_of_mission=share)
        await missions.mission()
        view = await missions.finish(USED)
        assert view.cost_usd <= 5 * share
        assert view.errors, "what the share does not pay for is not evaluated"
