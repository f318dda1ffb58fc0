"""A plan: one research step for each branch, side by side, and one step that brings them together."""

from __future__ import annotations

from frasier.kernel.text import shorten
from frasier.llm.prompt_inputs import PlanInputs
from frasier.llm.providers.rehearsal.branches import BRANCHES_MAX, Branch, branches, subject_of
from frasier.llm.providers.rehearsal.questions import capitalised
from frasier.llm.providers.rehearsal.roles import researchers, writer
from frasier.llm.providers.rehearsal.stems import keywords
from frasier.llm.providers.rehearsal.task_wording import directive_title, final_task, research_task
from frasier.llm.reply_schemas import PlannedStep, PlanReply

_TITLE_CHARS_MAX = 110
_SUBJECT_CHARS_MAX = 120
_SOURCES_MIN = 3
_QUERIES = 3
_SUBJECTS_OF_FINAL_MAX = 6


def plan(inputs: PlanInputs) -> PlanReply:
    """Between two and four parallel steps and a final one, within the limits; fewer after a refused plan."""
    escalation = _escalation(inputs)
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
    return PlanReply(title=_titled(directive_title(inputs.directive)), steps=steps, escalation=escalation)


def _research_step(inputs: PlanInputs, at: int, branch: Branch, role: str) -> PlannedStep:
    subject = shorten(subject_of(branch), _SUBJECT_CHARS_MAX)
    halved = 2 if inputs.issues else 1
    return PlannedStep(
        key=f"research-{at}",
        title=_titled(shorten(capitalised(subject.rstrip("?")), _TITLE_CHARS_MAX)),
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
    subjects = tuple(dict.fromkeys(aspect for part in parts for aspect in part.aspects))[
        :_SUBJECTS_OF_FINAL_MAX
    ]
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
