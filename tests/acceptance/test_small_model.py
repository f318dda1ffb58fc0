"""A real, small and not very clever model: every request and every schema of ours is valid, and no gate is opened for it."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row
from pydantic import BaseModel

from frasier.llm import ClassifyInputs, Message, ProviderCall, Purpose
from frasier.llm.providers.openai_compatible import OpenAICompatible
from frasier.llm.reply_parsing import Problems, parse_reply, reply_schema
from frasier.llm.reply_schemas import (
    ClassifyReply,
    CritiqueReply,
    DecomposeReply,
    GapsReply,
    PlanReply,
    ReviewReply,
    SelfTestReply,
)
from frasier.org.missions import find_faults
from frasier.prompts.plan import plan_shape
from support.cli import FrasierProgram
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import DOCUMENTS, write_documents
from support.small_model import NAME, SmallModel, missing

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1_200),
    pytest.mark.skipif(bool(missing()), reason=missing()),
]

RUN_S = 1_000
SHAPES: dict[str, type[BaseModel]] = {
    shape.__name__: shape for shape in (PlanReply, DecomposeReply, GapsReply, CritiqueReply, ReviewReply)
}
# A small context makes small replies, and with them a run that ends while somebody waits for it.
SETTINGS = {
    **{f"FRASIER_LLM__T{tier}_MODEL": NAME for tier in (1, 2, 3)},
    **{f"FRASIER_LLM__T{tier}_CONTEXT_TOKENS": "3584" for tier in (1, 2, 3)},
    "FRASIER_LLM__REASONING_TOKENS": "0",
    "FRASIER_LLM__MAX_CONCURRENCY": "1",
    "FRASIER_LLM__TIMEOUT_S": "600",
    "FRASIER_PLANNING__STEPS_MAX": "1",
    "FRASIER_PLANNING__SOURCES_PER_STEP": "60",
    "FRASIER_PLANNING__QUERIES_PER_STEP": "20",
    "FRASIER_PIPELINE__ROUNDS_MAX": "1",
    "FRASIER_PIPELINE__REVISIONS_MAX": "0",
    "FRASIER_PIPELINE__PASSAGES_MAX": "4",
    "FRASIER_AUTONOMY__STRIKES_MAX": "1",
    "FRASIER_WORKER__RETRY_BASE_S": "0",
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallModel]:
    with SmallModel(tmp_path_factory.mktemp("model") / "server.log") as running:
        yield running


@pytest.mark.parametrize(
    "shape",
    [
        plan_shape(("content", "research"), 1),
        *(DecomposeReply, GapsReply, CritiqueReply, ReviewReply, ClassifyReply, SelfTestReply),
    ],
    ids=lambda shape: shape.__name__,
)
async def test_every_schema_is_taken_as_it_is_and_holds_the_reply(
    model: SmallModel, shape: type[BaseModel]
) -> None:
    call = ProviderCall(
        model=NAME,
        messages=(
            Message(role="system", content="You answer in JSON, and in as few words as you can."),
            Message(
                role="user", content="Tea is brewed with water of 75 degrees. Fill in the form about it."
            ),
        ),
        purpose=Purpose.CLASSIFY,
        inputs=ClassifyInputs(message="tea"),
        json_schema=reply_schema(shape),
        schema_name=shape.__name__,
        max_output_tokens=2_500,
        temperature=0.4,
        timeout_s=400,
    )
    with ModelServer(model.forward) as server:
        provider = OpenAICompatible(base_url=server.base_url, api_key=None, structured="json_schema")
        reply = await provider.complete(call)
        await provider.close()
    assert len(server.log) == 1, "the first way of asking is accepted: with the whole schema and its bounds"
    assert reply.finish_reason == "stop"
    parsed = parse_reply(reply.text, shape)
    assert not isinstance(parsed, Problems), parsed


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request of the run, and what the model's server made of it."""

    body: dict[str, Any]
    answer: ScriptedAnswer

    @property
    def choice(self) -> dict[str, Any]:
        return dict(json.loads(self.answer.body or "")["choices"][0])


