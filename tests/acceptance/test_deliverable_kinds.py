"""The kind of a deliverable: chosen by the planner or with --as, told to everybody who works on it, and published so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from frasier.prompts.kind_rules import KIND_RULES, DeliverableKind
from support.cli import FrasierProgram
from support.model_responder import Answer, CompetentModel, Prompt, plan_of, read_prompt
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import DIRECTIVE, write_documents

REFUSED = 3


class Founder:
    """Somebody who runs the program with a scripted model, and sees what it was asked."""

    def __init__(self, program: FrasierProgram, documents: Path) -> None:
        self._program = program
        self._documents = documents
        self.prompts: list[Prompt] = []

    def run(self, *options: str, code: int = 0, **answers: Answer) -> dict[str, object]:
        with ModelServer(CompetentModel(**answers)) as server:
            settings = {
                **{f"FRASIER_LLM__{tier}_MODEL": "any" for tier in ("T1", "T2", "T3")},
                "FRASIER_LLM__BASE_URL": server.base_url,
                "FRASIER_WORKER__RETRY_BASE_S": "0",
                "FRASIER_MEMORY__EMBEDDING__PROVIDER": "none",
            }
            arguments = ("run", DIRECTIVE, "--sources", str(self._documents), *options)
            ended = self._program(*arguments, "--json", code=code, **settings)
        self.prompts = [read_prompt(request.body) for request in server.log]
        return dict(json.loads(ended.out))

    def asked(self, purpose: str) -> list[Prompt]:
        return [prompt for prompt in self.prompts if prompt.purpose == purpose]


@pytest.fixture
def founder(frasier: FrasierProgram, tmp_path: Path) -> Founder:
    return Founder(frasier, write_documents(tmp_path / "drinks"))


def folder_of(ended: dict[str, object]) -> Path:
    return Path(str(ended["folder"]))


def provenance_of(ended: dict[str, object]) -> dict[str, object]:
    return dict(json.loads((folder_of(ended) / "provenance.json").read_text("utf-8")))


def planned(kind: str, steps: int = 3) -> Answer:
    return lambda _: ScriptedAnswer.json({**plan_of(steps), "kind": kind})


def critical(_prompt: Prompt) -> ScriptedAnswer:
    """Find fault with a draft, so that it is revised once."""
    scores = dict.fromkeys(("completeness", "accuracy", "actionability", "depth"), 2)
    return ScriptedAnswer.json({**scores, "gaps": ["Say more."], "lesson": ""})


def test_the_planner_chooses_the_kind_and_whoever_works_on_it_is_told_its_rules(founder: Founder) -> None:
    ended = founder.run(plan=planned("comparison"), critique=critical)
    rules = KIND_RULES[DeliverableKind.COMPARISON]
    finals = [prompt for prompt in founder.prompts if "Write the comparison" in prompt.outside]
    told = {
        purpose: [prompt.outside for prompt in finals if prompt.purpose == purpose]
        for purpose in ("synthesize", "revise", "critique", "review")
    }
    for purpose, texts in told.items():
        is_author = purpose in {"synthesize", "revise"}
        of_final = [text for text in texts if "The kind of the result" in text]
        assert of_final, purpose
        for text in of_final:
            assert f"comparison: {rules.purpose}." in text
            assert (rules.writing if is_author else rules.rubric) in text, purpose
    others = [prompt for prompt in founder.prompts if "The kind of the result" not in prompt.outside]
    assert {prompt.purpose for prompt in others} >= {"plan", "synthesize", "critique"}, "parts have no kind"
    assert not any(rules.writing in prompt.outside for prompt in others)
    assert provenance_of(ended)["deliverable"]["kind"] == "comparison"


def test_as_leaves_the_planner_no_choice(founder: Founder) -> None:
    ended = founder.run("--as", "Decision paper", plan=lambda _: ScriptedAnswer.json(plan_of(1)))
    (plan,) = founder.asked("plan")
    assert "The founder asks for this kind of result: decision_paper." in plan.outside
    schema = plan.body["response_format"]["json_schema"]["schema"]
    kind = schema["properties"]["kind"]
    assert "decision_paper" in json.dumps(kind)
    assert "report" not in json.dumps(kind)
    (draft,) = founder.asked("synthesize")
    assert KIND_RULES[DeliverableKind.DECISION_PAPER].writing in draft.outside
    assert provenance_of(ended)["deliverable"]["kind"] == "decision_paper"


def test_a_plan_of_another_kind_than_was_asked_for_is_asked_for_again(founder: Founder) -> None:
    plans = iter(["report", "answer"])
    ended = founder.run(
        "--as",
        "answer",
        plan=lambda _: ScriptedAnswer.json({**plan_of(1), "kind": next(plans)}),
    )
    assert len(founder.asked("plan")) == 2
    assert provenance_of(ended)["deliverable"]["kind"] == "answer"


def test_an_unknown_kind_is_refused_before_anything_is_started(
    frasier: FrasierProgram, tmp_path: Path
) -> None:
    sources = str(write_documents(tmp_path / "drinks"))
    refused = frasier("run", DIRECTIVE, "--sources", sources, "--as", "essay", code=REFUSED)
    assert "There is no kind of deliverable 'essay'." in refused.err
    assert "report, answer, comparison, decision paper, plan, content, data" in refused.err
    assert frasier.json("missions", "list")["missions"] == []


def test_a_rehearsal_makes_the_kind_that_is_asked_for(frasier: FrasierProgram, tmp_path: Path) -> None:
    sources = str(write_documents(tmp_path / "drinks"))
    ended = frasier.json("run", DIRECTIVE, "--sources", sources, "--as", "answer")
    assert ended["kind"] == "answer"
    assert "  ·  answer  ·  " in frasier("missions", "show", "last").out
    assert provenance_of(ended)["deliverable"]["kind"] == "answer"
