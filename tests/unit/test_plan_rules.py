"""A plan is checked in numbers before anything starts."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from frasier.llm import DocumentEntry
from frasier.llm.reply_schemas import PlannedStep, PlanReply
from frasier.org.planning import PlanningSettings, find_plan_issues
from frasier.org.planning.assigned_documents import assigned_documents
from frasier.org.planning.plan_rules import escalation_of, final_step
from frasier.prompts.plan import plan_shape

ROLES = {"research", "content"}
SETTINGS = PlanningSettings(steps_max=5, parallel_max=2, queries_per_step=6, sources_per_step=16)


def step(key: str, *needs: str, **changes: Any) -> PlannedStep:
    facts: dict[str, Any] = {
        "key": key,
        "title": f"Step {key}",
        "task": "Do it.",
        "role": "research",
        "depends_on": list(needs),
        "acceptance": ["It is done."],
        "sources_needed": 3,
        "queries_needed": 2,
    }
    return PlannedStep(**{**facts, **changes})


DOCUMENTS = [
    DocumentEntry(number=number, title=f"d{number}", path=path, chars=100)
    for number, path in enumerate(
        [
            "a.md",
            "b.md",
            "offers/c.md",
            "offers/d.md",
            "offers/2026/e.md",
            "offers-old/f.md",
            "bids/g.md",
            "bids/h.md",
        ],
        start=1,
    )
]


def issues(*steps: PlannedStep, can_research: bool = True) -> list[str]:
    plan = PlanReply(title="A plan", steps=list(steps), escalation="")
    return find_plan_issues(
        plan, SETTINGS, roles=ROLES, documents=DOCUMENTS if can_research else (), other_sources=False
    )


def test_two_branches_into_one_final_step_keep_the_rules() -> None:
    assert issues(step("a"), step("b"), step("end", "a", "b", role="content")) == []


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([step("a", "b"), step("b", "a"), step("end", "a")], "wait for each other"),
        ([step("a", "a")], "wait for each other"),
        ([step("a"), step("end", "a", "ghost")], "ghost, which is not in the plan"),
        ([step("a"), step("a"), step("end", "a")], "stands twice"),
        ([step("a", role="astrologer")], "Nobody fills the role astrologer"),
        ([step("a", sources_needed=50)], "needs 50 sources; one step can read 16"),
        ([step("a", queries_needed=15)], "needs 15 queries; one step can ask 6"),
        ([step("a"), step("b")], "ends in 2 steps"),
        ([step("a"), step("b"), step("c"), step("end", "a", "b", "c")], "3 steps would run at once"),
        ([step("a", documents=[3, 9])], "Step a reads 9, which are no documents"),
        ([step("a", folders=["offers", "bids/2025"])], "Step a reads bids/2025, where no documents are"),
        ([step(f"s{n}", *([f"s{n - 1}"] if n else [])) for n in range(6)], "has 6 steps; 5 are allowed"),
    ],
)
def test_what_cannot_be_carried_out_is_named(steps: list[PlannedStep], said: str) -> None:
    assert any(said in issue for issue in issues(*steps))


def test_sources_cannot_be_needed_where_there_is_nothing_to_research() -> None:
    assert any("no documents and no web search" in issue for issue in issues(step("a"), can_research=False))
    assert issues(step("a", sources_needed=0, queries_needed=0), can_research=False) == []


def test_the_final_step_is_the_one_that_nothing_builds_on() -> None:
    plan = PlanReply(title="A plan", steps=[step("end", "a"), step("a")], escalation="")
    assert final_step(plan) == "end"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "-",
        "None",
        "none.",
        "N/A",
        "No.",
        "(none)",
        "null",
        "No escalation is needed.",
        ", 1,",
        "Not applicable",
    ],
)
def test_a_field_that_was_filled_with_nothing_is_no_escalation(text: str) -> None:
    assert escalation_of(PlanReply(title="A plan", steps=[step("a")], escalation=text)) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Which market?",
        "No budget was given for the ads. How much may they cost?",
        "请告知预算",
        "Not all sources open.",
    ],
)
def test_what_asks_or_tells_the_founder_something_is_one(text: str) -> None:
    assert escalation_of(PlanReply(title="A plan", steps=[step("a")], escalation=text)) == text


def test_the_shape_of_a_plan_holds_the_roles_and_the_number_of_steps() -> None:
    shape = plan_shape(("content", "research"), 2)
    plan = PlanReply(title="A plan", steps=[step("a"), step("end", "a")], escalation="").model_dump()
    assert shape.model_validate(plan).model_dump() == plan
    for breaks in (
        {"steps": [*plan["steps"], plan["steps"][0]]},
        {"steps": [{**plan["steps"][0], "role": "astrologer"}]},
        {"steps": [{**plan["steps"][0], "depends_on": ["x", "y"]}]},
    ):
        with pytest.raises(ValidationError):
            shape.model_validate({**plan, **breaks})
    assert shape is plan_shape(("content", "research"), 2), (
        "the same shape, so that the same question is the same"
    )


@pytest.mark.parametrize(
    ("folders", "numbers", "read"),
    [
        (["offers"], [], (3, 4, 5)),
        (["offers/2026/", "./bids"], [], (5, 7, 8)),
        (["."], [7], (1, 2, 7)),
        ([], [2], (2,)),
        ([], [], ()),
    ],
)
def test_a_step_reads_what_is_assigned_by_number_and_by_folder(
    folders: list[str], numbers: list[int], read: tuple[int, ...]
) -> None:
    assert assigned_documents(step("a", folders=folders, documents=numbers), DOCUMENTS) == read
