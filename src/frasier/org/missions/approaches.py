"""The approaches of accepted work (D-025), remembered as hints for a step's author and the chief of staff."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from frasier.kernel.humanize import plural
from frasier.kernel.text import shorten
from frasier.memory import MemoryKind, NewMemory, agent_scope, save_memory
from frasier.org.governance import Review, ReviewKind, reviews_of_steps
from frasier.org.missions.deliverables import REHEARSAL, Deliverable
from frasier.org.missions.missions import Mission
from frasier.org.missions.steps import MissionStep
from frasier.store import Tx
from frasier.workflow import Task, dependencies_of

_DIRECTIVE_CHARS = 200


async def remember_approach(tx: Tx, step: MissionStep, accepted: Deliverable) -> None:
    """Store how the accepted version of a step was made, for its author. Called in the transaction that accepts it."""
    reviews = await reviews_of_steps(tx, [step.task_id])
    judgement, score = _judgement(accepted, reviews)
    lines = [
        f"Task: {step.title}",
        f"Questions: {'; '.join(accepted.questions)}",
        *([f"Queries that found something: {'; '.join(accepted.queries)}"] if accepted.queries else []),
        f"Version {accepted.version}, {judgement}",
        f"Sources cited: {len(accepted.citations.cited)} of {accepted.citations.quotable}",
    ]
    await save_memory(
        tx,
        NewMemory(
            kind=MemoryKind.APPROACH,
            scope=agent_scope(step.agent_id),
            title=step.title,
            content="\n".join(lines),
            agent_id=step.agent_id,
            task_id=step.task_id,
            provenance={
                "mission": str(step.mission_id),
                "deliverable": str(accepted.id),
                "score": score,
                REHEARSAL: accepted.rehearsal,
            },
        ),
    )


async def remember_plan(
    tx: Tx, mission: Mission, *, planning: Task | None, steps: Sequence[MissionStep], final: Deliverable
) -> None:
    """Store the plan of a completed mission, for its planner. Called in the transaction that completes it.

    A mission without a `planning` task had one step, and no plan.
    """
    if planning is None or planning.assignee is None:
        return
    reviews = await reviews_of_steps(tx, [step.task_id for step in steps])
    judgement, score = _judgement(final, reviews)
    lines = [
        f"Directive: {shorten(' '.join(mission.directive.split()), _DIRECTIVE_CHARS)}",
        f"Result: {judgement}; {_sent_back(steps, reviews)}",
        f"Plan of {plural(len(steps), 'step')}:",
        *await _graph(tx, mission, steps),
    ]
    await save_memory(
        tx,
        NewMemory(
            kind=MemoryKind.APPROACH,
            scope=agent_scope(planning.assignee),
            title=mission.title,
            content="\n".join(lines),
            agent_id=planning.assignee,
            task_id=planning.id,
            provenance={"mission": str(mission.id), "score": score, REHEARSAL: mission.rehearsal},
        ),
    )


def _judgement(accepted: Deliverable, reviews: Sequence[Review]) -> tuple[str, float | None]:
    """Describe the acceptance of a version, with the score of its reviewers, if any."""
    verdicts = [review for review in reviews if review.deliverable_id == accepted.id]
    scores = [
        review.overall
        for review in verdicts
        if review.kind is not ReviewKind.POLICY and review.overall is not None
    ]
    if not scores and any(review.kind is ReviewKind.FOUNDER for review in verdicts):
        return "approved by the founder", None
    if not scores:
        return "approved by policy, reviewed by nobody", None
    score = round(fmean(scores), 2)
    return f"accepted with {score:g} of 5 by its reviewers", score


def _sent_back(steps: Sequence[MissionStep], reviews: Sequence[Review]) -> str:
    keys = {step.task_id: step.key for step in steps}
    counts = Counter(keys[review.step_id] for review in reviews if review.state == "rejected")
    if not counts:
        return "nothing was sent back"
    where = ", ".join(f"{key} {number}×" for key, number in sorted(counts.items()))
    total = counts.total()
    return f"{plural(total, 'version')} {'was' if total == 1 else 'were'} sent back ({where})"


async def _graph(tx: Tx, mission: Mission, steps: Sequence[MissionStep]) -> list[str]:
    keys = {step.task_id: step.key for step in steps}
    edges = await dependencies_of(tx, mission.id)
    lines = []
    for step in steps:
        needs = sorted(
            keys[edge.depends_on] for edge in edges.get(step.task_id, ()) if edge.depends_on in keys
        )
        after = f" after {', '.join(needs)}" if needs else ""
        lines.append(f"{step.key} ({step.role}){after}: {step.title}")
    return lines
