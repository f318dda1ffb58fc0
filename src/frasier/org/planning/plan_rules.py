"""The rules of a plan, checked before anything starts. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from frasier.kernel.limits import ANSWER_WORDS_MAX
from frasier.kernel.mission_depth import MissionDepth
from frasier.llm import DocumentEntry
from frasier.llm.reply_schemas import PlannedStep, PlanReply
from frasier.org.planning.assigned_documents import unknown_folders
from frasier.org.planning.depth_bounds import SIMPLE_STEPS_MAX
from frasier.org.planning.settings import PlanningSettings
from frasier.workflow import find_cycle, width

_NOTHING = re.compile(
    r"(?:none|no|nil|null|n/?a|nothing|empty"
    r"|(?:no|none|nothing|not)\b[^.?!]{0,60}\b(?:escalat\w+|needed|required|necessary|applicable)\b[^.?!]{0,40})?"
    r"[\W\d_]*",
    re.IGNORECASE,
)


def find_plan_issues(
    plan: PlanReply,
    settings: PlanningSettings,
    *,
    roles: Collection[str],
    documents: Sequence[DocumentEntry],
    other_sources: bool,
    colleagues: Collection[str] = (),
) -> list[str]:
    """List the issues of a plan, one sentence each; empty if it can be carried out.

    `roles` are the filled ones, `colleagues` the keys and names of those who may be named, `documents` those that there
    are. `other_sources` is whether there is anything to research beside them: the web, or results of earlier missions.
    """
    keys = [step.key for step in plan.steps]
    issues = [f"The key {key} stands twice." for key in sorted({key for key in keys if keys.count(key) > 1})]
    if MissionDepth(plan.complexity) is MissionDepth.SIMPLE and len(keys) > SIMPLE_STEPS_MAX:
        issues.append(f"It is simple, and has {len(keys)} steps; a simple one has {SIMPLE_STEPS_MAX}.")
    elif len(keys) > settings.steps_max:
        issues.append(f"It has {len(keys)} steps; {settings.steps_max} are allowed.")
    for step in plan.steps:
        issues += [
            f"Step {step.key} depends on {needed}, which is not in the plan."
            for needed in step.depends_on
            if needed not in keys
        ]
        if step.role not in roles:
            issues.append(f"Nobody fills the role {step.role} of step {step.key}; there are {_list(roles)}.")
        if step.colleague and step.colleague.strip().casefold() not in {one.casefold() for one in colleagues}:
            issues.append(
                f"Step {step.key} names the colleague {step.colleague}, who is not here; there are {_list(colleagues)}."
            )
        if step.colleague and step.expert:
            issues.append(f"Step {step.key} names a colleague and asks for another trade; it can have one.")
        if step.sources_needed > settings.sources_per_step:
            issues.append(
                f"Step {step.key} needs {step.sources_needed} sources; one step can read "
                f"{settings.sources_per_step}. Split it into parallel steps."
            )
        if step.queries_needed > settings.queries_per_step:
            issues.append(
                f"Step {step.key} needs {step.queries_needed} queries; one step can ask "
                f"{settings.queries_per_step}. Split it into parallel steps."
            )
        if step.sources_needed and not documents and not other_sources:
            issues.append(f"Step {step.key} needs sources, but there are no documents and no web search.")
        issues += _find_document_issues(step, documents, makes_data=plan.kind == "data")
    if plan.kind == "answer" and plan.words > ANSWER_WORDS_MAX:
        issues.append(f"An answer has at most {ANSWER_WORDS_MAX} words, not {plan.words:,}.")
    return issues or _find_shape_issues(plan, settings)


def _find_document_issues(
    step: PlannedStep, documents: Sequence[DocumentEntry], *, makes_data: bool
) -> list[str]:
    """List the issues of the documents and the table of a step; that of data may have its records from elsewhere."""
    issues = []
    if unknown := sorted(set(step.documents) - {document.number for document in documents}):
        numbers = ", ".join(map(str, unknown[:10]))
        issues.append(f"Step {step.key} reads {numbers}, which are no documents of this mission.")
    if folders := unknown_folders(step, documents):
        issues.append(f"Step {step.key} reads {', '.join(folders[:10])}, where no documents are.")
    names = [column.name for column in step.table.columns]
    if names and not documents and not makes_data:
        issues.append(f"Step {step.key} examines every document, but there are none.")
    if len(set(names)) < len(names):
        issues.append(f"Two columns of the table of step {step.key} have one name.")
    named = [condition.column for condition in step.table.conditions] + [step.table.sort_by or ""]
    issues += [
        f"The table of step {step.key} is filtered or sorted by {name}, which is none of its columns."
        for name in dict.fromkeys(named)
        if name and name not in names
    ]
    return issues


def _find_shape_issues(plan: PlanReply, settings: PlanningSettings) -> list[str]:
    """List the issues of the graph; requires that every key and edge is known."""
    edges = {step.key: step.depends_on for step in plan.steps}
    if cycle := find_cycle(edges):
        return [f"The steps wait for each other: {' → '.join([*cycle, cycle[0]])}."]
    issues = []
    if width(edges) > settings.parallel_max:
        issues.append(f"{width(edges)} steps would run at once; {settings.parallel_max} are allowed.")
    needed = {key for needs in edges.values() for key in needs}
    ends = [key for key in edges if key not in needed]
    if len(ends) != 1:
        issues.append(
            f"It ends in {len(ends)} steps ({_list(ends)}); exactly one final step must build on all others."
        )
    elif plan.kind == "data" and not _step(plan, ends[0]).table.columns:
        issues.append(f"The result is data, so the table of the final step {ends[0]} needs its columns.")
    return issues


def escalation_of(plan: PlanReply) -> str:
    """Return what the founder must settle before work begins; empty if nothing.

    Models that must fill the field write “none” or a dash into it: that is no escalation.
    """
    return _stated(plan.escalation)


def question_of_plan(plan: PlanReply) -> str:
    """Return the planner's question about an ambiguous directive; empty if there is none."""
    return _stated(plan.question)


def _stated(text: str) -> str:
    """Return what a field states; empty where it was only filled because it must be."""
    text = text.strip()
    return "" if _NOTHING.fullmatch(text.lstrip("([{<\"'-–—. ")) else text


def _step(plan: PlanReply, key: str) -> PlannedStep:
    return next(step for step in plan.steps if step.key == key)


def final_step(plan: PlanReply) -> str:
    """Return the key of the step on which no other depends (of a valid plan)."""
    needed = {key for step in plan.steps for key in step.depends_on}
    return next(step.key for step in plan.steps if step.key not in needed)


def _list(words: Collection[str]) -> str:
    return ", ".join(sorted(words))
