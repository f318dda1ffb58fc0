"""The degraded results of a mission: made or reviewed by a lower tier than was asked for, or from less."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from frasier.kernel.humanize import ended
from frasier.kernel.text import shorten
from frasier.llm import failures_of_tier
from frasier.org.governance import reviews_of_steps
from frasier.org.missions.deliverables import accepted_deliverables
from frasier.org.missions.steps import steps_of
from frasier.store import Statements, Tx

_sql = Statements("frasier.org.missions")

_NAMED_MAX = 3
_CAUSE_CHARS = 300


async def degradation_of(tx: Tx, mission_id: UUID) -> str:
    """Say which accepted steps of a mission are degraded, or were reviewed so, what stood in, and for which failure;
    empty if none is.
    """
    titles = {step.task_id: step.title for step in await steps_of(tx, mission_id) if not step.removed}
    accepted = await accepted_deliverables(tx, list(titles))
    degraded = {
        task_id: accepted[task_id] for task_id in titles if task_id in accepted and accepted[task_id].degraded
    }
    worse = {task_id: made for task_id, made in degraded.items() if made.tier_served != made.tier_asked}
    sentences = []
    if worse:
        models = " and ".join(sorted({made.model for made in worse.values()}))
        sentences.append(f"Degraded: {models} stood in for a better model in {_named(titles, worse)}.")
        failures = await failures_of_tier(tx, list(worse))
        sentences += [ended(shorten(failure, _CAUSE_CHARS)) for failure in failures]
    if others := [task_id for task_id in degraded if task_id not in worse]:
        sentences.append(f"Degraded: {_named(titles, others)} rests on less than was asked for.")
    reviewed = {
        review.step_id: None
        for review in await reviews_of_steps(tx, list(accepted))
        if review.degraded and review.has_verdict and review.deliverable_id == accepted[review.step_id].id
    }
    if reviewed:
        sentences.append(
            f"Degraded: {_named(titles, reviewed)} was reviewed by a lower tier than was asked for."
        )
    return " ".join(sentences)


async def degraded_missions(tx: Tx, mission_ids: Sequence[UUID]) -> set[UUID]:
    """Return which of some missions have an accepted step that is degraded."""
    rows = await _sql.all(tx, "degraded_missions", mission_ids=list(mission_ids))
    return {row["mission_id"] for row in rows}


def _named(titles: dict[UUID, str], tasks: Collection[UUID]) -> str:
    names = sorted(repr(titles[task_id]) for task_id in tasks)
    listed = ", ".join(names[:_NAMED_MAX])
    return f"{listed} and {len(names) - _NAMED_MAX} more" if len(names) > _NAMED_MAX else listed
