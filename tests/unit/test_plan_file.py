"""A plan as a file that the founder edits, and the default plan."""

from __future__ import annotations

import pytest

from frasier.kernel.errors import InvalidInput
from frasier.llm import DocumentEntry, PlanInputs, StaffedRole
from frasier.llm.reply_schemas import PlannedStep, PlanReply, RowCondition, TableColumn, TablePlan
from frasier.org.planning import (
    PlanningSettings,
    default_plan,
    find_plan_issues,
    plan_as_file,
    read_plan_file,
)
from frasier.org.planning.default_plan import questions_in

DOCUMENTS = tuple(
    DocumentEntry(number=number, title=f"d{number}", path=f"{number}.md", chars=100) for number in range(1, 4)
)
INPUTS = PlanInputs(
    directive="What is tea? What is coffee?",
    roles=tuple(
        StaffedRole(role=role, agent=role, title=role, skills=()) for role in ("content", "research")
    ),
    outline=(),
    web_search=False,
    max_steps=12,
    max_parallel=4,
    max_queries_per_step=6,
    max_sources_per_step=16,
    documents=DOCUMENTS,
)


def _issues(plan: PlanReply, inputs: PlanInputs) -> list[str]:
    return find_plan_issues(
        plan,
        PlanningSettings(steps_max=inputs.max_steps, parallel_max=inputs.max_parallel),
        roles={role.role for role in inputs.roles},
        documents=inputs.documents,
        other_sources=inputs.web_search,
    )


def test_a_plan_is_read_back_from_its_file_as_it_was() -> None:
    table = TablePlan(
        entry='a "booking"',
        columns=[TableColumn(name="Größe", asks="How large?", kind="number")],
        conditions=[RowCondition(column="Größe", operator="at_least", value="3")],
        sort_by="Größe",
        descending=True,
    )
    step = PlannedStep(
        key="table",
        title='A "table" # of all',
        task="Line one.\nLine two with \\ and \ttabs.",
        role="research",
        depends_on=[],
        acceptance=["It is done.", "All of it."],
        sources_needed=0,
        queries_needed=0,
        documents=[1, 3],
        folders=["offers/2026"],
        table=table,
    )
    final = step.model_copy(update={"key": "final", "depends_on": ["table"], "table": TablePlan()})
    plan = PlanReply(title="A plan", kind="report", words=90, steps=[step, final], escalation="")
    file = plan_as_file(plan, {"table": "Heron"})
    assert read_plan_file(file) == plan
    assert 'role = "research"  # Heron' in file


@pytest.mark.parametrize(
    ("before", "after", "named"),
    [
        ('title = "A', 'titel = "A', "titel is not known"),
        ("[[steps]]", "[[step]]", "step is not known"),
        ('key = "a"', 'key = "A step"', "key of step 1 must fit the pattern"),
        ("words = 0", "words = 1e9", "words"),
        ("words = 0", 'words = 0\nescalation = "none"', "escalation is not known"),
        ('key = "a"', "key = ", "It cannot be read as TOML"),
    ],
)
def test_everything_that_is_wrong_with_an_edited_plan_is_named(before: str, after: str, named: str) -> None:
    step = PlannedStep(
        key="a",
        title="Step a",
        task="Do it.",
        role="research",
        depends_on=[],
        acceptance=["Done."],
        sources_needed=0,
        queries_needed=0,
    )
    file = plan_as_file(PlanReply(title="A plan", steps=[step], escalation=""), {})
    assert before in file
    with pytest.raises(InvalidInput) as refused:
        read_plan_file(file.replace(before, after, 1))
    assert named in refused.value.message


@pytest.mark.parametrize(
    ("directive", "questions"),
    [
        ("What is tea? How old is it?", ("What is tea?", "How old is it?")),
        ("Tell me:\n- the price\n- the date\n", ("the price", "the date")),
        ("1. Wie teuer ist es?\n2. Wann kommt es?", ("Wie teuer ist es?", "Wann kommt es?")),
        ("Compare tea and coffee.", ("Compare tea and coffee.",)),
        ("Is it 3.5 percent? Yes or no.", ("Is it 3.5 percent?",)),
    ],
)
def test_the_questions_of_a_directive(directive: str, questions: tuple[str, ...]) -> None:
    assert questions_in(directive) == questions


@pytest.mark.parametrize(
    ("directive", "steps_max", "parallel_max", "keys"),
    [
        ("What is tea? What is coffee?", 12, 4, ["research-1", "research-2", "final"]),
        ("Compare tea and coffee.", 12, 4, ["research-1", "final"]),
        ("A? B? C? D? E? F?", 12, 4, ["research-1", "research-2", "research-3", "research-4", "final"]),
        ("What is tea? What is coffee?", 2, 4, ["research-1", "final"]),
        ("What is tea? What is coffee?", 1, 4, ["final"]),
    ],
)
def test_the_default_plan_keeps_the_rules_within_any_bounds(
    directive: str, steps_max: int, parallel_max: int, keys: list[str]
) -> None:
    inputs = PlanInputs(
        **{
            **{name: getattr(INPUTS, name) for name in INPUTS.__slots__},
            "directive": directive,
            "max_steps": steps_max,
            "max_parallel": parallel_max,
        }
    )
    plan = default_plan(inputs, title="A title")
    assert [step.key for step in plan.steps] == keys
    assert _issues(plan, inputs) == []
    asked = " ".join(step.task for step in plan.steps)
    assert all(question in asked for question in questions_in(directive))
