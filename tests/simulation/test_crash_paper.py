"""Crashes in the midst of a paper: what was written of it stays, and at most the call in flight is asked for again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.crash import Drill, connect_for_checks
from support.long_paper import PaperModel
from support.mission_invariants import check_invariants
from support.model_responder import read_prompt, section_number
from support.model_server import ModelServer
from support.warm_start import WarmStart


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with ModelServer(PaperModel(words=7_000)) as server:
        yield server


@pytest.fixture
def drill(warm: WarmStart, model: ModelServer, database_url: str, tmp_path: Path) -> Drill:
    names = ("m1", "m2", "m3")
    return Drill(
        warm,
        tmp_path,
        database_url,
        {
            "FRASIER_LLM__BASE_URL": model.base_url,
            **{f"FRASIER_LLM__T{tier}_MODEL": name for tier, name in enumerate(names, start=1)},
            "FRASIER_LLM__PRICES": json.dumps({name: {"input": 1, "output": 2} for name in names}),
        },
    )


@pytest.mark.parametrize(
    ("fault", "asked_twice"),
    [
        # The second section that is written is the sixth call: after plan, decompose, gaps, outline and the first.
        ("llm.reply_received:kill:6", 1),
        # The seventh checkpoint is that of the first section.
        ("phase.checkpointed:kill:7", 0),
        pytest.param("llm.settled:kill:6", 0, marks=pytest.mark.slow),
    ],
)
def test_a_kill_between_sections_repeats_at_most_the_call_in_flight(
    fault: str, asked_twice: int, drill: Drill, model: ModelServer, database_url: str
) -> None:
    drill.run(fault).until_killed()
    before = [read_prompt(request.body).purpose for request in model.log]
    assert before.count("section") in {1, 2}
    ended = drill.resume().until_ended()
    assert ended.code == 0, ended
    check_invariants(drill, database_url, ended.report["mission"])
    requests = [json.dumps(request.body, sort_keys=True) for request in model.log]
    assert len(requests) - len(set(requests)) == asked_twice
    prompts = [read_prompt(json.loads(body)) for body in dict.fromkeys(requests)]
    assert [section_number(prompt) for prompt in prompts if prompt.purpose == "section"] == [2, 3, 4, 5, 1]
    with connect_for_checks(database_url) as connection:
        phases = connection.execute(
            "select phase from work_checkpoints where phase like 'section-%'"
        ).fetchall()
    assert sorted(row["phase"] for row in phases) == [f"section-{number}" for number in range(1, 6)]