def test_the_whole_run_ends_delivered_or_with_the_true_reason(
    model: SmallModel, server, database_name: str, database_url: str, tmp_path: Path
) -> None:
    exchanges: list[Exchange] = []

    def pass_on(body: dict[str, Any]) -> ScriptedAnswer:
        exchanges.append(Exchange(body, model.forward(body)))
        return exchanges[-1].answer

    home = tmp_path / "founder"
    home.mkdir()
    frasier = FrasierProgram(home, database_url)
    folder = write_documents(tmp_path / "drinks")
    with ModelServer(pass_on) as proxy:
        settings = {**SETTINGS, "FRASIER_LLM__BASE_URL": proxy.base_url}
        arguments = ["run", "Compare tea and coffee", "--sources", str(folder), "--json"]
        code, ended = _finish(frasier.start(*arguments, **settings))

    assert exchanges
    for exchange in exchanges:
        assert exchange.answer.status == 200, exchange.answer.body
        _assert_holds_the_shape(exchange)
    with psycopg.connect(server.url("frasier_owner", database_name), row_factory=dict_row) as connection:
        rows = {
            table: connection.execute(f"select * from {table}").fetchall()
            for table in ("org_deliverables", "org_reviews", "org_questions", "llm_calls")
        }
    assert {call["model"] for call in rows["llm_calls"]} == {NAME}
    _assert_no_gate_was_opened(rows)
    match code:
        case 0:
            assert ended["status"] == "delivered"
            assert any(review["state"] == "approved" for review in rows["org_reviews"])
        case 4:
            assert ended["status"] == "failed"
            assert ended["failure"]
        case 5:
            assert ended["waiting_for_founder"]
            assert {question["question"] for question in rows["org_questions"]} >= set(
                ended["waiting_for_founder"]
            )
        case _:
            pytest.fail(f"it ended with {code}: {ended}")


def test_where_it_plans_nothing_the_default_plan_is_carried_out_or_blocked_with_the_true_reason(
    model: SmallModel, server, database_name: str, database_url: str, tmp_path: Path
) -> None:
    def plan_nothing(body: dict[str, Any]) -> ScriptedAnswer:
        asked = body.get("response_format", {}).get("json_schema", {}).get("name")
        return ScriptedAnswer(content="I would begin.") if asked == "PlanReply" else model.forward(body)

    home = tmp_path / "founder"
    home.mkdir()
    frasier = FrasierProgram(home, database_url)
    folder = write_documents(tmp_path / "drinks", {"tea.md": DOCUMENTS["tea.md"]})
    with ModelServer(plan_nothing) as proxy:
        settings = {
            **SETTINGS,
            "FRASIER_PLANNING__STEPS_MAX": "2",
            "FRASIER_LLM__BASE_URL": proxy.base_url,
        }
        arguments = ["run", "How hot is the water for green tea?", "--sources", str(folder), "--json"]
        code, ended = _finish(frasier.start(*arguments, **settings))
    assert ended["plan"], ended["waiting_for_founder"]
    assert ended["plan"]["origin"] == "default"
    assert [step["key"] for step in ended["plan"]["steps"]] == ["research-1", "final"]
    with psycopg.connect(server.url("frasier_owner", database_name), row_factory=dict_row) as connection:
        rows = {
            table: connection.execute(f"select * from {table}").fetchall()
            for table in ("org_deliverables", "org_reviews")
        }
    _assert_no_gate_was_opened(rows)
    match code:
        case 0:
            assert ended["status"] == "delivered"
            text = Path(ended["deliverable"]).read_text("utf-8")
            doubtful = sum(row["verification"]["doubtful"] for row in ended["steps"] if row["key"] == "final")
            assert text.count("[doubtful]") >= doubtful, "nothing that the check refutes is unmarked"
        case 4:
            assert ended["failure"]
        case 5:
            assert ended["waiting_for_founder"]
        case _:
            pytest.fail(f"it ended with {code}: {ended}")


def _finish(process: subprocess.Popen[str]) -> tuple[int, dict[str, Any]]:
    try:
        out, err = process.communicate(timeout=RUN_S)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        pytest.fail(f"it did not end within {RUN_S} s: {out}{err}")
    return process.returncode, json.loads(out)


def _assert_holds_the_shape(exchange: Exchange) -> None:
    """A reply that ended by itself has the shape that was asked for: the server understood the schema."""
    asked = exchange.body.get("response_format")
    if asked is None or exchange.choice["finish_reason"] != "stop":
        return
    shape = SHAPES[asked["json_schema"]["name"]]
    parsed = parse_reply(exchange.choice["message"]["content"], shape)
    assert not isinstance(parsed, Problems), parsed


def _assert_no_gate_was_opened(rows: dict[str, list[dict[str, Any]]]) -> None:
    """What was stored could be stored, and what was approved was cited and scored."""
    kept = {row["id"]: row for row in rows["org_deliverables"]}
    assert all(find_faults(row["content"]) == [] for row in kept.values())
    for review in rows["org_reviews"]:
        if review["state"] == "approved":
            citations = kept[review["deliverable_id"]]["citations"]
            assert citations["unknown"] == []
            assert citations["cited"] or not citations["quotable"]
            assert review["scores"]
