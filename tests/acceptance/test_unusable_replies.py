"""A reply that cannot be used is paid for at most three times a question, and no model is sent the same request twice."""

from __future__ import annotations

import json
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from support.cli import FrasierProgram
from support.model_responder import Answer, CompetentModel, Prompt, plan_of, read_prompt, write
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import DIRECTIVE, write_documents

WAITS_FOR_FOUNDER = 5
KILLED = -9
EMPTY = ScriptedAnswer(content="")
CUT_OFF = ScriptedAnswer(content="# Drinks\n\nGreen tea is [1]", finish_reason="length")
NONSENSE = ScriptedAnswer.json({"unexpected": True})
NO_COMPLETION = ScriptedAnswer(body="<html><title>Log in to the network</title></html>")
SETTINGS = {
    "FRASIER_LLM__T1_MODEL": "small",
    "FRASIER_LLM__T2_MODEL": "middle",
    "FRASIER_LLM__T3_MODEL": "large",
    "FRASIER_LLM__ATTEMPTS": "2",
    "FRASIER_WORKER__RETRY_BASE_S": "0",
    "FRASIER_WORKER__POLL_S": "0.1",
    "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
}


class Job:
    """A mission of one step, which the program carries out with the models of one server."""

    def __init__(self, frasier: FrasierProgram, folder: Path, server: ModelServer) -> None:
        self._frasier = frasier
        self._documents = write_documents(folder)
        self._server = server

    def answers(self, **answers: Answer) -> None:
        """How the server answers from now on."""
        self._server.responder = CompetentModel(
            **{"plan": lambda _: ScriptedAnswer.json(plan_of(1)), **answers}
        )

    def run(self, *, code: int = 0, **settings: str) -> dict[str, Any]:
        return self("run", DIRECTIVE, "--sources", str(self._documents), code=code, **settings)

    def __call__(self, *arguments: str, code: int = 0, **settings: str) -> dict[str, Any]:
        told = {**SETTINGS, "FRASIER_LLM__BASE_URL": self._server.base_url, **settings}
        ended = self._frasier(*arguments, "--json", code=code, **told)
        return dict(json.loads(ended.out)) if ended.out else {}

    def asked(self, purpose: str) -> list[Prompt]:
        """What the server was asked for a purpose; no two of them are the same request to the same model."""
        bodies = [request.body for request in self._server.log]
        asked = [prompt for prompt in map(read_prompt, bodies) if prompt.purpose == purpose]
        sent = [json.dumps(prompt.body, sort_keys=True) for prompt in asked]
        assert len(set(sent)) == len(sent), "the same request went to the same model twice"
        return asked

    def models(self, purpose: str) -> list[str]:
        return [prompt.model for prompt in self.asked(purpose)]


@pytest.fixture
def job(frasier: FrasierProgram, tmp_path: Path):
    with ModelServer(CompetentModel()) as server:
        yield Job(frasier, tmp_path / "drinks", server)


def always(answer: ScriptedAnswer) -> Answer:
    return lambda _: answer


def in_turn(*answers: ScriptedAnswer) -> Answer:
    turns = cycle(answers)
    return lambda _: next(turns)


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (always(EMPTY), "the reply was empty"),
        (always(CUT_OFF), "cut off at its limit"),
        (in_turn(EMPTY, CUT_OFF), "cut off at its limit"),
        (always(NO_COMPLETION), "malformed completion"),
    ],
    ids=["empty", "cut off", "alternately", "no completion"],
)
def test_a_text_that_never_comes_is_paid_three_times_and_the_founder_is_told_what_to_do(
    job: Job, answer: Answer, cause: str
) -> None:
    job.answers(synthesize=answer)
    ended = job.run(code=WAITS_FOR_FOUNDER)
    assert job.models("synthesize") == ["middle", "middle", "small"]
    (waiting,) = ended["waiting_for_founder"]
    assert cause in waiting
    assert "FRASIER_LLM__T2_MODEL" in waiting
    assert "as things stand that pays for up to 3 more replies" in waiting
    assert ended["calls"] == 3 + len(job.asked("plan") + job.asked("decompose") + job.asked("gaps"))


def test_after_a_cut_off_reply_the_model_is_given_more_room(job: Job) -> None:
    job.answers(synthesize=lambda prompt: write(prompt) if prompt.body["max_tokens"] > 10_000 else CUT_OFF)
    ended = job.run()
    assert job.models("synthesize") == ["middle", "middle"]
    assert [step["degraded"] for step in ended["steps"] if step["version"]] == [False]


def test_the_next_tier_is_one_more_try(job: Job) -> None:
    job.answers(synthesize=lambda prompt: EMPTY if prompt.model == "middle" else write(prompt))
    ended = job.run()
    assert job.models("synthesize") == ["middle", "middle", "small"]
    assert [step["degraded"] for step in ended["steps"] if step["version"]] == [True]


@pytest.mark.parametrize("answer", [EMPTY, NONSENSE], ids=["empty", "nonsense"])
def test_the_lowest_tier_is_asked_twice(job: Job, answer: ScriptedAnswer) -> None:
    job.answers(decompose=always(answer))
    job.run(code=WAITS_FOR_FOUNDER)
    assert job.models("decompose") == ["small", "small"]


def test_a_plan_that_cannot_be_read_is_paid_three_times_and_the_default_one_carried_out(job: Job) -> None:
    job.answers(plan=always(NONSENSE))
    ended = job.run()
    assert job.models("plan") == ["middle", "middle", "small"]
    assert ended["status"] == "delivered"
    assert ended["plan"]["origin"] == "default"


def test_a_lower_tier_that_stays_empty_is_not_asked_again_while_the_higher_one_is_down(job: Job) -> None:
    down = ScriptedAnswer.error(503, "overloaded")
    times = {"middle": 0, "small": 0}

    def answer(prompt: Prompt) -> ScriptedAnswer:
        times[prompt.model] += 1
        return down if prompt.model == "middle" else EMPTY

    job.answers(synthesize=answer)
    job.run(code=WAITS_FOR_FOUNDER, FRASIER_LLM__ATTEMPTS="1")
    assert times["small"] == 2
    assert times["middle"] == 5, "what passes is tried again as ever"


@pytest.mark.parametrize(
    "kills_at",
    [
        pytest.param(4, marks=pytest.mark.slow, id="after one"),
        pytest.param(5, id="after two"),
        pytest.param(6, marks=pytest.mark.slow, id="after three"),
    ],
)
def test_a_kill_between_the_tries_begins_no_new_count(job: Job, kills_at: int) -> None:
    job.answers(synthesize=always(EMPTY))
    job.run(code=KILLED, FRASIER_FAULT=f"llm.settled:kill:{kills_at}")
    assert len(job.asked("synthesize")) == kills_at - 3
    ended = job("resume", "last", code=WAITS_FOR_FOUNDER)
    assert job.models("synthesize") == ["middle", "middle", "small"]
    assert "the reply was empty" in ended["waiting_for_founder"][0]


def test_once_the_founder_has_named_another_model_the_mission_goes_on(job: Job) -> None:
    job.answers(synthesize=lambda prompt: write(prompt) if prompt.model == "other" else EMPTY)
    job.run(code=WAITS_FOR_FOUNDER)
    ended = job("resume", "last", FRASIER_LLM__T2_MODEL="other")
    assert ended["status"] == "delivered"
    assert job.models("synthesize") == ["middle", "middle", "small", "other"]
