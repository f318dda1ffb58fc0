"""Crashes around calls to a model over HTTP: the model's own log says how often it was asked."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.crash import Drill, connect_for_checks, poll
from support.mission_invariants import check_invariants, doubtful_calls
from support.model_server import ModelServer, ScriptedAnswer
from support.warm_start import WarmStart

_TEXT = """# Water for drinks

- Green tea is brewed with water of 75 degrees, because hotter water makes it bitter. [{0}]
- Filter coffee {verb} water of 94 degrees for four minutes. [{1}]
- Cocoa is stirred into milk of 80 degrees, and it must not boil. [{2}]
"""


def _step(key: str, title: str, role: str, *, after: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "key": key,
        "title": title,
        "task": f"{title}: write what the documents say about the degrees of the water.",
        "role": role,
        "depends_on": list(after),
        "acceptance": ["Every line cites its source."],
        "sources_needed": 0 if after else 3,
        "queries_needed": 0,
    }


_REPLIES: dict[str, dict[str, Any]] = {
    "PlanReply": {
        "title": "Water for drinks",
        "steps": [
            _step("warmth", "How warm the water is", "research"),
            _step("reasons", "Why the water is that warm", "research"),
            _step("final", "Final document", "content", after=("warmth", "reasons")),
        ],
        "escalation": "",
    },
    "DecomposeReply": {
        "questions": ["How warm is the water?"],
        "queries": ["green tea water degrees", "coffee water degrees", "cocoa milk degrees"],
        "requirements": [],
    },
    "GapsReply": {"sufficient": True, "gaps": [], "queries": []},
    "JudgeReply": {"judgements": []},
    "CritiqueReply": {
        **dict.fromkeys(("completeness", "accuracy", "actionability", "depth"), 4.5),
        "gaps": [],
        "lesson": "",
    },
    "ReviewReply": {
        **dict.fromkeys(("relevance", "depth", "actionability", "accuracy", "executive_quality"), 4),
        "verdict": "approve",
        "feedback": "Every line is cited.",
        "passages": [{"quotation": "Green tea is brewed with water of 75 degrees", "remark": "cited"}],
        "changes": "",
    },
}


class Model:
    """Answers each purpose in its shape. The call number `hangs_at` is never answered."""

    def __init__(self) -> None:
        self.hangs_at = 0
        self.asked = 0

    def __call__(self, body: dict[str, Any]) -> ScriptedAnswer:
        self.asked += 1
        if self.asked == self.hangs_at:
            return ScriptedAnswer(hang=True)
        shape = body.get("response_format", {}).get("json_schema", {}).get("name")
        if shape:
            return ScriptedAnswer.json(_REPLIES[shape])
        # Each step words it differently: the judge of a text is told nothing but its statements.
        verbs = {"How warm the water is": "is made with", "Why the water is that warm": "takes"}
        asked = body["messages"][1]["content"]
        verb = next((verb for title, verb in verbs.items() if f"\n{title}\n" in asked), "is brewed with")
        return ScriptedAnswer(content=_TEXT.format(1, 2, 3, verb=verb))


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with ModelServer(Model()) as server:
        yield server


@pytest.fixture
def drill(warm: WarmStart, model: ModelServer, database_url: str, tmp_path: Path) -> Drill:
    return Drill(
        warm,
        tmp_path,
        database_url,
        {
            "FRASIER_LLM__BASE_URL": model.base_url,
            "FRASIER_LLM__T1_MODEL": "m1",
            "FRASIER_LLM__T2_MODEL": "m2",
            "FRASIER_LLM__T3_MODEL": "m2",
            "FRASIER_LLM__PRICES": json.dumps({name: {"input": 1, "output": 2} for name in ("m1", "m2")}),
        },
    )


def _asked_twice(model: ModelServer) -> int:
    """How many requests the model was sent that it had been sent before."""
    requests = [json.dumps(request.body, sort_keys=True) for request in model.log]
    return len(requests) - len(set(requests))


def _money(url: str) -> dict[str, int]:
    with connect_for_checks(url) as connection:
        row = connection.execute(
            "select (select sum(cost_usd_micros) from llm_calls)::bigint as booked,"
            " (select spent_usd_micros from llm_spend where scope_kind = 'mission') as held,"
            " (select count(*) from llm_calls where state = 'settled') as answered"
        ).fetchone()
    assert row is not None
    return row


@pytest.mark.parametrize(
    ("fault", "asked_twice", "doubtful"),
    [
        ("llm.reply_received:kill:5", 1, 1),
        pytest.param("llm.intent_committed:kill:5", 0, 1, marks=pytest.mark.slow),
        pytest.param("llm.settled:kill:5", 0, 0, marks=pytest.mark.slow),
        pytest.param("deliver.before_commit:kill:2", 0, 0, marks=pytest.mark.slow),
    ],
)
def test_a_kill_repeats_no_call_but_the_one_in_flight(
    fault: str, asked_twice: int, doubtful: int, drill: Drill, model: ModelServer, database_url: str
) -> None:
    drill.run(fault).until_killed()
    ended = drill.resume().until_ended()
    assert ended.code == 0, ended
    mission = ended.report["mission"]
    check_invariants(drill, database_url, mission)
    assert _asked_twice(model) == asked_twice
    money = _money(database_url)
    assert len(model.log) == money["answered"] + asked_twice
    assert money["held"] == money["booked"] > 0
    with connect_for_checks(database_url) as connection:
        doubted = doubtful_calls(connection, mission)
    assert len(doubted) == doubtful
    assert all(row["cost_usd_micros"] > 0 for row in doubted)


def test_an_interruption_in_the_midst_of_a_call_books_it_at_once(
    drill: Drill, model: ModelServer, database_url: str
) -> None:
    assert isinstance(model.responder, Model)
    model.responder.hangs_at = 5
    working = drill.run(as_json=False)
    poll(lambda: len(model.log) == 5, "the call that is never answered")
    working.send(signal.SIGINT)
    ended = working.until_ended()
    assert ended.code == 130, ended
    with connect_for_checks(database_url) as connection:
        mission = str(connection.execute("select id from org_missions").fetchall()[0]["id"])
        assert len(doubtful_calls(connection, mission)) == 1
        assert connection.execute("select from workflow_tasks where lease_owner is not null").fetchall() == []

    resumed = drill.resume().until_ended()
    assert resumed.code == 0, resumed
    check_invariants(drill, database_url, mission)
    assert _asked_twice(model) == 1
    assert _money(database_url)["held"] == _money(database_url)["booked"]
