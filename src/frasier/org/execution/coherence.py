"""The review of a final result as a whole: whether the parts of several authors fit together."""

from __future__ import annotations

from collections.abc import Sequence

from frasier.kernel.humanize import ended, plural
from frasier.kernel.mission_depth import MissionDepth
from frasier.kernel.text import shorten
from frasier.org.governance import (
    CoherenceRules,
    Review,
    ReviewKind,
    reviews_of_steps,
    reviews_of_version,
    rules_in_force,
)
from frasier.org.missions import (
    Deliverable,
    Mission,
    MissionStep,
    authors_of,
    current_plan,
    deliverables_of,
    get_deliverable,
)
from frasier.org.people import get_agent
from frasier.store import Tx
from frasier.workflow import Task

_FINDING_CHARS = 600


async def coherence_stages(tx: Tx, step: MissionStep) -> tuple[ReviewKind, ...]:
    """Return the review of the whole for a final result of several authors, of a mission that is not simple."""
    if not step.is_final:
        return ()
    plan = await current_plan(tx, step.mission_id)
    if plan is not None and plan.depth is MissionDepth.SIMPLE:
        return ()
    reads = (await rules_in_force(tx, CoherenceRules)).review and len(await authors_of(tx, step)) > 1
    return (ReviewKind.COHERENCE,) if reads else ()


async def is_left_unsettled(
    tx: Tx, step: MissionStep, task: Task, deliverable: Deliverable, standing: Sequence[Review], *, last: bool
) -> bool:
    """Whether a version is not revised any more for how its parts fit together, which all else that was said of it
    allows: its tries are used up, or it was sent back so often that this would be the `last` time.
    """
    rejected = [review for review in standing if review.state == "rejected"]
    if not rejected or any(review.kind is not ReviewKind.COHERENCE for review in rejected):
        return False
    tries = (await rules_in_force(tx, CoherenceRules)).tries
    return last or await _sent_back(tx, step, task, deliverable) >= tries


async def _sent_back(tx: Tx, step: MissionStep, task: Task, deliverable: Deliverable) -> int:
    """Count the versions before this one that were sent back for their coherence since the work began or began anew."""
    first = deliverable.version - task.strikes
    round_before = {
        one.id
        for one in await deliverables_of(tx, [step.task_id])
        if first <= one.version < deliverable.version
    }
    return sum(
        review.kind is ReviewKind.COHERENCE
        and review.state == "rejected"
        and review.deliverable_id in round_before
        for review in await reviews_of_steps(tx, [step.task_id])
    )


async def unsettled_of(tx: Tx, mission: Mission) -> tuple[str, ...]:
    """Return what is left of a result that was accepted although its parts do not fit together everywhere, or although
    it lacks something that its kind or form requires.
    """
    if mission.final_deliverable is None:
        return ()
    final = await get_deliverable(tx, mission.final_deliverable)
    reviews = await reviews_of_version(tx, final.task_id, final.id)
    return (
        *final.verification.lacks,
        *[
            _finding(review, (await get_agent(tx, review.reviewer)).name, final.version)
            for review in reviews
            if review.kind is ReviewKind.COHERENCE and review.state == "rejected" and review.reviewer
        ],
    )


def _finding(review: Review, name: str, versions: int) -> str:
    quoted = "".join(f" “{one['quotation']}”: {ended(one['remark'])}" for one in review.passages)
    found = shorten(f"{ended(review.feedback or '')}{quoted}", _FINDING_CHARS)
    return f"Its parts do not fit together everywhere after {plural(versions, 'version')}. {name} still finds: {found}"
