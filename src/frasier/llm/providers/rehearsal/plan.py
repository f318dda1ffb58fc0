"""A plan: one research step for each branch, side by side, and one step that brings them together."""

from __future__ import annotations

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.text import shorten
from frasier.llm.prompt_inputs import PlanInputs
from frasier.llm.providers.rehearsal.branches import BRANCHES_MAX, Branch, branches, subject_of
from frasier.llm.providers.rehearsal.questions import asks_for_limits, capitalised
from frasier.llm.providers.rehearsal.result_form import stated_form
from frasier.llm.providers.rehearsal.roles import researchers, writer
from frasier.llm.providers.rehearsal.stems import keywords
from frasier.llm.providers.rehearsal.table_plan import data_table, table_plan
from frasier.llm.providers.rehearsal.task_wording import directive_title, final_task, research_task
from frasier.llm.reply_schemas import PlannedStep, PlanReply, TablePlan

_TITLE_CHARS_MAX = 110
_SUBJECT_CHARS_MAX = 120
_SOURCES_MIN = 3
_QUERIES = 3
_SUBJECTS_OF_FINAL_MAX = 6
_TASK_CHARS_MAX = 1_200


def plan(inputs: PlanInputs) -> PlanReply:
    """Between two and four parallel steps and a final one, within the limits; fewer after a refused plan.

    Data are made by one step, which examines every document, as is a list of what each document is about.
    """
    escalation = _escalation(inputs)
    title, form = _titled(directive_title(inputs.directive)), stated_form(inputs.directive)
    table = table_plan(inputs) if not inputs.issues else None
    if inputs.kind is DeliverableKind.DATA:
        step = _table_step(inputs, table or data_table(inputs))
        return PlanReply(kind="data", title=title, steps=[step], escalation=escalation, **form)
    if table is not None and inputs.kind in {None, DeliverableKind.REPORT}:
        step = _table_step(inputs, table)
        return PlanReply(kind="report", title=title, steps=[step], escalation=escalation, **form)
    parallel = min(BRANCHES_MAX, inputs.max_parallel, inputs.max_steps - 1)
    if inputs.issues:
        parallel = min(parallel, 2)
    parts = branches(inputs, max(parallel, 1))
    final_role = writer(inputs.roles)
    roles = researchers(inputs.roles, [subject_of(part) for part in parts], final_role)
    steps = [
        _research_step(inputs, at, part, role)
        for at, (part, role) in enumerate(zip(parts, roles, strict=True), 1)
    ]
    if inputs.max_steps > len(steps):
        steps.append(_final_step(inputs, parts, tuple(step.key for step in steps), final_role))
    kind = inputs.kind or DeliverableKind.REPORT
    return PlanReply(kind=kind.value, title=title, steps=steps, escalation=escalation, **form)


def _research_step(inputs: PlanInputs, at: int, branch: Branch, role: str) -> PlannedStep:
    subject = shorten(subject_of(branch), _SUBJECT_CHARS_MAX)
    halved = 2 if inputs.issues else 1
    return PlannedStep(
        key=f"research-{at}",
        title=_titled(shorten(capitalised(subject.rstrip("? ")), _TITLE_CHARS_MAX)),
        task=research_task(branch, inputs.directive),
        role=role,
        depends_on=[],
        acceptance=[
            f"States what the sources say about {subject}, or that they say nothing.",
            "Every statement ends with the number of the source it is quoted from.",
            "Names what the sources leave open.",
        ],
        sources_needed=min(
            inputs.max_sources_per_step, max(_SOURCES_MIN, _sources(inputs, branch)) // halved
        ),
        queries_needed=min(inputs.max_queries_per_step, max(_QUERIES // halved, 1)),
    )


def _final_step(
    inputs: PlanInputs, parts: tuple[Branch, ...], keys: tuple[str, ...], role: str
) -> PlannedStep:
    aspects_ = dict.fromkeys(aspect for part in parts for aspect in part.aspects)
    subjects = tuple(one for one in aspects_ if not asks_for_limits(one))[:_SUBJECTS_OF_FINAL_MAX]
    covered = shorten(", ".join(shorten(subject_of(part), _SUBJECT_CHARS_MAX // 2) for part in parts), 240)
    return PlannedStep(
        key="final",
        title="Final document",
        task=final_task(subjects, inputs.directive),
        role=role,
        depends_on=list(keys),
        acceptance=[
            f"Covers {covered}.",
            "Answers each question in a section of its own, and keeps the citation of every statement it takes over.",
            "Says where the sources are silent.",
        ],
        sources_needed=0,
        queries_needed=0,
    )


def _table_step(inputs: PlanInputs, table: TablePlan) -> PlannedStep:
    names = [column.name for column in table.columns]
    return PlannedStep(
        key="data",
        title=_titled(shorten(directive_title(inputs.directive, _TITLE_CHARS_MAX), _TITLE_CHARS_MAX)),
        task=shorten(inputs.directive, _TASK_CHARS_MAX),
        role=researchers(inputs.roles, names, writer(inputs.roles))[0],
        depends_on=[],
        acceptance=["Has a record for every document that could be examined."],
        sources_needed=0,
        queries_needed=0,
        table=table,
    )


def _sources(inputs: PlanInputs, branch: Branch) -> int:
    return len(branch.titles) or len({passage.number for passage in inputs.outline})


def _escalation(inputs: PlanInputs) -> str:
    """The reason for which work cannot begin, where there is one."""
    if not inputs.outline and not inputs.web_search:
        return (
            "There is no source to work from and no web search. Which documents shall the work be based on?"
        )
    if not keywords(inputs.directive) and not inputs.outline:
        return "The directive names nothing that could be looked for. What shall the result be about?"
    return ""


def _titled(title: str) -> str:
    """A title of the length that a plan asks for."""
    return title if len(title) >= 3 else f"Work on {title or 'the directive'}"
