"""The kinds of deliverables: each has a name, rules that its author, critics and reviewers are told, and conditions."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from scripts.prompts_doc import AUTHOR, CRITIC, SAMPLES, rendered

from frasier.kernel.deliverable_kind import DeliverableKind, kind_named
from frasier.kernel.errors import InvalidInput
from frasier.llm import DocumentEntry, Purpose, Request, ResultForm, StepBrief, Tier
from frasier.llm.reply_schemas import KindName, PlannedStep, PlanReply, TableColumn, TablePlan
from frasier.org.planning import PlanningSettings, find_plan_issues
from frasier.prompts import (
    critique_request,
    decompose_request,
    plan_request,
    review_request,
    revise_request,
    synthesize_request,
)
from frasier.prompts.kind_rules import KIND_RULES
from frasier.prompts.plan import plan_shape
from frasier.work.deep_work.kind_checks import find_length_faults

COLUMN = TableColumn(name="price", asks="The price of one valve in EUR", kind="number")


def asked(request: Request) -> str:
    return rendered(request).messages[1].content


def requests_of(kind: DeliverableKind | None) -> dict[Purpose, Request]:
    """The requests of a step with this kind of result."""

    def inputs(purpose: Purpose):
        sample = SAMPLES[purpose].inputs
        return replace(sample, brief=replace(sample.brief, kind=kind))

    writing = {"system": AUTHOR, "tier": Tier.T2, "find_faults": lambda _: ()}
    requests = [
        decompose_request(inputs(Purpose.DECOMPOSE), system=AUTHOR),
        synthesize_request(inputs(Purpose.SYNTHESIZE), **writing),
        revise_request(inputs(Purpose.REVISE), **writing),
        critique_request(inputs(Purpose.CRITIQUE), system=CRITIC),
        review_request(replace(SAMPLES[Purpose.REVIEW].inputs, kind=kind), system=CRITIC, tier=Tier.T2),
    ]
    return {request.purpose: request for request in requests}


@pytest.mark.parametrize("name", ["decision_paper", "Decision paper", " decision-PAPER "])
def test_a_kind_is_known_by_any_spelling_of_its_name(name: str) -> None:
    assert kind_named(name) is DeliverableKind.DECISION_PAPER


@pytest.mark.parametrize(
    ("name", "kind"), [("decision", "decision_paper"), ("Comp", "comparison"), ("r", "report")]
)
def test_a_beginning_that_only_one_name_has_is_enough(name: str, kind: str) -> None:
    assert kind_named(name) == kind


def test_a_beginning_of_several_names_is_refused_with_these() -> None:
    with pytest.raises(InvalidInput) as refused:
        kind_named("co")
    assert "Several kinds of deliverables begin with 'co'" in str(refused.value)
    assert refused.value.hint == "Name one of: comparison, content."


@pytest.mark.parametrize("name", ["", "essay", "reports"])
def test_an_unknown_kind_is_refused_with_those_that_there_are(name: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        kind_named(name)
    assert "report, answer, comparison, decision paper, plan, content, data" in str(refused.value.hint)


def test_planners_know_every_kind_and_every_kind_has_rules() -> None:
    assert set(get_args(KindName)) == set(DeliverableKind) == set(KIND_RULES)
    told = asked(SAMPLES[Purpose.PLAN])
    for kind, rules in KIND_RULES.items():
        assert f"  {kind}: {rules.purpose}." in told


@pytest.mark.parametrize("kind", DeliverableKind)
def test_authors_critics_and_reviewers_are_told_the_rules_of_the_kind(kind: DeliverableKind) -> None:
    rules, requests = KIND_RULES[kind], requests_of(kind)
    for purpose, request in requests.items():
        told = asked(request)
        assert f"{kind.words}: {rules.purpose}." in told, purpose
        assert (rules.writing in told) == (purpose in {Purpose.SYNTHESIZE, Purpose.REVISE}), purpose
        assert (rules.rubric in told) == (purpose in {Purpose.CRITIQUE, Purpose.REVIEW}), purpose


def test_a_step_that_colleagues_build_on_has_no_kind() -> None:
    for request in requests_of(None).values():
        told = asked(request)
        assert "The kind of the result" not in told
        assert "The form of the result" not in told
        assert "What this kind of result must be" not in told
        assert not [
            kind for kind, rules in KIND_RULES.items() if rules.writing in told or rules.rubric in told
        ]


def test_a_kind_that_the_founder_asks_for_is_the_only_one_that_a_plan_can_have() -> None:
    plan = {"title": "A plan", "escalation": "", "steps": [_step("a").model_dump()]}
    shape = plan_shape(("research",), 3, DeliverableKind.CONTENT)
    assert shape.model_validate(plan).kind == "content"
    with pytest.raises(ValueError, match="kind"):
        shape.model_validate({**plan, "kind": "report"})
    assert plan_shape(("research",), 3).model_validate({**plan, "kind": "answer"}).kind == "answer"

    inputs = replace(SAMPLES[Purpose.PLAN].inputs, kind=DeliverableKind.CONTENT)
    assert "The founder asks for this kind of result: content." in asked(plan_request(inputs, system=AUTHOR))
    free = asked(plan_request(replace(inputs, kind=None), system=AUTHOR))
    assert "The founder asks for this kind" not in free


def _step(key: str, *needs: str, columns: tuple[TableColumn, ...] = ()) -> PlannedStep:
    return PlannedStep(
        key=key,
        title="A step",
        task="Do it.",
        role="research",
        depends_on=list(needs),
        acceptance=["It is done."],
        sources_needed=0,
        queries_needed=0,
        table=TablePlan(columns=list(columns)),
    )


@pytest.mark.parametrize(
    ("kind", "columns", "documents", "issues"),
    [
        ("data", (COLUMN,), {1}, 0),
        ("data", (COLUMN,), set(), 0),
        ("data", (), {1}, 1),
        ("report", (), {1}, 0),
        ("report", (COLUMN,), set(), 1),
    ],
)
def test_data_need_columns_and_may_come_from_elsewhere_than_documents(
    kind: KindName, columns: tuple[TableColumn, ...], documents: set[int], issues: int
) -> None:
    steps = [_step("a"), _step("end", "a", columns=columns)]
    plan = PlanReply(kind=kind, title="A plan", steps=steps, escalation="")
    entries = [DocumentEntry(number=number, title="d", path="d.md", chars=9) for number in documents]
    found = find_plan_issues(
        plan, PlanningSettings(), roles={"research"}, documents=entries, other_sources=True
    )
    assert len(found) == issues, found


def test_an_answer_is_not_planned_longer_than_answers_are() -> None:
    steps = [_step("a"), _step("end", "a")]
    plan = PlanReply(kind="answer", title="A plan", steps=steps, escalation="", words=800)
    (issue,) = find_plan_issues(
        plan, PlanningSettings(), roles={"research"}, documents=[], other_sources=True
    )
    assert issue == "An answer has at most 250 words, not 800."


@pytest.mark.parametrize(("text", "faults"), [("料金は十二ユーロです。" * 100, 0), ("word " * 100, 1)])
def test_words_are_counted_in_scripts_without_blanks(text: str, faults: int) -> None:
    brief = StepBrief(directive="d", task="t", kind=DeliverableKind.REPORT, form=ResultForm(words=500))
    assert len(find_length_faults(brief, text)) == faults
